"""Routing: the policy generator observes and pushes; routers and proxies follow the policy that they hold."""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import arrive, decide
from scheduler_core.schedulers.federated.hydra.nodes import fetched_ns
from scheduler_core.schedulers.federated.hydra.reasons import RESENT, ROUTED, UNSCHEDULABLE
from scheduler_core.schedulers.federated.hydra.state import (
    ASK,
    ASK_AGAIN,
    ASKING,
    HOME,
    IDLE,
    LOOK,
    PUSH,
    RESENDING,
    SPILL,
    HydraState,
)
from scheduler_core.schedulers.shared.heartbeats.queues import join, leave

_ROUTER, _PROXY = 1, 2
NOTHING = -(1 << 62)


@inner
def on_look(w: World, s: HydraState) -> None:
    """Measure the room of each sub-cluster for the policy generator, as long as anything can still happen."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    for number in range(s.sub.shape[0]):
        sub = s.sub[number]
        sub.saw = max(0, _room(w, s, number) - sub.waiting)
    w.control[0].messages += s.sub.shape[0]
    if _anything_left(w, s):
        rules.pushing += 1
        schedule(w, now_ns + rules.policy_ns, LOOK, 0, 0)
        schedule(w, now_ns + rules.delay_ns, PUSH, 0, 0)


@inner
def _anything_left(w: World, s: HydraState) -> bool:
    """Return whether anything else is to come, or waits where it can never run although it could elsewhere."""
    control = w.control[0]
    left: bool = control.heap_size > s.rules[0].pushing or control.next_job < w.job.shape[0]
    for number in range(s.sub.shape[0]):
        for place in range(s.sub[number].kinds):
            if not left and _elsewhere(s, s.present[number, place], number, False) != NOBODY:
                left = s.kind[number, s.present[number, place]].able == 0
    return left


@inner
def _room(w: World, s: HydraState, number: int) -> int:
    """Return how many of the smallest tasks the free resources of a sub-cluster hold in sum."""
    smallest, machines = w.demand.shape[0] - 1, 0
    for r in range(w.free.shape[1]):
        s.room[number, r] = 0
    for machine in range(s.sub[number].first, s.sub[number].end):
        if w.machine[machine].outage != 0:
            continue
        machines += 1
        for r in range(w.free.shape[1]):
            s.room[number, r] += w.free[machine, r]
    room = machines << 20
    for r in range(w.free.shape[1]):
        if w.demand[smallest, r] > 0:
            room = min(room, s.room[number, r] // w.demand[smallest, r])
    return room


@inner
def on_push(w: World, s: HydraState) -> None:
    """Put a policy into force, then ask elsewhere for tasks that have waited long.

    Source: *Hydra: a federated resource manager for data-center scale analytics* (policies pushed).
    """
    rules = s.rules[0]
    rules.policies += 1
    rules.pushing -= 1
    rules.policy_at_ns = w.control[0].now_ns - rules.delay_ns
    for number in range(s.sub.shape[0]):
        s.sub[number].known = s.sub[number].saw
        s.sub[number].spent = 0
    rules.phase = RESENDING
    rules.sub = 0
    rules.machine = 0  # the place of a class of demand in its queue


@inner
def resend_next(w: World, s: HydraState) -> None:
    """Look at one class of demand in one queue: its first task may be asked for elsewhere."""
    rules, now_ns = s.rules[0], w.control[0].now_ns
    if rules.sub == s.sub.shape[0]:
        rules.phase = IDLE
        return
    number = rules.sub
    if rules.machine >= s.sub[number].kinds:
        rules.sub += 1
        rules.machine = 0
        return
    demand = s.present[number, rules.machine]
    task = s.kind[number, demand].first
    waited_ns, other = now_ns - w.task[task].since_ns, NOBODY
    if s.kind[number, demand].able == 0:
        other = _elsewhere(s, demand, number, False)
    elif waited_ns >= max(rules.resend_ns, rules.node_ns) and rules.proxy != HOME:  # every node here has reported
        other = _elsewhere(s, demand, number, True)
    if other == NOBODY:
        rules.machine += 1
        return
    leave(w, s, task)
    s.sub[other].spent += 1
    rules.resent += 1
    row = w.task[task]
    if row.attempts == 0:
        row.framework_ns += waited_ns
    row.since_ns = now_ns
    decide(w, task, NOBODY, RESENT, number, other, waited_ns, 0)
    schedule(w, fetched_ns(w, s, row.job, now_ns), ASK_AGAIN, task, other)
    w.control[0].messages += 2


@inner
def _elsewhere(s: HydraState, demand: int, besides: int, room: bool) -> int:
    """Return the other able sub-cluster with most room by the policy; NOBODY without any.

    With `room` there has to be some that has not been promised to others.
    """
    best, most = NOBODY, 0
    if not room:
        most = NOTHING
    for number in range(s.sub.shape[0]):
        sub = s.sub[number]
        if number != besides and s.kind[number, demand].able > 0 and sub.known - sub.spent > most:
            best, most = number, sub.known - sub.spent
    return best


@inner
def on_job(w: World, s: HydraState, number: int) -> None:
    """Process a job's arrival at a router: send it home, where its manager starts and asks."""
    rules, row = s.rules[0], w.job[number]
    if arrive(w, number, UNSCHEDULABLE) == 0:
        return
    first = row.first_task
    while w.task[first].state != TASK_WAITING:
        first += 1
    by_policy = rules.by_policy == 1
    home = max(0, _draw(w, s, _ROUTER, number, w.task[first].demand, NOBODY, by_policy))
    s.job[number].home = home
    s.job[number].began_ns = w.control[0].now_ns + rules.delay_ns + rules.start_ns
    w.control[0].messages += 1
    watched = w.control[0].watched_task
    about = first
    if watched >= 0 and w.task[watched].job == number:
        about = watched
    age_ns = w.control[0].now_ns - rules.policy_at_ns
    decide(w, about, NOBODY, ROUTED, NOBODY, home, age_ns, s.sub[home].known)
    schedule(w, s.job[number].began_ns + rules.delay_ns, ASK, number, 0)


@inner
def on_ask(w: World, s: HydraState, number: int) -> None:
    """Process the first heartbeat of a job's manager: its tasks join the sub-clusters' queues one by one."""
    rules, row = s.rules[0], w.job[number]
    rules.phase = ASKING
    rules.job = number
    rules.task = row.first_task
    rules.end = row.first_task + row.tasks
    rules.spare = s.sub[s.job[number].home].known


@inner
def ask_next(w: World, s: HydraState) -> None:
    """Ask for the next task of the job, where the proxy says."""
    rules, task = s.rules[0], s.rules[0].task
    if task == rules.end:
        rules.phase = IDLE
        return
    rules.task += 1
    row = w.task[task]
    if row.state != TASK_WAITING:
        return
    started_ns = s.job[rules.job].began_ns - rules.delay_ns - w.job[rules.job].arrival_ns
    row.processing_ns += started_ns
    row.communication_ns -= started_ns  # `join` adds all the time since the job's arrival
    number = where(w, s, task)
    if s.sub[number].asked_by != rules.job:
        s.sub[number].asked_by = rules.job
        w.control[0].messages += 1
    join(w, s, task, number)


@inner
def where(w: World, s: HydraState, task: int) -> int:
    """Return the sub-cluster at which the proxy asks for a task: one that could hold it, home where there is none.

    Source: *Hydra: a federated resource manager for data-center scale analytics* (the proxy of a job's manager).
    """
    rules, row = s.rules[0], w.task[task]
    home: int = s.job[row.job].home
    here = s.kind[home, row.demand].able > 0
    if here and rules.proxy == HOME:
        return home
    if rules.proxy != SPILL:
        found = _draw(w, s, _PROXY, task, row.demand, NOBODY, True)
        return home if found == NOBODY else found
    if here and rules.spare > 0:
        rules.spare -= 1
        return home
    found = _draw(w, s, _PROXY, task, row.demand, home, True)
    return home if found == NOBODY else found


@inner
def _draw(w: World, s: HydraState, who: int, key: int, demand: int, besides: int, by_policy: bool) -> int:
    """Draw a sub-cluster that could hold the demand, in proportion to its room by the policy or its machines.

    Where the policy sees room nowhere, it is by machines; `besides` is left out if the policy sees room elsewhere.
    """
    total = 0
    if by_policy:
        for number in range(s.sub.shape[0]):
            if number != besides and s.kind[number, demand].able > 0:
                total += s.sub[number].known
    counts = total == 0
    if counts:
        for number in range(s.sub.shape[0]):
            total += s.kind[number, demand].able
    left = int(rng.uniform(w.control[0].seed, rng.STREAM_ROUTE, key, who) * total)
    found = NOBODY
    for number in range(s.sub.shape[0]):
        if s.kind[number, demand].able == 0 or (number == besides and not counts):
            continue
        weight = s.kind[number, demand].able if counts else s.sub[number].known
        if weight > 0 and left >= 0:
            found = number
        left -= weight
    return found
