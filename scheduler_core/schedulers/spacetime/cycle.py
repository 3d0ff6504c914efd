"""One cycle: from the arrays to an expression over sets of machines, from its answer to rows of starts and waits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, TASK_RUNNING, Records, World
from scheduler_core.schedulers.spacetime import reasons
from scheduler_core.schedulers.spacetime.expression import Max, NCk, Sum, UpTo, most
from scheduler_core.schedulers.spacetime.placing import Room, greedily, holds
from scheduler_core.schedulers.spacetime.solver import solve
from scheduler_core.schedulers.spacetime.space import Chosen, Space
from scheduler_core.schedulers.spacetime.state import ANSWERED, NEXT_CYCLE, NEXT_ROUND, SpaceState

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_WHOLE = 10**12
"""Values are whole numbers in an expression; all that it could be worth together is so many."""
_A_LITTLE = 1e-4
"""Of groups that are worth the same the first one is preferred by less than this part."""
MOST_VARIABLES = 20_000
"""A model has about so many; groups that would make it larger are put off."""


MOST_TOLD = 32
"""So many groups that are put off get a row in a cycle."""


@dataclass(frozen=True)
class Asked:
    """The groups that a cycle considers, and the machines that each could use.

    `number` are rows of the state; `count` is how many tasks each asks for; `hard` and `full` are numbers of sets of
    machines: those with all that it must have, and those with all that it would like. `member` (K, M) says who is in.
    """

    number: Ints
    count: Ints
    demand: Ints
    hard: Ints
    full: Ints
    member: Bools


def answer(world: World, state: SpaceState) -> None:
    """Decide what starts now and on which machines, and why the rest waits: the question of a cycle."""
    rules, now = state.rules[0], int(world.control[0].now_ns)
    waiting = np.flatnonzero(state.group["open"])
    asked = _asked(world, state, waiting[: int(rules.most_groups)])
    partition_of, member = _partitions(asked.member)
    fewer = max(1, MOST_VARIABLES // (1 + 2 * int(rules.slices - 1) + 2 * member.shape[1]))
    if len(asked.number) > fewer:
        asked = _asked(world, state, waiting[:fewer])
        partition_of, member = _partitions(asked.member)
    free = _free(world, state, now)
    space = _space(asked, free, partition_of, member)
    expressions, leaves, unit = _expressions(world, state, asked, space, now)
    machines = (free[0], partition_of)
    placed, reason = _choose(world, state, asked, space, (expressions, leaves), machines)
    if not placed.started and not bool(world.control[0].tasks_running):
        # A plan may leave everything for later, but nothing would end that brings the next cycle.
        placed, reason = _placed(asked, space, _greedy(leaves, space, machines), machines), reasons.GREEDY
    rules.value = placed.value / unit
    _write(state, asked, space, placed, reason)
    rules.again = _again(state, asked, placed, len(waiting) > len(asked.number))
    if rules.again != NEXT_ROUND:
        _write_put_off(state, waiting[len(asked.number) :], len(asked.number))
    state.group["seen"][asked.number] = rules.cycles
    rules.phase, rules.at = ANSWERED, 0


def _again(state: SpaceState, asked: Asked, placed: Placed, put_off: bool) -> int:
    """Whether others than these groups, or further waves of them, may start although nothing ends until then.

    Where half of the groups are done with, the others of the instant are looked at in a further round; else later.
    """
    left = state.group["tasks"][asked.number] - state.group["started"][asked.number]
    started = placed.by_group(len(left))
    if put_off and 2 * int((started == left).sum()) >= len(left):
        return NEXT_ROUND
    return NEXT_CYCLE if placed.started and (put_off or bool((left > asked.count).any())) else 0


# -- what there is -----------------------------------------------------------------------------------------------------


def _asked(world: World, state: SpaceState, numbers: Ints) -> Asked:
    rules, group = state.rules[0], state.group
    sets: dict[bytes, int] = {}
    masks: list[Bools] = []

    def number_of(demand: int) -> int:
        asks = world.asks[demand]
        mask = (world.machine["offers"] & asks) == asks
        for r in np.flatnonzero(world.demand[demand]):
            mask &= world.capacity[:, r] >= world.demand[demand, r]
        key = np.packbits(mask).tobytes()
        if key not in sets:
            sets[key] = len(masks)
            masks.append(mask)
        return sets[key]

    known: dict[int, int] = {}
    for demand in [*group["relaxed"][numbers].tolist(), *group["demand"][numbers].tolist()]:
        if demand not in known:
            known[demand] = number_of(demand)
    hard = np.array([known[demand] for demand in group["relaxed"][numbers].tolist()], np.int64)
    full = np.array([known[demand] for demand in group["demand"][numbers].tolist()], np.int64)
    demand = world.demand[group["demand"][numbers]]
    count = (group["tasks"][numbers] - group["started"][numbers]).astype(np.int64)
    if rules.together:
        for i, k in enumerate(hard.tolist()):
            room = int(holds(world.capacity[masks[k]], demand[i], int(count[i])).sum())
            count[i] = min(int(count[i]), max(1, int(room * float(rules.largest_wave))))
    return Asked(numbers, count, demand, hard, full, np.array(masks))


def _partitions(member: Bools) -> tuple[Ints, Bools]:
    """The partition of each machine, -1 for those that nobody could use, and which partitions make up each set."""
    wanted = np.flatnonzero(member.any(axis=0))
    packed = np.packbits(member[:, wanted], axis=0)
    _, first, inverse = np.unique(packed, axis=1, return_index=True, return_inverse=True)
    partition_of = np.full(member.shape[1], -1, np.int64)
    partition_of[wanted] = inverse.ravel()
    return partition_of, member[:, wanted[first]]


def _free(world: World, state: SpaceState, now_ns: int) -> Ints:
    """What is free on each machine in each slice, (S, M, R): now, and as the tasks that run are known to end."""
    rules = state.rules[0]
    slices = int(rules.slices)
    free = np.zeros((slices, *world.free.shape), np.int64)
    free[0] = world.free
    if slices > 1:
        running = np.flatnonzero(world.task["state"] == TASK_RUNNING)
        left_ns = world.task["end_ns"][running] + int(rules.delay_ns) - now_ns
        over = np.maximum(-(-left_ns // int(rules.quantum_ns)), 1)
        soon = over < slices
        row = world.task[running[soon]]
        np.add.at(free, (over[soon], row["machine"]), world.demand[row["demand"]])
        np.cumsum(free, axis=0, out=free)
    return free


def _space(asked: Asked, free: Ints, partition_of: Ints, member: Bools) -> Space:
    slices, groups, partitions = len(free), len(asked.number), member.shape[1]
    wanted = np.flatnonzero(partition_of >= 0)
    place = partition_of[wanted]
    pooled = np.zeros((slices, partitions, free.shape[2]), np.int64)
    for t in range(slices):
        np.add.at(pooled[t], place, np.maximum(free[t, wanted], 0))
    fits = np.zeros((groups, partitions), np.int64)
    later = np.zeros((groups, len(member), slices), np.int64)
    known: dict[tuple[int, ...], Ints] = {}
    for i, demand in enumerate(asked.demand):
        key = (*demand.tolist(), int(asked.count[i]) if not demand.any() else 0)
        if key not in known:
            held = holds(free[:, wanted], demand, int(asked.count[i]) if not demand.any() else 1 << 40)
            known[key] = np.array([np.bincount(place, one, partitions) for one in held]).astype(np.int64)
        by_partition = known[key]
        fits[i] = by_partition[0]
        later[i] = member @ by_partition.T
    return Space(member, pooled, asked.demand, fits, later)


# -- what it is worth --------------------------------------------------------------------------------------------------


def _expressions(
    world: World, state: SpaceState, asked: Asked, space: Space, now_ns: int
) -> tuple[list[UpTo | Max], list[list[NCk]], float]:
    """The default expression of each group: its tasks on machines with all that it likes, or, slower and worth less, on
    machines with what it must have; in every slice in which they hold them. Its leaves, and how many units of value a
    job is."""
    together = bool(state.rules[0].together)
    drafts: list[list[tuple[NCk, float]]] = []
    for i in range(len(asked.number)):
        sets = [(int(asked.full[i]), False)]
        if asked.hard[i] != asked.full[i]:
            sets.append((int(asked.hard[i]), True))
        drafts.append([draft for k, falls_back in sets
                       for draft in _leaves_of(world, state, asked, space, (i, k, falls_back, now_ns))])
    whole = sum(float(asked.count[i]) * max((value for _, value in own), default=0.0) for i, own in enumerate(drafts))
    unit = _WHOLE / whole if whole > 0 else 1.0
    leaves = [[replace(leaf, value=max(1, int(value * unit))) for leaf, value in own] for own in drafts]
    expressions: list[UpTo | Max] = [
        Max(tuple(own)) if together else UpTo(tuple(own), int(asked.count[i])) for i, own in enumerate(leaves)]
    return expressions, leaves, unit


def _leaves_of(
    world: World, state: SpaceState, asked: Asked, space: Space, which: tuple[int, int, bool, int]
) -> list[tuple[NCk, float]]:
    """The leaves of one group (its place) on one set of machines, for each start at which they have room, and what a
    task of each is worth."""
    i, k, falls_back, now_ns = which
    rules, group = state.rules[0], state.group[asked.number[i]]
    together, wanted = bool(rules.together), int(asked.count[i])
    duration_ns = float(group.duration_ns)
    if falls_back:
        duration_ns = float(np.floor(duration_ns * _slowdown(world, state, group) + 0.5))
    quantum_ns = int(rules.quantum_ns)
    length = max(1, -int(-duration_ns // quantum_ns))
    found = []
    for start in range(int(rules.slices)):
        if int(space.fits_later[i, k, start]) < (wanted if together else 1):
            continue
        done_ns = now_ns + start * quantum_ns + 2 * int(rules.delay_ns) + duration_ns
        value = _value(world, state, group, done_ns, now_ns, falls_back)
        value *= 1.0 - _A_LITTLE * i / len(asked.number)
        found.append((NCk(i, k, wanted, 0, start, length, linear=not together), value))
    return found


def _slowdown(world: World, state: SpaceState, group: Any) -> float:
    """How much longer its tasks take where everything soft that they ask for is lacking."""
    lacking = int(world.asks[group.demand]) & ~int(world.asks[group.relaxed])
    factor = 1.0
    for c, one in enumerate(state.slowdown.tolist()):
        factor *= one if lacking >> c & 1 else 1.0
    return factor


def _value(world: World, state: SpaceState, group: Any, done_ns: float, now_ns: int, falls_back: bool) -> float:
    """What one task is worth if it is done at a time, in jobs: see docs/spacetime.md."""
    rules, job = state.rules[0], state.job[group.job]
    value = float(job.weight) / float(job.tasks)
    if falls_back:
        value *= float(rules.fallback_value)
    if rules.aging_ns > 0:
        value *= 1.0 + (now_ns - float(world.job[group.job].arrival_ns)) / float(rules.aging_ns)
    if rules.half_ns > 0:
        value *= float(rules.half_ns) / (float(rules.half_ns) + (done_ns - now_ns))
    if done_ns - int(rules.delay_ns) <= job.deadline_ns and rules.deadline_value > 0:
        value *= float(rules.deadline_value)
    return value


# -- the answer --------------------------------------------------------------------------------------------------------


@dataclass
class Placed:
    """An answer on machines: (group, machine, tasks) of what starts, by group how many tasks were left because free
    amounts lay on too many machines, and how many are planned by start. `value` is what came of it."""

    rows: list[tuple[int, int, int]]
    scattered: dict[int, int]
    planned: dict[int, dict[int, int]]
    value: int

    @property
    def started(self) -> int:
        """How many tasks start."""
        return sum(count for _, _, count in self.rows)

    def by_group(self, groups: int) -> Ints:
        """How many tasks of each group start."""
        started = np.zeros(groups, np.int64)
        for i, _, count in self.rows:
            started[i] += count
        return started


def _greedy(leaves: list[list[NCk]], space: Space, machines: tuple[Ints, Ints]) -> Chosen:
    def worth(i: int) -> int:
        return max((leaf.value for leaf in leaves[i]), default=0)

    order = sorted(range(len(leaves)), key=lambda i: (-worth(i), i))
    counts = greedily([leaves[i] for i in order], space, Room(*machines, space.member))
    return Chosen(sum(leaf.value * int(taken.sum()) for leaf, taken in counts), counts)


def _choose(
    world: World, state: SpaceState, asked: Asked, space: Space,
    tree: tuple[list[UpTo | Max], list[list[NCk]]], machines: tuple[Ints, Ints],
) -> tuple[Placed, int]:
    """The answer, and the reason of what it starts: the greedy one where nobody could have more, else the solver's."""
    rules = state.rules[0]
    expressions, leaves = tree
    whole = Sum(tuple(expressions))
    greedy = _greedy(leaves, space, machines)
    by_hand = _placed(asked, space, greedy, machines)
    if greedy.value >= most(whole):
        return by_hand, reasons.BEST
    rules.solves += 1
    found = solve(whole, space, seed=int(world.control[0].seed), limit=float(rules.limit), hint=greedy)
    if found is None or found.limited:
        rules.limits += 1
    if found is not None:
        placed = _placed(asked, space, found, machines)
        if placed.value > by_hand.value or (placed.value == by_hand.value and not found.limited):
            return placed, reasons.CHOSEN
    return by_hand, reasons.GREEDY


def _placed(asked: Asked, space: Space, chosen: Chosen, machines: tuple[Ints, Ints]) -> Placed:
    """Find machines for what an answer starts now, large tasks first."""
    room = Room(*machines, space.member)
    whole = np.maximum(space.free[0].sum(axis=0), 1)
    placed = Placed([], {}, {}, 0)
    for leaf, taken in sorted(chosen.counts, key=lambda one: -float((asked.demand[one[0].group] / whole).max())):
        tasks, demand = int(taken.sum()), asked.demand[leaf.group]
        if leaf.start > 0:
            starts = placed.planned.setdefault(leaf.group, {})
            starts[leaf.start] = starts.get(leaf.start, 0) + tasks
            placed.value += leaf.value * tasks
            continue
        found = [row for p in np.flatnonzero(taken).tolist() for row in room.take(demand, p, int(taken[p]))]
        started = sum(count for _, count in found)
        if started < tasks:
            placed.scattered[leaf.group] = placed.scattered.get(leaf.group, 0) + tasks - started
            if not leaf.linear:
                room.give_back(demand, found)
                continue
        placed.rows += [(leaf.group, machine, count) for machine, count in found]
        placed.value += leaf.value * started
    return placed


def _write(state: SpaceState, asked: Asked, space: Space, placed: Placed, reason: int) -> None:
    """Write the rows of an answer."""
    rules = state.rules[0]
    rules.rows, rules.later = 0, len(placed.planned)
    rules.planned += len(placed.planned)
    rules.scattered += sum(placed.scattered.values())
    started = placed.by_group(len(asked.number))
    for i, machine, count in sorted(placed.rows):
        _row(state, asked.number[i], machine, count, reason, int(started[i]), 0)
    for i, number in enumerate(asked.number):
        if started[i] < asked.count[i]:
            left = int(asked.count[i] - started[i])
            _row(state, number, NOBODY, 0, *_why(rules, i, left, placed, space))


def _write_put_off(state: SpaceState, numbers: Ints, considered: int) -> None:
    """Say of groups that were not considered that they were not; of the first ones that it was not said of."""
    state.rules[0].put_off += len(numbers)
    for number in numbers[state.group["told"][numbers] != reasons.PUT_OFF][:MOST_TOLD]:
        _row(state, number, NOBODY, 0, reasons.PUT_OFF, considered, 0)


def _why(rules: Any, i: int, left: int, placed: Placed, space: Space) -> tuple[int, int, int]:
    """Why tasks of a group wait: (reason, x, y)."""
    if i in placed.scattered:
        return reasons.SCATTERED, placed.scattered[i], 0
    if i in placed.planned:
        start, tasks = min(placed.planned[i].items())
        return reasons.PLANNED, start * int(rules.quantum_ns), tasks
    if not space.fits[i].any() and not space.fits_later[i].any():
        return reasons.NO_SET, left, int((rules.slices - 1) * rules.quantum_ns)
    return reasons.OUTBID, left, 0


def _row(state: SpaceState, group: int, machine: int, count: int, reason: int, x: int, y: int) -> None:
    row: Records = state.answer[state.rules[0].rows]
    row.group, row.machine, row.count, row.reason, row.x, row.y = group, machine, count, reason, x, y
    state.rules[0].rows += 1
