"""Choose by grouped queues: the tree gives the next queue, the scheduler's own order the job in that queue.

`drf` and `wdrf` share by hierarchical DRF (Bhattacharya et al., SoCC 2013). Under `capacity`, the child goes first that
uses the smallest fraction of its own capacity at each level, as in the queues of YARN's Capacity Scheduler.
"""

from __future__ import annotations

from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.dag.jobs import launch
from scheduler_core.schedulers.dag.ordered import key_of, sink_among
from scheduler_core.schedulers.dag.reasons import IN_GROUP, Y_SHARE
from scheduler_core.schedulers.dag.sharing import next_stage, no_room
from scheduler_core.schedulers.dag.state import BY_ARRIVAL, BY_QUEUE, DagState
from scheduler_core.schedulers.dag.tree import next_fit
from scheduler_core.schedulers.shared.groups.sharing import measure, next_queue


@inner
def _within(order: int) -> int:
    """Return what puts the jobs of one queue in order."""
    return BY_ARRIVAL if order == BY_QUEUE else order


@inner
def put_in_lines(w: World, s: DagState, order: int) -> None:
    """Make a heap of each queue's jobs that have tasks to start."""
    rules, first = s.rules[0], 0
    rules.ordered = rules.active
    for q in range(len(s.line)):
        s.line[q].jobs = 0
    for at in range(rules.active):
        s.line[s.job[s.active[at]].queue].jobs += 1
    for q in range(len(s.line)):
        s.line[q].first = first
        first += s.line[q].jobs
        s.line[q].jobs = 0
    for at in range(rules.active):
        job = s.active[at]
        line = s.line[s.job[job].queue]
        s.order[line.first + line.jobs] = job
        line.jobs += 1
        s.key[job] = key_of(s, job, _within(order))
    for q in range(len(s.line)):
        line = s.line[q]
        for at in range((line.jobs - 2) >> 1, -1, -1):
            sink_among(s, line.first, line.jobs, at)


@inner
def group_turn(w: World, s: DagState, order: int) -> bool:
    """Start a task of the queue that is next in the tree, or find that its first job has none; False when done."""
    rules = s.rules[0]
    if rules.ordered == 0 or rules.failed_open == rules.open_classes:
        return False
    _look_at_use(s)
    measure(s.node, s.vector, s.spare, rules.tree)
    queue = next_queue(s.node, rules.tree)
    line = s.line[queue]
    job = s.order[line.first]
    key = key_of(s, job, _within(order))
    if key > s.key[job]:
        s.key[job] = key
        sink_among(s, line.first, line.jobs, 0)
        return True
    stage = next_stage(w, s, job)
    if stage == NOBODY:
        line.jobs -= 1
        rules.ordered -= 1
        if line.jobs > 0:
            s.order[line.first] = s.order[line.first + line.jobs]
            sink_among(s, line.first, line.jobs, 0)
        return True
    machine = next_fit(w, s, s.stage[stage].demand, 0)
    if machine == NOBODY:
        no_room(w, s, stage)
        return True
    s.stage[stage].told = 0
    share = s.node[len(s.node) - len(s.line) + queue].share
    launch(w, s, stage, machine, IN_GROUP, 0, int(share * 1e6) << Y_SHARE)
    return True


@called
def _look_at_use(s: DagState) -> None:
    """Measure what each queue uses, as fractions of everything, which have jobs in line, and which are blocked."""
    for r in range(len(s.spare)):
        s.spare[r] = max(s.room[1, r], 0)
    for q in range(len(s.line)):
        i = len(s.node) - len(s.line) + q
        for r in range(len(s.spare)):
            s.vector[i, r] = s.queue_held[q, r] / s.total[r] if s.total[r] > 0 else 0.0
        s.node[i].wants = 1 if s.line[q].jobs > 0 else 0
        s.node[i].blocked = 1 if _is_blocked(s, q) else 0


@inner
def _is_blocked(s: DagState, queue: int) -> bool:
    """Return whether no open stage of a queue has all that it asks for left somewhere."""
    for kind in range(len(s.wanted)):
        if s.open_in[queue, kind] > 0:
            enough = True
            for r in range(len(s.spare)):
                if s.wanted[kind, r] == 1 and s.spare[r] == 0:
                    enough = False
            if enough:
                return False
    return True
