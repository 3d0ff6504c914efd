"""PCSsampler's event loop: schedulers place tasks by private state; workers serve queues and report."""

from __future__ import annotations

from scheduler_core.engine.events import STATE_FULL, schedule, steps_with_room, take_event
from scheduler_core.engine.incidents import HAS_ROOM, KIND_INCIDENT, is_out
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import arrive, decide, finish_task, fits, start_task, still_runs
from scheduler_core.schedulers.probing.pcssampler.faults import on_incident, on_retry
from scheduler_core.schedulers.probing.pcssampler.placing import on_reply, place_next
from scheduler_core.schedulers.probing.pcssampler.reasons import STARTED, UNSCHEDULABLE
from scheduler_core.schedulers.probing.pcssampler.state import (
    ANSWER,
    BACK,
    ENDED,
    MORE,
    PROBE,
    TAKEN,
    TASK_END,
    TO_SCHEDULER,
    TO_WORKER,
    TRY,
    WHAT_BITS,
    PcsSamplerState,
)
from scheduler_core.schedulers.probing.pcssampler.telling import tell
from scheduler_core.schedulers.shared.probing.notes import ARRIVED, SERVED, note_sent
from scheduler_core.schedulers.shared.probing.notes import REFUSED as SENT_BACK
from scheduler_core.schedulers.shared.probing.queues import drop_first, join
from scheduler_core.schedulers.shared.probing.sampling import put_back
from scheduler_core.schedulers.shared.probing.state import AT_ONCE, RETRY


@kernel
def advance(w: World, s: PcsSamplerState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: *PCSsampler: sample-based, private-state cluster scheduling*.
    """
    control, rules = w.control[0], s.rules[0]
    last, steps = control.events + max_events, 0
    while True:
        if steps == 0:
            steps, full = steps_with_room(w, rules.room)
            if steps == 0:
                return full
        steps -= 1
        if rules.unused_probes < rules.room:
            return STATE_FULL
        if rules.at < rules.end:
            place_next(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        worker, what, task, reply = b >> WHAT_BITS, b & ((1 << WHAT_BITS) - 1), a, NOBODY
        if kind == TO_SCHEDULER:
            on_reply(w, s, a, worker, what)
            continue
        if kind == TASK_END:
            if not still_runs(w, task, control.now_ns):
                continue
            finish_task(w, task, control.now_ns)
            worker = w.task[task].machine
            if rules.ends_told == 1:
                reply = ENDED
        elif kind == TO_WORKER:
            task = s.probe[a].task
            reply = _on_message(w, s, a, worker, what)
        elif kind == MORE:
            worker = a
        elif kind == RETRY:
            on_retry(w, s)
            continue
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
            if a != HAS_ROOM:
                continue
            worker = b
        else:
            arrive(w, a, UNSCHEDULABLE)
            rules.at = w.job[a].first_task
            rules.end = rules.at + w.job[a].tasks
            continue
        if reply != ANSWER and reply != BACK:
            _serve(w, s, worker)
        if reply != NOBODY:
            tell(w, s, a, task, worker, reply)


@inner
def _on_message(w: World, s: PcsSamplerState, message: int, worker: int, what: int) -> int:
    """Return a scheduler probes, or sends a task, which may try its luck or is to stay: what the worker answers."""
    if what == PROBE:
        return ANSWER
    row = w.task[s.probe[message].task]
    if is_out(w, worker) or (what == TRY and (s.worker[worker].length > 0 or not fits(w, worker, row.demand))):
        note_sent(w, s.probe[message].task, worker, SENT_BACK, 0)
        return BACK
    if row.attempts == 0:
        row.communication_ns = w.control[0].now_ns - row.since_ns
    note_sent(w, s.probe[message].task, worker, ARRIVED, s.worker[worker].length)
    join(w, s, message, worker)
    return TAKEN


@inner
def _serve(w: World, s: PcsSamplerState, worker: int) -> None:
    """Start what is first in the queue while it fits."""
    for _ in range(AT_ONCE):
        message = s.worker[worker].first
        if message == NOBODY:
            return
        it, now_ns = s.probe[message], w.control[0].now_ns
        task = it.task
        if not fits(w, worker, w.task[task].demand):
            return
        drop_first(w, s, worker)
        if w.task[task].attempts == 0:
            w.task[task].worker_ns = now_ns - it.since_ns
        decide(w, task, worker, STARTED, NOBODY, NOBODY, now_ns - it.since_ns, it.ahead)
        note_sent(w, task, worker, SERVED, 0)
        schedule(w, start_task(w, task, worker, now_ns), TASK_END, task, 0)
        put_back(s, message)
    schedule(w, w.control[0].now_ns, MORE, worker, 0)
