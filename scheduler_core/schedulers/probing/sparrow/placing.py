"""Without late binding: probes return queue lengths, and tasks go to the shortest queues."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.engine.events import schedule, schedule_in_lane
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, fits, start_task
from scheduler_core.schedulers.probing.sparrow.reasons import PLACED, STARTED
from scheduler_core.schedulers.probing.sparrow.state import SparrowState
from scheduler_core.schedulers.shared.probing.notes import ANSWERED, GIVEN, IN_VAIN, SERVED, note
from scheduler_core.schedulers.shared.probing.sampling import link, put_back
from scheduler_core.schedulers.shared.probing.state import (
    LANE_TO_SCHEDULER,
    LANE_TO_WORKER,
    LENGTH,
    TASK,
    TASK_END,
    TO_WORKER,
)

_PLACE_BITS = 32


@inner
def answer_length(w: World, s: SparrowState, probe: int, worker: int) -> None:
    """Answer with the queue's length: 0 if a task of the group could start at once, else 1 plus waiting tasks.

    Earlier probes of the group count as tasks in front, or a large job would pile up on its shortest queue.
    """
    it, length = s.probe[probe], s.worker[worker].length
    if length > 0 or not fits(w, worker, s.group[it.group].demand):
        it.ahead += length + 1
    note(w, s, probe, worker, ANSWERED, it.ahead)
    w.control[0].messages += 1
    schedule_in_lane(w, LANE_TO_SCHEDULER, w.control[0].now_ns + s.rules[0].delay_ns, LENGTH, probe, worker)


@inner
def on_length(w: World, s: SparrowState, probe: int, worker: int) -> None:
    """Process a worker's answer; with the last one of the group, place its tasks."""
    number = s.probe[probe].group
    link(s, probe, worker)
    s.group[number].unanswered -= 1
    if s.group[number].unanswered == 0:
        _place(w, s, number)


@inner
def _place(w: World, s: SparrowState, number: int) -> None:
    """Place each task at the shortest queue left, the first probed of equal ones."""
    group, arrival_ns = s.group[number], w.control[0].now_ns + s.rules[0].delay_ns
    answers, probe = 0, group.first_probe
    while probe != NOBODY:
        s.keys[answers] = (np.int64(s.probe[probe].ahead) << _PLACE_BITS) | answers
        s.answered[answers] = probe
        answers += 1
        probe = s.link[probe].next
    group.first_probe = group.last_probe = NOBODY
    for root in range((answers - 2) >> 2, -1, -1):
        _sift(s.keys, root, answers)
    while answers > 0:
        probe = s.answered[s.keys[0] & ((1 << _PLACE_BITS) - 1)]
        answers -= 1
        s.keys[0] = s.keys[answers]
        _sift(s.keys, 0, answers)
        if group.next == group.end:
            note(w, s, probe, s.link[probe].worker, IN_VAIN, 0)
            put_back(s, probe)
            continue
        s.probe[probe].task = s.order[group.next]
        group.next += 1
        w.control[0].messages += 1
        worker = s.link[probe].worker
        note(w, s, probe, worker, GIVEN, s.probe[probe].task)
        schedule_in_lane(w, LANE_TO_WORKER, arrival_ns, TO_WORKER, probe, (worker << 2) | TASK)


@inner
def _sift(keys: Any, hole: int, size: int) -> None:
    """Let the key at `hole` sink to its place in a heap of `size` keys with four below each."""
    key = keys[hole]
    while True:
        child = 4 * hole + 1
        if child >= size:
            break
        best = child
        for other in range(child + 1, min(child + 4, size)):
            if keys[other] < keys[best]:
                best = other
        if key < keys[best]:
            break
        keys[hole] = keys[best]
        hole = best
    keys[hole] = key


@inner
def tell_placed(w: World, s: SparrowState, probe: int, worker: int) -> None:
    """Write down why a task comes to this worker."""
    decide(w, s.probe[probe].task, worker, PLACED, NOBODY, NOBODY, s.probe[probe].ahead, 0)


@inner
def start(w: World, s: SparrowState, probe: int, worker: int) -> None:
    """Start the first task of the worker's queue."""
    it, now_ns = s.probe[probe], w.control[0].now_ns
    row = w.task[it.task]
    if row.attempts == 0:
        row.worker_ns = now_ns - it.since_ns
        row.communication_ns = it.since_ns - row.since_ns
    note(w, s, probe, worker, SERVED, 0)
    decide(w, it.task, worker, STARTED, NOBODY, NOBODY, now_ns - it.since_ns, it.ahead)
    schedule(w, start_task(w, it.task, worker, now_ns), TASK_END, it.task, 0)
    put_back(s, probe)
