"""The incremental solver: after changes, repair flow and prices only where they are no longer optimal.

What holds between solves is complementary slackness: with c the cost and p the prices, no half with residual capacity
has a reduced cost c + p(from) - p(to) below 0. A change can break it for the arcs it touches, and leave nodes with an
excess or a deficit. `solve` gives new nodes the price at which least is wrong, sends flow over (or takes it off) arcs
on the wrong side, and then takes excess to deficits along shortest paths by reduced cost (successive shortest paths
with potentials; Ahuja, Magnanti and Orlin, Network Flows, 9.7), each search ending at the first node that can take it.
"""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner, kernel
from scheduler_core.flow.arrays import BARREN, FRESH, GONE, IN_FRESH, IN_MOVED, IN_UNEVEN, PRICED, WATCHED, Net
from scheduler_core.flow.edit import note

OPTIMAL, INFEASIBLE, UNBALANCED, UNFINISHED = range(4)

_FAR = 1 << 62
NO_LIMIT = 1 << 60


@inner
def moved(n: Net, v: int) -> None:
    """Note a watched node whose flow has moved."""
    node = n.node[v]
    if node.listed & (WATCHED | IN_MOVED) == WATCHED:
        node.listed |= IN_MOVED
        n.moved[n.network[0].moved_nodes] = v
        n.network[0].moved_nodes += 1


@called
def push(n: Net, h: int, amount: int) -> None:
    """Let more flow over a half, and book it at both ends."""
    half = n.half[h]
    mate = n.half[half.mate]
    n.network[0].cost += amount * half.cost
    half.residual -= amount
    mate.back -= amount
    half.back += amount
    mate.residual += amount
    n.node[mate.to].excess -= amount
    n.node[half.to].excess += amount
    moved(n, mate.to)
    moved(n, half.to)


@called
def fit_price(n: Net, v: int) -> None:
    """Set a new node's price so that it fits the arcs to priced nodes, or else violates them as little as possible."""
    node = n.node[v]
    low, high = -_FAR, _FAR
    for h in range(node.first, node.first + node.count):
        half = n.half[h]
        other = n.node[half.to]
        if other.state == PRICED:
            wanted = other.price - half.cost
            if half.residual > 0:
                low = max(low, wanted)
            if half.back > 0:
                high = min(high, wanted)
    node.state = PRICED
    if low == -_FAR:
        node.price = high if high < _FAR else 0
    elif low <= high:
        node.price = low
    else:
        wrong_low = wrong_high = 0
        for h in range(node.first, node.first + node.count):
            half = n.half[h]
            other = n.node[half.to]
            if other.state == PRICED:
                wanted = other.price - half.cost
                if half.back > 0 and wanted < low:
                    wrong_low += half.back
                if half.residual > 0 and wanted > high:
                    wrong_high += half.residual
        node.price = low if wrong_low <= wrong_high else high


@inner
def _clean(n: Net, a: int) -> None:
    """Put an arc's flow onto the right side: full where the prices make it cheap, at its lower bound where dear."""
    arc = n.arc[a]
    arc.dirty = 0
    if arc.cap < 0:
        return
    h = arc.half
    half = n.half[h]
    tail = n.half[half.mate].to
    reduced = half.cost + n.node[tail].price - n.node[half.to].price
    if reduced < 0 and half.residual > 0:
        push(n, h, half.residual)
    elif reduced > 0 and half.back > 0:
        push(n, half.mate, half.back)
    note(n, tail)
    note(n, half.to)


@inner
def _sift_up(n: Net, i: int, distance: int, v: int) -> None:
    heap = n.frontier
    while i > 0:
        parent = (i - 1) >> 1
        if heap[parent].distance <= distance:
            break
        heap[i].distance, heap[i].node = heap[parent].distance, heap[parent].node
        i = parent
    heap[i].distance, heap[i].node = distance, v


@inner
def _pop(n: Net) -> int:
    """Return the node at the least distance."""
    network, heap = n.network[0], n.frontier
    v: int = heap[0].node
    network.frontier -= 1
    size = network.frontier
    distance, moved = heap[size].distance, heap[size].node
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1].distance < heap[child].distance:
            child += 1
        if heap[child].distance >= distance:
            break
        heap[i].distance, heap[i].node = heap[child].distance, heap[child].node
        i = child
    heap[i].distance, heap[i].node = distance, moved
    return v


@called
def _search(n: Net, start: int, way: int, root: int) -> int:
    """Look for the nearest node that can take the excess (way 1) or fill the deficit (way -1) of `start`; or -1.

    It takes nodes at equal distance last in, first out, which runs through plateaus instead of filling them.
    """
    network = n.network[0]
    network.searches += 1
    network.search += 1
    network.frontier, network.closed = 0, 0
    network.ties = 1
    n.ties[0] = start
    first = n.node[start]
    first.distance, first.seen, first.via = 0, network.search, -1
    distance = 0
    u: int = start
    while True:
        if network.ties > 0:
            network.ties -= 1
            u = n.ties[network.ties]
            if n.node[u].closed == network.search:
                continue
        elif network.frontier > 0:
            u = _pop(n)
            if n.node[u].closed == network.search:
                continue
            distance = n.node[u].distance
        else:
            for i in range(network.closed):
                n.node[n.closed[i]].state = BARREN
            return -1
        node = n.node[u]
        if way * node.excess < 0 or (u == root and u != start):
            _shift_prices(n, way, distance)
            return u
        node.closed = network.search
        n.closed[network.closed] = u
        network.closed += 1
        price = node.price
        network.scanned += node.count
        for h in range(node.first, node.first + node.count):
            half = n.half[h]
            if (half.residual if way > 0 else half.back) <= 0:
                continue
            v = half.to
            other = n.node[v]
            if other.closed == network.search:
                continue
            reached = distance + way * (half.cost + price - other.price)
            if other.seen == network.search and other.distance <= reached:
                continue
            other.seen = network.search
            other.distance = reached
            other.via = h
            if reached == distance:
                n.ties[network.ties] = v
                network.ties += 1
                if way * other.excess < 0 or v == root:
                    break  # the next candidate
            else:
                _sift_up(n, network.frontier, reached, v)
                network.frontier += 1


@inner
def _shift_prices(n: Net, way: int, distance: int) -> None:
    """Make the found ways cost nothing: nodes nearer than the end change by what they are nearer."""
    for i in range(n.network[0].closed):
        node = n.node[n.closed[i]]
        node.price -= way * (distance - node.distance)


@inner
def _send(n: Net, start: int, end: int, way: int, root: int) -> None:
    """Let as much flow along the found way as both ends and every half allow."""
    amount = abs(n.node[start].excess)
    if end != root:
        amount = min(amount, abs(n.node[end].excess))
    v = end
    while v != start:
        half = n.half[n.node[v].via]
        amount = min(amount, half.residual if way > 0 else half.back)
        v = n.half[half.mate].to
    v = end
    while v != start:
        h = n.node[v].via
        mate = n.half[h].mate
        push(n, h if way > 0 else mate, amount)
        n.network[0].moved += 1
        v = n.half[mate].to


@inner
def _even_out(n: Net, v: int, root: int) -> bool:
    """Take a node's excess to where it is wanted, or fill its deficit; False where that cannot be."""
    while n.node[v].excess != 0:
        if n.node[v].state == BARREN:
            return False
        way = 1 if n.node[v].excess > 0 else -1
        end = _search(n, v, way, root)
        if end < 0:
            return False
        _send(n, v, end, way, root)
    return True


@kernel
def solve(n: Net, budget: int) -> int:
    """Make flow and prices optimal again; OPTIMAL, INFEASIBLE, or UNBALANCED where the supplies do not add up to 0.

    UNFINISHED after looking at more than `budget` halves, or at four times as many where it was about to be done:
    calling it again goes on.

    Where there is no feasible flow, some nodes keep an excess or a deficit; later changes may make up for it.
    """
    network = n.network[0]
    for i in range(network.fresh):
        n.node[n.fresh[i]].listed &= ~IN_FRESH
        if n.node[n.fresh[i]].state == FRESH:
            fit_price(n, n.fresh[i])
    network.fresh = 0
    for i in range(network.dirty):
        _clean(n, n.dirty[i])
    network.dirty = 0
    kept, at_half, extended = 0, -1, False
    end = network.scanned + budget
    half = end - budget // 2
    for last in range(2):
        listed, kept = network.uneven, 0
        root = network.root if last == 0 else -1
        for i in range(listed):
            v = n.uneven[i]
            if last == 0 and at_half < 0 and network.scanned > half:
                at_half = i
            if last == 0 and network.scanned > end and not extended:
                extended = True
                # As fast as in the second half of the budget, the rest takes no more than three more of them.
                if listed - i <= 6 * (i - at_half):
                    end += 3 * budget
            if network.scanned > end:
                n.uneven[kept] = v
                kept += 1
                continue
            if n.node[v].state == GONE or n.node[v].excess == 0:
                n.node[v].listed &= ~IN_UNEVEN
                continue
            if v == root or not _even_out(n, v, root):
                n.uneven[kept] = v
                kept += 1
            else:
                n.node[v].listed &= ~IN_UNEVEN
        network.uneven = kept
        if root >= 0:
            note(n, root)
    if kept > 0:
        for v in range(network.nodes):
            if n.node[v].state == BARREN:
                n.node[v].state = PRICED
    if network.scanned > end and kept > 0:
        return UNFINISHED
    if network.supply != 0:
        return UNBALANCED
    return INFEASIBLE if kept > 0 else OPTIMAL
