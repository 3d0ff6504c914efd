"""One cycle: build an expression from the arrays, and turn its solution into starts and waits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, World
from scheduler_core.schedulers.spacetime import reasons
from scheduler_core.schedulers.spacetime.asking import Asked, consider, free_by_slice, partitions, space_of
from scheduler_core.schedulers.spacetime.expression import Max, NCk, Sum, UpTo, most
from scheduler_core.schedulers.spacetime.placing import Room, greedily
from scheduler_core.schedulers.spacetime.solver import solve
from scheduler_core.schedulers.spacetime.space import Chosen, Space
from scheduler_core.schedulers.spacetime.state import ANSWER, ANSWERED, NEXT_CYCLE, NEXT_ROUND, SpaceState
from scheduler_core.schedulers.spacetime.worth import Worth, worth_of

Ints = npt.NDArray[np.int64]

_WHOLE = 10**12
"""Values are whole numbers in an expression; the sum of all values is at most this."""
MOST_VARIABLES = 20_000
"""Approximate largest number of variables of a model; groups that would exceed it are put off."""


MOST_TOLD = 32
"""Number of postponed groups that get a row in a cycle."""


def answer(world: World, state: SpaceState) -> None:
    """Decide what starts now and on which machines, and why the rest waits: the question of a cycle.

    Source: *TetriSched: global rescheduling with adaptive plan-ahead in dynamic heterogeneous clusters* (a cycle).
    """
    rules = state.rules[0]
    waiting, passed = np.flatnonzero(state.group["open"]), 0
    found = _look(world, state, waiting)
    while not (found.placed.started or world.control[0].tasks_running) and passed + found.groups < len(waiting):
        # Nothing ends that would bring the next cycle; and who is first in line may wait for machines that are out.
        passed += found.groups
        found = _look(world, state, waiting[passed:])
    asked, placed = found.asked, found.placed
    put_off = np.delete(waiting, np.s_[passed : passed + found.groups])
    rules.value = placed.value / found.unit
    _write(state, asked, found.space, placed, found.reason)
    rules.again = _again(state, asked, placed, len(put_off) > 0)
    if rules.again != NEXT_ROUND:
        _write_put_off(state, put_off, len(asked.number))
    state.group["seen"][asked.number] = rules.cycles
    rules.phase, rules.at = ANSWERED, 0


@dataclass(frozen=True)
class Looked:
    """What a look at groups gave: the answer, the reason of what it starts, and how many units of value a job is."""

    asked: Asked
    space: Space
    placed: Placed
    reason: int
    unit: float

    @property
    def groups(self) -> int:
        """How many groups were looked at."""
        return len(self.asked.number)


def _look(world: World, state: SpaceState, waiting: Ints) -> Looked:
    """Look at the first groups of those that wait, as many as a cycle may and a model can hold."""
    rules, now = state.rules[0], int(world.control[0].now_ns)
    asked = consider(world, state, waiting[: int(rules.most_groups)])
    partition_of, member = partitions(asked.member)
    fewer = max(1, MOST_VARIABLES // (1 + 2 * int(rules.slices - 1) + 2 * member.shape[1]))
    if len(asked.number) > fewer:
        asked = consider(world, state, waiting[:fewer])
        partition_of, member = partitions(asked.member)
    free = free_by_slice(world, state, now)
    space = space_of(asked, free, partition_of, member)
    worth = worth_of(world, state, asked.number, now)
    whole, leaves, unit = _expressions(asked, space, worth)
    machines = (free[0], partition_of)
    placed, reason = _choose(world, state, asked, space, (whole, leaves), machines)
    if not placed.started and not bool(world.control[0].tasks_running):
        # A plan may leave everything for later, but nothing would end that brings the next cycle.
        placed, reason = _placed(asked, space, _greedy(leaves, space, machines), machines), reasons.GREEDY
    return Looked(asked, space, placed, reason, unit)


def _again(state: SpaceState, asked: Asked, placed: Placed, put_off: bool) -> int:
    """Return whether others than these groups, or further waves of them, may start although nothing ends until then.

    Where half of the groups are done with, the others of the instant are looked at in a further round; else later.
    """
    left = state.group["tasks"][asked.number] - state.group["started"][asked.number]
    started = placed.by_group(len(left))
    if put_off and 2 * int((started == left).sum()) >= len(left):
        return NEXT_ROUND
    return NEXT_CYCLE if placed.started and (put_off or bool((left > asked.count).any())) else 0


# -- what it is worth --------------------------------------------------------------------------------------------------


def _expressions(asked: Asked, space: Space, worth: Worth) -> tuple[Sum, list[list[NCk]], float]:
    """Return the expression of a cycle, the leaves of each group, and how many units of value a job is.

    The default expression of a group: its tasks on machines with all that it likes, or, slower and worth less, on
    machines with what it must have; in every slice in which they hold them.
    """
    drafts = []
    for i in range(len(asked.number)):
        sets = [(int(asked.full[i]), False)]
        if asked.hard[i] != asked.full[i]:
            sets.append((int(asked.hard[i]), True))
        drafts.append([(k, *_options(asked, space, worth, (i, k, falls_back))) for k, falls_back in sets])
    whole = sum(
        float(asked.count[i]) * max((float(value.max(initial=0.0)) for _, _, value, _ in own), default=0.0)
        for i, own in enumerate(drafts)
    )
    unit = _WHOLE / whole if whole > 0 else 1.0
    leaves = [
        [
            NCk(i, k, int(asked.count[i]), max(1, int(value * unit)), start, length, linear=not asked.together[i])
            for k, starts, values, length in own
            for start, value in zip(starts.tolist(), values.tolist(), strict=True)
        ]
        for i, own in enumerate(drafts)
    ]
    expressions: list[UpTo | Max] = [
        Max(tuple(own)) if asked.together[i] else UpTo(tuple(own), int(asked.count[i])) for i, own in enumerate(leaves)
    ]
    return Sum(tuple(expressions)), leaves, unit


def _options(
    asked: Asked, space: Space, worth: Worth, which: tuple[int, int, bool]
) -> tuple[Ints, npt.NDArray[np.float64], int]:
    """Return the starts with room for a group in a set of machines, a task's worth at each, and its slices."""
    i, k, falls_back = which
    starts = np.flatnonzero(space.fits_later[i, k] >= (asked.count[i] if asked.together[i] else 1))
    return starts, *worth.of(i, starts, falls_back)


# -- the answer --------------------------------------------------------------------------------------------------------


@dataclass
class Placed:
    """An answer on machines: (group, machine, tasks) of what starts.

    `scattered` counts, by group, tasks left because free amounts lay on too many machines; `planned` counts those for
    later, by start; `value` is the value reached.
    """

    rows: list[tuple[int, int, int]]
    scattered: dict[int, int]
    planned: dict[int, dict[int, int]]
    value: int

    @property
    def started(self) -> int:
        """How many tasks start."""
        return sum(count for _, _, count in self.rows)

    def by_group(self, groups: int) -> Ints:
        """Return how many tasks of each group start."""
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
    world: World,
    state: SpaceState,
    asked: Asked,
    space: Space,
    tree: tuple[Sum, list[list[NCk]]],
    machines: tuple[Ints, Ints],
) -> tuple[Placed, int]:
    """Return the answer and its reason: greedy if no group could have more, else the solver's."""
    rules = state.rules[0]
    whole, leaves = tree
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
    started, number = placed.by_group(len(asked.number)), asked.number.tolist()
    rows = [(number[i], machine, count, reason, int(started[i]), 0) for i, machine, count in sorted(placed.rows)]
    window_ns = int((rules.slices - 1) * rules.quantum_ns)
    for i in np.flatnonzero(started < asked.count).tolist():
        why = _why(i, int(asked.count[i] - started[i]), placed, space, (int(rules.quantum_ns), window_ns))
        rows.append((number[i], NOBODY, 0, *why))
    _append(state, rows)


def _write_put_off(state: SpaceState, numbers: Ints, considered: int) -> None:
    """Record for groups that were not considered that they wait for that reason, the first time only."""
    state.rules[0].put_off += len(numbers)
    untold = numbers[state.group["told"][numbers] != reasons.PUT_OFF][:MOST_TOLD].tolist()
    _append(state, [(number, NOBODY, 0, reasons.PUT_OFF, considered, 0) for number in untold])


def _why(i: int, left: int, placed: Placed, space: Space, times_ns: tuple[int, int]) -> tuple[int, int, int]:
    """Return why tasks of a group wait: (reason, x, y). `times_ns` are a slice and the window."""
    if i in placed.scattered:
        return reasons.SCATTERED, placed.scattered[i], 0
    if i in placed.planned:
        start, tasks = min(placed.planned[i].items())
        return reasons.PLANNED, start * times_ns[0], tasks
    if not space.fits[i].any() and not space.fits_later[i].any():
        return reasons.NO_SET, left, times_ns[1]
    return reasons.OUTBID, left, 0


def _append(state: SpaceState, rows: list[tuple[int, int, int, int, int, int]]) -> None:
    first = int(state.rules[0].rows)
    state.answer[first : first + len(rows)] = np.array(rows, ANSWER)
    state.rules[0].rows = first + len(rows)
