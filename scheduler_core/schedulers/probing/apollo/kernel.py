"""Apollo's event loop: jobs match tasks to servers, servers serve and publish, tokens circulate."""

from __future__ import annotations

from scheduler_core.engine.events import STATE_FULL, steps_with_room, take_event
from scheduler_core.engine.incidents import HAS_ROOM, KIND_INCIDENT
from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import arrive
from scheduler_core.schedulers.probing.apollo.faults import on_incident, on_match_again, on_retry
from scheduler_core.schedulers.probing.apollo.matching import begin_job, correct_next, match_batch
from scheduler_core.schedulers.probing.apollo.matrix import publish
from scheduler_core.schedulers.probing.apollo.reasons import UNSCHEDULABLE
from scheduler_core.schedulers.probing.apollo.servers import on_end, on_message, serve
from scheduler_core.schedulers.probing.apollo.state import (
    IDLE,
    MATCH_AGAIN,
    MATCHING,
    MORE,
    PUBLISH,
    TASK_END,
    TO_SERVER,
    WHAT_BITS,
    ApolloState,
)
from scheduler_core.schedulers.shared.probing.state import RETRY


@kernel
def advance(w: World, s: ApolloState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: *Apollo: scalable and coordinated scheduling for cloud-scale computing*.
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
            if rules.phase == MATCHING:
                match_batch(w, s)
            else:
                correct_next(w, s)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        server = NOBODY  # which may go on now
        if kind == TASK_END:
            server = on_end(w, s, a)
        elif kind == TO_SERVER:
            server = on_message(w, s, a, b >> WHAT_BITS, b & ((1 << WHAT_BITS) - 1))
        elif kind == MORE:
            server = a
        elif kind == PUBLISH:
            publish(w, s)
        elif kind == MATCH_AGAIN:
            on_match_again(w, s, a)
        elif kind == RETRY:
            on_retry(w, s)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
            if a == HAS_ROOM:
                server = b
        elif arrive(w, a, UNSCHEDULABLE) > 0:
            begin_job(w, s, a)
        if server != NOBODY:
            serve(w, s, server)
