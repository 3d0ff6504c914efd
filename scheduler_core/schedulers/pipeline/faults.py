"""Handle faults and drains of machines; T6, T11 and T12 decide what happens to the tasks on them."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import (
    CHANGED,
    DRAIN_MACHINES,
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
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, TASK_UNSCHEDULABLE, TASK_WAITING, World
from scheduler_core.engine.tasks import decide, has_ended
from scheduler_core.schedulers.pipeline.admitting import end_job
from scheduler_core.schedulers.pipeline.changing import set_params
from scheduler_core.schedulers.pipeline.choosing import update_room
from scheduler_core.schedulers.pipeline.clock import ENGINE, lap
from scheduler_core.schedulers.pipeline.codes import (
    BACK_OFF,
    GIVE_UP,
    NONE,
    ON_DRAIN,
    RETRY,
    T6,
    T11,
    T12,
)
from scheduler_core.schedulers.pipeline.copying import drop_copies_on, goes_on
from scheduler_core.schedulers.pipeline.iterating import ask_now
from scheduler_core.schedulers.pipeline.lines import open_lines_again, queue_again, sort_again
from scheduler_core.schedulers.pipeline.moving import move_off
from scheduler_core.schedulers.pipeline.reasons import COPY_DRAINED, COPY_LOST, GIVEN_UP, LOST
from scheduler_core.schedulers.pipeline.running import saved_by_t6, stop_running
from scheduler_core.schedulers.pipeline.state import PipelineState

_MOST_DOUBLINGS = 20


@called
def on_incident(w: World, s: PipelineState, step: int, number: int) -> None:
    """Process one step of an incident (engine.incidents); the step decides what `number` refers to."""
    if step == MACHINE_OUT or step == MACHINE_IN:
        update_room(w, s, number)
        if step == MACHINE_IN:
            open_lines_again(w, s, number)
    elif step == LOSE_ON:
        _take_off(w, s, number)
    elif step == LOSE_TASK:
        _lose(w, s, number)
    elif step == HAS_ROOM:
        open_lines_again(w, s, number)
    elif step == WALKED:
        ask_now(w, s)
    elif step == CHANGED:
        _change(w, s, number)


@inner
def _change(w: World, s: PipelineState, number: int) -> None:
    """Apply a change of a queue's share or of the parameters."""
    row, rules = w.incident[number], s.rules[0]
    if row.what == SET_SHARE:
        s.queue[row.first].share = row.x / SHARE_UNIT
        if rules.by_share > 0:
            sort_again(w, s, row.first, -row.x)
        ask_now(w, s)
    elif row.what == SET_PARAMS:
        set_params(w, s, row.x)


@inner
def _take_off(w: World, s: PipelineState, machine: int) -> None:
    """Take the next task off a machine that failed, or drains where T12 moves tasks then."""
    rules = s.rules[0]
    drains = w.incident[w.control[0].walking - 1].what == DRAIN_MACHINES
    if drains and rules.t12 != ON_DRAIN:
        go_on(w)
        return
    if rules.t9_more > 0 and not drop_copies_on(w, s, machine, COPY_DRAINED if drains else COPY_LOST):
        return
    if not _take_next(w, s, machine, drains):
        go_on(w)


@inner
def _take_next(w: World, s: PipelineState, machine: int, moves: bool) -> bool:
    """Take the next task off a machine; False when there is none. One that has ended there stays."""
    task = s.first_on[machine]
    while task != NOBODY:
        row = w.task[task]
        if not has_ended(w, task):
            if moves:
                move_off(w, s, task)
                lap(s, T12)
            else:
                _lose(w, s, task)
            return True
        task = row.next
    return False


@inner
def _lose(w: World, s: PipelineState, task: int) -> None:
    """Lose a task whose machine failed, or that an event stops; a copy that runs elsewhere takes its place."""
    row = w.task[task]
    machine, worked_ns = row.machine, max(0, w.control[0].now_ns - row.last_start_ns)
    stop_running(w, s, task, saved_by_t6(w, s, task))
    lap(s, ENGINE)
    decide(w, task, machine, LOST, NOBODY, NOBODY, worked_ns, 0)
    s.rules[0].lost += 1
    if not goes_on(w, s, task):
        _recover(w, s, task)
    lap(s, T11)


@inner
def _recover(w: World, s: PipelineState, task: int) -> None:
    """Notice a lost task (T6), and bring it back or give it up (T11)."""
    rules, it, now_ns = s.rules[0], s.task[task], w.control[0].now_ns
    it.losses += 1
    s.stage[T11].calls += 1
    s.stage[T11].operations += 1
    if rules.t11 == NONE or (rules.t11 == GIVE_UP and it.losses > rules.t11_retries):
        _give_up(w, s, task)
        return
    at_ns = now_ns
    if rules.t6_ns > 0:
        s.stage[T6].calls += 1
        s.stage[T6].operations += 1
        at_ns = -(-now_ns // rules.t6_ns) * rules.t6_ns
    if rules.t11 == BACK_OFF:
        at_ns += rules.t11_wait_ns << min(it.losses - 1, _MOST_DOUBLINGS)
    if at_ns == now_ns:
        queue_again(w, s, task)
    else:
        schedule(w, at_ns, RETRY, task, 0)


@called
def on_retry(w: World, s: PipelineState, task: int) -> None:
    """Queue a lost task again."""
    queue_again(w, s, task)
    lap(s, T11)
    ask_now(w, s)


@inner
def _give_up(w: World, s: PipelineState, task: int) -> None:
    """Mark a task and all tasks that wait for it as never running."""
    first, job = s.task[task].node, s.job[w.task[task].job]
    decide(w, task, NOBODY, GIVEN_UP, NOBODY, NOBODY, s.task[task].losses, 0)
    _drop(w, s, task)
    _doom_children(s, first)
    for number in range(first + 1, job.first_node + job.nodes):
        node = s.node[number]
        if node.hopeless == 0 or node.waits_for == 0:
            continue
        _doom_children(s, number)
        for place in range(node.first, node.first + node.tasks):
            other = s.task_order[place]
            if w.task[other].state == TASK_WAITING:
                _drop(w, s, other)
    if job.left == 0:
        end_job(w, s, w.task[task].job)


@inner
def _doom_children(s: PipelineState, number: int) -> None:
    node = s.node[number]
    for at in range(node.first_child, node.first_child + node.children):
        s.node[s.child[at]].hopeless = 1


@inner
def _drop(w: World, s: PipelineState, task: int) -> None:
    rules, control = s.rules[0], w.control[0]
    w.task[task].state = TASK_UNSCHEDULABLE
    control.tasks_waiting -= 1
    control.tasks_unschedulable += 1
    rules.given_up += 1
    rules.unsubmitted -= 1
    rules.tasks_in -= 1
    s.job[w.task[task].job].left -= 1
