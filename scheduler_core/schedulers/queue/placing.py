"""Carry out a decision after its time: stop victims one by one, start the task, or let it wait again."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.pace import lacks, on_end, on_start
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, start_task, stop_task
from scheduler_core.schedulers.queue.choosing import pace_of
from scheduler_core.schedulers.queue.gangs import fit_together
from scheduler_core.schedulers.queue.lists import leave, line_up, settle, take_first
from scheduler_core.schedulers.queue.preempting import clear, put_back
from scheduler_core.schedulers.queue.racks import has_room, note_placed, note_rule, open_to
from scheduler_core.schedulers.queue.reasons import LATE, MADE_ROOM, RELAXED, STOPPED, TOGETHER
from scheduler_core.schedulers.queue.scoring import tenths
from scheduler_core.schedulers.queue.state import DECIDE, LAUNCHING, SEARCHING, STOPPING, TASK_END, QueueState


@inner
def ask(w: World, s: QueueState) -> None:
    """Ask for a decision at the end of this instant, unless one is under way."""
    rules = s.rules[0]
    if rules.busy == 0 and rules.pending == 0:
        rules.pending = 1
        schedule(w, w.control[0].now_ns, DECIDE, 0, 0)


@inner
def decided(w: World, s: QueueState, t: int) -> None:
    """Apply a decision after its time; `t` is NOBODY if it found nothing."""
    rules = s.rules[0]
    rules.busy = 0
    rules.phase = SEARCHING
    if t == NOBODY:
        return
    if rules.gang != NOBODY:
        _decided_together(w, s, t)
        return
    m, demand, g = rules.machine, w.task[t].demand, w.task[t].kind
    note_rule(w, s, g)
    if open_to(w, s, g, m) and has_room(w, s, demand, m):
        _launch(w, s, t, m, 0)
        return
    rules.at = NOBODY
    if rules.preempts == 1 and open_to(w, s, g, m):
        rules.at = clear(w, s, s.group[g].line, demand, m)
    if rules.at != NOBODY:
        rules.phase = STOPPING
        rules.victims = 0
        return
    rules.late += 1
    decide(w, t, m, LATE, NOBODY, NOBODY, 0, 0)
    line_up(w, s, t)


@inner
def _decided_together(w: World, s: QueueState, t: int) -> None:
    """Apply a gang's decision: launch it if all of its machines are still free, else let all of it wait."""
    rules, b = s.rules[0], s.rules[0].gang
    note_rule(w, s, w.task[t].kind)
    if fit_together(w, s, b):
        rules.phase = LAUNCHING
        return
    rules.gang = NOBODY
    rules.late += 1
    decide(w, t, w.task[t].place, LATE, NOBODY, NOBODY, 0, 0)


@inner
def launch_turn(w: World, s: QueueState) -> None:
    """Start one more task of a gang at this instant, or finish the gang."""
    rules, it = s.rules[0], s.band[s.rules[0].gang]
    for g in range(it.first_group, it.first_group + it.groups):
        if s.group[g].waiting > 0:
            t = take_first(w, s, g)
            _launch(w, s, t, w.task[t].place, 0)
            return
    it.gang = 0
    rules.gang = NOBODY
    rules.gangs_left -= 1
    rules.gangs += 1
    rules.phase = SEARCHING


@inner
def stop_turn(w: World, s: QueueState) -> None:
    """Keep or stop one stoppable task, depending on the room beside the decided task."""
    rules, at = s.rules[0], s.rules[0].at
    if at == NOBODY:
        rules.phase = SEARCHING
        _launch(w, s, rules.task, rules.machine, rules.victims)
        return
    rules.at = w.task[at].next
    if put_back(w, s, at):
        return
    rules.victims += 1
    if w.control[0].now_ns >= w.task[at].last_start_ns:
        rules.preemptions += 1
    stop(w, s, at, STOPPED, w.job[w.task[rules.task].job].queue)
    w.control[0].messages += 1


@inner
def stop(w: World, s: QueueState, t: int, reason: int, queue: int) -> None:
    """Stop a running task now; it waits again."""
    row, now_ns = w.task[t], w.control[0].now_ns
    m, worked_ns = row.machine, max(0, now_ns - row.last_start_ns)
    stop_task(w, t, now_ns)
    if s.rules[0].tallied == row.job:
        s.rules[0].tallied = NOBODY
    on_end(pace_of(s), t, m)
    leave(w, s, t, m)
    row.since_ns = now_ns
    row.requested += 1
    decide(w, t, m, reason, NOBODY, queue, worked_ns, 0)
    line_up(w, s, t)


@inner
def _launch(w: World, s: QueueState, t: int, m: int, victims: int) -> None:
    """Start the task one message from now; the scheduler knows its end one message later."""
    rules, row, now_ns = s.rules[0], w.task[t], w.control[0].now_ns
    if row.attempts == 0:
        deciding_ns = min(rules.last_ns, now_ns - row.since_ns)
        row.processing_ns += deciding_ns
        row.framework_ns += now_ns - row.since_ns - deciding_ns
        row.communication_ns += rules.delay_ns
    w.control[0].messages += 1
    note_placed(w, s, t, m)
    if rules.gang != NOBODY:
        decide(w, t, m, TOGETHER, NOBODY, NOBODY, s.band[rules.gang].placed, 0)
    elif victims > 0:
        decide(w, t, m, MADE_ROOM, NOBODY, NOBODY, victims, 0)
    else:
        decide(w, t, m, rules.reason, NOBODY, NOBODY, max(rules.candidates, 1), tenths(s))
    on_start(w, pace_of(s), t, m)
    if s.pace[0].soft == 1:
        lacking = lacks(w, t, m)
        if lacking != 0:
            decide(w, t, m, RELAXED, NOBODY, NOBODY, lacking, row.duration_ns)
    row.end_ns = start_task(w, t, m, now_ns + rules.delay_ns)
    settle(w, s, t, m)
    row.requested += 1
    schedule(w, row.end_ns + rules.delay_ns, TASK_END, t, row.requested)
