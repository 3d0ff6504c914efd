"""Sparrow's event loop, and its arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine import rng
from scheduler_core.engine.events import (
    DONE,
    ENOUGH,
    REACHED,
    STATE_FULL,
    next_event,
    room_for_events,
    schedule,
    schedule_in_lane,
)
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, Ints, Records, World
from scheduler_core.engine.tasks import all_settled, arrive, decide, finish_task, fits, hold, release, start_task
from scheduler_core.schedulers.sparrow import LAUNCHED, UNSCHEDULABLE

TASK_END, ANSWER, ASK, PROBE, PUBLIC = range(1, 6)
# What an event of the public simulator's rules is about. One kind, so that equal times go in the order of scheduling.
ENDS, FREED, PROBED = range(3)
LANE_PROBE, LANE_ASK, LANE_ANSWER = range(3)

RULES = np.dtype(
    [
        ("delay_ns", "i8"),
        ("probes_per_1000_tasks", "i8"),
        ("public", "i8"),  # 1 under the rules of the public simulator
        ("free_probe", "i8"),  # first of the list of unused probes
        ("unused_probes", "i8"),
        ("room", "i8"),  # events and probes that one arrival may need
        ("probes", "i8"),
        ("noops", "i8"),
        ("probes_waiting", "i8"),
    ]
)
WORKER = np.dtype([("first", "i4"), ("last", "i4"), ("length", "i4"), ("taken", "i4")])
PROBE_RECORD = np.dtype([("job", "i4"), ("next", "i4"), ("task", "i4"), ("ahead", "i4"), ("since_ns", "i8")])


class SparrowState(NamedTuple):
    """M workers, D demand classes, J jobs."""

    rules: Records  # (1,) RULES
    worker: Records  # (M,) WORKER: queue of probes
    probe: Records  # (capacity,) PROBE_RECORD, free ones linked
    next_task: npt.NDArray[np.int32]  # (J,) the next task of the job to hand out
    able: npt.NDArray[np.int32]  # workers that could hold a demand, class after class
    able_first: Ints  # (D + 1,)
    sampled_for: npt.NDArray[np.int32]  # (M,) the last job that sampled the worker, plus one


@kernel
def advance(w: World, s: SparrowState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events)."""
    control, rules = w.control[0], s.rules[0]
    last = control.events + max_events
    while True:
        room = room_for_events(w, rules.room)
        if room != REACHED:
            return room
        if rules.unused_probes < rules.room:
            return STATE_FULL
        if all_settled(w):
            return DONE
        if control.events >= last:
            return ENOUGH
        kind, _, a, b = next_event(w, until_ns)
        if kind < 0:
            return REACHED
        if kind == TASK_END:
            finish_task(w, a, control.now_ns)
            serve(w, s, w.task[a].machine)
        elif kind == ANSWER:
            on_answer(w, s, a, b)
        elif kind == ASK:
            on_ask(w, s, a, b)
        elif kind == PROBE:
            on_probe(w, s, a, b)
        elif kind == PUBLIC:
            on_public(w, s, a, b >> 2, b & 3)
        else:
            on_job(w, s, a)


@inner
def on_job(w: World, s: SparrowState, job: int) -> None:
    """Batch sampling: probes for all tasks of the job together, to workers drawn without replacement.

    When there are more probes than workers every worker gets as many as go round, and the rest is drawn.
    """
    row = w.job[job]
    tasks = arrive(w, job, UNSCHEDULABLE)
    if tasks == 0:
        return
    demand = w.task[row.first_task].demand
    first, end = s.able_first[demand], s.able_first[demand + 1]
    workers = end - first
    wanted = max(tasks, (tasks * s.rules[0].probes_per_1000_tasks + 999) // 1000)
    if s.rules[0].public == 1:
        for draw in range(max(wanted, 2)):
            send_probe(w, s, job, s.able[first + rng.below(w.control[0].seed, rng.STREAM_PROBE, job, draw, workers)])
        return
    for _ in range(wanted // workers):
        for position in range(first, end):
            send_probe(w, s, job, s.able[position])
    draw = 0
    for _ in range(wanted % workers):
        while True:
            worker = s.able[first + rng.below(w.control[0].seed, rng.STREAM_PROBE, job, draw, workers)]
            draw += 1
            if s.sampled_for[worker] != job + 1:
                break
        s.sampled_for[worker] = job + 1
        send_probe(w, s, job, worker)


@inner
def send_probe(w: World, s: SparrowState, job: int, worker: int) -> None:
    """Send one probe of a job."""
    rules = s.rules[0]
    probe = rules.free_probe
    it = s.probe[probe]
    rules.free_probe = it.next
    rules.unused_probes -= 1
    it.job = job
    it.task = NOBODY
    rules.probes += 1
    w.control[0].messages += 1
    arrival_ns = w.control[0].now_ns + rules.delay_ns
    if rules.public == 1:
        schedule_in_lane(w, LANE_PROBE, arrival_ns, PUBLIC, probe, (worker << 2) | PROBED)
    else:
        schedule_in_lane(w, LANE_PROBE, arrival_ns, PROBE, probe, worker)


@inner
def on_probe(w: World, s: SparrowState, probe: int, worker: int) -> None:
    """A probe joins its worker's queue."""
    queue, it = s.worker[worker], s.probe[probe]
    it.next = NOBODY
    it.ahead = queue.length
    it.since_ns = w.control[0].now_ns
    if queue.first == NOBODY:
        queue.first = probe
    else:
        s.probe[queue.last].next = probe
    queue.last = probe
    queue.length += 1
    s.rules[0].probes_waiting += 1
    if s.rules[0].public == 1:
        serve_one(w, s, worker)
    else:
        serve(w, s, worker)


@inner
def serve(w: World, s: SparrowState, worker: int) -> None:
    """Late binding: while the first probe's demand fits, keep room for it and ask its scheduler for a task."""
    queue, rules = s.worker[worker], s.rules[0]
    while queue.first != NOBODY:
        probe = queue.first
        it = s.probe[probe]
        demand = w.task[w.job[it.job].first_task].demand
        if not fits(w, worker, demand):
            return
        hold(w, worker, demand)
        queue.first = it.next
        queue.length -= 1
        rules.probes_waiting -= 1
        w.control[0].messages += 1
        schedule_in_lane(w, LANE_ASK, w.control[0].now_ns + rules.delay_ns, ASK, probe, worker)


@inner
def on_ask(w: World, s: SparrowState, probe: int, worker: int) -> None:
    """The scheduler hands out the job's next task, or nothing when all are out."""
    it = s.probe[probe]
    job = w.job[it.job]
    task = s.next_task[it.job]
    if task < job.first_task + job.tasks:
        it.task = task
        s.next_task[it.job] = task + 1
    w.control[0].messages += 1
    schedule_in_lane(w, LANE_ANSWER, w.control[0].now_ns + s.rules[0].delay_ns, ANSWER, probe, worker)


@inner
def on_answer(w: World, s: SparrowState, probe: int, worker: int) -> None:
    """The worker starts the task it was given; with none the room it kept is free again."""
    it, rules = s.probe[probe], s.rules[0]
    now_ns = w.control[0].now_ns
    release(w, worker, w.task[w.job[it.job].first_task].demand)
    if it.task == NOBODY:
        rules.noops += 1
    else:
        task = it.task
        row = w.task[task]
        waited_ns = now_ns - 2 * rules.delay_ns - it.since_ns
        row.worker_ns = waited_ns
        row.communication_ns = now_ns - row.since_ns - waited_ns
        decide(w, task, worker, LAUNCHED, NOBODY, NOBODY, waited_ns, it.ahead)
        schedule(w, start_task(w, task, worker, now_ns), TASK_END, task, 0)
    it.next = rules.free_probe
    rules.free_probe = probe
    rules.unused_probes += 1
    if it.task == NOBODY:
        serve(w, s, worker)


@inner
def on_public(w: World, s: SparrowState, about: int, worker: int, what: int) -> None:
    """An event of the public simulator's rules: a probe comes, a task ends, or an answer in vain frees the worker."""
    if what == PROBED:
        on_probe(w, s, about, worker)
        return
    if what == ENDS:
        finish_task(w, about, w.control[0].now_ns)
    s.worker[worker].taken = 0
    serve_one(w, s, worker)


@inner
def serve_one(w: World, s: SparrowState, worker: int) -> None:
    """A free worker takes its first probe; whether a task is left for it is settled at once, and known 2 delays later.

    The public simulator's rules: one task at a time, probes of jobs that have no task left cost their 2 delays, too.
    """
    queue, rules = s.worker[worker], s.rules[0]
    probe = queue.first
    if queue.taken == 1 or probe == NOBODY:
        return
    it = s.probe[probe]
    job, task = w.job[it.job], s.next_task[it.job]
    now_ns = w.control[0].now_ns
    answer_ns = now_ns + 2 * rules.delay_ns
    queue.taken = 1
    queue.first = it.next
    queue.length -= 1
    rules.probes_waiting -= 1
    w.control[0].messages += 2
    if task < job.first_task + job.tasks:
        s.next_task[it.job] = task + 1
        row = w.task[task]
        row.worker_ns = now_ns - it.since_ns
        row.communication_ns = answer_ns - row.since_ns - row.worker_ns
        decide(w, task, worker, LAUNCHED, NOBODY, NOBODY, row.worker_ns, it.ahead)
        schedule(w, start_task(w, task, worker, answer_ns), PUBLIC, task, (worker << 2) | ENDS)
    else:
        rules.noops += 1
        schedule_in_lane(w, LANE_ANSWER, answer_ns, PUBLIC, 0, (worker << 2) | FREED)
    it.next = rules.free_probe
    rules.free_probe = probe
    rules.unused_probes += 1
