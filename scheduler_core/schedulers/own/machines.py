"""What happens at machines: requests arrive, tasks wait in line, start and end; copies of machines are renewed."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import is_out
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.lines import join_line, take_first
from scheduler_core.engine.pace import on_end
from scheduler_core.engine.records import NOBODY, TASK_RUNNING, World
from scheduler_core.engine.tasks import decide, finish_task, fits
from scheduler_core.schedulers.own.books import ask, ask_all, count_end, count_waiting, note_change, note_true_change
from scheduler_core.schedulers.own.choosing import really_takes
from scheduler_core.schedulers.own.lists import line_up
from scheduler_core.schedulers.own.placing import begin, make_way, nothing_to_come, pace_of
from scheduler_core.schedulers.own.reasons import CONFLICT, MADE_ROOM, STARTED
from scheduler_core.schedulers.own.state import (
    HEARTBEAT,
    MORE,
    PLACE,
    REFUSED,
    REPORT,
    STALE,
    TASK_END,
    TRUTH,
    OwnState,
)
from scheduler_core.world.reasons import HANDED_BACK

_AT_ONCE = 8


@inner
def scheduler_of(w: World, s: OwnState, t: int) -> int:
    """Return the scheduler of a task."""
    return int(s.kind[s.entry[w.task[t].kind].kind].scheduler)


@called
def on_request(w: World, s: OwnState, t: int, m: int) -> None:
    """Process the arrival of a task at its machine: it starts, waits in line, or is refused.

    The machine carries preemptions out, by what runs there now: the scheduler's copy may be old.
    """
    rules, row, now_ns = s.rules[0], w.task[t], w.control[0].now_ns
    rules.coming -= 1
    s.bound_for[m] -= 1
    if row.attempts == 0:
        row.communication_ns += now_ns - row.since_ns
    row.since_ns = now_ns
    if is_out(w, m):
        _give_back(w, s, t, m, HANDED_BACK, 0)
        note_true_change(s, m)
        return
    if rules.at_machine == 1:
        join_line(w, s.line, m, t)
        rules.waiting_in_line += 1
        note_true_change(s, m)
        serve(w, s, m)
        return
    rules.viewer = scheduler_of(w, s, t)
    if really_takes(w, s, row.demand, m) or make_way(w, s, t, m):
        if rules.victims > 0:
            decide(w, t, m, MADE_ROOM, NOBODY, NOBODY, rules.victims, 0)
            rules.victims = 0
        end_ns = begin(w, s, t, m, now_ns)
        schedule(w, end_ns, TASK_END, t, now_ns)
        return
    k = scheduler_of(w, s, t)
    rules.victims = 0
    rules.conflicts += 1
    age_ns = rules.delay_ns
    if rules.news == STALE:
        age_ns = now_ns - s.scheduler[k].seen_ns
        for r in range(w.free.shape[1]):
            s.seen_free[k, m, r] = w.free[m, r]
        s.seen_tasks[k, m, 0] = w.machine[m].running
        note_change(s, k, m)
    decide(w, t, m, CONFLICT, NOBODY, k, age_ns, 0)
    w.control[0].messages += 1
    schedule(w, now_ns + rules.delay_ns, REFUSED, t, m)


@inner
def _give_back(w: World, s: OwnState, t: int, m: int, reason: int, waited_ns: int) -> None:
    """Tell the scheduler one message later that a task has to be placed again."""
    decide(w, t, m, reason, NOBODY, NOBODY, waited_ns, 0)
    w.control[0].messages += 1
    schedule(w, w.control[0].now_ns + s.rules[0].delay_ns, PLACE, t, m)


@inner
def on_refusal(w: World, s: OwnState, t: int) -> None:
    """Let a task wait again after the news that its machine did not take it."""
    row, now_ns = w.task[t], w.control[0].now_ns
    if row.attempts == 0:
        row.communication_ns += now_ns - row.since_ns
    row.since_ns = now_ns
    count_waiting(w, s, t, 1)
    line_up(w, s, t)
    k = scheduler_of(w, s, t)
    kind = s.kind[s.entry[row.kind].kind]
    kind.failed = 0
    kind.refused_ns = now_ns
    ask(w, s, k)


@inner
def give_back_next(w: World, s: OwnState, m: int) -> bool:
    """Give the first task in line at a machine back; False if there is none."""
    t = take_first(w, s.line, m)
    if t == NOBODY:
        return False
    row, now_ns = w.task[t], w.control[0].now_ns
    s.rules[0].waiting_in_line -= 1
    waited_ns = now_ns - row.since_ns
    if row.attempts == 0:
        row.worker_ns += waited_ns
    row.since_ns = now_ns
    note_true_change(s, m)
    _give_back(w, s, t, m, HANDED_BACK, waited_ns)
    return True


@called
def serve(w: World, s: OwnState, m: int) -> None:
    """Start the first of a machine's line while it fits; what one step has no room for starts at the same instant."""
    now_ns = w.control[0].now_ns
    for _ in range(_AT_ONCE):
        t = s.line[m].first
        if t == NOBODY or is_out(w, m) or not fits(w, m, w.task[t].demand):
            return
        take_first(w, s.line, m)
        s.rules[0].waiting_in_line -= 1
        row = w.task[t]
        waited_ns = now_ns - row.since_ns
        if row.attempts == 0:
            row.worker_ns += waited_ns
        decide(w, t, m, STARTED, NOBODY, NOBODY, waited_ns, 0)
        schedule(w, begin(w, s, t, m, now_ns), TASK_END, t, now_ns)
    schedule(w, now_ns, MORE, m, 0)


@inner
def on_end_of(w: World, s: OwnState, t: int, start_ns: int) -> None:
    """Process a task's end, unless it stopped meanwhile."""
    row, rules = w.task[t], s.rules[0]
    if row.state != TASK_RUNNING or row.last_start_ns != start_ns:
        return
    m = row.machine
    finish_task(w, t, start_ns + row.duration_ns)
    on_end(pace_of(s), t, m)
    count_end(w, s, t, m, True)
    if rules.at_machine == 1:
        serve(w, s, m)
    if rules.news == TRUTH:
        if rules.at_machine == 0:
            w.control[0].messages += 1
        ask_all(w, s)
        return
    w.control[0].messages += 1
    if rules.news != STALE:
        schedule(w, w.control[0].now_ns + rules.delay_ns, REPORT, scheduler_of(w, s, t), 0)


@called
def on_heartbeat(w: World, s: OwnState, k: int) -> None:
    """Renew a scheduler's copy of all machines."""
    rules, it, control = s.rules[0], s.scheduler[k], w.control[0]
    for m in range(len(w.machine)):
        for r in range(w.free.shape[1]):
            s.seen_free[k, m, r] = w.free[m, r]
        s.seen_tasks[k, m, 0] = w.machine[m].running
        s.seen_tasks[k, m, 1] = s.line[m].length
    s.changed[k] += len(w.machine)  # more than a ring holds: all of them
    it.seen_ns = control.now_ns
    rules.freed += 1
    rules.moves += 1
    control.messages += 1
    it.beats = it.beats + 1 if nothing_to_come(w, s) else 0
    if it.beats <= 1:
        schedule(w, control.now_ns + rules.heartbeat_ns, HEARTBEAT, k, 0)
    ask(w, s, k)
