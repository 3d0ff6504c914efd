"""Choose the framework for an offer: fairness over frameworks or over their tree (schedulers.shared.groups).

The Mesos paper has dominant resource fairness among frameworks. The naive hierarchy is that of the product's roles.
"""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.offers.mesos.state import MesosState
from scheduler_core.schedulers.shared.groups.sharing import measure, next_queue


@inner
def next_framework(w: World, s: MesosState, m: int) -> int:
    """Return the framework that a machine is offered to, or NOBODY: one that has waiting tasks and no filter on it.

    Source: *Dominant resource fairness: fair allocation of multiple resource types* (the least dominant share is next).
    """
    some = False
    for i in range(len(s.node)):
        f = s.node[i].queue
        s.node[i].wants = 0
        if f != NOBODY and s.framework[f].waiting > 0 and s.filtered[f, m] <= w.control[0].now_ns:
            s.node[i].wants = 1
            some = True
    if not some:
        return NOBODY
    _look_at_use(w, s)
    measure(s.node, s.vector, s.spare, s.rules[0].tree)
    return next_queue(s.node, s.rules[0].tree)


@called
def _look_at_use(w: World, s: MesosState) -> None:
    """Measure what each framework uses, as fractions of everything, and which are blocked."""
    for i in range(len(s.node)):
        f = s.node[i].queue
        if f == NOBODY:
            continue
        for r in range(len(s.total)):
            s.vector[i, r] = s.use[f, r] / s.total[r] if s.total[r] > 0.0 else 0.0
        s.node[i].blocked = 1 if _is_blocked(w, s, f) else 0


@inner
def _is_blocked(w: World, s: MesosState, f: int) -> bool:
    """Return whether no waiting task of a framework has all that it asks for left somewhere."""
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
