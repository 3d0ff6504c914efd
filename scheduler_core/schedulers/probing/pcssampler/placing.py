"""Place a task on a worker with known room; otherwise probe and choose the best worker known by then."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule_in_lane
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.probing.pcssampler.private import find_known, learn, promise
from scheduler_core.schedulers.probing.pcssampler.reasons import KNOWN, REFUSED, SAMPLED
from scheduler_core.schedulers.probing.pcssampler.state import (
    ANSWER,
    BACK,
    HANDED,
    LOST,
    PROBE,
    STAY,
    TAKEN,
    TO_WORKER,
    TRY,
    WHAT_BITS,
    PcsSamplerState,
)
from scheduler_core.schedulers.shared.probing.notes import REMEMBERED, SENT, note_sent
from scheduler_core.schedulers.shared.probing.sampling import park, put_back, take_unused, worker_at
from scheduler_core.schedulers.shared.probing.state import LANE_TO_WORKER

_DRAWS_BITS = 32


@called
def place_next(w: World, s: PcsSamplerState) -> None:
    """Send the next task of the job that has just come, or probe for it.

    Source: *PCSsampler: sample-based, private-state cluster scheduling* (private state first, probes on a miss).
    """
    rules = s.rules[0]
    task = rules.at
    rules.at += 1
    if w.task[task].state != TASK_WAITING:
        return
    who, demand = w.task[task].job % rules.schedulers, w.task[task].demand
    worker = find_known(w, s, who, demand)
    if worker == NOBODY:
        probe_for(w, s, task)
        return
    rules.known += 1
    age_ns = w.control[0].now_ns - s.entry[who, worker].told_ns
    decide(w, task, worker, KNOWN, NOBODY, who, age_ns, 0)
    note_sent(w, task, worker, REMEMBERED, age_ns)
    _send(w, s, task, worker, TRY)


@called
def on_reply(w: World, s: PcsSamplerState, message: int, worker: int, what: int) -> None:
    """Process a worker's reply at its scheduler, which learns what is free there."""
    task = s.probe[message].task
    who, demand = w.task[task].job % s.rules[0].schedulers, w.task[task].demand
    it, ahead = s.sample[task], s.probe[message].ahead
    old_ns = s.entry[who, worker].told_ns
    if what == TAKEN or what == BACK:
        s.entry[who, worker].flying -= 1
    learn(w, s, who, worker, message)
    put_back(s, message)
    if what == BACK:
        s.rules[0].refused += 1
        decide(w, task, worker, REFUSED, NOBODY, who, w.control[0].now_ns - old_ns, 0)
        probe_for(w, s, task)
    elif what == HANDED or what == LOST:
        probe_for(w, s, task)
    if what != ANSWER:
        return
    it.unanswered -= 1
    if it.best == NOBODY or ahead < it.ahead:
        it.best = worker
        it.ahead = ahead
    if it.unanswered > 0:
        return
    best = find_known(w, s, who, demand)
    if best == NOBODY or it.ahead == 0:
        best = it.best
    else:
        it.ahead = 0
        note_sent(w, task, best, REMEMBERED, w.control[0].now_ns - s.entry[who, best].told_ns)
    s.rules[0].sampled += 1
    decide(w, task, best, SAMPLED, NOBODY, who, it.ahead, it.probed)
    _send(w, s, task, best, STAY)


@inner
def _send(w: World, s: PcsSamplerState, task: int, worker: int, what: int) -> None:
    """Send a task to a worker."""
    promise(w, s, w.task[task].job % s.rules[0].schedulers, worker, w.task[task].demand)
    note_sent(w, task, worker, SENT, 0)
    _tell(w, s, task, worker, what)


@inner
def probe_for(w: World, s: PcsSamplerState, task: int) -> None:
    """Probe workers that could hold a task, none twice; it is parked while none of them is in service."""
    row, rules, it = w.task[task], s.rules[0], s.sample[task]
    able = s.eligible[row.demand]
    if able.machines == 0:
        message = take_unused(s, NOBODY)
        s.probe[message].task = task
        park(s, message)
        return
    rules.rounds += 1
    wanted = min(rules.wanted, able.machines)
    it.best = NOBODY
    it.unanswered = it.probed = wanted
    sent, position, draw = 0, -1, int(np.int64(row.requested) << _DRAWS_BITS)
    row.requested += 1
    while sent < wanted:
        if wanted == able.machines:
            position += 1
        else:
            position = rng.below(w.control[0].seed, rng.STREAM_PROBE, task, draw, able.positions)
            draw += 1
        worker = worker_at(w, s, row.demand, row.demand, position)
        if worker == NOBODY or s.sampled_for[worker] == rules.rounds:
            continue
        s.sampled_for[worker] = rules.rounds
        sent += 1
        rules.probes += 1
        _tell(w, s, task, worker, PROBE)


@inner
def _tell(w: World, s: PcsSamplerState, task: int, worker: int, what: int) -> None:
    message = take_unused(s, NOBODY)
    s.probe[message].task = task
    w.control[0].messages += 1
    arrival_ns = w.control[0].now_ns + s.rules[0].delay_ns
    schedule_in_lane(w, LANE_TO_WORKER, arrival_ns, TO_WORKER, message, (worker << WHAT_BITS) | what)
