"""Queueable tasks: send them where the published wait is smallest, serve them in order, shed excess."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import is_out
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NEVER, NOBODY, World
from scheduler_core.engine.tasks import decide, fits, start_task, touch
from scheduler_core.schedulers.probing.mercury.reasons import QUEUED, SHED, STARTED
from scheduler_core.schedulers.probing.mercury.state import (
    IDLE,
    MORE,
    PLACE_AGAIN,
    PUBLISH,
    SHEDDING,
    TASK_END,
    TO_WORKER,
    MercuryState,
)
from scheduler_core.schedulers.shared.heartbeats.queues import enter_machine, keep_able, leave_machine
from scheduler_core.schedulers.shared.probing.central import cost_ns, long_starts, promise, wait_ns
from scheduler_core.schedulers.shared.probing.notes import COMPARED, SENT, SERVED, TAKEN, note_sent
from scheduler_core.schedulers.shared.probing.queues import drop_first, first_waiting, join
from scheduler_core.schedulers.shared.probing.sampling import park, put_back, take_unused, worker_at
from scheduler_core.schedulers.shared.probing.state import AT_ONCE, CANCELLED

_DRAWS_BITS = 32


@inner
def place(w: World, s: MercuryState, task: int) -> None:
    """Send the task to the worker with the least published wait of a few that are drawn; the first drawn wins.

    Source: *Mercury: hybrid centralized and distributed scheduling in large shared clusters* (queueable tasks, by
    estimated wait).
    """
    rules, row, now_ns = s.rules[0], w.task[task], w.control[0].now_ns
    group = s.group[row.kind]
    able = s.eligible[group.able]
    if able.machines == 0:
        probe = take_unused(s, row.kind)
        s.probe[probe].task = task
        park(s, probe)
        return
    row.requested += 1
    best, draw = NOBODY, int(np.int64(row.requested) << _DRAWS_BITS)
    wanted = min(rules.choices, able.machines)
    drawn = 0
    while drawn < wanted:
        position = rng.below(w.control[0].seed, rng.STREAM_PICK, task, draw, able.positions)
        draw += 1
        worker = worker_at(w, s, group.able, group.demand, position)
        if worker == NOBODY:
            continue
        drawn += 1
        note_sent(w, task, worker, COMPARED, s.published_ns[worker])
        if best == NOBODY or s.published_ns[worker] < s.published_ns[best]:
            best = worker
    if row.attempts == 0:
        row.communication_ns += now_ns - row.since_ns
    row.since_ns = now_ns
    decide(w, task, best, QUEUED, NOBODY, NOBODY, s.published_ns[best], wanted)
    note_sent(w, task, best, SENT, 0)
    probe = take_unused(s, row.kind)
    s.probe[probe].task = task
    rules.queued += 1
    w.control[0].messages += 1
    schedule(w, now_ns + rules.delay_ns, TO_WORKER, probe, best)


@inner
def on_arrival(w: World, s: MercuryState, probe: int, worker: int) -> bool:
    """Queue a queueable task at a worker; False if the worker is out of service."""
    row = w.task[s.probe[probe].task]
    if row.attempts == 0:
        row.communication_ns += w.control[0].now_ns - row.since_ns
    if is_out(w, worker):
        return False
    row.since_ns = w.control[0].now_ns
    promise(w, s, worker, row.kind)
    s.worker[worker].longs += 1
    join(w, s, probe, worker)
    return True


@inner
def serve(w: World, s: MercuryState, worker: int) -> None:
    """Start what stands first in the queue while it fits."""
    for _ in range(AT_ONCE):
        probe = first_waiting(s, worker)
        if probe == NOBODY:
            return
        task = s.probe[probe].task
        if not fits(w, worker, w.task[task].demand):
            return
        drop_first(w, s, worker)
        _start(w, s, task, worker, s.probe[probe].ahead)
        put_back(s, probe)
    schedule(w, w.control[0].now_ns, MORE, worker, 0)


@inner
def _start(w: World, s: MercuryState, task: int, worker: int, ahead: int) -> None:
    row, now_ns = w.task[task], w.control[0].now_ns
    waited_ns = now_ns - row.since_ns
    if row.attempts == 0:
        row.worker_ns += waited_ns
    decide(w, task, worker, STARTED, NOBODY, NOBODY, waited_ns, ahead)
    note_sent(w, task, worker, SERVED, 0)
    s.rules[0].queueable += 1
    long_starts(w, s, worker, row.kind)
    end_ns = start_task(w, task, worker, now_ns)
    enter_machine(s, task, worker)
    for r in range(w.free.shape[1]):
        s.lent[worker, r] += w.demand[row.demand, r]
    keep_able(w, s, worker)
    schedule(w, end_ns, TASK_END, task, now_ns)


@inner
def unlend(w: World, s: MercuryState, task: int, worker: int) -> None:
    """Remove the task from the worker; what a queueable one held is no longer lent."""
    row = w.task[task]
    if s.group[row.kind].long == 0:
        leave_machine(w, s, task)
        for r in range(w.free.shape[1]):
            s.lent[worker, r] -= w.demand[row.demand, r]
    keep_able(w, s, worker)


@inner
def publish(w: World, s: MercuryState) -> None:
    """Publish the workers' waits; those far above the mean shed tasks."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    total, machines = 0, w.machine.shape[0]
    for worker in range(machines):
        s.published_ns[worker] = wait_ns(s, worker, now_ns)
        total += s.published_ns[worker] // machines
    rules.mean_ns = total
    if w.control[0].heap_size > 0 or w.control[0].next_job < w.job.shape[0]:
        schedule(w, now_ns + rules.node_ns, PUBLISH, 0, 0)
    if rules.shed_ns != NEVER:
        rules.phase = SHEDDING
        rules.at = 0


@inner
def shed_next(w: World, s: MercuryState) -> None:
    """Shed the last task of the next worker with too long a wait.

    Source: *Mercury: hybrid centralized and distributed scheduling in large shared clusters* (load shedding).
    """
    rules = s.rules[0]
    while rules.at < w.machine.shape[0]:
        worker = rules.at
        above_ns = s.published_ns[worker] - rules.mean_ns
        if above_ns > rules.shed_ns and s.worker[worker].length > 0:
            _shed(w, s, worker, above_ns)
            return
        rules.at += 1
    rules.phase = IDLE


@inner
def _shed(w: World, s: MercuryState, worker: int, above_ns: int) -> None:
    rules, queue, now_ns = s.rules[0], s.worker[worker], w.control[0].now_ns
    probe, last = queue.first, NOBODY
    while probe != NOBODY:
        if s.probe[probe].task >= 0:
            last = probe
        probe = s.probe[probe].next
    task = s.probe[last].task
    row = w.task[task]
    s.probe[last].task = CANCELLED  # it leaves the list when it comes to its head
    queue.length -= 1
    rules.waiting -= 1
    touch(w, worker)
    cost = cost_ns(w, s, worker, row.kind)
    queue.longs -= 1
    queue.backlog_ns -= cost
    s.published_ns[worker] -= cost
    rules.shed += 1
    if row.attempts == 0:
        row.worker_ns += now_ns - row.since_ns
    decide(w, task, worker, SHED, NOBODY, NOBODY, now_ns - row.since_ns, above_ns)
    note_sent(w, task, worker, TAKEN, 0)
    row.since_ns = now_ns
    w.control[0].messages += 1
    schedule(w, now_ns + rules.delay_ns, PLACE_AGAIN, task, 0)
