"""To which framework a machine is offered: dominant resource fairness over the frameworks or over their tree.

Flat DRF: the framework with the smallest dominant share, by its weight. Naive hierarchical DRF does that at each level,
and a group's use is the sum of what is below it (the product's hierarchical roles). Hierarchical DRF (Bhattacharya et
al., SoCC 2013): M is the least dominant share of a group's children that are not blocked; each of these is rescaled to
M; the vectors of all children are added; and a saturated resource does not count for the share of a group. A framework
is blocked that has no waiting task, or none whose resources are all to be had. Shares are divided by weights.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.offers.mesos.state import FLAT, HDRF, MesosState


@inner
def next_framework(w: World, s: MesosState, m: int) -> int:
    """The framework that a machine is offered to, or NOBODY: one that has waiting tasks and no filter on it."""
    some = False
    for i in range(len(s.node)):
        s.node[i].wants = 0
    for i in range(len(s.node) - 1, 0, -1):
        f = s.node[i].framework
        if f != NOBODY and s.framework[f].waiting > 0 and s.filtered[f, m] <= w.control[0].now_ns:
            s.node[i].wants = 1
            some = True
        if s.node[i].wants == 1:
            s.node[s.node[i].parent].wants = 1
    if not some:
        return NOBODY
    measure(w, s)
    if s.rules[0].tree == FLAT:
        return int(s.node[_least(s, NOBODY)].framework)
    at = 0
    while s.node[at].framework == NOBODY:
        at = _least(s, at)
    return int(s.node[at].framework)


@inner
def _least(s: MesosState, parent: int) -> int:
    """The node with the least share that wants the machine: a child of a group, or any framework for NOBODY."""
    best = NOBODY
    for i in range(1, len(s.node)):
        among = s.node[i].parent == parent if parent != NOBODY else s.node[i].framework != NOBODY
        if among and s.node[i].wants == 1 and (best == NOBODY or s.node[i].share < s.node[best].share):
            best = i
    return best


@called
def measure(w: World, s: MesosState) -> None:
    """Work out the use and the dominant share of each node, from the frameworks upwards."""
    tree, resources = s.rules[0].tree, len(s.total)
    for i in range(len(s.node) - 1, -1, -1):
        node = s.node[i]
        if node.framework != NOBODY:
            for r in range(resources):
                s.vector[i, r] = s.use[node.framework, r] / s.total[r] if s.total[r] > 0.0 else 0.0
            node.blocked = 1 if is_blocked(w, s, node.framework) else 0
        else:
            _add_up(s, i)
        node.share = 0.0
        for r in range(resources):
            counts = tree != HDRF or node.framework != NOBODY or s.spare[r] > 0
            if counts:
                node.share = max(node.share, s.vector[i, r] / node.weight)


@inner
def _add_up(s: MesosState, i: int) -> None:
    """A group's use: the sum of its children's, under hierarchical DRF after rescaling to the least of them."""
    least, tree = np.inf, s.rules[0].tree
    s.node[i].blocked = 1
    for c in range(i + 1, len(s.node)):
        if s.node[c].parent == i and s.node[c].blocked == 0:
            s.node[i].blocked = 0
            least = min(least, s.node[c].share)
    for r in range(len(s.total)):
        s.vector[i, r] = 0.0
    for c in range(i + 1, len(s.node)):
        if s.node[c].parent != i:
            continue
        scale = 1.0
        if tree == HDRF and s.node[c].blocked == 0 and s.node[c].share > 0.0:
            scale = least / s.node[c].share
        for r in range(len(s.total)):
            s.vector[i, r] += scale * s.vector[c, r]


@inner
def is_blocked(w: World, s: MesosState, f: int) -> bool:
    """Whether no waiting task of a framework has all that it asks for left somewhere."""
    it = s.framework[f]
    for g in range(it.first_group, it.first_group + it.groups):
        if s.group[g].waiting > 0:
            enough = True
            for r in range(len(s.total)):
                if w.demand[s.group[g].demand, r] > 0 and s.spare[r] <= 0:
                    enough = False
            if enough:
                return False
    return True
