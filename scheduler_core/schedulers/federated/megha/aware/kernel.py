"""Megha's event loop under the rules of its authors' second public program, which supports constraints.

A machine runs one task at a time, and matches cost nothing. A Global Master searches machines for a job's tasks once,
when the job arrives. Tasks that find no machine wait in one list for each Global Master. They get machines that become
free: at once if a task of the same Global Master ended there, otherwise when a message reports the machine.

Local Masters report changes instead of states. Each change is a note. A message to a Global Master carries the notes
since the last message, except those of its own tasks. One fault of the program matters and is kept: a refusal is
emptied of its notes before it is sent, so the Global Master never learns of them.
"""

from __future__ import annotations

from scheduler_core.engine.events import DONE, ENOUGH, HEAP_FULL, LOG_FULL, LOG_HEADROOM, REACHED
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, TASK_UNSCHEDULABLE, World
from scheduler_core.engine.tasks import all_settled, arrive, decide, finish_task, start_task
from scheduler_core.schedulers.federated.megha.aware.news import (
    ARRIVAL,
    HEARTBEAT,
    LAUNCH,
    NEWS_CAME,
    REFUSED,
    RESPONSE,
    TASK_END,
    VERIFY,
    ask_for,
    gm_of,
    hear,
    join_at_front,
    join_at_tail,
    lm_of,
    note,
    offer,
    send,
)
from scheduler_core.schedulers.federated.megha.aware.state import AwareState
from scheduler_core.schedulers.federated.megha.aware.view import change_truth, is_free, search, see
from scheduler_core.schedulers.federated.megha.shared.order import pop, push
from scheduler_core.schedulers.federated.megha.shared.reasons import (
    LENT,
    MATCHED,
    REFUSED_EXTERNAL,
    REFUSED_INTERNAL,
    UNSCHEDULABLE,
)

BATCH = 100
"""Requests in one message, at most."""


@kernel
def advance(w: World, s: AwareState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: the second public program of Megha's authors; `megha.paper` follows the paper.
    """
    control = w.control[0]
    last = control.events + max_events
    # One step may request a machine for each task that waits, and tell each Local Master's news.
    room = w.task.shape[0] + s.lm.shape[0] + 4
    while True:
        if control.log_size + LOG_HEADROOM > w.log.shape[0]:
            return LOG_FULL
        if control.heap_size + room > w.heap.shape[0]:
            return HEAP_FULL
        if all_settled(w):
            return DONE
        if control.events >= last:
            return ENOUGH
        kind, a = pop(w, s, until_ns)
        if kind < 0:
            return REACHED
        if kind == VERIFY:
            on_verify(w, s, a)
        elif kind == LAUNCH:
            duration_ns = w.task[a].duration_ns
            push(w, control.now_ns + duration_ns, s.rules[0].now_s + duration_ns / 1e9, TASK_END, a)
        elif kind == TASK_END:
            on_task_end(w, s, a)
        elif kind == RESPONSE:
            on_response(w, s, a)
        elif kind == ARRIVAL:
            on_job(w, s, a)
        elif kind == REFUSED:
            on_refused(w, s, a)
        elif kind == NEWS_CAME:
            for gm in range(s.gm.shape[0]):
                hear(w, s, gm, a, s.news[gm, a].sent_from, s.lm[a].sent_up_to)
        else:
            on_heartbeat(w, s)


@inner
def on_job(w: World, s: AwareState, job: int) -> None:
    """Search for a machine for every task of the job; requests of one Local Master in a row share a message."""
    control, row, gm = w.control[0], w.job[job], gm_of(s, job)
    arrive(w, job, UNSCHEDULABLE)
    first, last, length = NOBODY, NOBODY, 0  # the message in the making
    for task in range(row.first_task, row.first_task + row.tasks):
        if w.task[task].state == TASK_UNSCHEDULABLE:
            continue
        machine = search(w, s, gm, w.task[task].demand)
        if machine == NOBODY:
            s.rules[0].failed_matches += 1
            join_at_tail(w, s, gm, task)
            continue
        see(s, gm, machine, False)
        if length == BATCH or (first != NOBODY and lm_of(s, w.task[last].machine) != lm_of(s, machine)):
            send(w, s, first)
            first = NOBODY
        ask_for(w, s, task, machine)
        if first == NOBODY:
            first, length = task, 0
        else:
            w.task[last].next = task
        last = task
        length += 1
    if first != NOBODY:
        send(w, s, first)
    if job + 1 < w.job.shape[0]:
        control.next_job = job + 2
        push(w, w.job[job + 1].arrival_ns, w.job[job + 1].arrival_ns / 1e9, ARRIVAL, job + 1)


@inner
def on_verify(w: World, s: AwareState, first: int) -> None:
    """Verify requests: launch the tasks whose machines are free, and refuse the others in one message."""
    rules, control = s.rules[0], w.control[0]
    gm, lm = gm_of(s, w.task[first].job), lm_of(s, w.task[first].machine)
    refused, last, task = NOBODY, NOBODY, first
    while task != NOBODY:
        following = w.task[task].next
        w.task[task].next = NOBODY
        if is_free(s, w.task[task].machine):
            launch(w, s, gm, task)
        else:
            refuse(w, s, gm, task)
            if refused == NOBODY:
                refused = task
            else:
                w.task[last].next = task
            last = task
        task = following
    if refused != NOBODY:
        s.news[gm, lm].heard = s.lm[lm].last_note
        w.task[refused].place = s.lm[lm].last_note
        w.task[refused].requested = rules.rounds
        control.messages += 1
        push(w, control.now_ns + rules.delay_ns, rules.now_s + rules.delay_s, REFUSED, refused)


@inner
def launch(w: World, s: AwareState, gm: int, task: int) -> None:
    """Start the task on its machine when the message to it has come."""
    row, rules, now_ns = w.task[task], s.rules[0], w.control[0].now_ns
    place = s.place[row.machine]
    row.communication_ns += 2 * rules.delay_ns
    start_task(w, task, row.machine, now_ns + rules.delay_ns)
    change_truth(s, row.machine)
    place.task = task
    note(w, s, row.machine, gm, 0)
    if place.owner == gm:
        decide(w, task, row.machine, MATCHED, gm, gm, 0, 0)
    else:
        for r in range(s.lent.shape[1]):
            s.lent[row.machine, r] += w.demand[row.demand, r]
        place.borrower = gm
        place.loans += 1
        rules.repartitions += 1
        decide(w, task, row.machine, LENT, place.owner, gm, 0, 0)
    w.control[0].messages += 1
    push(w, now_ns + rules.delay_ns, rules.now_s + rules.delay_s, LAUNCH, task)


@inner
def refuse(w: World, s: AwareState, gm: int, task: int) -> None:
    """Count a request for a machine that another task holds."""
    machine = w.task[task].machine
    place = s.place[machine]
    reason = REFUSED_EXTERNAL
    if place.owner == gm:
        reason = REFUSED_INTERNAL
        s.rules[0].refused_internal += 1
    else:
        s.rules[0].refused_external += 1
    decide(w, task, machine, reason, place.owner, gm, place.task, 0)


@inner
def on_refused(w: World, s: AwareState, first: int) -> None:
    """Put refused tasks at the front of the list, and apply the notes that came while the answer was on its way."""
    gm, lm = gm_of(s, w.task[first].job), lm_of(s, w.task[first].machine)
    since, rounds, now_ns = w.task[first].place, w.task[first].requested, w.control[0].now_ns
    up_to = s.lm[lm].last_note if rounds == s.rules[0].rounds else s.lm[lm].sent_up_to
    task = first
    while task != NOBODY:
        row = w.task[task]
        following = row.next
        row.communication_ns += now_ns - row.since_ns
        row.since_ns = now_ns
        row.machine = NOBODY
        join_at_front(w, s, gm, task)
        task = following
    hear(w, s, gm, lm, since, up_to)


@inner
def on_task_end(w: World, s: AwareState, task: int) -> None:
    """Free the machine; the job ends when its Global Master hears of its last task."""
    row, rules, now_ns = w.task[task], s.rules[0], w.control[0].now_ns
    machine, gm = row.machine, gm_of(s, row.job)
    place = s.place[machine]
    finish_task(w, task, now_ns)
    w.job[row.job].end_ns = max(w.job[row.job].end_ns, now_ns + rules.delay_ns)
    change_truth(s, machine)
    if place.owner != gm:
        for r in range(s.lent.shape[1]):
            s.lent[machine, r] -= w.demand[row.demand, r]
        place.loans -= 1
        place.borrower = NOBODY
    note(w, s, machine, gm, 1)
    w.control[0].messages += 1
    push(w, now_ns + rules.delay_ns, rules.now_s + rules.delay_s, RESPONSE, task)


@inner
def on_response(w: World, s: AwareState, task: int) -> None:
    """Process the news of a task's end at its Global Master, which uses the machine or marks it free."""
    offer(w, s, gm_of(s, w.task[task].job), w.task[task].machine)


@inner
def nothing_to_come(w: World, s: AwareState) -> bool:
    """Return True if no message is in flight and no Local Master has news: waiting tasks then wait forever."""
    if w.control[0].heap_size > 0:
        return False
    for lm in range(s.lm.shape[0]):
        for gm in range(s.gm.shape[0]):
            if s.news[gm, lm].heard != s.lm[lm].last_note:
                return False
    return True


@inner
def on_heartbeat(w: World, s: AwareState) -> None:
    """Send each Local Master's changes since its last message to each Global Master.

    The run ends where nothing is to come. Tasks may still wait then: news that was lost can hide free machines.
    """
    control, rules = w.control[0], s.rules[0]
    if nothing_to_come(w, s):
        control.stuck = 1
        return
    rules.heartbeats += 1
    rules.rounds += 1
    for lm in range(s.lm.shape[0]):
        s.lm[lm].sent_up_to = s.lm[lm].last_note
        for gm in range(s.gm.shape[0]):
            s.news[gm, lm].sent_from = s.news[gm, lm].heard
            s.news[gm, lm].heard = s.lm[lm].last_note
        control.messages += s.gm.shape[0]
        push(w, control.now_ns + rules.delay_ns, rules.now_s + rules.delay_s, NEWS_CAME, lm)
    push(w, control.now_ns + rules.heartbeat_ns, rules.now_s + rules.heartbeat_s, HEARTBEAT, 0)
