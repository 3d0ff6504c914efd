"""Delay scheduling: a job without room on machines that hold its data lets others go first for a while.

The job that holds the least goes first. It takes a machine with the data of one of its tasks. After it has been skipped
for `wait_ns`, it takes a machine in the same rack as such a machine; after `rack_wait_ns` more, any machine. From then
on it takes any machine without waiting, until one of its tasks starts beside its data again.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.replicas import REPLICAS
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.dag.jobs import launch, put_at
from scheduler_core.schedulers.dag.ordered import drop_first, key_of, sink
from scheduler_core.schedulers.dag.reasons import FAR, IN_RACK, NO_ROOM, ON_NODE, WAITS_FOR_DATA, Y_SHARE
from scheduler_core.schedulers.dag.sharing import tell_once
from scheduler_core.schedulers.dag.state import ANYWHERE, NODE, RACK, WAKE, DagState
from scheduler_core.schedulers.dag.tree import may_hold, next_fit

_MOST_STAGES = 32
"""Number of open stages of a job that one turn checks; each may get a row of the log."""


@inner
def local_turn(w: World, s: DagState, order: int) -> bool:
    """Start a task of the job that is first in order, or skip the job; False when done.

    Source: *Delay scheduling: a simple technique for achieving locality and fairness in cluster scheduling*.
    """
    rules = s.rules[0]
    if rules.ordered == 0:
        return False
    number = s.order[0]
    key = key_of(s, number, order)
    if key > s.key[number]:
        s.key[number] = key
        sink(s, 0)
        return True
    job, now_ns = s.job[number], w.control[0].now_ns
    waited_ns = 0 if job.skipped_ns < 0 else now_ns - job.skipped_ns
    reach = _reach(s, number, waited_ns)
    stage, task, machine, nearness = _nearest(w, s, number, reach)
    if task == NOBODY:
        if stage != NOBODY:
            _skip(w, s, number, stage, reach)
        drop_first(s)
        return True
    _start(w, s, stage, task, machine, nearness, waited_ns, key)
    return True


@inner
def _reach(s: DagState, number: int, waited_ns: int) -> int:
    """Return how far from its data a job may go by now."""
    job, rules = s.job[number], s.rules[0]
    if job.nearness == ANYWHERE:
        return ANYWHERE
    if job.nearness == RACK:
        return ANYWHERE if waited_ns >= rules.rack_wait_ns else RACK
    if waited_ns >= rules.wait_ns + rules.rack_wait_ns:
        return ANYWHERE
    return RACK if waited_ns >= rules.wait_ns else NODE


@inner
def _nearest(w: World, s: DagState, number: int, reach: int) -> tuple[int, int, int, int]:
    """Return (stage, task, machine, nearness) of the start nearest to data; a stage without task if too far."""
    stage, looked = s.job[number].first_open, 0
    far, far_machine = NOBODY, NOBODY
    rack_stage, rack_task, rack_machine = NOBODY, NOBODY, NOBODY
    while stage != NOBODY and looked < _MOST_STAGES:
        looked += 1
        row = s.stage[stage]
        machine = NOBODY
        if s.failed[row.demand] != s.rules[0].tries:
            machine = next_fit(w, s, row.demand, 0)
        if machine == NOBODY:
            s.failed[row.demand] = s.rules[0].tries
            tell_once(w, s, stage, NO_ROOM)
        else:
            if far == NOBODY:
                far, far_machine = stage, machine
            for place in range(row.first + row.started, row.first + row.tasks):
                task = s.task_order[place]
                if s.replica[task, 0] == NOBODY:
                    return stage, task, machine, NODE  # its data are nowhere in particular
                for r in range(REPLICAS):
                    near = s.replica[task, r]
                    if near != NOBODY and may_hold(w, near, row.demand):
                        return stage, task, near, NODE
                    if reach >= RACK and rack_task == NOBODY and near != NOBODY:
                        rack = w.machine[near].rack
                        near = next_fit(w, s, row.demand, s.rack_first[rack])
                        if near != NOBODY and near < s.rack_first[rack + 1]:
                            rack_stage, rack_task, rack_machine = stage, task, near
        stage = row.next_open
    if rack_task != NOBODY:
        return rack_stage, rack_task, rack_machine, RACK
    if reach == ANYWHERE and far != NOBODY:
        row = s.stage[far]
        return far, s.task_order[row.first + row.started], far_machine, ANYWHERE
    return far, NOBODY, NOBODY, ANYWHERE


@inner
def _skip(w: World, s: DagState, number: int, stage: int, reach: int) -> None:
    """Skip the job so that others go first, and schedule a decision for when it may go further."""
    job, rules, now_ns = s.job[number], s.rules[0], w.control[0].now_ns
    if job.skipped_ns < 0:
        job.skipped_ns = now_ns
    until_ns = job.skipped_ns + rules.wait_ns
    if job.nearness == RACK:
        until_ns = job.skipped_ns + rules.rack_wait_ns
    elif reach == RACK:
        until_ns += rules.rack_wait_ns
    if job.awaited == 0:
        job.awaited = 1
        schedule(w, until_ns, WAKE, number, 0)
    row, watched = s.stage[stage], w.control[0].watched_task
    if row.told == WAITS_FOR_DATA:
        return
    row.told = WAITS_FOR_DATA
    task = s.task_order[row.first + row.started]
    if watched >= 0 and s.stage_of[watched] == stage and w.task[watched].machine == NOBODY:
        task = watched
    decide(w, task, NOBODY, WAITS_FOR_DATA, NOBODY, NOBODY, until_ns - now_ns, row.tasks - row.started)


@inner
def _start(
    w: World, s: DagState, number: int, task: int, machine: int, nearness: int, waited_ns: int, key: float
) -> None:
    """Start one of the waiting tasks of a stage; the distance to its data decides how long it runs."""
    rules, stage = s.rules[0], s.stage[number]
    job, placed = s.job[stage.job], s.replica[task, 0] != NOBODY
    put_at(w, s, task, stage.first + stage.started)
    stage.told = 0
    reason, factor, x, y = rules.reason, 1.0, 0, int(key * 1e6) << Y_SHARE
    if placed:
        job.nearness = nearness
        job.skipped_ns = NOBODY
        reason, x, y = ON_NODE, waited_ns, 0
        if nearness == NODE:
            rules.on_node += 1
        elif nearness == RACK:
            rules.in_rack += 1
            reason, factor = IN_RACK, rules.rack_factor
        else:
            rules.remote += 1
            reason, factor = FAR, rules.remote_factor
    own_ns = w.task[task].own_ns
    w.task[task].duration_ns = np.int64(np.floor(own_ns * factor + 0.5)) if factor != 1.0 else own_ns
    launch(w, s, number, machine, reason, x, y)
