"""A worker's report to a scheduler: an answer with the worker's free capacity and queue length."""

from __future__ import annotations

from scheduler_core.engine.events import schedule_in_lane
from scheduler_core.engine.incidents import is_out
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import fits
from scheduler_core.schedulers.probing.pcssampler.state import (
    ANSWER,
    ENDED,
    LOST,
    TAKEN,
    TO_SCHEDULER,
    WHAT_BITS,
    PcsSamplerState,
)
from scheduler_core.schedulers.shared.probing.notes import ANSWERED, note_sent
from scheduler_core.schedulers.shared.probing.sampling import take_unused
from scheduler_core.schedulers.shared.probing.state import LANE_TO_SCHEDULER

_LAST = 1 << 30
"""Queue length with which a machine that is out of service answers a probe."""


@inner
def tell(w: World, s: PcsSamplerState, message: int, task: int, worker: int, what: int) -> None:
    """Answer a message with what is free at the worker and how many tasks wait."""
    if what == TAKEN or what == ENDED or what == LOST:
        message = take_unused(s, NOBODY)  # the other one carries the task, or there was none
        s.probe[message].task = task
    it, length = s.probe[message], s.worker[worker].length
    it.ahead = 0
    if length > 0 or not fits(w, worker, w.task[task].demand):
        it.ahead = length + 1
    if is_out(w, worker):
        it.ahead = _LAST
    it.length = length
    it.since_ns = w.control[0].now_ns
    if what == ANSWER:
        note_sent(w, task, worker, ANSWERED, it.ahead)
    for r in range(w.free.shape[1]):
        s.told[message, r] = w.free[worker, r]
    w.control[0].messages += 1
    arrival_ns = w.control[0].now_ns + s.rules[0].delay_ns
    schedule_in_lane(w, LANE_TO_SCHEDULER, arrival_ns, TO_SCHEDULER, message, (worker << WHAT_BITS) | what)
