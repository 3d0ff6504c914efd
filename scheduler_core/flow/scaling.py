"""Incremental cost scaling: after changes, start push-relabel from the previous flow and prices.

Goldberg and Tarjan's cost scaling, begun where the last solve ended, as section 3.2 of Sirius' paper has it. Costs and
prices count in units of 1 / (nodes + 1), so that a flow which is optimal but for one unit an arc is optimal. A phase
sends flow over arcs that are more than `epsilon` too cheap. Then nodes that lack something fetch it over arcs that are
too cheap, and nodes with an excess push it away; where a node has no such arc its price changes until it has one.
`epsilon` falls from the largest violation to 1. A solve looks only at the nodes that it touches, and the root (the sink
of a scheduler's graph) takes and gives the rest. Where a network has no feasible flow `repair` goes on from
what is there; where the phases take long, the reference solves it.
"""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner, kernel
from scheduler_core.flow.adopt import correct, join
from scheduler_core.flow.arrays import FRESH, IN_FRESH, IN_QUEUE, IN_UNEVEN, Net
from scheduler_core.flow.edit import note, soil
from scheduler_core.flow.repair import OPTIMAL, UNFINISHED, fit_price, push

LEFT_OVER = 4
"""Status of `scale` beside those of `repair`: `repair.solve` has to go on from what is there."""

_STEP = 8
_FINER = 64
"""Where nothing is violated, epsilon begins at this part of the largest cost at a node with an excess: with less, many
units that come at once outbid each other by one unit after the other."""
"""What epsilon is divided by from phase to phase."""
_PATIENCE, _LEAST = 8, 20_000
"""Halves looked at for each arc of the network, and at least, before it leaves the network to the reference."""
_MOST = 1 << 60


@inner
def _unit(n: Net) -> int:
    """Return how many units of scaled prices one of cost is: more than any cycle has arcs."""
    return int(n.network[0].live_nodes + 1)


@inner
def _touch(n: Net, v: int, unit: int) -> None:
    """Note that a node takes part in this solve; its scaled price is in `distance`, its next half in `via`.

    The root never does: it is the end of what others send and fetch, and keeps its price.
    """
    node, network = n.node[v], n.network[0]
    if node.seen != network.search and v != network.root:
        node.seen = network.search
        node.distance = unit * node.price
        node.via = 0
        n.ties[network.ties] = v
        network.ties += 1


@inner
def _scaled(n: Net, v: int, unit: int) -> int:
    """Return the scaled price of a node, touched or not."""
    node = n.node[v]
    return int(node.distance if node.seen == n.network[0].search else unit * node.price)


@inner
def _first_epsilon(n: Net, unit: int) -> int:
    """Touch the ends of arcs on the wrong side of the prices, and nodes with an excess; what epsilon begins with."""
    network, worst = n.network[0], 0
    for i in range(network.dirty):
        arc = n.arc[n.dirty[i]]
        arc.dirty = 0
        if arc.cap < 0:
            continue
        half = n.half[arc.half]
        tail = n.half[half.mate].to
        reduced = half.cost + n.node[tail].price - n.node[half.to].price
        if tail == half.to:  # a loop is full where it pays, whatever the prices
            if reduced < 0 and half.residual > 0:
                push(n, arc.half, half.residual)
            elif reduced > 0 and half.back > 0:
                push(n, half.mate, half.back)
        elif (reduced < 0 and half.residual > 0) or (reduced > 0 and half.back > 0):
            worst = max(worst, abs(reduced))
            _touch(n, tail, unit)
            _touch(n, half.to, unit)
    network.dirty = 0
    for i in range(network.uneven):
        node = n.node[n.uneven[i]]
        if node.excess != 0 and n.uneven[i] != network.root:
            _touch(n, n.uneven[i], unit)
            for h in range(node.first, node.first + node.count):
                worst = max(worst, abs(n.half[h].cost) // _FINER)
    return int(unit * worst)


@called
def _saturate(n: Net, epsilon: int, unit: int) -> None:
    """Send flow over the arcs of touched nodes that are more than epsilon too cheap."""
    network = n.network[0]
    for i in range(network.ties):
        node = n.node[n.ties[i]]
        node.via = 0
        network.scanned += node.count
        for h in range(node.first, node.first + node.count):
            half = n.half[h]
            if half.to == n.ties[i] or (half.residual == 0 and half.back == 0):
                continue
            reduced = unit * half.cost + node.distance - _scaled(n, half.to, unit)
            if reduced < -epsilon and half.residual > 0:
                _touch(n, half.to, unit)
                push(n, h, half.residual)
            elif reduced > epsilon and half.back > 0:
                _touch(n, half.to, unit)
                push(n, half.mate, half.back)


@called
def _discharge(n: Net, v: int, way: int, epsilon: int, unit: int) -> bool:
    """Send a node's excess on (way 1), or fetch what it lacks (way -1); False where no half leads there.

    Over a half that is too cheap units go at once; where there is none the node's price changes until one is.
    """
    network, node = n.network[0], n.node[v]
    while node.excess != 0:
        best, at, start = -_MOST, -1, node.via
        for i in range(node.count):
            place = start + i if start + i < node.count else start + i - node.count
            h = node.first + place
            half = n.half[h]
            network.scanned += 1
            room = half.residual if way > 0 else half.back
            if room <= 0 or half.to == v:
                continue
            level = way * (_scaled(n, half.to, unit) - unit * half.cost)
            if way * node.distance < level:
                amount = min(abs(node.excess), room)
                push(n, h if way > 0 else half.mate, amount)
                _touch(n, half.to, unit)
                if way * n.node[half.to].excess > 0 and half.to != network.root:
                    join(n, half.to)
                if node.excess == 0:
                    node.via = place
                    return True
                if amount == room:
                    continue
            if level > best:
                best, at = level, place
        if at < 0:
            return False
        node.distance = way * (best - epsilon)
        node.via = at
    return True


@inner
def _refine(n: Net, way: int, epsilon: int, unit: int, end: int) -> bool:
    """Even out all nodes with an excess (way 1) or a lack (way -1), but for the root; False if given up."""
    network = n.network[0]
    network.closed = network.frontier = 0
    for i in range(network.ties):
        v = n.ties[i]
        if way * n.node[v].excess > 0 and v != network.root:
            join(n, v)
    done = True
    while network.frontier > 0:
        v = n.closed[network.closed]
        network.closed = (network.closed + 1) % len(n.closed)
        network.frontier -= 1
        n.node[v].listed &= ~IN_QUEUE
        if done and (network.scanned > end or not _discharge(n, v, way, epsilon, unit)):
            done = False
    return done


@inner
def _settle(n: Net, unit: int, optimal: bool) -> bool:
    """Set touched nodes' prices to whole costs: exact after an optimal flow; otherwise mark their arcs for repair.

    False where prices do not fit, so that `repair` has to go on.
    """
    network = n.network[0]
    network.closed = network.frontier = 0
    for i in range(network.ties):
        node = n.node[n.ties[i]]
        node.price = node.distance // unit
    for i in range(network.ties):
        v = n.ties[i]
        node = n.node[v]
        for h in range(node.first, node.first + node.count):
            half = n.half[h]
            if not optimal:
                soil(n, half.arc >> 1)
            elif half.back > 0:
                node.price = min(node.price, n.node[half.to].price - half.cost)
        if optimal:
            join(n, v)
        else:
            note(n, v)
    if not optimal:
        note(n, network.root)
        return False
    most = _PATIENCE * (network.live_arcs + _LEAST)
    return bool(correct(n, most) <= most)


@kernel
def scale(n: Net) -> int:
    """Make flow and prices optimal again: OPTIMAL, or LEFT_OVER where `repair.solve` has to go on.

    UNFINISHED after looking at more halves than `_PATIENCE` says: the reference is faster.

    Source: Sirius, Section 3.2, Table 3, lines 10 to 24 (ICS).
    """
    network = n.network[0]
    unit = _unit(n)
    if network.supply != 0 or network.root < 0 or float(network.largest_cost) * unit * unit > 2.0**62:
        return LEFT_OVER
    for i in range(network.fresh):
        n.node[n.fresh[i]].listed &= ~IN_FRESH
        if n.node[n.fresh[i]].state == FRESH:
            fit_price(n, n.fresh[i])
    network.fresh = 0
    network.search += 1
    network.searches += 1
    network.ties = 0
    epsilon = max(1, _first_epsilon(n, unit))
    end = network.scanned + _PATIENCE * network.live_arcs + _LEAST
    while True:
        _saturate(n, epsilon, unit)
        if not _refine(n, -1, epsilon, unit, end) or not _refine(n, 1, epsilon, unit, end):
            _settle(n, unit, False)
            return UNFINISHED if network.scanned > end else LEFT_OVER
        if epsilon == 1:
            break
        epsilon = max(1, epsilon // _STEP)
    if not _settle(n, unit, True):
        for a in range(network.arcs):
            if n.arc[a].cap >= 0:
                soil(n, a)
        return LEFT_OVER
    for i in range(network.uneven):
        n.node[n.uneven[i]].listed &= ~IN_UNEVEN
    network.uneven = 0
    return OPTIMAL
