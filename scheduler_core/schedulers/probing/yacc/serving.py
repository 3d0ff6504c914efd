"""A worker's bounded queue: which tasks may join, and which task it serves next."""

from __future__ import annotations

from scheduler_core.engine.events import schedule, schedule_in_lane
from scheduler_core.engine.incidents import is_out
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NEVER, NOBODY, World
from scheduler_core.engine.tasks import decide, finish_task, fits, start_task, still_runs
from scheduler_core.schedulers.probing.yacc.reasons import BOUNCED, OVERTOOK, PROTECTED, STARTED
from scheduler_core.schedulers.probing.yacc.sending import keep_back
from scheduler_core.schedulers.probing.yacc.state import (
    BOUNCE,
    ELDEST_JOB,
    FIRST_COME,
    LEAST_WORK,
    MORE,
    TASK_END,
    YaccState,
)
from scheduler_core.schedulers.shared.probing.central import long_ends, long_starts, promise
from scheduler_core.schedulers.shared.probing.notes import REFUSED, SERVED, note_sent
from scheduler_core.schedulers.shared.probing.queues import join, no_longer_waits, take_out
from scheduler_core.schedulers.shared.probing.sampling import put_back
from scheduler_core.schedulers.shared.probing.state import AT_ONCE, LANE_TO_SCHEDULER
from scheduler_core.world.reasons import HANDED_BACK


@inner
def on_arrival(w: World, s: YaccState, probe: int, worker: int) -> None:
    """Queue a task at a worker, or send it back if the queue is full."""
    task, now_ns = s.probe[probe].task, w.control[0].now_ns
    row, queue = w.task[task], s.worker[worker]
    if row.attempts == 0:
        row.communication_ns += now_ns - row.since_ns
    row.since_ns = now_ns
    if is_out(w, worker):
        put_back(s, probe)
        give_back(w, s, task, worker, 0)
        return
    if queue.length >= s.rules[0].bound:
        decide(w, task, worker, BOUNCED, NOBODY, NOBODY, 0, queue.length)
        note_sent(w, task, worker, REFUSED, 0)
        s.rules[0].bounced += 1
        w.control[0].messages += 1
        put_back(s, probe)
        schedule_in_lane(w, LANE_TO_SCHEDULER, now_ns + s.rules[0].delay_ns, BOUNCE, task, 0)
        return
    promise(w, s, worker, row.kind)
    queue.longs += 1
    s.probe[probe].bypassed_ns = 0
    join(w, s, probe, worker)


@inner
def on_bounce(w: World, s: YaccState, task: int) -> None:
    """Process a task that was sent back to its scheduler."""
    row = w.task[task]
    if row.attempts == 0:
        row.communication_ns += w.control[0].now_ns - row.since_ns
    row.since_ns = w.control[0].now_ns
    keep_back(w, s, task)


@called
def give_back(w: World, s: YaccState, task: int, worker: int, waited_ns: int) -> None:
    """Return a task from a machine that is out to its scheduler."""
    decide(w, task, worker, HANDED_BACK, NOBODY, NOBODY, waited_ns, 0)
    w.control[0].messages += 1
    schedule_in_lane(w, LANE_TO_SCHEDULER, w.control[0].now_ns + s.rules[0].delay_ns, BOUNCE, task, 0)


@inner
def serve(w: World, s: YaccState, worker: int) -> None:
    """Start who goes first in the queue, while that one fits."""
    queue = s.worker[worker]
    for _ in range(AT_ONCE):
        if queue.length == 0:
            return
        probe, before, passed, blocked = pick(w, s, worker)
        task = s.probe[probe].task
        if not fits(w, worker, w.task[task].demand):
            return
        if passed > 0:
            _go_past(s, worker, probe)
        take_out(w, s, worker, before, probe)
        no_longer_waits(w, s, worker)
        _start(w, s, probe, worker, passed, blocked)
        put_back(s, probe)
    schedule(w, w.control[0].now_ns, MORE, worker, 0)


@inner
def pick(w: World, s: YaccState, worker: int) -> tuple[int, int, int, int]:
    """Return (next entry, the one before it, entries that it overtakes, entries that the bound protects from it).

    The least by the order, of equal ones the first, of those that take no longer than any in front of them may still
    be kept waiting.

    Source: *Efficient queue management for cluster scheduling* (reordering at workers).
    """
    rules = s.rules[0]
    chosen, before_chosen, passed, blocked, place = NOBODY, NOBODY, 0, 0, 0
    least, slack_ns, before, probe = NEVER, NEVER, NOBODY, s.worker[worker].first
    while probe != NOBODY:
        it = s.probe[probe]
        estimate_ns, key = s.group[it.group].estimate_ns, rank(w, s, it.task)
        if key < least:
            if estimate_ns <= slack_ns:
                chosen, before_chosen, least, passed, blocked = probe, before, key, place, 0
            else:
                blocked += 1
        slack_ns = min(slack_ns, rules.cap * estimate_ns // 1000 - it.bypassed_ns)
        before, probe = probe, it.next
        place += 1
    return chosen, before_chosen, passed, blocked


@inner
def rank(w: World, s: YaccState, task: int) -> int:
    """Return where a task stands in the order of its queue, by what workers know of its job: the least goes first."""
    order: int = s.rules[0].order
    job: int = w.task[task].job
    if order == FIRST_COME:
        return 0
    if order == ELDEST_JOB:
        return job
    known = s.progress[job]
    left: int = known.left if known.news == s.rules[0].news else w.job[job].tasks - w.job[job].done
    if order == LEAST_WORK:
        left *= s.group[w.task[task].kind].estimate_ns
    return left


@inner
def _go_past(s: YaccState, worker: int, probe: int) -> None:
    """Charge the entries in front with the estimate of a task that overtakes them."""
    estimate_ns, other = s.group[s.probe[probe].group].estimate_ns, s.worker[worker].first
    while other != probe:
        s.probe[other].bypassed_ns += estimate_ns
        other = s.probe[other].next


@inner
def _start(w: World, s: YaccState, probe: int, worker: int, passed: int, blocked: int) -> None:
    task, now_ns, rules = s.probe[probe].task, w.control[0].now_ns, s.rules[0]
    row = w.task[task]
    waited_ns = now_ns - row.since_ns
    if row.attempts == 0:
        row.worker_ns += waited_ns
        waited_ns = row.worker_ns
    reason, others = STARTED, s.probe[probe].ahead
    if blocked > 0:
        reason, others = PROTECTED, blocked
        rules.protected += 1
    elif passed > 0:
        reason, others = OVERTOOK, passed
    rules.overtaking += passed > 0
    decide(w, task, worker, reason, NOBODY, NOBODY, waited_ns, others)
    note_sent(w, task, worker, SERVED, 0)
    long_starts(w, s, worker, row.kind)
    schedule(w, start_task(w, task, worker, now_ns), TASK_END, task, 0)


@inner
def on_end(w: World, s: YaccState, task: int) -> int:
    """Process a task's end, unless it was lost; return its worker. Workers learn of it at the publication."""
    row, rules = w.task[task], s.rules[0]
    if not still_runs(w, task, w.control[0].now_ns):
        return NOBODY
    known, job = s.progress[row.job], w.job[row.job]
    if known.news != rules.news:
        known.news, known.left = rules.news, job.tasks - job.done
    worker: int = row.machine
    finish_task(w, task, w.control[0].now_ns)
    long_ends(w, s, worker, row.kind, row.last_start_ns)
    return worker
