"""Adopt an optimal flow that another solver found: compute prices that fit it."""

from __future__ import annotations

from scheduler_core.engine.jit import inner, kernel
from scheduler_core.flow.arrays import GONE, IN_FRESH, IN_QUEUE, IN_UNEVEN, PRICED, Net
from scheduler_core.flow.repair import NO_LIMIT, moved


@inner
def join(n: Net, v: int) -> None:
    """Put a node into the queue, a ring."""
    node = n.node[v]
    if node.listed & IN_QUEUE == 0:
        node.listed |= IN_QUEUE
        network = n.network[0]
        n.closed[(network.closed + network.frontier) % len(n.closed)] = v
        network.frontier += 1


@kernel
def adopt(n: Net, arcs, flows) -> int:  # type: ignore[no-untyped-def]
    """Take over the flows, (arcs,) each, which must be feasible and optimal; returns the number of mended prices.

    Prices are labels that are corrected until none is wrong, which ends because an optimal flow leaves no cycle that
    costs less than nothing. They start from the prices there are.
    """
    network = n.network[0]
    network.cost = 0
    for i in range(len(arcs)):
        arc = n.arc[arcs[i]]
        h = arc.half
        m = n.half[h].mate
        before = n.half[h].back
        n.half[h].residual = n.half[m].back = arc.cap - flows[i]
        n.half[h].back = n.half[m].residual = flows[i] - arc.low
        network.cost += flows[i] * n.half[h].cost
        if n.half[h].back != before:
            moved(n, n.half[m].to)
            moved(n, n.half[h].to)
        arc.dirty = 0
    network.dirty = network.fresh = network.uneven = 0
    network.closed = network.frontier = 0
    for v in range(network.nodes):
        node = n.node[v]
        node.listed &= ~(IN_FRESH | IN_UNEVEN)
        node.excess = 0
        if node.state != GONE:
            node.state = PRICED
            join(n, v)
    return correct(n, NO_LIMIT)


@inner
def correct(n: Net, most: int) -> int:
    """Lower prices from the queued nodes on until no half with room left is on the wrong side; how many times.

    More than `most` says that it gave up, with nothing queued.
    """
    network = n.network[0]
    mended = 0
    while network.frontier > 0:
        v = n.closed[network.closed]
        network.closed = (network.closed + 1) % len(n.closed)
        network.frontier -= 1
        node = n.node[v]
        node.listed &= ~IN_QUEUE
        if mended > most:
            continue
        network.scanned += node.count
        for h in range(node.first, node.first + node.count):
            half = n.half[h]
            if half.residual > 0 and half.cost + node.price < n.node[half.to].price:
                n.node[half.to].price = half.cost + node.price
                join(n, half.to)
                mended += 1
    return mended
