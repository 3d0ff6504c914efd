"""Draw the workers to probe at random among those that could hold the tasks."""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule_in_lane
from scheduler_core.engine.incidents import is_out
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.shared.probing.state import FLYING, LANE_TO_WORKER, PROBE, UNUSED, WAITING, Probing

UNLINKED = -2
"""Stands in the `previous` of a probe that is not among the linked ones of its group."""


@inner
def send_probes(w: World, s: Probing, job: int, group: int, draw: int) -> int:
    """Probe workers for a group, none twice while there are others; the number of the job's next random draw.

    When there are more probes than workers every worker gets as many as go round, and the rest is drawn. Public
    simulators draw all of them with repetition.
    """
    it, rules = s.group[group], s.rules[0]
    able = s.eligible[it.able]
    wanted = probes_for(s, group)
    if able.machines == 0:
        it.unanswered = wanted
        for _ in range(wanted):
            park_new(s, group)
        return draw
    rounds = 0 if rules.repeats == 1 else wanted // able.machines
    it.unanswered = wanted
    sent, next_position = 0, 0
    while sent < wanted:
        drawn = sent >= rounds * able.machines
        if drawn:
            position = rng.below(w.control[0].seed, rng.STREAM_PROBE, job, draw, able.positions)
            draw += 1
        else:
            position = next_position
            next_position = position + 1 if position + 1 < able.positions else 0
        worker = worker_at(w, s, it.able, it.demand, position)
        if worker == NOBODY or (drawn and rules.repeats == 0 and s.sampled_for[worker] == group + 1):
            continue
        if drawn:
            s.sampled_for[worker] = group + 1
        send_probe(w, s, group, worker, sent // able.machines)
        sent += 1
    return draw


@inner
def probes_for(s: Probing, group: int) -> int:
    """Return the number of a group's probes: the ratio, rounded up, at least its tasks and the least number."""
    it, rules = s.group[group], s.rules[0]
    tasks = it.end - it.next
    wanted: int = max(tasks, rules.least_probes, (tasks * rules.probes_per_1000_tasks + 999) // 1000)
    return wanted


@inner
def worker_at(w: World, s: Probing, row: int, demand: int, position: int) -> int:
    """Return the worker at a position in the draw for a demand; NOBODY if it is out of service or cannot hold it."""
    able = s.eligible[row]
    worker: int = position + able.first
    if able.listed == 1:
        worker = s.listed[worker]
    if able.machines == able.positions:
        return worker
    if is_out(w, worker) or (able.listed == 0 and not could_hold(w, worker, demand, able.asks)):
        return NOBODY
    return worker


@inner
def could_hold(w: World, worker: int, demand: int, asks: int) -> bool:
    """Return whether the worker offers what is asked for, and is large enough when empty."""
    if (w.machine[worker].offers & asks) != asks:
        return False
    for r in range(w.capacity.shape[1]):
        if w.capacity[worker, r] < w.demand[demand, r]:
            return False
    return True


@inner
def send_probe(w: World, s: Probing, group: int, worker: int, ahead: int) -> None:
    """Send one probe of a group; `ahead` probes of the group have gone to that worker before."""
    rules = s.rules[0]
    probe = take_unused(s, group)
    s.probe[probe].ahead = ahead
    rules.probes += 1
    w.control[0].messages += 1
    if rules.cancels == 1:
        s.probe[probe].task = FLYING
        link(s, probe, worker)
    arrival_ns = w.control[0].now_ns + rules.delay_ns
    schedule_in_lane(w, LANE_TO_WORKER, arrival_ns, rules.probe_kind, probe, (worker << 2) | PROBE)


@inner
def take_unused(s: Probing, group: int) -> int:
    """Take an unused probe, assign it to the group, and return its number."""
    rules = s.rules[0]
    probe: int = rules.free_probe
    it = s.probe[probe]
    rules.free_probe = it.next
    rules.unused_probes -= 1
    it.group = group
    it.task = WAITING
    return probe


@inner
def park_new(s: Probing, group: int) -> None:
    """Park a new probe of a group that has not been sent yet; it is linked when it is sent."""
    probe = take_unused(s, group)
    if s.rules[0].cancels == 1:
        s.link[probe].previous = UNLINKED
    park(s, probe)


@inner
def park(s: Probing, probe: int) -> None:
    """Park a probe whose task no machine in service could hold, behind the other parked probes."""
    rules = s.rules[0]
    s.probe[probe].next = NOBODY
    if rules.parked == 0:
        rules.parked = probe + 1
    else:
        s.probe[rules.last_parked - 1].next = probe
    rules.last_parked = probe + 1
    rules.parks += 1


@inner
def link(s: Probing, probe: int, worker: int) -> None:
    """Put a probe behind the linked ones of its group."""
    group, it = s.group[s.probe[probe].group], s.link[probe]
    it.worker = worker
    it.next = NOBODY
    it.previous = group.last_probe
    if group.last_probe == NOBODY:
        group.first_probe = probe
    else:
        s.link[group.last_probe].next = probe
    group.last_probe = probe


@inner
def unlink(s: Probing, probe: int) -> None:
    """Take a probe out of the linked ones of its group, if it is among them."""
    group, it = s.group[s.probe[probe].group], s.link[probe]
    if it.previous == UNLINKED:
        return
    if it.previous == NOBODY:
        group.first_probe = it.next
    else:
        s.link[it.previous].next = it.next
    if it.next == NOBODY:
        group.last_probe = it.previous
    else:
        s.link[it.next].previous = it.previous
    it.previous = UNLINKED


@inner
def put_back(s: Probing, probe: int) -> None:
    """Return a finished probe to the list of unused probes."""
    rules = s.rules[0]
    s.probe[probe].task = UNUSED
    s.probe[probe].next = rules.free_probe
    rules.free_probe = probe
    rules.unused_probes += 1
