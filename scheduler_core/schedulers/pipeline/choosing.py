"""R2 to R5 choose the machine. A scoring policy of R5 is one function here, and a line in `_score`."""

from __future__ import annotations

from scheduler_core.engine import maths, rng, rooms
from scheduler_core.engine.jit import called, inner
from scheduler_core.engine.records import NOBODY, Ints, World
from scheduler_core.engine.rooms import next_with_room
from scheduler_core.engine.tasks import fits
from scheduler_core.schedulers.pipeline.clock import lap
from scheduler_core.schedulers.pipeline.codes import (
    BEST_FIT,
    E_PVM,
    EARLIEST_FINISH,
    FIRST_FIT,
    R4,
    R5,
    RANDOM,
    ROUND_ROBIN,
    SCORE_MIX,
    WORST_FIT,
)
from scheduler_core.schedulers.pipeline.state import PipelineState


@inner
def among(w: World, s: PipelineState, demand: int, queue: int, task: int, first: int, end: int) -> int:
    """Return R5's choice among machines first .. end-1 that R2, R3 and R4 leave; NOBODY for none.

    Source: Reference architecture, Section III-D, stages R2 to R5.
    """
    policy, seen = s.rules[0].r5, s.stage[R5]
    if policy == FIRST_FIT or policy == ROUND_ROBIN:
        found = NOBODY
        if policy == ROUND_ROBIN:
            found = next_fit(w, s, demand, queue, max(first, s.rules[0].cursor), end)
        if found == NOBODY:
            found = next_fit(w, s, demand, queue, first, end)
        lap(s, R4)
        seen.operations += 1 if found != NOBODY else 0
        return found
    return _best(w, s, demand, queue, policy, task, first, end)


@called
def _best(w: World, s: PipelineState, demand: int, queue: int, policy: int, task: int, first: int, end: int) -> int:
    """Return the candidate with the least score, the first of equal ones; or any, drawn while they are gone through."""
    best, least, candidates = NOBODY, 0.0, 0
    row, machine = w.task[task], next_fit(w, s, demand, queue, first, end)
    lap(s, R4)
    while machine != NOBODY:
        candidates += 1
        if policy == RANDOM:
            draw = row.attempts * w.free.shape[0] + candidates
            if rng.below(w.control[0].seed, rng.STREAM_PICK, task, draw, candidates) == 0:
                best = machine
        else:
            score = _score(w, s, machine, demand, policy)
            if best == NOBODY or score < least:
                best, least = machine, score
        lap(s, R5)
        machine = next_fit(w, s, demand, queue, machine + 1, end)
        lap(s, R4)
    s.stage[R5].operations += candidates
    return best


@inner
def _score(w: World, s: PipelineState, machine: int, demand: int, policy: int) -> float:
    """Return the score of a machine for a class of demand: the least is chosen."""
    if policy == BEST_FIT:
        return left_over(w, s, machine, demand)
    if policy == WORST_FIT:
        return -left_over(w, s, machine, demand)
    if policy == E_PVM:
        return cost_of_load(w, s, machine, demand)
    if policy == SCORE_MIX:
        return -mixed_score(w, s, machine, demand)
    if policy == EARLIEST_FINISH:
        return s.slowness[machine] if s.slowness.shape[0] > 1 else 0.0
    return 0.0


@inner
def left_over(w: World, s: PipelineState, machine: int, demand: int) -> float:
    """Return what stays free, in parts of the largest machine, over the resources that tasks take."""
    left = 0.0
    for r in range(w.free.shape[1]):
        left += (w.free[machine, r] - w.demand[demand, r]) * s.part[r]
    return left


@inner
def cost_of_load(w: World, s: PipelineState, machine: int, demand: int) -> float:
    """Return the growth of a machine's cost: e to the used fraction of each resource, summed."""
    cost = 0.0
    for r in range(w.free.shape[1]):
        capacity = w.capacity[machine, r]
        if capacity > 0 and s.part[r] > 0.0:
            used = (capacity - w.free[machine, r]) / capacity
            cost += maths.exp(used + w.demand[demand, r] / capacity) - maths.exp(used)
    return cost


@inner
def mixed_score(w: World, s: PipelineState, machine: int, demand: int) -> float:
    """Return the mean of the free share after the task, and of how alike the used shares are."""
    least, most, free, counted = 1.0, 0.0, 0.0, 0
    for r in range(w.free.shape[1]):
        capacity = w.capacity[machine, r]
        if capacity > 0 and s.part[r] > 0.0:
            left = (w.free[machine, r] - w.demand[demand, r]) / capacity
            free += left
            least, most = min(least, left), max(most, left)
            counted += 1
    if counted == 0:
        return 0.0
    return 0.5 * (free / counted) + 0.5 * (1.0 - (most - least))


@inner
def may_hold(w: World, s: PipelineState, machine: int, demand: int, queue: int) -> bool:
    """Return whether a queue may use a machine that offers what a class of demand asks for and has room."""
    asks, it = w.asks[demand], w.machine[machine]
    return s.allowed[queue, it.cluster] == 1 and (it.offers & asks) == asks and fits(w, machine, demand)


@inner
def next_fit(w: World, s: PipelineState, demand: int, queue: int, first: int, end: int) -> int:
    """Return the first machine of first .. end-1 on which a queue's task of a demand may start now, or NOBODY."""
    asks, machine = w.asks[demand], _search(s.room, w.demand, demand, first, end)
    while machine != NOBODY:
        it = w.machine[machine]
        if (it.offers & asks) == asks and s.allowed[queue, it.cluster] == 1 and not _runs_it(w, s, machine):
            return machine
        machine = _search(s.room, w.demand, demand, machine + 1, end)
    return NOBODY


@inner
def _runs_it(w: World, s: PipelineState, machine: int) -> bool:
    """Return whether a machine runs the task that T9 copies, or a copy of it."""
    rules = s.rules[0]
    if rules.copy_of == NOBODY:
        return False
    first = rules.copy_of * rules.t9_more
    for number in range(first, first + rules.t9_more):
        if s.copy[number].live == 1 and s.copy[number].machine == machine:
            return True
    return bool(w.task[rules.copy_of].machine == machine)


@called
def _search(room: Ints, demands: Ints, demand: int, first: int, end: int) -> int:
    """Return the first machine of first .. end-1 with room."""
    return next_with_room(room, demands, demand, first, end)


@inner
def update_room(w: World, s: PipelineState, machine: int) -> None:
    """Update a machine's free resources; a machine that R4 reserves for a queue has no room for others."""
    leaf, cluster = (s.room.shape[0] >> 1) + machine, w.machine[machine].cluster
    for r in range(s.room.shape[1]):
        free = w.free[machine, r] if machine != s.rules[0].held_machine else -1
        s.node_free[cluster, r] += max(free, 0) - max(s.room[leaf, r], 0)
    _update(s.room, w.free, machine, machine != s.rules[0].held_machine)


@called
def _update(room: Ints, free: Ints, machine: int, there: bool) -> None:
    rooms.update_room(room, free, machine, there)


@inner
def clusters_all(s: PipelineState) -> int:
    """Return the row of `allowed` that has every cluster."""
    return int(s.allowed.shape[0] - 1)
