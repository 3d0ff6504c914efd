"""Nodes and managers at their heartbeats: assign, fetch and launch tasks, and report ended tasks."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NEVER, NOBODY, TASK_RUNNING, World
from scheduler_core.engine.tasks import decide, finish_task, start_task
from scheduler_core.schedulers.federated.hydra.reasons import GIVEN, SPILLED
from scheduler_core.schedulers.federated.hydra.state import GIVING, IDLE, TASK_END, HydraState
from scheduler_core.schedulers.shared.heartbeats.queues import (
    ask_beat,
    beat_of,
    enter_machine,
    first_fitting,
    give_up,
    keep_able,
    leave,
    leave_machine,
)


@inner
def on_beat(w: World, s: HydraState, number: int, machine: int) -> None:
    """Process the report of the sub-cluster's next node; ignore an outdated event."""
    sub, rules = s.sub[number], s.rules[0]
    if sub.next_ns != w.control[0].now_ns:
        return
    sub.next_ns = NEVER
    rules.node_beats += 1
    rules.phase = GIVING
    rules.sub = number
    rules.machine = machine


@inner
def give_next(w: World, s: HydraState) -> None:
    """Give the node one more task, or go on to the next node."""
    rules = s.rules[0]
    task = first_fitting(w, s, rules.sub, rules.machine)
    if task != NOBODY:
        _give(w, s, task, rules.machine)
        return
    give_up(s, rules.machine)
    rules.phase = IDLE
    ask_beat(w, s, rules.sub)


@inner
def fetched_ns(w: World, s: HydraState, job: int, at_ns: int) -> int:
    """Return when the heartbeat of a job's manager reaches the resource managers, not before `at_ns`."""
    rules = s.rules[0]
    first_ns = s.job[job].began_ns + rules.delay_ns
    beats = max(0, (at_ns - first_ns + rules.manager_ns - 1) // rules.manager_ns)
    reached: int = first_ns + beats * rules.manager_ns
    return reached


@inner
def _give(w: World, s: HydraState, task: int, machine: int) -> None:
    """Give the task a machine; it starts once its manager has fetched and launched it."""
    rules, row, now_ns = s.rules[0], w.task[task], w.control[0].now_ns
    number, waited_ns = s.task[task].sub, now_ns - w.task[task].since_ns
    leave(w, s, task)
    start_ns = fetched_ns(w, s, row.job, now_ns) + 2 * rules.delay_ns
    if row.attempts == 0:
        row.framework_ns += waited_ns
        row.communication_ns += start_ns - now_ns
    home = s.job[row.job].home
    if home == number:
        rules.at_home += 1
    else:
        rules.spilled += 1
    reason = GIVEN if home == number else SPILLED
    decide(w, task, machine, reason, home, NOBODY, waited_ns, start_ns - now_ns)
    end_ns = start_task(w, task, machine, start_ns)
    keep_able(w, s, machine)
    enter_machine(s, task, machine)
    w.control[0].messages += 3
    schedule(w, beat_of(s, number, machine, end_ns), TASK_END, task, start_ns)


@inner
def on_end(w: World, s: HydraState, task: int, start_ns: int) -> None:
    """Process a node's report that a task has ended, unless it stopped before."""
    row = w.task[task]
    if row.state != TASK_RUNNING or row.last_start_ns != start_ns:
        return
    finish_task(w, task, start_ns + row.duration_ns)
    leave_machine(w, s, task)
    keep_able(w, s, row.machine)
    ask_beat(w, s, w.machine[row.machine].cluster)
