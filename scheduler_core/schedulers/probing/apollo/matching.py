"""Choose servers: estimate the cost of each one, and match batches of tasks to servers."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.lists import put_last
from scheduler_core.engine.records import NEVER, NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.probing.apollo.matrix import expected_ns, work_ns
from scheduler_core.schedulers.probing.apollo.reasons import CHOSEN, DUPLICATED, OPPORTUNISTIC
from scheduler_core.schedulers.probing.apollo.state import (
    BATCH,
    IDLE,
    MATCHING,
    REGULAR,
    SPARE,
    TO_SERVER,
    WHAT_BITS,
    ApolloState,
)
from scheduler_core.schedulers.shared.probing.notes import COMPARED, SENT, note_sent
from scheduler_core.schedulers.shared.probing.sampling import park, take_unused, worker_at

_DRAWS_BITS = 32


@called
def look_up(w: World, s: ApolloState, place: int, task: int) -> None:
    """Draw servers for a task, none twice, and note what its completion is estimated to cost on each."""
    rules, row, it = s.rules[0], w.task[task], s.place[place]
    group = s.group[row.kind]
    able = s.eligible[group.able]
    row.requested += 1
    rules.lookups += 1
    draw, position, found = int(np.int64(row.requested) << _DRAWS_BITS), -1, 0
    wanted = min(rules.choices, able.machines)
    while found < wanted:
        if wanted == able.machines:
            position += 1
        else:
            position = rng.below(w.control[0].seed, rng.STREAM_PICK, task, draw, able.positions)
            draw += 1
        server = worker_at(w, s, group.able, group.demand, position)
        if server == NOBODY or s.sampled_for[server] == rules.lookups:
            continue
        s.sampled_for[server] = rules.lookups
        s.drawn[place, found] = server
        s.slot[place, found] = 0
        s.waits_ns[place, found] = expected_ns(w, s, server, row.demand)
        s.cost_ns[place, found] = total_ns(s, server, s.waits_ns[place, found] + group.estimate_ns)
        found += 1
    it.task = task
    it.found = found
    it.choice = NOBODY
    it.best = NOBODY


@inner
def total_ns(s: ApolloState, server: int, takes_ns: int) -> int:
    """Return what the completion of a task after `takes_ns` is estimated to cost on a server: P E + K (1 - P).

    Source: *Apollo: scalable and coordinated scheduling for cloud-scale computing* (estimated completion).
    """
    success = s.server[server].success
    return int(success * takes_ns + (1.0 - success) * s.rules[0].penalty_ns)


@inner
def _cheapest(s: ApolloState, place: int) -> tuple[int, int]:
    """Return the cheapest of the servers drawn for a task, by its number among them, and what the next one costs."""
    best, next_ns = 0, NEVER
    for choice in range(1, s.place[place].found):
        cost_ns = s.cost_ns[place, choice]
        if cost_ns < s.cost_ns[place, best]:
            best, next_ns = choice, s.cost_ns[place, best]
        elif cost_ns < next_ns:
            next_ns = cost_ns
    return best, next_ns


@inner
def begin_job(w: World, s: ApolloState, job: int) -> None:
    """Match a job's tasks, batch by batch."""
    match_tasks(s, job, w.job[job].first_task, w.job[job].first_task + w.job[job].tasks)


@inner
def match_tasks(s: ApolloState, job: int, first: int, end: int) -> None:
    """Match tasks first .. end - 1 of a job."""
    rules = s.rules[0]
    rules.phase = MATCHING
    rules.job = job
    rules.at = first
    rules.end = end


@called
def match_batch(w: World, s: ApolloState) -> None:
    """Match the next tasks of the job; the first of them have tokens, while there are any.

    Source: *Apollo: scalable and coordinated scheduling for cloud-scale computing* (stable matching of a batch).
    """
    rules, job, count = s.rules[0], s.job[s.rules[0].job], 0
    while rules.at < rules.end and count < BATCH:
        task = rules.at
        rules.at += 1
        if w.task[task].state != TASK_WAITING:
            continue
        if s.eligible[s.group[w.task[task].kind].able].machines == 0:
            probe = take_unused(s, w.task[task].kind)
            s.probe[probe].task = task
            park(s, probe)
            continue
        if s.task[task].token == 0 and job.used < rules.tokens:
            job.used += 1
            s.task[task].token = 1
        look_up(w, s, count, task)
        count += 1
    for place in range(count):
        _propose(w, s, place, count)
    for place in range(count):
        _send_matched(w, s, place)
    if rules.at == rules.end:
        forget_promises(s)
        rules.phase = IDLE


@inner
def _propose(w: World, s: ApolloState, place: int, count: int) -> None:
    """Let a task ask its cheapest server; for each place in its queue a server keeps the task that saves most by it.

    Who is turned down, now or later, may have the next place there, which costs more. So in the end no task and place
    would rather have one another (stable matching).
    """
    while True:
        it = s.place[place]
        choice, next_ns = _cheapest(s, place)
        server, slot = s.drawn[place, choice], s.slot[place, choice]
        behind_ns = s.waits_ns[place, choice] + work_ns(w, s, server, it.task) + _runs_ns(w, s, it.task)
        saving_ns = min(next_ns, total_ns(s, server, behind_ns)) - s.cost_ns[place, choice]
        if it.best == NOBODY:
            it.best = server
        holder = _holder(s, server, slot, count)
        if holder == NOBODY or saving_ns > s.place[holder].saving_ns:
            it.choice = choice
            it.saving_ns = saving_ns
            if holder == NOBODY:
                return
            place = holder
            choice = s.place[holder].choice
            s.place[holder].choice = NOBODY
        s.slot[place, choice] += 1
        s.waits_ns[place, choice] += work_ns(w, s, server, s.place[place].task)
        takes_ns = s.waits_ns[place, choice] + _runs_ns(w, s, s.place[place].task)
        s.cost_ns[place, choice] = total_ns(s, server, takes_ns)


@inner
def _holder(s: ApolloState, server: int, slot: int, count: int) -> int:
    """Return the task of the batch, by its place there, that has a place in a server's queue; NOBODY when none has."""
    for place in range(count):
        choice = s.place[place].choice
        if choice != NOBODY and s.drawn[place, choice] == server and s.slot[place, choice] == slot:
            return place
    return NOBODY


@inner
def _runs_ns(w: World, s: ApolloState, task: int) -> int:
    estimate_ns: int = s.group[w.task[task].kind].estimate_ns
    return estimate_ns


@inner
def _send_matched(w: World, s: ApolloState, place: int) -> None:
    """Send a task to the server that it is matched to."""
    rules, it = s.rules[0], s.place[place]
    server, task = s.drawn[place, it.choice], it.task
    if server != it.best:
        rules.second_choices += 1
    wait_ns = s.waits_ns[place, it.choice]
    _note_compared(w, s, place)
    if s.task[task].token == 1:
        rules.regular += 1
        decide(w, task, server, CHOSEN, NOBODY, NOBODY, wait_ns, s.cost_ns[place, it.choice])
        _send(w, s, task, server, wait_ns, REGULAR)
        return
    rules.opportunistic += 1
    put_last(w.task, s.job[w.task[task].job], task)
    s.task[task].server = server
    decide(w, task, server, OPPORTUNISTIC, NOBODY, NOBODY, rules.tokens, wait_ns)
    _send(w, s, task, server, wait_ns, SPARE)


@inner
def _note_compared(w: World, s: ApolloState, place: int) -> None:
    """Write down which servers were drawn for the watched task, and the wait that is expected there."""
    it = s.place[place]
    if w.control[0].watched_task == it.task:
        for choice in range(it.found):
            note_sent(w, it.task, s.drawn[place, choice], COMPARED, s.waits_ns[place, choice])


@inner
def _send(w: World, s: ApolloState, task: int, server: int, wait_ns: int, what: int) -> None:
    """Send a task, or a second copy of one, to a server; the job remembers that it has."""
    it, rules = s.server[server], s.rules[0]
    note_sent(w, task, server, SENT, 0)
    s.task[task].expected_ns = wait_ns
    s.task[task].sent += 1
    s.task[task].live += 1
    if it.added_ns == 0:
        s.promises[rules.promised] = server
        rules.promised += 1
    it.added_ns += work_ns(w, s, server, task)
    w.control[0].messages += 1
    schedule(w, w.control[0].now_ns + rules.delay_ns, TO_SERVER, task, (server << WHAT_BITS) | what)


@inner
def forget_promises(s: ApolloState) -> None:
    """Forget what was sent to servers since the last publication: other jobs do not know it."""
    for number in range(s.rules[0].promised):
        s.server[s.promises[number]].added_ns = 0
    s.rules[0].promised = 0


@called
def correct_next(w: World, s: ApolloState) -> None:
    """Go on to the next server with a late task, which is sent elsewhere, too, if it would be done sooner there.

    Source: *Apollo: scalable and coordinated scheduling for cloud-scale computing* (correction).
    """
    rules, now_ns = s.rules[0], w.control[0].now_ns
    while rules.at < w.machine.shape[0] and s.server[rules.at].late == NOBODY:
        rules.at += 1
    if rules.at == w.machine.shape[0]:
        rules.phase = IDLE
        return
    server, task = rules.at, s.server[rules.at].late
    rules.at += 1
    s.server[server].late = NOBODY
    row, it = w.task[task], s.task[task]
    look_up(w, s, 0, task)
    choice, _ = _cheapest(s, 0)
    other = s.drawn[0, choice]
    here_ns = max(0, it.starts_ns - now_ns) + _runs_ns(w, s, task)
    if other == server or s.cost_ns[0, choice] >= total_ns(s, server, here_ns):
        return
    decide(w, task, other, DUPLICATED, server, NOBODY, it.starts_ns - row.since_ns, it.expected_ns)
    rules.duplicates += 1
    _note_compared(w, s, 0)
    _send(w, s, task, other, s.waits_ns[0, choice], REGULAR)
    forget_promises(s)
