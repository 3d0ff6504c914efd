"""Eligible machines of a task: in service, with its constraints, and in racks that its job's rule allows.

Rules on racks are hard constraints. `affinity`: the first task that starts binds its job to its rack, which must have
machines for all tasks of the job. Kubernetes' affinity to pods of the same kind does the same.

`spread`: a task goes to one of the racks with the fewest tasks of its job, running or ended, among the racks with a
machine in service that could hold it. Kubernetes does this with a largest skew of 1. That tasks which have ended count
is ours: so a job's tasks are spread over as many racks as possible, however long each of them runs.
"""

from __future__ import annotations

from scheduler_core.constraints.racks import AFFINITY, SPREAD
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NEVER, NOBODY, TASK_DONE, TASK_RUNNING, World
from scheduler_core.engine.tasks import fits
from scheduler_core.schedulers.queue.state import QueueState


@inner
def is_gang(s: QueueState, g: int) -> bool:
    """Return whether a group's tasks start together with all of their job, and have not started."""
    b = s.group[g].band
    return bool(b != NOBODY and s.band[b].gang == 1)


@inner
def open_to(w: World, s: QueueState, g: int, m: int) -> bool:
    """Return whether a machine may run a group's tasks, by their job's rule on racks, too: `note_rule` was called."""
    return may_run(w, s, s.group[g].demand, m) and allowed(w, s, g, m)


@inner
def may_run(w: World, s: QueueState, demand: int, m: int) -> bool:
    """Return whether a machine is in service and offers what is asked for and cannot be done without."""
    lacking: int = w.asks[demand] & ~w.machine[m].offers & ~s.pace[0].soft_mask
    return lacking == 0 and w.machine[m].outage == 0


@inner
def has_room(w: World, s: QueueState, demand: int, m: int) -> bool:
    """Return whether a machine has room for one more task."""
    return w.machine[m].running < s.host[m].slots and fits(w, m, demand)


@inner
def allowed(w: World, s: QueueState, g: int, m: int) -> bool:
    """Return whether the rule on racks of a group's job allows a machine; `note_rule` was called for the group."""
    rules, rack = s.rules[0], w.machine[m].rack
    if rules.rule == AFFINITY:
        return bool(rules.rack == rack) if rules.rack != NOBODY else holds_all(s, s.group[g].band, rack)
    return bool(rules.rule != SPREAD or s.tally[rack] <= rules.fewest)


@inner
def holds_all(s: QueueState, b: int, rack: int) -> bool:
    """Return whether a rack has machines that could hold a job's tasks, each of them for itself."""
    for g in range(s.band[b].first_group, s.band[b].first_group + s.band[b].groups):
        if s.rack_able[s.group[g].demand, rack] == 0:
            return False
    return True


@inner
def note_rule(w: World, s: QueueState, g: int) -> None:
    """Compute what the rack rule of a group's job allows now."""
    rules, b = s.rules[0], s.group[g].band
    rules.rule = 0 if b == NOBODY else s.band[b].rule
    if rules.rule == 0:
        return
    if rules.tallied != s.band[b].job:
        _tally(w, s, s.band[b].job)
    if rules.rule == SPREAD:
        rules.fewest = _least(w, s, s.group[g].demand)


@inner
def note_placed(w: World, s: QueueState, t: int, m: int) -> None:
    """Note a task's start on a machine: the rack rule of its job may allow other racks now."""
    rules, row, b = s.rules[0], w.task[t], s.group[w.task[t].kind].band
    if rules.tallied == row.job:
        count_in(w, s, m, 1)
    if b != NOBODY and s.band[b].rule != 0:
        for g in range(s.band[b].first_group, s.band[b].first_group + s.band[b].groups):
            s.group[g].failed = 0


@inner
def count_in(w: World, s: QueueState, m: int, count: int) -> None:
    """Count one task more or less of the tallied job in a machine's rack."""
    s.tally[w.machine[m].rack] += count
    s.rules[0].rack = w.machine[m].rack


@called
def _tally(w: World, s: QueueState, number: int) -> None:
    """Count a job's tasks that run or have ended by their racks."""
    rules, job = s.rules[0], w.job[number]
    rules.tallied = number
    rules.rack = NOBODY
    for rack in range(len(s.tally)):
        s.tally[rack] = 0
    for t in range(job.first_task, job.first_task + job.tasks):
        if w.task[t].state == TASK_RUNNING or w.task[t].state == TASK_DONE:
            count_in(w, s, w.task[t].machine, 1)


@called
def _least(w: World, s: QueueState, demand: int) -> int:
    """Return the fewest tasks that the tallied job has in a rack with a machine in service that could hold one more."""
    least = NEVER
    for m in range(len(s.host)):
        if s.tally[w.machine[m].rack] >= least or not may_run(w, s, demand, m):
            continue
        enough = True
        for r in range(w.capacity.shape[1]):
            if w.capacity[m, r] < w.demand[demand, r]:
                enough = False
        if enough:
            least = s.tally[w.machine[m].rack]
    return int(least)
