"""Yacc-D's event loop: send tasks by published waits, queue them within bounds, and serve by an order."""

from __future__ import annotations

from scheduler_core.engine.events import STATE_FULL, steps_with_room, take_event
from scheduler_core.engine.incidents import HAS_ROOM, KIND_INCIDENT
from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import arrive
from scheduler_core.schedulers.probing.yacc.faults import on_incident
from scheduler_core.schedulers.probing.yacc.reasons import UNSCHEDULABLE
from scheduler_core.schedulers.probing.yacc.sending import begin_job, publish, send_next
from scheduler_core.schedulers.probing.yacc.serving import on_arrival, on_bounce, on_end, serve
from scheduler_core.schedulers.probing.yacc.state import BOUNCE, IDLE, MORE, PUBLISH, TASK_END, TO_WORKER, YaccState


@kernel
def advance(w: World, s: YaccState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: *Efficient queue management for cluster scheduling*.
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
        if rules.phase != IDLE:
            send_next(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        worker = NOBODY  # whose queue may go on now
        if kind == TASK_END:
            worker = on_end(w, s, a)
        elif kind == TO_WORKER:
            on_arrival(w, s, a, b)
            worker = b
        elif kind == BOUNCE:
            on_bounce(w, s, a)
        elif kind == MORE:
            worker = a
        elif kind == PUBLISH:
            publish(w, s)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
            if a == HAS_ROOM:
                worker = b
        elif arrive(w, a, UNSCHEDULABLE) > 0:
            begin_job(w, s, a)
        if worker != NOBODY:
            serve(w, s, worker)
