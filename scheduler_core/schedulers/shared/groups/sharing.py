"""Choose the next queue: dominant resource fairness over the queues or over their tree.

Flat DRF chooses the queue with the smallest dominant share, divided by its weight. Naive hierarchical DRF does this at
each level; a group's use is the sum of its children's use. Hierarchical DRF (Bhattacharya et al., SoCC 2013) computes
the use of a group in three steps. M is the smallest dominant share of the children that are not blocked. The use of
each of these children is rescaled to M. Then the vectors of all children are added. A saturated resource does not count
for the share of a group. A queue is blocked if it has no waiting task, or none whose resources are all available.
Shares are divided by weights.

Before `measure`, the caller sets `blocked` of each queue and its row of `vector`: its use as fractions of the
datacenter. Before `next_queue`, the caller sets `wants` of each queue.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, Ints, Records
from scheduler_core.schedulers.shared.groups.tree import FLAT, HDRF

Parts = npt.NDArray[np.float64]


@called
def measure(node: Records, vector: Parts, spare: Ints, tree: int) -> None:
    """Compute the use and dominant share of each node; `spare` is what is left of each resource."""
    for i in range(len(node) - 1, -1, -1):
        it = node[i]
        if it.queue == NOBODY:
            _add_up(node, vector, i, tree)
        it.share = 0.0
        for r in range(len(spare)):
            counts = tree != HDRF or it.queue != NOBODY or spare[r] > 0
            if counts:
                it.share = max(it.share, vector[i, r] / it.weight)


@inner
def _add_up(node: Records, vector: Parts, i: int, tree: int) -> None:
    """Compute a group's use: the sum of its children's, rescaled under hierarchical DRF."""
    least, resources = np.inf, vector.shape[1]
    node[i].blocked = 1
    for c in range(i + 1, len(node)):
        if node[c].parent == i and node[c].blocked == 0:
            node[i].blocked = 0
            least = min(least, node[c].share)
    for r in range(resources):
        vector[i, r] = 0.0
    for c in range(i + 1, len(node)):
        if node[c].parent != i:
            continue
        scale = 1.0
        if tree == HDRF and node[c].blocked == 0 and node[c].share > 0.0:
            scale = least / node[c].share
        for r in range(resources):
            vector[i, r] += scale * vector[c, r]


@called
def next_queue(node: Records, tree: int) -> int:
    """Return the next queue by measured shares among those with work; NOBODY for none."""
    for i in range(len(node) - 1, 0, -1):
        if node[i].queue == NOBODY:
            node[i].wants = 0
            for c in range(i + 1, len(node)):
                if node[c].parent == i and node[c].wants == 1:
                    node[i].wants = 1
    at = _least(node, NOBODY if tree == FLAT else 0)
    while at != NOBODY and node[at].queue == NOBODY:
        at = _least(node, at)
    return int(node[at].queue) if at != NOBODY else NOBODY


@inner
def _least(node: Records, parent: int) -> int:
    """Return the node with the least share that wants something: a child of a group, or any queue for NOBODY."""
    best = NOBODY
    for i in range(1, len(node)):
        among = node[i].parent == parent if parent != NOBODY else node[i].queue != NOBODY
        if among and node[i].wants == 1 and (best == NOBODY or node[i].share < node[best].share):
            best = i
    return best


@inner
def change_weight(node: Records, leaf: int, share: float) -> None:
    """Change a queue's share, and the weights of the groups above it."""
    at, more = leaf, share - node[leaf].weight
    while at != NOBODY:
        node[at].weight += more
        at = node[at].parent
