"""Megha's event loop under the rules of its authors' public simulator.

A machine runs one task at a time. Matching costs nothing; a request is verified at the instant of the match.
"""

from __future__ import annotations

from scheduler_core.engine.bits import flip_bit, next_bit
from scheduler_core.engine.events import DONE, ENOUGH, HEAP_FULL, LOG_FULL, LOG_HEADROOM, REACHED
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NOBODY, TASK_ASKED, TASK_UNSCHEDULABLE, TASK_WAITING, World
from scheduler_core.engine.tasks import all_settled, arrive, decide, finish_task, start_task
from scheduler_core.schedulers.federated.megha.public.queue import hear_of_end, join_at_front, join_at_tail, leave
from scheduler_core.schedulers.federated.megha.public.state import PublicState
from scheduler_core.schedulers.federated.megha.public.view import change_truth, copy_truth, is_free, pick, take_in_view
from scheduler_core.schedulers.federated.megha.shared.order import pop, push
from scheduler_core.schedulers.federated.megha.shared.reasons import (
    LENT,
    MATCHED,
    REFUSED_EXTERNAL,
    REFUSED_INTERNAL,
    UNSCHEDULABLE,
)

ARRIVAL, MATCH, INCONSISTENCY, LAUNCH, TASK_END, UPDATE, HEARTBEAT = range(7)


@kernel
def advance(w: World, s: PublicState, until_ns: int, max_events: int) -> int:
    """Process events up to and including `until_ns`; returns why it came back (engine.events).

    Source: the public simulator of Megha's authors; `megha.paper` follows the paper.
    """
    control = w.control[0]
    last = control.events + max_events
    # One step may match all waiting tasks, as far as the GMs see free machines.
    room = min(s.gm.shape[0] * w.machine.shape[0], w.task.shape[0]) + 4
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
        if kind == MATCH:
            on_match(w, s, a)
        elif kind == UPDATE:
            update_status(w, s, a)
        elif kind == LAUNCH:
            duration_ns = w.task[a].duration_ns
            push(w, control.now_ns + duration_ns, s.rules[0].now_s + duration_ns / 1e9, TASK_END, a)
        elif kind == TASK_END:
            on_task_end(w, s, a)
        elif kind == INCONSISTENCY:
            on_inconsistency(w, s, a)
        elif kind == ARRIVAL:
            on_job(w, s, a)
        else:
            on_heartbeat(w, s)


@inner
def on_job(w: World, s: PublicState, job: int) -> None:
    """Add a job to the queue of the GM by its number of tasks; only a job that finds it empty is matched."""
    control, row, it = w.control[0], w.job[job], s.job[job]
    waiting = arrive(w, job, UNSCHEDULABLE)
    if waiting > 0:
        it.open = it.left = waiting
        it.from_task = row.first_task
        for task in range(row.first_task, row.first_task + row.tasks):
            if w.task[task].state != TASK_UNSCHEDULABLE:
                flip_bit(s.unmatched, 0, task >> 6, task & 63)
        join_at_tail(s, it.gm, job)
        if s.gm[it.gm].jobs == 1:
            schedule_tasks(w, s, it.gm, control.now_ns, s.rules[0].now_s)
    if job + 1 < w.job.shape[0]:
        control.next_job = job + 2
        push(w, w.job[job + 1].arrival_ns, s.job[job + 1].arrival_s, ARRIVAL, job + 1)


@inner
def schedule_tasks(w: World, s: PublicState, gm: int, at_ns: int, at_s: float) -> None:
    """Match the first job's tasks, then the next job's, until the view is exhausted: own partitions, then others'."""
    me, rules = s.gm[gm], s.rules[0]
    others = 0
    while me.first_job != NOBODY:
        job = me.first_job
        it = s.job[job]
        task = next_bit(s.unmatched, 0, 0, it.from_task, w.job[job].first_task + w.job[job].tasks)
        machine = pick(w, s, gm, w.task[task].demand, others)
        if machine == NOBODY:
            if others == 1:
                rules.failed_matches += 1
                return
            others = 1
            continue
        take_in_view(w, s, gm, machine)
        flip_bit(s.unmatched, 0, task >> 6, task & 63)
        it.from_task = task + 1
        it.left -= 1
        if it.left == 0:
            leave(s, gm, job)
        rules.matches += 1
        row = w.task[task]
        row.state = TASK_ASKED
        row.machine = machine
        row.framework_ns += at_ns - row.since_ns
        row.since_ns = at_ns
        w.control[0].messages += 1
        push(w, at_ns, at_s, MATCH, task)


@inner
def on_match(w: World, s: PublicState, task: int) -> None:
    """Verify a request at the LM: launch the task, or refuse."""
    row, rules = w.task[task], s.rules[0]
    now_ns = w.control[0].now_ns
    gm, machine = s.job[row.job].gm, row.machine
    owner = s.place[machine].owner
    w.control[0].messages += 1
    if is_free(s, machine):
        row.communication_ns += 2 * rules.delay_ns
        start_task(w, task, machine, now_ns + 2 * rules.delay_ns)
        change_truth(s, machine)
        s.place[machine].task = task
        if owner == gm:
            decide(w, task, machine, MATCHED, owner, gm, 0, 0)
        else:
            lend(w, s, machine, row.demand, gm)
            decide(w, task, machine, LENT, owner, gm, 0, 0)
        at_s = rules.now_s + rules.delay_s + rules.delay_s
        push(w, now_ns + 2 * rules.delay_ns, at_s, LAUNCH, task)
        return
    if owner == gm:
        rules.refused_internal += 1
        decide(w, task, machine, REFUSED_INTERNAL, owner, gm, s.place[machine].task, 0)
    else:
        rules.refused_external += 1
        decide(w, task, machine, REFUSED_EXTERNAL, owner, gm, s.place[machine].task, 0)
    push(w, now_ns + rules.delay_ns, rules.now_s + rules.delay_s, INCONSISTENCY, task)


@inner
def lend(w: World, s: PublicState, machine: int, demand: int, gm: int) -> None:
    """Lend another GM's machine for one task."""
    for r in range(s.lent.shape[1]):
        s.lent[machine, r] += w.demand[demand, r]
    s.place[machine].borrower = gm
    s.place[machine].loans += 1
    s.rules[0].repartitions += 1


@inner
def on_inconsistency(w: World, s: PublicState, task: int) -> None:
    """Process a refusal at the GM: queue the task (and its job, if it had left) again, and update."""
    row = w.task[task]
    it, now_ns = s.job[row.job], w.control[0].now_ns
    row.communication_ns += now_ns - row.since_ns
    row.since_ns = now_ns
    row.state = TASK_WAITING
    row.machine = NOBODY
    flip_bit(s.unmatched, 0, task >> 6, task & 63)
    it.from_task = min(it.from_task, task)
    it.left += 1
    if it.queued == 0:
        join_at_front(s, it.gm, row.job)
    push(w, now_ns, s.rules[0].now_s, UPDATE, it.gm)


@inner
def on_task_end(w: World, s: PublicState, task: int) -> None:
    """Process a task's end at the LM: free the machine and tell the GM that scheduled the task."""
    row, now_ns = w.task[task], w.control[0].now_ns
    machine, gm = row.machine, s.job[row.job].gm
    place = s.place[machine]
    finish_task(w, task, now_ns)
    change_truth(s, machine)
    if place.owner != gm:
        for r in range(s.lent.shape[1]):
            s.lent[machine, r] -= w.demand[row.demand, r]
        place.loans -= 1
        place.borrower = NOBODY
    row.next = s.gm[gm].ended_first
    s.gm[gm].ended_first = task
    w.control[0].messages += 1
    push(w, now_ns + s.rules[0].delay_ns, s.rules[0].now_s + s.rules[0].delay_s, UPDATE, gm)


@inner
def update_status(w: World, s: PublicState, gm: int) -> None:
    """Set the GM's view to the truth of now, with all ended tasks; it matches one delay later."""
    me = s.gm[gm]
    copy_truth(w, s, gm)
    while me.ended_first != NOBODY:
        row = w.task[me.ended_first]
        me.ended_first = row.next
        hear_of_end(s, gm, row.job)
    rules = s.rules[0]
    schedule_tasks(w, s, gm, w.control[0].now_ns + rules.delay_ns, rules.now_s + rules.delay_s)


@inner
def on_heartbeat(w: World, s: PublicState) -> None:
    """Update all GMs."""
    control, rules = w.control[0], s.rules[0]
    rules.heartbeats += 1
    control.messages += s.gm.shape[0]
    for gm in range(s.gm.shape[0]):
        update_status(w, s, gm)
    at_s = rules.now_s + rules.heartbeat_s + rules.delay_s
    push(w, control.now_ns + rules.heartbeat_ns + rules.delay_ns, at_s, HEARTBEAT, 0)
