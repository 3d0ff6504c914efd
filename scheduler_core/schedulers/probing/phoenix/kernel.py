"""Phoenix's event loop: Eagle's, with a monitor, admission control before probing, and learned wait times."""

from __future__ import annotations

from scheduler_core.engine.incidents import HAS_ROOM, KIND_INCIDENT, is_out
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import still_runs
from scheduler_core.schedulers.probing.eagle.faults import on_back, on_lost, on_retry
from scheduler_core.schedulers.probing.eagle.kernel import on_answer, on_arrival, on_end, on_job, serve
from scheduler_core.schedulers.probing.eagle.queue import lacks_room
from scheduler_core.schedulers.probing.eagle.sharing import on_refused
from scheduler_core.schedulers.probing.phoenix.admission import admit, handed
from scheduler_core.schedulers.probing.phoenix.faults import on_incident
from scheduler_core.schedulers.probing.phoenix.monitor import choose_order, keep_ticking, on_tick
from scheduler_core.schedulers.probing.phoenix.state import TICK, PhoenixState
from scheduler_core.schedulers.probing.phoenix.waits import arrived, served
from scheduler_core.schedulers.shared.probing.late_binding import on_ask
from scheduler_core.schedulers.shared.probing.room import take_step
from scheduler_core.schedulers.shared.probing.state import (
    ANSWER,
    ASK,
    BACK,
    LOST_TASK,
    MORE,
    REFUSED,
    RETRY,
    TASK_END,
    TO_WORKER,
)


@kernel
def advance(w: World, s: PhoenixState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: Phoenix, Section I, over Eagle's rules.
    """
    rules, last, steps = s.rules[0], w.control[0].events + max_events, 0
    while True:
        steps, kind, a, b = take_step(w, rules.room, lacks_room(s), until_ns, last, steps)
        if kind < 0:
            return -1 - kind
        worker = NOBODY  # whose queue may go on now
        if kind == TASK_END:
            if still_runs(w, a, w.control[0].now_ns):
                _learn_end(w, s, a)
            worker = on_end(w, s, a, b - 1)
        elif kind == ANSWER:
            if not is_out(w, b):
                _learn_answer(w, s, a, b)
            worker = on_answer(w, s, a, b)
        elif kind == ASK:
            on_ask(w, s, a, b)
        elif kind == TO_WORKER:
            worker = _on_arrival(w, s, a, b >> 2)
        elif kind == REFUSED:
            on_refused(w, s, a, b)
        elif kind == MORE:
            worker = a
        elif kind == TICK:
            on_tick(w, s)
        elif kind == BACK:
            on_back(w, s, a)
        elif kind == LOST_TASK:
            on_lost(w, s, a, b & 1)
            steps = 0
        elif kind == RETRY:
            on_retry(w, s)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
            if a == HAS_ROOM:
                worker = b
        else:
            keep_ticking(w, s)
            admit(w, s, a)
            on_job(w, s, a)
            steps = 0  # the task may use up the rest of the room
        if worker != NOBODY:
            _serve(w, s, worker)


@inner
def _on_arrival(w: World, s: PhoenixState, probe: int, worker: int) -> int:
    """Process an entry's arrival at a worker, which may refuse it."""
    if s.probe[probe].task >= 0 and not is_out(w, worker):
        handed(w, s, probe, worker)
    joined = on_arrival(w, s, probe, worker)
    if joined != NOBODY:
        arrived(w, s, worker)
    return joined


@inner
def _learn_answer(w: World, s: PhoenixState, probe: int, worker: int) -> None:
    """Update the worker's means when it gets a task, or an answer without one."""
    if s.probe[probe].task >= 0:
        handed(w, s, probe, worker)
    else:
        served(w, s, worker, s.group[s.probe[probe].group].demand, 2 * s.rules[0].delay_ns)


@inner
def _learn_end(w: World, s: PhoenixState, task: int) -> None:
    """Update the worker's means at a task's end; the probe that fetched it will wait again."""
    row, rules = w.task[task], s.rules[0]
    short: int = 1 - s.group[row.kind].long
    served(w, s, row.machine, row.demand, w.control[0].now_ns - row.last_start_ns + short * 2 * rules.delay_ns)
    if short == 1 and rules.sticks == 1:
        arrived(w, s, row.machine)


@inner
def _serve(w: World, s: PhoenixState, worker: int) -> None:
    """Serve the worker in its present order; entries that it drops took no time."""
    before = s.rules[0].dropped
    choose_order(w, s, worker)
    serve(w, s, worker)
    for _ in range(s.rules[0].dropped - before):
        served(w, s, worker, w.demand.shape[0] - 1, 0)
