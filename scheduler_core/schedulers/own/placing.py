"""Search for the next task's machine and carry the decision out."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.pace import Pace, lacks, on_end, on_start
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide, start_task, stop_task
from scheduler_core.schedulers.own.books import ask, count_end, count_start, count_waiting, note_change
from scheduler_core.schedulers.own.choosing import choose, rank, really_takes
from scheduler_core.schedulers.own.interpreting import prepare
from scheduler_core.schedulers.own.lists import line_up, next_entry, sort_again, take_first
from scheduler_core.schedulers.own.preempting import make_room, victims
from scheduler_core.schedulers.own.reasons import (
    BY_FALLBACK,
    CHOSEN,
    FELL_BACK,
    FILTERED,
    LATE,
    MADE_ROOM,
    NO_ROOM,
    ONLY_FIRST,
    PREEMPTED,
    RELAXED,
    SENT,
    TOO_DEAR,
)
from scheduler_core.schedulers.own.state import (
    DECIDED,
    FILTER,
    PREEMPT,
    REQUEST,
    SAMPLE,
    SCORE,
    STALE,
    TASK_END,
    TICK,
    TRUTH,
    OwnState,
)

_DOUBLINGS = 50
_LONGEST_TICK_NS = 1 << 52


@inner
def pace_of(s: OwnState) -> Pace:
    """Return what tasks' times depend on, in the state."""
    return Pace(s.pace, s.paced, s.replica, s.beside, s.discord, s.slowdown)


@inner
def search_turn(w: World, s: OwnState) -> None:
    """Decide about the next task of scheduler `viewer`, or rest if none can be placed."""
    rules, k = s.rules[0], s.rules[0].viewer
    if rules.fallen == 0 and rules.steps > rules.most_steps:
        _fall_back(w, s, k)
    e = next_entry(w, s, k)
    if e == NOBODY:
        rules.phase = 0
        tick_later(w, s, k)
        return
    number, t = s.entry[e].kind, s.entry[e].head
    rules.victims = 0
    m = choose(w, s, number, t)
    # After a refusal others come first: a scheduler whose copy is old could ask the same machine forever.
    asks = s.hook[PREEMPT].there == 1 and s.kind[number].refused_ns != w.control[0].now_ns
    if m == NOBODY and asks and rules.fallen == 0:
        m = make_room(w, s, t, s.entry[e].demand)
    if m == NOBODY:
        _fail(w, s, number, t)
        return
    take_first(w, s, e)
    it = s.scheduler[k]
    it.in_vain = it.beats = 0
    if rules.decision_ns == 0:
        it.last_ns = 0
        commit(w, s, k, t, m)
        return
    it.busy, it.task, it.machine, it.last_ns = 1, t, m, rules.decision_ns
    rules.phase = 0
    schedule(w, w.control[0].now_ns + rules.decision_ns, DECIDED, k, t)


@called
def _fall_back(w: World, s: OwnState, k: int) -> None:
    """End the policy: it has used up its steps, or one decision could take too many (a limit below 0)."""
    rules = s.rules[0]
    rules.fallen = 1
    rules.static = 1
    at = s.open_kind[s.scheduler[k].first_kind]
    t = s.entry[s.item[s.kind[at].first]].head if s.scheduler[k].open > 0 else 0
    reason = FELL_BACK if rules.most_steps >= 0 else TOO_DEAR
    decide(w, t, NOBODY, reason, NOBODY, NOBODY, abs(rules.most_steps), 0)
    sort_again(w, s)


@inner
def tick_later(w: World, s: OwnState, k: int) -> None:
    """Look at the clock again later, if the policy reads it; ever more rarely if nothing else will happen."""
    it, rules, control = s.scheduler[k], s.rules[0], w.control[0]
    over = rules.fallen == 1 and rules.news != SAMPLE
    if rules.timed == 0 or over or it.waiting == 0 or it.ticking == 1:
        return
    wait_ns = rules.tick_ns
    if nothing_to_come(w, s):
        it.in_vain += 1
        if it.in_vain > _DOUBLINGS:
            return
        wait_ns = min(rules.tick_ns << min(it.in_vain, 12), _LONGEST_TICK_NS)
    it.ticking = 1
    schedule(w, control.now_ns + wait_ns, TICK, k, 0)


@inner
def nothing_to_come(w: World, s: OwnState) -> bool:
    """Return whether nothing runs, travels, arrives or breaks any more: only the clock goes on."""
    control = w.control[0]
    some = control.tasks_running > 0 or s.rules[0].coming > 0 or s.rules[0].waiting_in_line > 0
    return not (some or control.next_job < len(w.job) or control.incidents_left > 0)


@called
def _fail(w: World, s: OwnState, number: int, t: int) -> None:
    """Mark a kind as finding no machine until something changes for it, and log it once."""
    kind, rules, control = s.kind[number], s.rules[0], w.control[0]
    kind.failed = 1
    kind.seen_freed, kind.seen_moves, kind.seen_ns = rules.freed, rules.moves, control.now_ns
    rules.in_vain += 1
    if kind.told != 0:
        return
    if kind.kept != NOBODY and s.hook[FILTER].there == 1 and rules.fallen == 0:
        _count_refused(w, s, t)
    kind.passed_over = rules.refused
    kind.told = NO_ROOM if rules.refused == 0 else FILTERED
    watched = control.watched_task
    waits = watched >= 0 and w.task[watched].state == TASK_WAITING and s.entry[w.task[watched].kind].kind == number
    decide(w, watched if waits else t, NOBODY, kind.told, NOBODY, NOBODY, kind.waiting, _told_y(s, number))


@inner
def _told_y(s: OwnState, number: int) -> int:
    return int(s.kind[number].passed_over) if s.kind[number].told == FILTERED else 0


@inner
def _count_refused(w: World, s: OwnState, t: int) -> None:
    """Count the machines with room that the filter refuses: kept scores do not say how many these are."""
    rules, demand = s.rules[0], w.task[t].demand
    rules.refused = 0
    prepare(w, s, FILTER, t, w.task[t].job)
    prepare(w, s, SCORE, t, w.task[t].job)
    for m in range(len(w.machine)):
        rank(w, s, t, demand, m)


@called
def commit(w: World, s: OwnState, k: int, t: int, m: int) -> None:
    """Carry a decision out: start the task, or send it to its machine."""
    rules, row = s.rules[0], w.task[t]
    direct = rules.news == TRUTH and rules.at_machine == 0
    if direct:
        if rules.victims > 0 or not really_takes(w, s, row.demand, m):
            if not _clear(w, s, k, t, m):
                return
        _launch(w, s, k, t, m)
        return
    _charge(w, s, k, t)
    now_ns, hops = w.control[0].now_ns, 3 if rules.news == SAMPLE else 1
    w.control[0].messages += 1
    rules.coming += 1
    s.bound_for[m] += 1
    count_waiting(w, s, t, -1)
    if rules.news == STALE:
        for r in range(w.free.shape[1]):
            s.seen_free[k, m, r] -= w.demand[row.demand, r]
        s.seen_tasks[k, m, rules.at_machine] += 1
        note_change(s, k, m)
    elif rules.news == TRUTH:
        note_change(s, 0, m)
    rules.moves += 1
    decide(w, t, m, SENT if rules.fallen == 0 else BY_FALLBACK, NOBODY, NOBODY, max(rules.candidates, 1), 0)
    schedule(w, now_ns + hops * rules.delay_ns, REQUEST, t, m)


@inner
def _charge(w: World, s: OwnState, k: int, t: int) -> None:
    """Add the time since the task began to wait to the parts of its delay."""
    row, now_ns = w.task[t], w.control[0].now_ns
    if row.attempts == 0:
        deciding_ns = min(s.scheduler[k].last_ns, now_ns - row.since_ns)
        row.processing_ns += deciding_ns
        row.framework_ns += now_ns - row.since_ns - deciding_ns
    row.since_ns = now_ns


@inner
def _clear(w: World, s: OwnState, k: int, t: int, m: int) -> bool:
    """Preempt tasks so that the machine has room; False if it has none and cannot get it: the task waits again."""
    s.rules[0].victims = 0
    if really_takes(w, s, w.task[t].demand, m) or make_way(w, s, t, m):
        return True
    s.rules[0].late += 1
    decide(w, t, m, LATE, NOBODY, NOBODY, 0, 0)
    line_up(w, s, t)
    return False


@called
def make_way(w: World, s: OwnState, t: int, m: int) -> bool:
    """Preempt the tasks of a machine that have to leave for a task, and count them in `victims`; False if none may."""
    rules = s.rules[0]
    if s.hook[PREEMPT].there == 0 or rules.fallen == 1:
        return False
    count = victims(w, s, t, w.task[t].demand, m)
    queue = w.job[w.task[t].job].queue
    for i in range(count):
        rules.preemptions += 1
        w.control[0].messages += 1
        stop(w, s, s.drawn[i], PREEMPTED, queue)
    rules.victims = count
    return count > 0


@called
def stop(w: World, s: OwnState, v: int, reason: int, queue: int) -> None:
    """Stop a running task now; it waits again."""
    row, now_ns = w.task[v], w.control[0].now_ns
    m, worked_ns = row.machine, max(0, now_ns - row.last_start_ns)
    stop_task(w, v, now_ns)
    on_end(pace_of(s), v, m)
    count_end(w, s, v, m, False)
    row.since_ns = now_ns
    row.requested += 1
    decide(w, v, m, reason, NOBODY, queue, worked_ns, 0)
    count_waiting(w, s, v, 1)
    line_up(w, s, v)
    ask(w, s, s.kind[s.entry[row.kind].kind].scheduler)


@inner
def _launch(w: World, s: OwnState, k: int, t: int, m: int) -> None:
    """Start a task one message from now; the scheduler knows its end one message later."""
    rules, row, now_ns = s.rules[0], w.task[t], w.control[0].now_ns
    _charge(w, s, k, t)
    if row.attempts == 0:
        row.communication_ns += rules.delay_ns
    w.control[0].messages += 1
    if rules.victims > 0:
        decide(w, t, m, MADE_ROOM, NOBODY, NOBODY, rules.victims, 0)
    elif rules.fallen == 1:
        decide(w, t, m, BY_FALLBACK, NOBODY, NOBODY, 0, 0)
    elif s.hook[SCORE].there == 0:
        decide(w, t, m, ONLY_FIRST, NOBODY, NOBODY, 0, 0)
    else:
        decide(w, t, m, CHOSEN, NOBODY, NOBODY, max(rules.candidates, 1), 0)
    count_waiting(w, s, t, -1)
    end_ns = begin(w, s, t, m, now_ns + rules.delay_ns)
    schedule(w, end_ns + rules.delay_ns, TASK_END, t, w.task[t].last_start_ns)


@called
def begin(w: World, s: OwnState, t: int, m: int, start_ns: int) -> int:
    """Start a task on a machine and return when it ends."""
    row = w.task[t]
    on_start(w, pace_of(s), t, m)
    if s.pace[0].soft == 1:
        lacking = lacks(w, t, m)
        if lacking != 0:
            decide(w, t, m, RELAXED, NOBODY, NOBODY, lacking, row.duration_ns)
    end_ns = start_task(w, t, m, start_ns)
    count_start(w, s, t, m)
    return end_ns
