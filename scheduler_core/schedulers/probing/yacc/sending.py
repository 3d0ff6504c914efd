"""Schedulers send tasks where the published wait is smallest, and keep those for which no queue has room."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.engine.events import nothing_comes, schedule, schedule_in_lane
from scheduler_core.engine.incidents import is_out
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NEVER, NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.probing.yacc.reasons import HELD, SENT
from scheduler_core.schedulers.probing.yacc.state import IDLE, PLACING, PUBLISH, SENDING_AGAIN, TO_WORKER, YaccState
from scheduler_core.schedulers.shared.probing.central import WHOLE, cost_ns, share_of, wait_ns
from scheduler_core.schedulers.shared.probing.notes import COMPARED, note_sent
from scheduler_core.schedulers.shared.probing.notes import SENT as SENT_THERE
from scheduler_core.schedulers.shared.probing.sampling import take_unused, worker_at
from scheduler_core.schedulers.shared.probing.state import LANE_TO_WORKER

_DRAWS_BITS = 32
_MISSES = 64
"""After this many consecutive tasks find no room, the scheduler stops trying for now."""


@inner
def begin_job(w: World, s: YaccState, job: int) -> None:
    """Begin to send the tasks of an arrived job from its scheduler."""
    rules, row = s.rules[0], w.job[job]
    rules.phase = PLACING
    rules.sender = scheduler_of(s, job)
    rules.at = row.first_task
    rules.left = row.tasks
    if rules.asleep == 1:
        rules.asleep = 0
        schedule(w, (w.control[0].now_ns // rules.period_ns + 1) * rules.period_ns, PUBLISH, 0, 0)


@inner
def scheduler_of(s: YaccState, job: int) -> int:
    """Return the scheduler of a job: jobs go to the schedulers in turn."""
    number: int = job % s.sender.shape[0]
    return number


@called
def _room_out_of_service(w: World, s: YaccState) -> int:
    """Return room that `publish` has counted at machines that are out of service."""
    room = 0
    for worker in range(w.machine.shape[0]):
        if is_out(w, worker):
            it = s.worker[worker]
            room += s.rules[0].bound - it.length
            if it.length == 0:
                room += WHOLE - it.rate
    return room


@inner
def publish(w: World, s: YaccState) -> None:
    """Publish queues and the jobs' remaining work; schedulers send again what they have kept."""
    rules, now_ns, room = s.rules[0], w.control[0].now_ns, 0
    bound = rules.bound  # read once, because the compiler cannot know that nothing below writes it
    rules.publications += 1
    rules.news += 1
    for worker in range(w.machine.shape[0]):
        it, known = s.worker[worker], s.news[worker]
        known.wait_ns, known.length, known.rate = wait_ns(s, worker, now_ns), it.length, it.rate
        room += bound - it.length
        if it.length == 0:
            room += WHOLE - it.rate
    if w.incident.shape[0] > 0:  # apart, because every run pays for each line of the loop above
        room -= _room_out_of_service(w, s)
    for sender in range(s.sender.shape[0]):
        s.sender[sender].room = room
    rules.fruitless = rules.fruitless + 1 if nothing_comes(w) and rules.sent == rules.sent_before else 0
    rules.sent_before = rules.sent
    idle = w.control[0].tasks_running == 0 and w.control[0].tasks_waiting == 0
    if idle or rules.fruitless > 1:  # the waiting tasks then wait for machines that never return
        rules.asleep = 1
        return
    schedule(w, now_ns + rules.period_ns, PUBLISH, 0, 0)
    if rules.kept_back > 0:
        rules.phase = SENDING_AGAIN
        rules.sender = -1
        _next_sender(s)


@inner
def _next_sender(s: YaccState) -> None:
    """Let the next scheduler go through its kept tasks; rest after the last one."""
    rules = s.rules[0]
    rules.sender += 1
    rules.at = NOBODY
    rules.misses = 0
    if rules.sender == s.sender.shape[0]:
        rules.phase = IDLE


@inner
def send_next(w: World, s: YaccState) -> None:
    """Try one more task."""
    rules = s.rules[0]
    if rules.phase == PLACING:
        task = rules.at
        rules.at += 1
        rules.left -= 1
        if rules.left == 0:
            rules.phase = IDLE
        if w.task[task].state == TASK_WAITING and not _send(w, s, task):
            rules.held += 1
            decide(w, task, NOBODY, HELD, NOBODY, NOBODY, 0, 0)
            keep_back(w, s, task)
        return
    it, before = s.sender[rules.sender], rules.at
    task = it.first if before == NOBODY else w.task[before].next
    if task == NOBODY or it.room <= 0 or rules.misses == _MISSES:
        _next_sender(s)
    elif not _send(w, s, task):
        rules.at = task
        rules.misses += 1
    else:
        rules.misses = 0
        rules.kept_back -= 1
        if before == NOBODY:
            it.first = w.task[task].next
        else:
            w.task[before].next = w.task[task].next
        if it.last == task:
            it.last = before


@inner
def keep_back(w: World, s: YaccState, task: int) -> None:
    """Keep the task at its scheduler for the next publication, behind all others there."""
    it = s.sender[scheduler_of(s, w.task[task].job)]
    w.task[task].next = NOBODY
    if it.first == NOBODY:
        it.first = task
    else:
        w.task[it.last].next = task
    it.last = task
    s.rules[0].kept_back += 1


@inner
def _send(w: World, s: YaccState, task: int) -> bool:
    """Send a task to the worker with the least wait of a few that are drawn and have room; the first drawn wins.

    Whether there was one.

    Source: *Efficient queue management for cluster scheduling* (placement by estimated wait).
    """
    rules, row, now_ns = s.rules[0], w.task[task], w.control[0].now_ns
    group = s.group[row.kind]
    able = s.eligible[group.able]
    if s.sender[rules.sender].room <= 0:
        return False
    row.requested += 1
    best, least_ns, drawn, draw = NOBODY, NEVER, 0, int(np.int64(row.requested) << _DRAWS_BITS)
    wanted, position = min(rules.choices, able.machines), NOBODY
    while drawn < wanted:
        if position != NOBODY and wanted == able.machines:  # all of them, from a random one on
            position = position + 1 if position + 1 < able.positions else 0
        else:
            position = rng.below(w.control[0].seed, rng.STREAM_PICK, task, draw, able.positions)
            draw += 1
        worker = worker_at(w, s, group.able, group.demand, position)
        if worker == NOBODY:
            continue
        drawn += 1
        wait = _known_wait_ns(w, s, worker, group.demand)
        note_sent(w, task, worker, COMPARED, wait)
        if wait < least_ns:
            best, least_ns = worker, wait
    if best == NOBODY:
        return False
    _remember(w, s, best, row.kind)
    if row.attempts == 0:
        row.framework_ns += now_ns - row.since_ns
    row.since_ns = now_ns
    decide(w, task, best, SENT, NOBODY, NOBODY, least_ns, wanted)
    note_sent(w, task, best, SENT_THERE, 0)
    probe = take_unused(s, row.kind)
    s.probe[probe].task = task
    rules.sent += 1
    w.control[0].messages += 1
    schedule_in_lane(w, LANE_TO_WORKER, now_ns + rules.delay_ns, TO_WORKER, probe, best)
    return True


@inner
def _known_wait_ns(w: World, s: YaccState, worker: int, demand: int) -> int:
    """Return the known wait of a task at a worker, ns: 0 if it fits now; NEVER if the queue is full."""
    rules, known = s.rules[0], s.news[worker]
    own = s.own[rules.sender, worker]
    if own.news != rules.news:
        own.news, own.waiting, own.ns, own.rate = rules.news, 0, 0, 0
    if known.length + own.waiting == 0 and known.rate + own.rate + share_of(w, s, worker, demand) <= WHOLE:
        return 0
    if known.length + own.waiting >= rules.bound:
        return NEVER
    wait: int = known.wait_ns + own.ns
    return wait


@inner
def _remember(w: World, s: YaccState, worker: int, number: int) -> None:
    """Count what a scheduler has just sent to a worker."""
    rules, known, share = s.rules[0], s.news[worker], share_of(w, s, worker, s.group[number].demand)
    own = s.own[rules.sender, worker]
    if known.length + own.waiting == 0 and known.rate + own.rate + share <= WHOLE:
        own.rate += share
        s.sender[rules.sender].room -= share
    else:
        own.waiting += 1
        s.sender[rules.sender].room -= 1
    own.ns += cost_ns(w, s, worker, number)
