"""Change a flow network in compiled code, in time proportional to the degree of the changed nodes.

A change keeps every flow within its bounds and records any imbalance as excess of the nodes. `repair` restores the
optimum later.
"""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner, kernel
from scheduler_core.flow.arrays import FRESH, GONE, IN_FRESH, IN_UNEVEN, SMALLEST_BLOCK, WATCHED, Net


@inner
def note(n: Net, v: int) -> None:
    """Note that a node's excess has changed."""
    node = n.node[v]
    if node.excess != 0 and node.listed & IN_UNEVEN == 0:
        node.listed |= IN_UNEVEN
        n.uneven[n.network[0].uneven] = v
        n.network[0].uneven += 1


@inner
def soil(n: Net, a: int) -> None:
    """Mark an arc whose cost or capacity may disagree with the prices."""
    if n.arc[a].dirty == 0:
        n.arc[a].dirty = 1
        n.dirty[n.network[0].dirty] = a
        n.network[0].dirty += 1


@inner
def _root(n: Net, v: int) -> None:
    """Note that a node's supply has changed."""
    network = n.network[0]
    if n.node[v].supply < 0 and (network.root < 0 or n.node[v].supply < n.node[network.root].supply):
        network.root = v


@called
def _block(n: Net, size: int) -> int:
    """Return the first row of a free block of this size, or -1."""
    first: int = n.free_block[size]
    if first >= 0:
        n.free_block[size] = n.half[first].to
        return first
    rows = SMALLEST_BLOCK << size
    if n.network[0].halves + rows > len(n.half):
        return -1
    n.network[0].halves += rows
    return int(n.network[0].halves) - rows


@called
def _put(n: Net, frm: int, to: int) -> None:
    """Move a half to another row: its mate and its arc learn the new place."""
    old, new = n.half[frm], n.half[to]
    new.to, new.mate, new.arc = old.to, old.mate, old.arc
    new.residual, new.back, new.cost = old.residual, old.back, old.cost
    n.half[new.mate].mate = to
    if new.arc & 1 == 0:
        n.arc[new.arc >> 1].half = to


@called
def _has_room(n: Net, v: int) -> bool:
    """Return whether the node has room for two more halves, which it gets if there is any."""
    node = n.node[v]
    rows = SMALLEST_BLOCK << node.block if node.block >= 0 else 0
    if node.count + 2 <= rows:
        return True
    first = _block(n, node.block + 1)
    if first < 0:
        return False
    for i in range(node.count):
        _put(n, node.first + i, first + i)
    _free_block(n, v)
    node.first = first
    node.block += 1
    return True


@inner
def _free_block(n: Net, v: int) -> None:
    node = n.node[v]
    if node.block >= 0:
        n.half[node.first].to = n.free_block[node.block]
        n.free_block[node.block] = node.first


@called
def new_node(n: Net, supply: int) -> int:
    """Add a node; its number, or -1 when there is no room."""
    network = n.network[0]
    v: int = network.free_node
    if v >= 0:
        network.free_node = n.node[v].via
    elif network.nodes < len(n.node):
        v = network.nodes
        network.nodes += 1
    else:
        return -1
    node = n.node[v]
    node.first, node.count, node.block, node.state = 0, 0, -1, FRESH
    node.supply, node.excess, node.price = supply, supply, 0
    node.seen, node.closed = 0, 0
    node.listed &= ~WATCHED
    network.supply += supply
    network.live_nodes += 1
    if node.listed & IN_FRESH == 0:
        node.listed |= IN_FRESH
        n.fresh[network.fresh] = v
        network.fresh += 1
    note(n, v)
    _root(n, v)
    return v


@called
def new_arc(n: Net, tail: int, head: int, low: int, cap: int, cost: int) -> int:
    """Add an arc that carries its lower bound; its number, or -1 when there is no room."""
    network = n.network[0]
    a: int = network.free_arc
    if (a < 0 and network.arcs == len(n.arc)) or not _has_room(n, tail) or not _has_room(n, head):
        return -1
    if a >= 0:
        network.free_arc = n.arc[a].half
    else:
        a = network.arcs
        network.arcs += 1
    here = n.node[tail].first + n.node[tail].count
    n.node[tail].count += 1
    there = n.node[head].first + n.node[head].count
    n.node[head].count += 1
    one, other, arc = n.half[here], n.half[there], n.arc[a]
    one.to, one.mate, one.arc, one.residual, one.back, one.cost = head, there, 2 * a, cap - low, 0, cost
    other.to, other.mate, other.arc, other.residual, other.back, other.cost = tail, here, 2 * a + 1, 0, cap - low, -cost
    arc.half, arc.low, arc.cap = here, low, cap
    if low != 0:
        n.node[tail].excess -= low
        n.node[head].excess += low
        note(n, tail)
        note(n, head)
        network.cost += low * cost
    network.live_arcs += 1
    network.changed += 1
    network.largest_cost = max(network.largest_cost, abs(cost))
    soil(n, a)
    return a


@called
def _drop_half(n: Net, v: int, h: int) -> None:
    """Remove a half of a node; the node's last half takes its place."""
    node = n.node[v]
    node.count -= 1
    last = node.first + node.count
    if h != last:
        _put(n, last, h)


@called
def drop_arc(n: Net, a: int) -> None:
    """Remove an arc with its flow."""
    network, arc = n.network[0], n.arc[a]
    h = arc.half
    m = n.half[h].mate
    head, tail = n.half[h].to, n.half[m].to
    flow = arc.low + n.half[h].back
    if flow != 0:
        n.node[tail].excess += flow
        n.node[head].excess -= flow
        note(n, tail)
        note(n, head)
        network.cost -= flow * n.half[h].cost
    last = n.node[tail].first + n.node[tail].count - 1
    _drop_half(n, tail, h)
    _drop_half(n, head, h if m == last else m)
    arc.half = network.free_arc
    arc.cap = -1
    network.free_arc = a
    network.live_arcs -= 1
    network.changed += 1


@called
def drop_node(n: Net, v: int) -> None:
    """Remove a node with its arcs and their flow."""
    network, node = n.network[0], n.node[v]
    while node.count > 0:
        drop_arc(n, n.half[node.first + node.count - 1].arc >> 1)
    _free_block(n, v)
    network.supply -= node.supply
    network.live_nodes -= 1
    node.state = GONE
    if network.root == v:
        network.root = -1
    node.supply, node.excess, node.block = 0, 0, -1
    node.via = network.free_node
    network.free_node = v


@called
def set_arc(n: Net, a: int, low: int, cap: int, cost: int) -> None:
    """Set an arc's bounds and cost; change its flow only as far as the new bounds require."""
    network, arc = n.network[0], n.arc[a]
    h = arc.half
    m = n.half[h].mate
    flow = arc.low + n.half[h].back
    kept = min(max(flow, low), cap)
    network.cost += kept * cost - flow * n.half[h].cost
    if kept != flow:
        tail, head = n.half[m].to, n.half[h].to
        n.node[tail].excess += flow - kept
        n.node[head].excess -= flow - kept
        note(n, tail)
        note(n, head)
    arc.low, arc.cap = low, cap
    n.half[h].cost, n.half[m].cost = cost, -cost
    n.half[h].residual = n.half[m].back = cap - kept
    n.half[h].back = n.half[m].residual = kept - low
    network.changed += 1
    network.largest_cost = max(network.largest_cost, abs(cost))
    soil(n, a)


@called
def set_supply(n: Net, v: int, supply: int) -> None:
    """Change what a node gives (or takes, if negative)."""
    node = n.node[v]
    n.network[0].supply += supply - node.supply
    node.excess += supply - node.supply
    node.supply = supply
    note(n, v)
    _root(n, v)


@kernel
def add_nodes(n: Net, supply, done: int, made) -> int:  # type: ignore[no-untyped-def]
    """Add nodes from the `done`-th on; how many are there now. `made` gets their numbers."""
    for i in range(done, len(supply)):
        made[i] = new_node(n, supply[i])
        if made[i] < 0:
            return i
    return len(supply)


@kernel
def add_arcs(n: Net, rows, done: int, made) -> int:  # type: ignore[no-untyped-def]
    """Add arcs (tail, head, low, cap, cost) from row `done` on; how many are there now. `made` gets their numbers."""
    for i in range(done, len(rows)):
        made[i] = new_arc(n, rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3], rows[i, 4])
        if made[i] < 0:
            return i
    return len(rows)


@kernel
def drop_arcs(n: Net, arcs) -> None:  # type: ignore[no-untyped-def]
    """Remove arcs."""
    for i in range(len(arcs)):
        drop_arc(n, arcs[i])


@kernel
def drop_nodes(n: Net, nodes) -> None:  # type: ignore[no-untyped-def]
    """Remove nodes with their arcs."""
    for i in range(len(nodes)):
        drop_node(n, nodes[i])


@kernel
def set_arcs(n: Net, rows) -> None:  # type: ignore[no-untyped-def]
    """Change arcs: rows of (arc, low, cap, cost)."""
    for i in range(len(rows)):
        set_arc(n, rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3])


@kernel
def set_supplies(n: Net, rows) -> None:  # type: ignore[no-untyped-def]
    """Change supplies: rows of (node, supply)."""
    for i in range(len(rows)):
        set_supply(n, rows[i, 0], rows[i, 1])
