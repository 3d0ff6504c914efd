"""Choose victims for a task and their cost: tasks of lower rank, never production tasks.

The rule is Kubernetes': all candidates are removed hypothetically, then as many as fit are put back, those of the
highest priority first, and of these the oldest first. The others are the victims.
"""

from __future__ import annotations

from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import has_ended
from scheduler_core.schedulers.queue.lists import rank_of
from scheduler_core.schedulers.queue.state import QueueState


@inner
def limit_of(s: QueueState, line: int) -> float:
    """Return tasks of smaller rank than this may be stopped for one of a line.

    Source: *Large-scale cluster management at Google with Borg* (production tasks are never stopped for each other).
    """
    return float(min(s.line[line].rank, s.rules[0].production))


@inner
def someone_to_stop(s: QueueState, line: int) -> bool:
    """Return whether any task runs that may be stopped for one of a line."""
    limit = limit_of(s, line)
    for q in range(len(s.line)):
        if s.line[q].running > 0 and s.line[q].rank < limit:
            return True
    return False


@inner
def clear(w: World, s: QueueState, line: int, demand: int, m: int) -> int:
    """Remove hypothetically all tasks that may be stopped, and place the demand; return the first of them, or NOBODY.

    What is then left is in `s.room`; NOBODY, too, when that is not enough.
    """
    limit, resources = limit_of(s, line), w.free.shape[1]
    for r in range(resources):
        s.room[r] = w.free[m, r] - w.demand[demand, r]
    s.room[resources] = s.host[m].slots - w.machine[m].running - 1
    first, at = NOBODY, s.host[m].tail
    while at != NOBODY and rank_of(w, s, at) < limit:
        if not has_ended(w, at):
            for r in range(resources):
                s.room[r] += w.demand[w.task[at].demand, r]
            s.room[resources] += 1
        first = at
        at = w.task[at].previous
    for r in range(resources + 1):
        if s.room[r] < 0:
            return NOBODY
    return int(first)


@inner
def put_back(w: World, s: QueueState, t: int) -> bool:
    """Let a task stay if there is room for it; False for a victim."""
    if has_ended(w, t):
        return True
    resources, demand = w.free.shape[1], w.task[t].demand
    if s.room[resources] < 1:
        return False
    for r in range(resources):
        if s.room[r] < w.demand[demand, r]:
            return False
    for r in range(resources):
        s.room[r] -= w.demand[demand, r]
    s.room[resources] -= 1
    return True


@inner
def harm(w: World, s: QueueState, line: int, demand: int, m: int) -> tuple[float, float, int]:
    """Return (largest rank of a victim, sum of ranks, number of victims) on a machine; 0 victims if no use."""
    top, total, victims = 0.0, 0.0, 0
    at = clear(w, s, line, demand, m)
    while at != NOBODY:
        if not put_back(w, s, at):
            victims += 1
            top = max(top, rank_of(w, s, at))
            total += rank_of(w, s, at)
        at = w.task[at].next
    return top, total, victims
