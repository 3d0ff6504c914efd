"""Handle faults, drains and changes during a run: machines, queue shares, parameters.

The tasks on a machine that fails are lost and wait again. Their stages open again, and the plans of their jobs are made
again.
"""

from __future__ import annotations

from scheduler_core.engine.incidents import (
    CHANGED,
    FAIL_MACHINES,
    HAS_ROOM,
    LOSE_ON,
    LOSE_TASK,
    MACHINE_IN,
    MACHINE_OUT,
    SET_PARAMS,
    SET_SHARE,
    SHARE_UNIT,
    WALKED,
    go_on,
)
from scheduler_core.engine.jit import called, field_copier, inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, has_ended, stop_task
from scheduler_core.schedulers.dag.alike import notice_waiting
from scheduler_core.schedulers.dag.jobs import ask_decision, open_stage, put_at
from scheduler_core.schedulers.dag.reasons import LOST
from scheduler_core.schedulers.dag.state import DagState
from scheduler_core.schedulers.dag.tree import update_room
from scheduler_core.schedulers.shared.groups.sharing import change_weight
from scheduler_core.schedulers.shared.groups.tree import FLAT

_take_over = field_copier(
    (
        "interval_ns",
        "leftover_phase",
        "order",
        "resource",
        "strict",
        "epsilon",
        "fairness",
        "barrier",
        "wait_ns",
        "rack_wait_ns",
        "rack_factor",
        "remote_factor",
        "by_queue",
        "altruism",
        "limits",
        "by_level",
        "by_vector",
        "sets_aside",
        "draws",
        "packs",
    )
)


@called
def on_incident(w: World, s: DagState, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); the step decides what `number` refers to."""
    if step == MACHINE_OUT or step == MACHINE_IN:
        _count_in(w, s, number, 1 if step == MACHINE_IN else -1)
    elif step == LOSE_ON:
        go_on(w)  # stage by stage, once all machines are out
    elif step == LOSE_TASK:
        _lose(w, s, s.stage_of[number], number)
    elif step == HAS_ROOM:
        s.freed[number] = 1
    elif step == WALKED:
        s.rules[0].striking = number
        s.rules[0].strike_at, s.rules[0].strike_place = 0, 0
    elif step == CHANGED:
        _change(w, s, number)


@inner
def _change(w: World, s: DagState, number: int) -> None:
    """Apply a change of a queue's share or of the parameters."""
    row = w.incident[number]
    if row.what == SET_SHARE:
        s.queue_share[row.first] = row.x / SHARE_UNIT
        if s.rules[0].tree != FLAT:
            change_weight(s.node, len(s.node) - len(s.queue_share) + row.first, row.x / SHARE_UNIT)
        _weigh_again(w, s)
    elif row.what == SET_PARAMS:
        _take_over(s.rules[0], s.setting[row.x])
        _begin_anew(w, s)
    else:
        return
    ask_decision(w, s)


@inner
def _weigh_again(w: World, s: DagState) -> None:
    """Recompute the weights after a change of the queues' shares or of their use."""
    rules = s.rules[0]
    rules.sorted = 0
    rules.weights = 0.0
    s.queue_weights[:] = 0.0
    for number in range(s.job.shape[0]):
        job = s.job[number]
        job.weight = s.queue_share[job.queue] if rules.by_queue == 1 else 1.0
        if number < w.control[0].next_job and job.left > 0:
            rules.weights += job.weight
            s.queue_weights[job.queue] += job.weight


@inner
def _begin_anew(w: World, s: DagState) -> None:
    """Discard results under the old parameters."""
    rules = s.rules[0]
    rules.level = 0.0
    for job in range(s.job.shape[0]):
        s.job[job].altruistic = 1 if s.job[job].draw < rules.altruism else 0
        s.job[job].awaited = 0  # it may end sooner now
    _weigh_again(w, s)
    _plan_again(s)


@inner
def _plan_again(s: DagState) -> None:
    """Mark all plans as outdated."""
    s.rules[0].reshare = 1
    for job in range(s.job.shape[0]):
        s.job[job].stale = 1
        s.job[job].plan_share = 0.0


@called
def strike(w: World, s: DagState) -> None:
    """Lose the next task of the machines that failed in an incident, or finish the incident."""
    rules = s.rules[0]
    row = w.incident[rules.striking]
    if row.what == FAIL_MACHINES and _lose_next(w, s, row.first, row.end):
        return
    rules.striking = NOBODY
    _plan_again(s)
    ask_decision(w, s)


@inner
def _count_in(w: World, s: DagState, machine: int, sign: int) -> None:
    """Count a machine that came into service (1) or left it (-1)."""
    if sign > 0:
        s.freed[machine] = 1
    for r in range(s.total.shape[0]):
        s.in_service[r] += sign * w.capacity[machine, r]
    update_room(w, s, machine)


@inner
def _lose_next(w: World, s: DagState, first: int, end: int) -> bool:
    """Lose the next task that runs on machines first .. end-1, stage by stage; False when there is none any more.

    One that has ended, whose news is on its way, is not lost.
    """
    rules = s.rules[0]
    while rules.strike_at < s.stage.shape[0]:
        stage = s.stage[rules.strike_at]
        place = max(rules.strike_place, stage.first + stage.ended)
        while place < stage.first + stage.started:
            task = s.task_order[place]
            if first <= w.task[task].machine < end and not has_ended(w, task):
                rules.strike_place = place
                _lose(w, s, rules.strike_at, task)
                return True
            place += 1
        rules.strike_at += 1
        rules.strike_place = 0
    return False


@inner
def _lose(w: World, s: DagState, number: int, task: int) -> None:
    """Lose a task whose machine failed; it becomes the next of its stage to start."""
    stage, row, now_ns = s.stage[number], w.task[task], w.control[0].now_ns
    machine, was_closed = row.machine, stage.started == stage.tasks
    s.rules[0].lost += 1
    stage.started -= 1
    s.job[stage.job].running -= 1
    put_at(w, s, task, stage.first + stage.started)
    for r in range(s.held.shape[1]):
        amount = s.asked[number, r]
        s.held[stage.job, r] -= amount
        s.queue_held[s.job[stage.job].queue, r] -= amount
    stop_task(w, task, now_ns)
    row.since_ns = now_ns
    update_room(w, s, machine)
    decide(w, task, machine, LOST, NOBODY, NOBODY, max(now_ns - row.last_start_ns, 0), 0)
    stage.told = 0
    notice_waiting(s, stage.job)
    stage.due = min(stage.due, stage.started)
    s.job[stage.job].stale = 1
    if was_closed:
        open_stage(s, number)
