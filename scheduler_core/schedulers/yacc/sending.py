"""Schedulers send tasks where the published wait is least, and keep back what finds no room."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule, schedule_in_lane
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NEVER, NOBODY, Records, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.probing.central import WHOLE, cost_ns, share_of, wait_ns
from scheduler_core.schedulers.probing.sampling import take_unused, worker_at
from scheduler_core.schedulers.probing.state import LANE_TO_WORKER
from scheduler_core.schedulers.yacc.reasons import HELD, SENT
from scheduler_core.schedulers.yacc.state import IDLE, PLACING, PUBLISH, SENDING_AGAIN, TO_WORKER, YaccState

_DRAWS_BITS = 32


@inner
def begin_job(w: World, s: YaccState, job: int) -> None:
    """The scheduler of a job that has arrived goes through its tasks."""
    rules, row = s.rules[0], w.job[job]
    rules.phase = PLACING
    rules.at = row.first_task
    rules.left = row.tasks
    if rules.asleep == 1:
        rules.asleep = 0
        schedule(w, (w.control[0].now_ns // rules.period_ns + 1) * rules.period_ns, PUBLISH, 0, 0)


@inner
def publish(w: World, s: YaccState) -> None:
    """All hear how long each queue is and what jobs have left; schedulers send again what they have kept back."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    rules.publications += 1
    rules.news += 1
    rules.sender = NOBODY
    for worker in range(w.machine.shape[0]):
        s.news[worker].wait_ns = wait_ns(s, worker, now_ns)
        s.news[worker].length = s.worker[worker].length
        s.news[worker].rate = s.worker[worker].rate
    if w.control[0].tasks_running == 0 and w.control[0].tasks_waiting == 0:
        rules.asleep = 1
        return
    schedule(w, now_ns + rules.period_ns, PUBLISH, 0, 0)
    rules.phase = SENDING_AGAIN
    rules.left = rules.kept_back


@inner
def next_task(w: World, s: YaccState) -> int:
    """The next task of the phase; NOBODY when it is over. One that was kept back is not, from now on."""
    rules = s.rules[0]
    if rules.left == 0:
        rules.phase = IDLE
        return NOBODY
    rules.left -= 1
    task: int = rules.at
    if rules.phase == PLACING:
        rules.at += 1
        return task
    task = rules.first_held
    rules.first_held = w.task[task].next
    rules.kept_back -= 1
    return task


@inner
def send(w: World, s: YaccState, task: int) -> None:
    """Send a task to the worker with the least wait of a few that are drawn and have room; the first drawn wins."""
    rules, row, now_ns = s.rules[0], w.task[task], w.control[0].now_ns
    group = s.group[row.kind]
    able = s.eligible[group.able]
    if row.job != rules.sender:
        rules.sender = row.job
        rules.turn += 1
    row.requested += 1
    best, least_ns, drawn, draw = NOBODY, NEVER, 0, int(np.int64(row.requested) << _DRAWS_BITS)
    wanted, position = min(rules.choices, able.machines), NOBODY
    while drawn < wanted:
        if position != NOBODY and wanted == able.machines:  # all of them, from one that is drawn
            position = position + 1 if position + 1 < able.positions else 0
        else:
            position = rng.below(w.control[0].seed, rng.STREAM_PICK, task, draw, able.positions)
            draw += 1
        worker = worker_at(w, s, group.able, group.demand, position)
        if worker == NOBODY:
            continue
        drawn += 1
        wait = _known_wait_ns(w, s, worker, group.demand)
        if wait < least_ns:
            best, least_ns = worker, wait
    if best == NOBODY:
        _keep_back(w, s, task, wanted)
        return
    _remember(w, s, best, row.kind)
    row.place = 0
    row.framework_ns += now_ns - row.since_ns
    row.since_ns = now_ns
    decide(w, task, best, SENT, NOBODY, NOBODY, least_ns, wanted)
    probe = take_unused(s, row.kind)
    s.probe[probe].task = task
    rules.sent += 1
    w.control[0].messages += 1
    schedule_in_lane(w, LANE_TO_WORKER, now_ns + rules.delay_ns, TO_WORKER, probe, best)


@inner
def _known_wait_ns(w: World, s: YaccState, worker: int, demand: int) -> int:
    """How long a task is thought to wait at a worker: not at all in what is free; NEVER where the queue is full."""
    known, rules = s.news[worker], s.rules[0]
    if known.turn != rules.turn:
        known.turn, known.own, known.own_ns, known.own_rate = rules.turn, 0, 0, 0
    if _starts_at_once(known, share_of(w, s, worker, demand)):
        return 0
    if known.length + known.own >= rules.bound:
        return NEVER
    wait: int = known.wait_ns + known.own_ns
    return wait


@inner
def _starts_at_once(known: Records, share: int) -> bool:
    """Whether there is room for one more, as far as is known."""
    at_once: bool = known.length + known.own == 0 and known.rate + known.own_rate + share <= WHOLE
    return at_once


@inner
def _remember(w: World, s: YaccState, worker: int, number: int) -> None:
    """A scheduler counts what it has just sent."""
    known, share = s.news[worker], share_of(w, s, worker, s.group[number].demand)
    if _starts_at_once(known, share):
        known.own_rate += share
    else:
        known.own += 1
    known.own_ns += cost_ns(w, s, worker, number)


@inner
def _keep_back(w: World, s: YaccState, task: int, drawn: int) -> None:
    """No queue has room. That is told once, however often it is tried again."""
    s.rules[0].held += 1
    if w.task[task].place == 0:
        w.task[task].place = 1
        decide(w, task, NOBODY, HELD, NOBODY, NOBODY, 0, drawn)
    join_held(w, s, task)


@inner
def join_held(w: World, s: YaccState, task: int) -> None:
    """The task waits at its scheduler for the next publication."""
    rules = s.rules[0]
    w.task[task].next = NOBODY
    if rules.kept_back == 0:
        rules.first_held = task
    else:
        w.task[rules.last_held].next = task
    rules.last_held = task
    rules.kept_back += 1
