"""Which workers are probed: drawn at random among those that could hold the tasks."""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule_in_lane
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.sparrow.state import (
    LANE_TO_WORKER,
    PROBE,
    PROBED,
    PUBLIC,
    TO_WORKER,
    UNUSED,
    WAITING,
    SparrowState,
)


@inner
def send_probes(w: World, s: SparrowState, job: int, group: int, draw: int) -> int:
    """Probe workers for a group, none twice while there are others; the number of the job's next random draw.

    When there are more probes than workers every worker gets as many as go round, and the rest is drawn. The public
    simulator sends at least two, and draws all of them with repetition.
    """
    it, rules = s.group[group], s.rules[0]
    tasks, able = it.end - it.next, s.eligible[it.able]
    wanted = max(tasks, (tasks * rules.probes_per_1000_tasks + 999) // 1000)
    rounds = wanted // able.machines
    if rules.public == 1:
        wanted, rounds = max(wanted, 2), 0
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
        if worker == NOBODY or (drawn and rules.public == 0 and s.sampled_for[worker] == group + 1):
            continue
        if drawn:
            s.sampled_for[worker] = group + 1
        send_probe(w, s, group, worker, sent // able.machines)
        sent += 1
    return draw


@inner
def worker_at(w: World, s: SparrowState, row: int, demand: int, position: int) -> int:
    """The worker at one of the positions that are drawn from for a demand; NOBODY when it could not hold it."""
    able = s.eligible[row]
    if able.listed == 1:
        worker: int = s.listed[able.first + position]
        return worker
    position += able.first
    if able.machines == able.positions:
        return position
    if (w.machine[position].offers & w.asks[demand]) != w.asks[demand]:
        return NOBODY
    for r in range(w.capacity.shape[1]):
        if w.capacity[position, r] < w.demand[demand, r]:
            return NOBODY
    return position


@inner
def send_probe(w: World, s: SparrowState, group: int, worker: int, ahead: int) -> None:
    """Send one probe of a group; `ahead` probes of the group have gone to that worker before."""
    rules = s.rules[0]
    probe = rules.free_probe
    it = s.probe[probe]
    rules.free_probe = it.next
    rules.unused_probes -= 1
    it.group = group
    it.task = WAITING
    it.ahead = ahead
    rules.probes += 1
    w.control[0].messages += 1
    if rules.cancels == 1:
        link(s, probe, worker)
    kind, what = (PUBLIC, PROBED) if rules.public == 1 else (TO_WORKER, PROBE)
    schedule_in_lane(w, LANE_TO_WORKER, w.control[0].now_ns + rules.delay_ns, kind, probe, (worker << 2) | what)


@inner
def link(s: SparrowState, probe: int, worker: int) -> None:
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
def unlink(s: SparrowState, probe: int) -> None:
    """Take a probe out of the linked ones of its group."""
    group, it = s.group[s.probe[probe].group], s.link[probe]
    if it.previous == NOBODY:
        group.first_probe = it.next
    else:
        s.link[it.previous].next = it.next
    if it.next == NOBODY:
        group.last_probe = it.previous
    else:
        s.link[it.next].previous = it.previous


@inner
def put_back(s: SparrowState, probe: int) -> None:
    """A probe that has done its work is unused again."""
    rules = s.rules[0]
    s.probe[probe].task = UNUSED
    s.probe[probe].next = rules.free_probe
    rules.free_probe = probe
    rules.unused_probes += 1
