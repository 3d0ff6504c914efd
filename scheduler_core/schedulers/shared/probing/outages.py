"""Machines out of service for schedulers with probes: which machines may be drawn, and where returned tasks go.

Schedulers know at once which machines are in service, and draw only among these. If a machine goes out of service, the
schedulers of its tasks and probes learn of them one message later. They send the probes to other workers. A lost task
is handed out again, to the waiting probes of its group and to as many new probes as one task gets at first.
"""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule, schedule_in_lane
from scheduler_core.engine.incidents import KIND_INCIDENT, go_on, is_out
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide, release, stop_task
from scheduler_core.schedulers.shared.probing.queues import drop_first, first_waiting
from scheduler_core.schedulers.shared.probing.sampling import (
    UNLINKED,
    could_hold,
    link,
    park,
    park_new,
    send_probe,
    worker_at,
)
from scheduler_core.schedulers.shared.probing.state import (
    ANSWER,
    BACK,
    CANCEL,
    FLYING,
    LANE_TO_SCHEDULER,
    LANE_TO_WORKER,
    LOST_TASK,
    PROBE,
    RETRY,
    TO_WORKER,
    Probing,
)
from scheduler_core.world.reasons import HANDED_BACK, LOST


@inner
def meets_outage(w: World, kind: int, b: int) -> bool:
    """Return whether an event of a probing loop is about machines out of service: asked only in runs with incidents.

    An answer, or what a scheduler sends, is if its machine has gone out meanwhile.
    """
    if kind == ANSWER:
        return is_out(w, b)
    if kind == TO_WORKER:
        return b & 3 != CANCEL and is_out(w, b >> 2)
    return bool(kind == KIND_INCIDENT or BACK <= kind <= RETRY)


@inner
def count_able(w: World, s: Probing, worker: int, sign: int) -> None:
    """Count one machine in service more (1) or less (-1) for every demand that it could hold."""
    for row in range(s.eligible.shape[0]):
        able = s.eligible[row]
        inside = able.listed == 1 or able.first <= worker < able.first + able.positions
        if inside and could_hold(w, worker, able.demand, able.asks):
            able.machines += sign
    if sign > 0 and s.rules[0].parks > 0:
        if s.rules[0].retries == 0:
            schedule(w, w.control[0].now_ns, RETRY, 0, 0)
        s.rules[0].retries = s.rules[0].parks


@inner
def draw_again(w: World, s: Probing, group: int) -> int:
    """Draw any worker in service that could hold the group's tasks; there is one."""
    it, rules = s.group[group], s.rules[0]
    positions = s.eligible[it.able].positions
    worker = NOBODY
    while worker == NOBODY:
        position = rng.below(w.control[0].seed, rng.STREAM_AGAIN, group, rules.again, positions)
        rules.again += 1
        worker = worker_at(w, s, it.able, it.demand, position)
    return worker


@inner
def send_back(w: World, s: Probing, probe: int, worker: int, waited_ns: int) -> None:
    """Send a probe, or the task that it carries, from a machine that is out back to its scheduler."""
    it, now_ns = s.probe[probe], w.control[0].now_ns
    if it.task >= 0:
        decide(w, it.task, worker, HANDED_BACK, NOBODY, NOBODY, waited_ns, 0)
    elif s.rules[0].cancels == 1:
        it.task = FLYING
    w.control[0].messages += 1
    schedule_in_lane(w, LANE_TO_SCHEDULER, now_ns + s.rules[0].delay_ns, BACK, probe, worker)


@inner
def hand_back(w: World, s: Probing, worker: int) -> None:
    """Send the first of the queue of a machine that is out back to its scheduler."""
    probe = first_waiting(s, worker)
    if probe == NOBODY:
        go_on(w)
        return
    drop_first(w, s, worker)
    send_back(w, s, probe, worker, w.control[0].now_ns - s.probe[probe].since_ns)


@inner
def lose_running(w: World, s: Probing, task: int) -> None:
    """Lose a task whose machine failed; its scheduler learns of it one message later."""
    row, now_ns = w.task[task], w.control[0].now_ns
    stop_task(w, task, now_ns)
    decide(w, task, row.machine, LOST, NOBODY, NOBODY, max(now_ns - row.last_start_ns, 0), 0)
    tell_lost(w, s, task, row.machine, 1)


@inner
def tell_lost(w: World, s: Probing, task: int, worker: int, started: int) -> None:
    """Tell the scheduler, one message later, to hand out a task again; 1 if it had `started`."""
    w.control[0].messages += 1
    schedule(w, w.control[0].now_ns + s.rules[0].delay_ns, LOST_TASK, task, (worker << 1) | started)


@inner
def refuse_answer(w: World, s: Probing, probe: int, worker: int) -> None:
    """Return the task of an answer that reaches a machine that has gone out meanwhile."""
    it = s.probe[probe]
    release(w, worker, s.group[it.group].demand)
    if it.task >= 0:
        decide(w, it.task, worker, HANDED_BACK, NOBODY, NOBODY, 0, 0)
        tell_lost(w, s, it.task, worker, 0)


@inner
def give_again(s: Probing, task: int, number: int) -> None:
    """Make a lost task the next of its group to be handed out."""
    group = s.group[number]
    group.next -= 1
    s.order[group.next] = task


@inner
def probes_for_one(s: Probing) -> int:
    """Return how many probes a task alone gets."""
    rules = s.rules[0]
    probes: int = max(1, rules.least_probes, (rules.probes_per_1000_tasks + 999) // 1000)
    return probes


@inner
def probe_again(w: World, s: Probing, number: int) -> None:
    """Send as many probes for a lost task as one task alone gets at first."""
    group = s.group[number]
    for _ in range(probes_for_one(s)):
        if s.eligible[group.able].machines == 0:
            park_new(s, number)
        else:
            send_probe(w, s, number, draw_again(w, s, number), 0)


@inner
def send_on(w: World, s: Probing, probe: int) -> None:
    """Send a probe that came back to another worker; with none in service, park it."""
    it, rules = s.probe[probe], s.rules[0]
    if s.eligible[s.group[it.group].able].machines == 0:
        park(s, probe)
        return
    worker = draw_again(w, s, it.group)
    it.ahead = 0
    if rules.cancels == 1 and s.link[probe].previous == UNLINKED:
        link(s, probe, worker)
    elif rules.cancels == 1:
        s.link[probe].worker = worker
    rules.probes += 1
    w.control[0].messages += 1
    arrival_ns = w.control[0].now_ns + rules.delay_ns
    schedule_in_lane(w, LANE_TO_WORKER, arrival_ns, rules.probe_kind, probe, (worker << 2) | PROBE)


@inner
def take_parked(s: Probing) -> int:
    """Remove and return the next parked probe that may try again; NOBODY if there is none."""
    rules = s.rules[0]
    if rules.retries == 0:
        return NOBODY
    probe: int = rules.parked - 1
    rules.retries -= 1
    rules.parks -= 1
    rules.parked = s.probe[probe].next + 1
    return probe


@inner
def retry_more(w: World, s: Probing) -> None:
    """Schedule the other parked probes to try again later in this instant."""
    if s.rules[0].retries > 0:
        schedule(w, w.control[0].now_ns, RETRY, 0, 0)
