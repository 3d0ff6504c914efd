"""Succinct state sharing: workers with long tasks reject probes and report the other workers that have some.

The central scheduler keeps the bitmap of workers with long tasks. A copy travels with every long task, so a worker
knows the bitmap as it was when the task was sent. The newest copy that a scheduler has seen decides where its refused
probes may go.
"""

from __future__ import annotations

from scheduler_core.engine import rng
from scheduler_core.engine.events import schedule_in_lane
from scheduler_core.engine.jit import inner
from scheduler_core.engine.records import NOBODY, World
from scheduler_core.engine.tasks import decide
from scheduler_core.schedulers.probing.eagle.reasons import REFUSED_PROBE
from scheduler_core.schedulers.probing.eagle.state import Sticky
from scheduler_core.schedulers.shared.probing.notes import REFUSED as REFUSED_NOTE
from scheduler_core.schedulers.shared.probing.notes import note
from scheduler_core.schedulers.shared.probing.sampling import park, probes_for, put_back, take_unused, worker_at
from scheduler_core.schedulers.shared.probing.state import (
    LANE_FAR,
    LANE_TO_SCHEDULER,
    LANE_TO_WORKER,
    PROBE,
    REFUSED,
    TO_WORKER,
)

_TRIES = 1024
"""Draws until a free worker is searched for one by one: far more than it takes unless hardly any is free. Within a
rack, as many draws as it has workers."""


@inner
def flip(s: Sticky, worker: int, busy: int) -> None:
    """Flip the central scheduler's bit of the worker."""
    rules = s.rules[0]
    s.flip[rules.flips] = s.bit[worker]
    s.bit[worker] = 2 * rules.flips + busy
    rules.flips += 1


@inner
def thought_busy(s: Sticky, worker: int, version: int) -> bool:
    """Return whether a copy of the bitmap has the worker among those with long tasks."""
    change = s.bit[worker]
    while change >= 2 * version:
        change = s.flip[change >> 1]
    busy: bool = change != NOBODY and change & 1 == 1
    return busy


@inner
def probe_in_rounds(w: World, s: Sticky, job: int, number: int, draw: int) -> int:
    """Probe as the public simulator does, all at the job's arrival: refusals are known at once.

    Only delays count. Return the number of the job's next random draw.
    """
    rules, group = s.rules[0], s.group[number]
    missing = probes_for(s, number)
    sent = missing
    for turn in range(1, rules.rounds + 2):
        last, seen, refused = turn == rules.rounds + 1, group.seen, 0
        for _ in range(sent):
            worker = NOBODY
            if turn == 1:
                worker, draw = draw_any(w, s, number, rng.STREAM_PROBE, job, draw)
            else:
                worker, draw = draw_free(w, s, number, rng.STREAM_PROBE, job, draw, group.seen, last)
            if worker == NOBODY and last:
                worker, draw = draw_any(w, s, number, rng.STREAM_PROBE, job, draw)
            if worker != NOBODY and (last or s.worker[worker].longs == 0):
                probe = take_unused(s, number)
                s.probe[probe].turn = turn
                send(w, s, probe, worker, turn // 2 + 1)
            else:
                refused += 1
            if worker != NOBODY:
                seen = max(seen, s.worker[worker].seen)
        group.seen = seen
        missing -= sent - refused
        rules.refused += refused
        if turn == 1 and number == s.first_group[job] and refused > 0:
            decide(w, s.order[group.next], NOBODY, REFUSED_PROBE, NOBODY, NOBODY, refused, turn)
        if missing == 0 or (turn == rules.rounds and missing < 0):
            return draw
        # Phoenix's program never sends fewer than the least number again, and only an exact match ends its rounds.
        sent = max(missing, rules.least_probes) if rules.fork == 1 else missing
        if turn == rules.rounds:
            rules.fallbacks += 1
    return draw


@inner
def send(w: World, s: Sticky, probe: int, worker: int, delays: int) -> None:
    """Send a probe that arrives after a number of messages."""
    rules = s.rules[0]
    rules.probes += 1
    w.control[0].messages += delays
    it = s.probe[probe]
    it.ahead = 0
    lane = LANE_TO_WORKER if delays == 1 else LANE_FAR
    arrival_ns = w.control[0].now_ns + delays * rules.delay_ns
    schedule_in_lane(w, lane, arrival_ns, TO_WORKER, probe, (worker << 2) | PROBE)


@inner
def refuse(w: World, s: Sticky, probe: int, worker: int) -> None:
    """Send a probe back from a worker with a long task, with its copy of the bitmap.

    Source: *Job-aware scheduling in Eagle: divide and stick to your probes* (succinct state sharing).
    """
    group = s.group[s.probe[probe].group]
    s.probe[probe].turn += 1
    note(w, s, probe, worker, REFUSED_NOTE, 0)
    s.rules[0].refused += 1
    w.control[0].messages += 1
    task = s.order[min(group.next, group.end - 1)]
    decide(w, task, worker, REFUSED_PROBE, NOBODY, NOBODY, 1, s.probe[probe].turn)
    back_ns = w.control[0].now_ns + s.rules[0].delay_ns
    schedule_in_lane(w, LANE_TO_SCHEDULER, back_ns, REFUSED, probe, s.worker[worker].seen)


@inner
def on_refused(w: World, s: Sticky, probe: int, version: int) -> None:
    """Send a refused probe to a worker believed free, after the last round to one for short jobs only.

    It is not sent again when the job has no task left.

    Source: *Job-aware scheduling in Eagle: divide and stick to your probes* (succinct state sharing).
    """
    number, rules = s.probe[probe].group, s.rules[0]
    group = s.group[number]
    group.seen = max(group.seen, version)
    if group.next == group.end:
        s.probe[probe].turn = 0
        put_back(s, probe)
        return
    if s.eligible[group.able].machines == 0:
        park(s, probe)
        return
    last = s.probe[probe].turn >= rules.rounds
    worker, draw = draw_free(w, s, number, rng.STREAM_PICK, number, group.unanswered, group.seen, last)
    if worker == NOBODY and not last:
        last = True
        worker, draw = draw_free(w, s, number, rng.STREAM_PICK, number, draw, group.seen, last)
    if worker == NOBODY:
        worker, draw = draw_any(w, s, number, rng.STREAM_PICK, number, draw)
    if last:
        rules.fallbacks += 1
        s.probe[probe].turn = rules.rounds  # nobody refuses it any more
    group.unanswered = draw
    send(w, s, probe, worker, 1)


@inner
def draw_any(w: World, s: Sticky, number: int, stream: int, entity: int, draw: int) -> tuple[int, int]:
    """Draw a worker that could hold the group's tasks; return it and the number of the next draw."""
    group = s.group[number]
    positions = s.eligible[group.able].positions
    worker = NOBODY
    while worker == NOBODY:
        position = rng.below(w.control[0].seed, stream, entity, draw, positions)
        worker = worker_at(w, s, group.able, group.demand, position)
        draw += 1
    return worker, draw


@inner
def draw_free(
    w: World, s: Sticky, number: int, stream: int, entity: int, draw: int, version: int, short_only: bool
) -> tuple[int, int]:
    """Draw a worker able to hold the group's tasks and without long ones by a copy of the bitmap.

    With `short_only`, one that never gets any. NOBODY when there is none.
    """
    able = s.eligible[s.group[number].able + s.rules[0].forget]
    positions = able.positions
    if short_only and able.listed == 0:
        positions = min(positions, max(0, s.rules[0].first_long - able.first))
    if positions == 0:
        return NOBODY, draw
    in_rack = s.rules[0].forget == 0 and s.group[number].able >= w.demand.shape[0] - 1
    for _ in range(min(_TRIES, positions) if in_rack else _TRIES):
        position = rng.below(w.control[0].seed, stream, entity, draw, positions)
        draw += 1
        worker = _if_free(w, s, number, position, version, short_only)
        if worker != NOBODY:
            return worker, draw
    start = rng.below(w.control[0].seed, stream, entity, draw, positions)
    for step in range(positions):
        worker = _if_free(w, s, number, (start + step) % positions, version, short_only)
        if worker != NOBODY:
            return worker, draw + 1
    return NOBODY, draw + 1


@inner
def _if_free(w: World, s: Sticky, number: int, position: int, version: int, short_only: bool) -> int:
    """Return the worker at a position if it will do, else NOBODY."""
    group = s.group[number]
    worker = worker_at(w, s, group.able + s.rules[0].forget, group.demand, position)
    if worker == NOBODY or worker < s.rules[0].first_long:
        return worker
    return NOBODY if short_only or thought_busy(s, worker, version) else worker
