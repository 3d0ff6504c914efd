"""Eagle's event loop: place long jobs, probe workers without long tasks for short jobs, reorder queues."""

from __future__ import annotations

from scheduler_core.engine.events import schedule
from scheduler_core.engine.incidents import HAS_ROOM, KIND_INCIDENT, is_out
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import arrive, decide, finish_task, still_runs
from scheduler_core.schedulers.probing.eagle.faults import (
    leave_drained,
    on_back,
    on_incident,
    on_lost,
    on_retry,
    return_to_scheduler,
)
from scheduler_core.schedulers.probing.eagle.order import pick
from scheduler_core.schedulers.probing.eagle.placing import place
from scheduler_core.schedulers.probing.eagle.queue import (
    close_gap,
    join,
    lacks_room,
    overtake,
    patience_ns,
    waits_again,
)
from scheduler_core.schedulers.probing.eagle.reasons import BYPASSED, OVERTOOK, REORDERED, STUCK
from scheduler_core.schedulers.probing.eagle.sharing import flip, on_refused, probe_in_rounds, refuse
from scheduler_core.schedulers.probing.eagle.state import SCARCEST, EagleState, Sticky
from scheduler_core.schedulers.shared.probing import LAUNCHED, PLACED, STARTED, UNSCHEDULABLE
from scheduler_core.schedulers.shared.probing.ahead import look_ahead
from scheduler_core.schedulers.shared.probing.central import (
    long_ends,
    long_starts,
)
from scheduler_core.schedulers.shared.probing.late_binding import (
    ask,
    give_room,
    has_room,
    on_ask,
    start_answered,
    start_given,
)
from scheduler_core.schedulers.shared.probing.outages import refuse_answer
from scheduler_core.schedulers.shared.probing.queues import no_longer_waits
from scheduler_core.schedulers.shared.probing.room import take_step
from scheduler_core.schedulers.shared.probing.sampling import put_back, send_probes
from scheduler_core.schedulers.shared.probing.state import (
    ANSWER,
    ASK,
    AT_ONCE,
    BACK,
    CANCELLED,
    LOST_TASK,
    MORE,
    REFUSED,
    RETRY,
    TASK_END,
    TO_WORKER,
)

_SECOND_NS, _LONGEST = 1_000_000_000, (1 << 31) - 1


@kernel
def advance(w: World, s: EagleState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: *Job-aware scheduling in Eagle: divide and stick to your probes*.
    """
    rules, last, steps = s.rules[0], w.control[0].events + max_events, 0
    while True:
        steps, kind, a, b = take_step(w, rules.room, lacks_room(s), until_ns, last, steps)
        if kind < 0:
            return -1 - kind
        look_ahead(w, s)
        worker = NOBODY  # whose queue may go on now
        if kind == TASK_END:
            worker = on_end(w, s, a, b - 1)
        elif kind == ANSWER:
            worker = on_answer(w, s, a, b)
        elif kind == ASK:
            on_ask(w, s, a, b)
        elif kind == TO_WORKER:
            worker = on_arrival(w, s, a, b >> 2)
        elif kind == REFUSED:
            on_refused(w, s, a, b)
        elif kind == MORE:
            worker = a
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
            on_job(w, s, a)
            steps = 0
        if worker != NOBODY:
            serve(w, s, worker)


@inner
def on_job(w: World, s: Sticky, job: int) -> None:
    """Process a job's arrival: probe for a short one, place each task of a long one at the least wait."""
    arrive(w, job, UNSCHEDULABLE)
    draw = 0
    for number in range(s.first_group[job], s.first_group[job + 1]):
        if s.group[number].long == 1:
            place(w, s, number)
        elif s.rules[0].public == 1:
            draw = probe_in_rounds(w, s, job, number, draw)
        else:
            draw = send_probes(w, s, job, number, draw)
            s.group[number].unanswered = 0


@inner
def on_arrival(w: World, s: Sticky, probe: int, worker: int) -> int:
    """Queue a long task or a probe that is not refused; return the worker if its queue has changed."""
    it, here, rules = s.probe[probe], s.worker[worker], s.rules[0]
    if is_out(w, worker):
        return_to_scheduler(w, s, probe, worker, 0)
        return NOBODY
    if s.group[it.group].long == 1:
        here.longs += 1
        here.queued_longs += 1
        here.seen = rules.flips if rules.public == 1 else max(here.seen, it.turn)
        if it.task >= 0:
            decide(w, it.task, worker, PLACED, NOBODY, NOBODY, it.since_ns, 0)
    elif here.longs > 0:
        if rules.public == 0 and it.turn < rules.rounds:
            refuse(w, s, probe, worker)
            return NOBODY
        rules.behind_long += 1
    it.sticky, it.turn = 0, 0
    join(w, s, probe, worker)
    return worker


@inner
def serve(w: World, s: Sticky, worker: int) -> None:
    """Serve the entry that is next while it fits: a long task starts, for a probe the worker asks for one."""
    queue, smallest = s.worker[worker], w.demand.shape[0] - 1
    for _ in range(AT_ONCE):
        if queue.length == 0 or not has_room(w, s, worker, smallest):
            return
        place = pick(w, s, worker)
        if place == NOBODY:
            return
        probe, number = s.entry[place].probe, s.entry[place].group
        if not has_room(w, s, worker, s.group[number].demand):
            return
        no_longer_waits(w, s, worker)
        if s.group[number].long == 1:
            queue.queued_longs -= 1
            close_gap(s, worker, place, place + 1)
        else:
            s.entry[place].group = ~number
        if s.probe[probe].task < 0:
            ask(w, s, probe, worker)
            continue
        start_given(w, s, probe, worker, STARTED)
        long_starts(w, s, worker, number)
        handed_out(s, number)
        put_back(s, probe)
    schedule(w, w.control[0].now_ns, MORE, worker, 0)


@inner
def handed_out(s: Sticky, number: int) -> None:
    """Count, for workers, one more task of the group as handed out; none is left after the last one."""
    group = s.group[number]
    group.remaining = 0 if group.next == group.end and group.long == 0 else group.remaining - 1


@inner
def on_answer(w: World, s: Sticky, probe: int, worker: int) -> int:
    """Start the given task at the worker, or free the kept room and return the worker."""
    it = s.probe[probe]
    number, rules = it.group, s.rules[0]
    if is_out(w, worker):
        refuse_answer(w, s, probe, worker)
        s.worker[worker].taken -= 1
        it.task = CANCELLED
        return NOBODY
    if it.task < 0:
        rules.noops += 1
        it.task = CANCELLED
        give_room(w, s, worker, s.group[number].demand)
        return worker
    handed_out(s, number)
    if s.group[number].long == 1:
        start_answered(w, s, probe, worker, STARTED, NOBODY, 0)
        long_starts(w, s, worker, number)
        put_back(s, probe)
        return NOBODY
    start_answered(w, s, probe, worker, why_now(w, s, probe, worker), NOBODY, probe + 1)
    if rules.sticks == 1:
        it.sticky = 1
    else:
        it.task = CANCELLED
    return NOBODY


@inner
def why_now(w: World, s: Sticky, probe: int, worker: int) -> int:
    """Return the reason why a probe was served before or after others, with its number in `ahead`; counted."""
    it, rules, order = s.probe[probe], s.rules[0], s.worker[worker].order
    asks, offers = w.asks[w.task[it.task].demand], w.machine[worker].offers
    rules.lacking += (asks & offers) != asks
    passed, place = overtake(s, worker, probe)
    bypassed_ns, reason = patience_ns(s, it.group) - s.entry[place].patience_ns, LAUNCHED
    rules.sticky += it.sticky
    if passed > 0:
        rules.overtaking += 1
        rules.reorders += order == SCARCEST
        it.ahead, reason = passed, REORDERED if order == SCARCEST else OVERTOOK
    elif it.sticky == 1:
        reason = STUCK
    elif bypassed_ns > 0:
        it.ahead, reason = min(bypassed_ns // _SECOND_NS, _LONGEST), BYPASSED
    return reason


@inner
def on_end(w: World, s: Sticky, task: int, probe: int) -> int:
    """Process a task's end: its probe waits again. Return the worker; NOBODY if the task was lost."""
    row = w.task[task]
    if not still_runs(w, task, w.control[0].now_ns):
        return NOBODY
    worker: int = row.machine
    finish_task(w, task, w.control[0].now_ns)
    s.worker[worker].taken -= 1
    if s.group[row.kind].long == 1:
        if long_ends(w, s, worker, row.kind, row.last_start_ns):
            flip(s, worker, 0)
    elif s.rules[0].sticks == 1:
        if is_out(w, worker):
            leave_drained(w, s, probe, worker)
        else:
            waits_again(w, s, worker, probe)
    return worker
