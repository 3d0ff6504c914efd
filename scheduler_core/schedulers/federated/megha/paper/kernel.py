"""Megha's event loop."""

from __future__ import annotations

from scheduler_core.engine.events import KIND_JOB_ARRIVAL, STATE_FULL, schedule_in_lane, steps_with_room, take_event
from scheduler_core.engine.incidents import KIND_INCIDENT
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, TASK_ASKED, TASK_WAITING, World
from scheduler_core.engine.tasks import arrive, decide, finish_task, fits
from scheduler_core.schedulers.federated.megha.paper.fairness import (
    make_room,
    reconsider,
    search_victims,
    too_many_victims,
)
from scheduler_core.schedulers.federated.megha.paper.faults import on_incident, watch_for_an_end
from scheduler_core.schedulers.federated.megha.paper.messages import (
    BEAT,
    ENDED,
    GRANTED,
    HEARTBEAT,
    LANE_BEAT,
    LANE_MATCH,
    LANE_REQUEST,
    MATCH,
    NO_ROOM,
    REFUSED,
    REQUEST,
    SERVED_END,
    SERVED_REQUEST,
    STATE,
    TASK_END,
    UPDATE,
    about_of,
    charge_message,
    charge_processing,
    cluster_of,
    gm_of,
    is_outdated,
    launch,
    lm_cost_ns,
    tell,
    version_of,
    waits_at_gm,
    waits_at_lm,
    wake,
    what_of,
)
from scheduler_core.schedulers.federated.megha.paper.queues import (
    fall_asleep,
    go_to_end,
    join_head,
    join_queue,
    leave_queue,
    note_failure,
    take_next,
)
from scheduler_core.schedulers.federated.megha.paper.residents import leave_machine
from scheduler_core.schedulers.federated.megha.paper.softness import tell_relaxed
from scheduler_core.schedulers.federated.megha.paper.state import FREED, MeghaState
from scheduler_core.schedulers.federated.megha.paper.updates import (
    apply_state,
    count_own_use,
    record_change,
    remember_request,
    settle_request,
)
from scheduler_core.schedulers.federated.megha.paper.view import owner_of, search
from scheduler_core.schedulers.federated.megha.shared.reasons import (
    LENT,
    MADE_ROOM,
    MATCHED,
    NO_ROOM_MADE,
    REFUSED_EXTERNAL,
    REFUSED_INTERNAL,
    UNSCHEDULABLE,
)


@kernel
def advance(w: World, s: MeghaState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: Megha, Section IV and Figure 2.
    """
    control, rules = w.control[0], s.rules[0]
    last, steps = control.events + max_events, 0
    while True:
        if rules.changes_full == 1:
            return STATE_FULL
        if steps == 0:
            steps, full = steps_with_room(w, rules.room)
            if steps == 0:
                return full
        steps -= 1
        if rules.matching != NOBODY:
            match(w, s, rules.matching)
            continue
        kind, a, b = take_event(w, until_ns, last)
        if kind < 0:
            return -1 - kind
        if kind == STATE or kind == UPDATE:
            on_state(w, s, kind, a, b)
        elif kind == KIND_JOB_ARRIVAL:
            on_job(w, s, a)
        elif kind == MATCH:
            on_match(w, s, a)
        elif kind == KIND_INCIDENT:
            on_incident(w, s, a, b)
        else:
            if kind == HEARTBEAT:
                next_heartbeat(w, s, a)
            if waits_at_lm(w, s, kind, a, b):
                continue
            if kind == TASK_END or kind == SERVED_END:
                on_task_end(w, s, a, b)
            elif kind == REQUEST or kind == SERVED_REQUEST:
                on_request(w, s, a, b)
            else:
                on_heartbeat(w, s, a)


@inner
def on_job(w: World, s: MeghaState, job: int) -> None:
    """Add a job's tasks to its queue, one by one.

    Source: Megha, Section IV-C.
    """
    row = w.job[job]
    gm = s.queue[row.queue].owner
    arrive(w, job, UNSCHEDULABLE)
    for task in range(row.first_task, row.first_task + row.tasks):
        if w.task[task].state == TASK_WAITING:
            join_queue(w, s, task)
    wake(w, s, gm)


@inner
def on_match(w: World, s: MeghaState, gm: int) -> None:
    """Continue a GM's matching; it first reads messages that have come, but not twice before one match."""
    me = s.gm[gm]
    if me.busy_until_ns > w.control[0].now_ns and me.down == 0 and me.postponed == 0:
        me.postponed = 1
        schedule_in_lane(w, LANE_MATCH, me.busy_until_ns, MATCH, gm, 0)
        return
    me.step_pending = me.postponed = 0
    if me.down == 0:
        s.rules[0].matching = gm


@inner
def match(w: World, s: MeghaState, gm: int) -> None:
    """Make one match. Free ones follow at once; a match that costs time keeps the GM busy.

    Source: Megha, Section IV-C, Algorithm 2 (Main).
    """
    rules, me = s.rules[0], s.gm[gm]
    rules.matching = NOBODY
    task = take_next(w, s, gm)
    if task == NOBODY:
        return
    row = w.task[task]
    kind = s.kind[row.kind]
    demand, passed, searched = row.demand, 0, 0
    while True:
        machine, looked, among = search(w, s, gm, demand)
        passed += looked
        searched += among
        if machine != NOBODY or demand == kind.relaxed:
            break
        demand = kind.relaxed  # nothing has all that it asks for: once more without what is soft
    violator = NOBODY
    if machine == NOBODY and rules.fairness == 1:
        machine, violator, looked = search_victims(w, s, gm, kind.queue, demand)
        passed += looked
    cost_ns = rules.match_ns + (rules.scan_ps * passed + rules.vector_ps * searched) // 1000
    begin_ns = max(w.control[0].now_ns, me.busy_until_ns)
    me.busy_until_ns = begin_ns + cost_ns
    if machine == NOBODY:
        # Every other task of this kind would fail as well: the GM tries none until its view gains a machine for it.
        rules.failed_matches += 1
        note_failure(w, s, gm, task)
        if rules.to_the_end == 1:
            go_to_end(w, s, gm, task)
        fall_asleep(w, s, gm, row.kind)
    else:
        leave_queue(w, s, gm, task)
        request(w, s, gm, task, machine, begin_ns, cost_ns, passed if violator == NOBODY else -1 - violator)
    if cost_ns == 0:
        rules.matching = gm
    else:
        wake(w, s, gm)


@inner
def request(w: World, s: MeghaState, gm: int, task: int, machine: int, begin_ns: int, cost_ns: int, how: int) -> None:
    """Send the GM's request for the machine. `how`: machines passed over, or -1 minus the queue to make room.

    Source: Megha, Sections IV-B2 and IV-B4.
    """
    rules, row = s.rules[0], w.task[task]
    rules.matches += 1
    rules.preemption_attempts += 1 if how < 0 else 0
    rules.asked += 1
    row.state = TASK_ASKED
    if row.attempts == 0:
        row.framework_ns += begin_ns - row.since_ns
        row.processing_ns += cost_ns
    row.since_ns = begin_ns + cost_ns
    remember_request(w, s, gm, task, machine)
    count_own_use(w, s, gm, task, 1)
    w.control[0].messages += 1
    schedule_in_lane(w, LANE_REQUEST, begin_ns + cost_ns + rules.delay_ns, REQUEST, task, how)


@inner
def on_request(w: World, s: MeghaState, task: int, how: int) -> None:
    """Verify a request at the LM: launch the task or refuse it; both replies carry its state.

    The launch leaves when the request is checked, or (without `launch_first`) when the state is written, too.

    Source: Megha, Section IV-B6.
    """
    row = w.task[task]
    machine, gm = row.place, owner_of(w, s, task)
    cluster, owner = w.machine[machine].cluster, s.place[machine].owner
    sent_ns = w.control[0].now_ns + lm_cost_ns(s, cluster)
    decided_ns = w.control[0].now_ns + s.rules[0].request_ns if s.rules[0].launch_first == 1 else sent_ns
    start_ns = decided_ns + s.rules[0].delay_ns
    charge_message(w, s, task, w.control[0].now_ns)
    granted = fits(w, machine, row.demand)
    victims, first_victim = 0, NOBODY
    if how < 0 and not granted:
        victims, first_victim = make_room(w, s, cluster, task, -1 - how, start_ns, sent_ns)
        granted = victims > 0
    frm, x, y, answer = owner, s.place[machine].last_task, w.machine[machine].outage, GRANTED if granted else REFUSED
    charge_processing(w, task, decided_ns if granted else sent_ns)
    if granted:
        charge_message(w, s, task, start_ns)
        lent = launch(w, s, cluster, task, machine, start_ns)
        reason, x, y = LENT if lent else MATCHED, max(how, 0), 0
        if victims > 0:
            reason, frm, x, y = MADE_ROOM, -1 - how, first_victim, victims
    elif how < 0:
        reason, frm, x, y = NO_ROOM_MADE, -1 - how, 0, 0
        answer = REFUSED if too_many_victims(w, s, task, -1 - how) else NO_ROOM
    elif owner == gm:
        reason = REFUSED_INTERNAL
        s.rules[0].refused_internal += 1
    else:
        reason = REFUSED_EXTERNAL
        s.rules[0].refused_external += 1
    decide(w, task, machine, reason, frm, gm, x, y)
    if granted and s.rules[0].soft != 0:
        tell_relaxed(w, s, task)
    tell(w, s, cluster, task, answer, sent_ns)


@inner
def on_task_end(w: World, s: MeghaState, task: int, start_ns: int) -> None:
    """Process a task's end at its LM: free or return the resources, and tell the GM that scheduled the task."""
    row = w.task[task]
    if is_outdated(w, task, start_ns):
        return
    cluster = w.machine[row.machine].cluster
    finish_task(w, task, start_ns + row.duration_ns)
    leave_machine(w, s, task)
    record_change(w, s, cluster, row.machine, task, FREED)
    w.control[0].messages += 1  # the machine's message, which counts only now: see `launch`
    tell(w, s, cluster, task, ENDED, w.control[0].now_ns + lm_cost_ns(s, cluster))


@inner
def next_heartbeat(w: World, s: MeghaState, cluster: int) -> None:
    """Schedule the LM's next heartbeat, whether its server keeps up or not."""
    next_ns = w.control[0].now_ns + s.rules[0].heartbeat_ns
    schedule_in_lane(w, LANE_BEAT, next_ns, HEARTBEAT, cluster, 0)
    control = w.control[0]
    if control.tasks_running + s.rules[0].asked == 0 and control.next_job == w.job.shape[0]:
        watch_for_an_end(w, s)


@inner
def on_heartbeat(w: World, s: MeghaState, cluster: int) -> None:
    """Send the LM's state to every GM, on its own clock.

    Source: Megha, Section IV-A.
    """
    masters = s.gm.shape[0]
    s.rules[0].heartbeats += 1
    w.control[0].messages += masters - 1
    tell(w, s, cluster, cluster, BEAT, w.control[0].now_ns + masters * lm_cost_ns(s, cluster))


@inner
def on_state(w: World, s: MeghaState, kind: int, a: int, b: int) -> None:
    """Deliver a message of an LM to its GM, a heartbeat to all."""
    first, end = 0, s.gm.shape[0]
    if kind == UPDATE:
        first = gm_of(b)
        end = first + 1
    elif what_of(b) != BEAT:
        first = owner_of(w, s, about_of(a))
        end = first + 1
    for gm in range(first, end):
        if kind == UPDATE or not waits_at_gm(w, s, gm, a, b):
            read_message(w, s, gm, a, b)


@inner
def read_message(w: World, s: MeghaState, gm: int, a: int, b: int) -> None:
    """Apply the state of a message to the GM's view; a returned task joins its queue again.

    What became of tasks outlives a failed GM, its view does not.
    """
    what, task = what_of(b), about_of(a)
    up = s.gm[gm].down == 0
    if up:
        apply_state(w, s, gm, cluster_of(a), version_of(b))
    refused = what == REFUSED or what == NO_ROOM
    if (refused or what == GRANTED) and w.task[task].requested == 1:
        settle_request(w, s, gm, task)
    if what == BEAT:
        s.seen_cluster[gm, cluster_of(a)].beat_waits = 0
        if up and s.rules[0].fairness == 1:
            reconsider(w, s, gm)
    elif what == GRANTED:
        s.rules[0].asked -= 1
    else:
        count_own_use(w, s, gm, task, -1)
        if what != ENDED:
            s.rules[0].asked -= 1 if refused else 0
            charge_message(w, s, task, w.control[0].now_ns)
            if what == NO_ROOM and s.rules[0].further == 1:
                join_head(w, s, task)
            else:
                join_queue(w, s, task)
    if up:
        wake(w, s, gm)
