"""Guaranteed tasks: a node receives them when it reports; queueable tasks in their way are stopped."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NEVER, NOBODY, World
from scheduler_core.engine.tasks import decide, fits, start_task, stop_task
from scheduler_core.schedulers.probing.mercury.queueable import unlend
from scheduler_core.schedulers.probing.mercury.reasons import GIVEN, PREEMPTED
from scheduler_core.schedulers.probing.mercury.state import GIVING, IDLE, MORE, PLACE_AGAIN, TASK_END, MercuryState
from scheduler_core.schedulers.shared.heartbeats.queues import ask_beat, first_fitting, give_up, keep_able, leave
from scheduler_core.schedulers.shared.probing.central import long_ends, long_starts, promise


@inner
def on_beat(w: World, s: MercuryState, machine: int) -> None:
    """Process the report of the node that is next; ignore an outdated event."""
    central, rules = s.sub[0], s.rules[0]
    if central.next_ns != w.control[0].now_ns:
        return
    central.next_ns = NEVER
    rules.node_beats += 1
    rules.phase = GIVING
    rules.at = machine
    rules.stopped = 0


@inner
def give_next(w: World, s: MercuryState) -> None:
    """Give the node one more task, or stop one that is in the way, or go on to the next node.

    Source: *Mercury: hybrid centralized and distributed scheduling in large shared clusters* (guaranteed tasks).
    """
    rules = s.rules[0]
    machine = rules.at
    task = first_fitting(w, s, 0, machine)
    if task == NOBODY:
        give_up(s, machine)
        rules.phase = IDLE
        ask_beat(w, s, 0)
        schedule(w, w.control[0].now_ns, MORE, machine, 0)
    elif fits(w, machine, w.task[task].demand):
        _give(w, s, task, machine)
    else:
        _preempt(w, s, s.resident[machine], machine, task)


@inner
def _give(w: World, s: MercuryState, task: int, machine: int) -> None:
    rules, row, now_ns = s.rules[0], w.task[task], w.control[0].now_ns
    waited_ns = now_ns - row.since_ns
    leave(w, s, task)
    if row.attempts == 0:
        row.framework_ns += waited_ns
        row.communication_ns += rules.delay_ns
    decide(w, task, machine, GIVEN, NOBODY, NOBODY, waited_ns, rules.stopped)
    rules.given += 1
    rules.stopped = 0
    promise(w, s, machine, row.kind)
    s.worker[machine].longs += 1
    long_starts(w, s, machine, row.kind)
    w.control[0].messages += 1
    start_ns = now_ns + rules.delay_ns
    schedule(w, start_task(w, task, machine, start_ns), TASK_END, task, start_ns)
    keep_able(w, s, machine)


@inner
def _preempt(w: World, s: MercuryState, task: int, machine: int, by: int) -> None:
    """Stop the queueable task that started last on the machine; its scheduler sends it elsewhere."""
    rules, row, now_ns = s.rules[0], w.task[task], w.control[0].now_ns
    worked_ns = now_ns - row.last_start_ns
    stop_task(w, task, now_ns)
    long_ends(w, s, machine, row.kind, row.last_start_ns)
    unlend(w, s, task, machine)
    row.since_ns = now_ns
    rules.preemptions += 1
    rules.stopped += 1
    decide(w, task, machine, PREEMPTED, NOBODY, NOBODY, by, worked_ns)
    w.control[0].messages += 1
    schedule(w, now_ns + rules.delay_ns, PLACE_AGAIN, task, 0)
