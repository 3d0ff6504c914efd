"""Megha's event loop."""

from __future__ import annotations

from scheduler_core.engine.events import (
    DONE,
    ENOUGH,
    EVENT_HEADROOM,
    KIND_JOB_ARRIVAL,
    REACHED,
    STATE_FULL,
    next_event,
    room_for_events,
    schedule,
    schedule_in_lane,
)
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, TASK_ASKED, TASK_WAITING, World
from scheduler_core.engine.tasks import all_settled, arrive, decide, decide_again, finish_task, fits, start_task
from scheduler_core.schedulers.megha import (
    LENT,
    MATCHED,
    REFUSED_EXTERNAL,
    REFUSED_INTERNAL,
    UNSCHEDULABLE,
    WAITING,
)
from scheduler_core.schedulers.megha.state import FRESH, IDLE, MeghaState
from scheduler_core.schedulers.megha.view import (
    apply_state,
    fall_asleep,
    fits_a_gain,
    join_fresh,
    leave_fresh,
    leave_sleepers,
    record_change,
    remember_request,
    search,
)

# Kinds of events, in the order in which they go at one instant (engine.events). Whatever an LM tells is one kind:
# messages of one instant arrive in the order of sending, or an older state would overwrite a newer one.
TASK_END, REQUEST, STATE, HEARTBEAT = range(1, 5)
MATCH = KIND_JOB_ARRIVAL + 1

# What an LM's message tells beside its state.
REFUSED, GRANTED, ENDED, BEAT = range(4)

LANE_REQUEST, LANE_STATE, LANE_MATCH = range(3)


@kernel
def advance(w: World, s: MeghaState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events)."""
    control, rules = w.control[0], s.rules[0]
    last = control.events + max_events
    while True:
        if rules.changes_full == 1:
            return STATE_FULL
        room = room_for_events(w, EVENT_HEADROOM)
        if room != REACHED:
            return room
        if rules.matching != NOBODY:
            match(w, s, rules.matching)
            continue
        if all_settled(w):
            return DONE
        if control.events >= last:
            return ENOUGH
        kind, _, a, b = next_event(w, until_ns)
        if kind < 0:
            return REACHED
        if kind == TASK_END:
            on_task_end(w, s, a)
        elif kind == REQUEST:
            on_request(w, s, a, b)
        elif kind == STATE:
            on_state(w, s, a, b >> 2, b & 3)
        elif kind == HEARTBEAT:
            on_heartbeat(w, s, a)
        elif kind == KIND_JOB_ARRIVAL:
            on_job(w, s, a)
        else:
            s.gm[a].step_pending = 0
            match(w, s, a)


@inner
def owner_of(w: World, s: MeghaState, task: int) -> int:
    """The GM that schedules the task: its queue's."""
    owner: int = s.queue[w.job[w.task[task].job].queue].owner
    return owner


@inner
def join_queue(w: World, s: MeghaState, task: int) -> None:
    """To the tail of its queue."""
    row = w.task[task]
    kind = s.kind[row.kind]
    gm = s.queue[kind.queue].owner
    row.state = TASK_WAITING
    row.place = s.gm[gm].next_place
    s.gm[gm].next_place += 1
    row.next = NOBODY
    if kind.last == NOBODY:
        kind.first = task
    else:
        w.task[kind.last].next = task
    kind.last = task
    kind.waiting += 1
    if kind.state == IDLE:
        join_fresh(s, gm, row.kind)


@inner
def wake(w: World, s: MeghaState, gm: int) -> None:
    """Let the GM match, as soon as it is free, if its view may hold a machine for a task that waits."""
    me = s.gm[gm]
    if me.fresh + me.gained > 0 and me.step_pending == 0 and s.rules[0].matching != gm:
        me.step_pending = 1
        schedule_in_lane(w, LANE_MATCH, max(w.control[0].now_ns, me.busy_until_ns), MATCH, gm, 0)


@inner
def take_next(w: World, s: MeghaState, gm: int) -> int:
    """The next task to match, or NOBODY: queues round robin, within one the first that its view may hold.

    Those are the kinds that have not failed yet, and the sleepers that fit what the view gained since they did.
    """
    me = s.gm[gm]
    best, best_turn = NOBODY, me.queues
    for turn in range(me.queues):
        kind = s.queue[s.queue[me.first_queue + (me.queue_cursor + turn) % me.queues].served].first_fresh
        while kind != NOBODY:
            first = s.kind[kind].first
            if best == NOBODY or w.task[first].place < w.task[best].place:
                best, best_turn = first, turn
            kind = s.kind[kind].next
        if best != NOBODY:
            break
    if me.gained > 0:
        for row in range(me.asleep):
            if fits_a_gain(w, s, gm, row):
                kind = s.sleeper[gm, row].kind
                turn = s.queue[s.kind[kind].queue].position - me.queue_cursor
                turn += me.queues if turn < 0 else 0
                first = s.kind[kind].first
                if turn < best_turn or (turn == best_turn and w.task[first].place < w.task[best].place):
                    best, best_turn = first, turn
    if best == NOBODY:
        me.gained = 0
    else:
        me.queue_cursor = (me.queue_cursor + best_turn + 1) % me.queues
    return best


@inner
def leave_queue(w: World, s: MeghaState, gm: int, task: int) -> None:
    """The first of its kind leaves its queue."""
    row = w.task[task]
    kind = s.kind[row.kind]
    kind.first = row.next
    if kind.failed_task == task:
        if kind.failures > 1:
            decide_again(w, task, WAITING, gm, kind.waiting, kind.failures - 1, kind.first_failure_ns)
        kind.failed_task = NOBODY
    kind.waiting -= 1
    if kind.first == NOBODY:
        kind.last = NOBODY
        if kind.state == FRESH:
            leave_fresh(s, gm, row.kind)
        else:
            leave_sleepers(s, gm, row.kind)


@inner
def match(w: World, s: MeghaState, gm: int) -> None:
    """One match. Free ones follow each other at once; one that costs time keeps the GM busy, then it goes on."""
    rules, me = s.rules[0], s.gm[gm]
    rules.matching = NOBODY
    task = take_next(w, s, gm)
    if task == NOBODY:
        return
    row = w.task[task]
    now_ns = w.control[0].now_ns
    machine, passed = search(w, s, gm, row.demand)
    cost_ns = rules.match_ns + rules.scan_ps * passed // 1000
    me.busy_until_ns = now_ns + cost_ns
    if machine == NOBODY:
        # Every other task of this kind would fail as well: none is tried again before the view gains a machine for it.
        rules.failed_matches += 1
        note_failure(w, s, gm, task)
        fall_asleep(w, s, gm, row.kind)
    else:
        leave_queue(w, s, gm, task)
        rules.matches += 1
        row.state = TASK_ASKED
        row.framework_ns += now_ns - row.since_ns
        row.processing_ns += cost_ns
        row.since_ns = now_ns + cost_ns
        row.machine = machine
        remember_request(w, s, gm, task, machine)
        w.control[0].messages += 1
        schedule_in_lane(w, LANE_REQUEST, now_ns + cost_ns + rules.delay_ns, REQUEST, task, passed)
    if cost_ns == 0:
        rules.matching = gm
    else:
        wake(w, s, gm)


@inner
def note_failure(w: World, s: MeghaState, gm: int, task: int) -> None:
    """A row the first time a task finds nothing; its further failures are counted and told when it leaves."""
    control = w.control[0]
    kind = s.kind[w.task[task].kind]
    if kind.failed_task == task:
        kind.failures += 1
        return
    kind.failed_task = task
    kind.failures = 1
    kind.first_failure_ns = control.now_ns
    decide(w, task, NOBODY, WAITING, NOBODY, gm, kind.waiting, 0)
    watched = control.watched_task
    if watched >= 0 and watched != task:
        if w.task[watched].state == TASK_WAITING and w.task[watched].kind == w.task[task].kind:
            # It stands behind the first of its kind, so what failed for that one holds for it.
            decide(w, watched, NOBODY, WAITING, NOBODY, gm, kind.waiting, 0)


@inner
def on_job(w: World, s: MeghaState, job: int) -> None:
    """A job joins its queue, task by task."""
    row = w.job[job]
    gm = s.queue[row.queue].owner
    arrive(w, job, UNSCHEDULABLE)
    for task in range(row.first_task, row.first_task + row.tasks):
        if w.task[task].state == TASK_WAITING:
            join_queue(w, s, task)
    wake(w, s, gm)


@inner
def on_request(w: World, s: MeghaState, task: int, passed: int) -> None:
    """The LM verifies a request against the truth: launches the task, or refuses; both replies carry its state."""
    row, rules = w.task[task], s.rules[0]
    now_ns = w.control[0].now_ns
    gm, machine = owner_of(w, s, task), row.machine
    owner, cluster = s.place[machine].owner, w.machine[machine].cluster
    row.communication_ns += now_ns - row.since_ns
    row.since_ns = now_ns
    granted = fits(w, machine, row.demand)
    if granted:
        row.communication_ns += rules.delay_ns
        end_ns = start_task(w, task, machine, now_ns + rules.delay_ns)
        record_change(w, s, cluster, machine, task, 0)
        if owner == gm:
            decide(w, task, machine, MATCHED, owner, gm, passed, 0)
        else:
            lend(w, s, machine, row.demand, gm)
            decide(w, task, machine, LENT, owner, gm, passed, 0)
        # The news of its end needs one message, too.
        schedule(w, end_ns + rules.delay_ns, TASK_END, task, 0)
        w.control[0].messages += 1
    elif owner == gm:
        rules.refused_internal += 1
        decide(w, task, machine, REFUSED_INTERNAL, owner, gm, 0, 0)
    else:
        rules.refused_external += 1
        decide(w, task, machine, REFUSED_EXTERNAL, owner, gm, 0, 0)
    w.control[0].messages += 1
    tell(w, s, cluster, task, GRANTED if granted else REFUSED)


@inner
def tell(w: World, s: MeghaState, cluster: int, about: int, what: int) -> None:
    """The LM sends what happened (to a task; for a heartbeat to itself) together with its state, by version."""
    arrival_ns = w.control[0].now_ns + s.rules[0].delay_ns
    schedule_in_lane(w, LANE_STATE, arrival_ns, STATE, about, (s.lm[cluster].version << 2) | what)


@inner
def lend(w: World, s: MeghaState, machine: int, demand: int, gm: int) -> None:
    """Repartition: a logical node with exactly the requested resources goes to the GM until the task ends."""
    for r in range(s.lent.shape[1]):
        s.lent[machine, r] += w.demand[demand, r]
    s.place[machine].borrower = gm
    s.place[machine].loans += 1
    s.rules[0].repartitions += 1


@inner
def bring_home(w: World, s: MeghaState, machine: int, demand: int) -> None:
    """The logical node dissolves: its resources are the owner's again."""
    for r in range(s.lent.shape[1]):
        s.lent[machine, r] -= w.demand[demand, r]
    s.place[machine].loans -= 1
    if s.place[machine].loans == 0:
        s.place[machine].borrower = NOBODY


@inner
def on_task_end(w: World, s: MeghaState, task: int) -> None:
    """The LM learns that a task ended, takes the resources home and tells the GM that had scheduled it."""
    row, rules = w.task[task], s.rules[0]
    now_ns = w.control[0].now_ns
    gm, machine = owner_of(w, s, task), row.machine
    cluster = w.machine[machine].cluster
    finish_task(w, task, now_ns - rules.delay_ns)
    if s.place[machine].owner != gm:
        bring_home(w, s, machine, row.demand)
    record_change(w, s, cluster, machine, task, 1)
    w.control[0].messages += 2
    tell(w, s, cluster, task, ENDED)


@inner
def on_heartbeat(w: World, s: MeghaState, cluster: int) -> None:
    """The LM sends its state to every GM, on its own clock."""
    rules = s.rules[0]
    now_ns = w.control[0].now_ns
    rules.heartbeats += 1
    w.control[0].messages += s.gm.shape[0]
    tell(w, s, cluster, cluster, BEAT)
    schedule(w, now_ns + rules.heartbeat_ns, HEARTBEAT, cluster, 0)


@inner
def on_state(w: World, s: MeghaState, about: int, version: int, what: int) -> None:
    """A message of an LM reaches the GM that it concerns, a heartbeat all of them; a refused task is queued again."""
    if what == BEAT:
        for gm in range(s.gm.shape[0]):
            apply_state(w, s, gm, about, version)
            wake(w, s, gm)
        return
    gm, row = owner_of(w, s, about), w.task[about]
    apply_state(w, s, gm, w.machine[row.machine].cluster, version)
    if what == REFUSED:
        row.communication_ns += w.control[0].now_ns - row.since_ns
        row.since_ns = w.control[0].now_ns
        row.machine = NOBODY
        join_queue(w, s, about)
    wake(w, s, gm)
