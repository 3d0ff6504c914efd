"""Turn task counts into machines, and solve greedily without a solver: groups in order of value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scheduler_core.schedulers.spacetime.expression import NCk
from scheduler_core.schedulers.spacetime.space import Space

Ints = npt.NDArray[np.int64]


def holds(free: Ints, demand: Ints, most: int) -> Ints:
    """Return how many tasks of a demand (R,) the free amounts (..., R) of each machine hold, up to `most` each."""
    held = np.full(free.shape[:-1], most, np.int64)
    for r in np.flatnonzero(demand):
        np.minimum(held, free[..., r] // demand[r], out=held)
    return np.maximum(held, 0)


class Room:
    """What is free on each machine as an answer fills it. `partition_of` is -1 for machines that nobody wants."""

    def __init__(self, free: Ints, partition_of: Ints, member: npt.NDArray[np.bool_]) -> None:
        self._free = free.copy()
        self._machines = [np.flatnonzero(partition_of == p) for p in range(member.shape[1])]
        contested = member.sum(axis=0)
        # Machines that few ask for go first.
        self._order = [[int(p) for p in np.argsort(contested, kind="stable") if row[p]] for row in member]

    def take(self, demand: Ints, partition: int, count: int) -> list[tuple[int, int]]:
        """Place up to `count` tasks on machines of a partition in the order of their numbers: (machine, tasks)."""
        machines = self._machines[partition]
        before = np.cumsum(held := holds(self._free[machines], demand, count))
        last = int(np.searchsorted(before, count)) + 1
        taken = held[:last]
        if len(taken) and before[len(taken) - 1] > count:
            taken[-1] -= before[len(taken) - 1] - count
        used = np.flatnonzero(taken)
        self._free[machines[used]] -= taken[used, None] * demand
        return [(int(machines[i]), int(taken[i])) for i in used]

    def partitions(self, machines: int) -> list[int]:
        """Return the partitions of a set of machines, those that few sets have first."""
        return self._order[machines]

    def give_back(self, demand: Ints, placed: Sequence[tuple[int, int]]) -> None:
        """Undo placements."""
        for machine, tasks in placed:
            self._free[machine] += tasks * demand


class Plan:
    """What each set of machines has left in each slice after now, as a plan fills it."""

    def __init__(self, member: npt.NDArray[np.bool_], free: Ints) -> None:
        self._member = member
        self._left = np.array([free[:, row].sum(axis=1) for row in member])
        self._around = np.array([[not (one & ~other).any() for other in member] for one in member], np.bool_)

    def holds_now(self, demand: Ints, partition: int, length: int, most: int) -> int:
        """Return how many tasks may start now in a partition without taking what is planned."""
        return self._holds(self._left[self._member[:, partition], 1:length], demand, most)

    def start_now(self, demand: Ints, partition: int, length: int, tasks: int) -> None:
        """Start tasks now, or undo it with a negative number."""
        self._left[self._member[:, partition], 1:length] -= tasks * demand

    def holds_later(self, demand: Ints, leaf: NCk, most: int) -> int:
        """Return how many tasks of a leaf that starts later there is room for."""
        return self._holds(self._left[self._around[leaf.machines], leaf.start : leaf.start + leaf.length], demand, most)

    def start_later(self, demand: Ints, leaf: NCk, tasks: int) -> None:
        """Plan tasks for later."""
        self._left[self._around[leaf.machines], leaf.start : leaf.start + leaf.length] -= tasks * demand

    @staticmethod
    def _holds(left: Ints, demand: Ints, most: int) -> int:
        return int(holds(left, demand, most).min(initial=most))


def greedily(groups: Sequence[Sequence[NCk]], space: Space, room: Room) -> list[tuple[NCk, Ints]]:
    """Return the counts of the used leaves, by partition for what starts now.

    Groups go in the given order, each with its most valuable leaf first, as far as there is room.
    """
    plan = Plan(space.member, space.free)
    answer: list[tuple[NCk, Ints]] = []
    for leaves in groups:
        left = leaves[0].count if leaves else 0
        for leaf in sorted(leaves, key=lambda one: -one.value):
            if left == 0:
                break
            taken = _later(leaf, space, plan, left) if leaf.start else _now(leaf, space, plan, room, left)
            if taken is not None:
                answer.append((leaf, taken))
                left -= int(taken.sum())
    return answer


def _later(leaf: NCk, space: Space, plan: Plan, wanted: int) -> Ints | None:
    demand = space.demand[leaf.group]
    there = min(wanted, int(space.fits_later[leaf.group, leaf.machines, leaf.start]))
    tasks = plan.holds_later(demand, leaf, there)
    if tasks == 0 or (tasks < wanted and not leaf.linear):
        return None
    plan.start_later(demand, leaf, tasks)
    return np.array([tasks], np.int64)


def _now(leaf: NCk, space: Space, plan: Plan, room: Room, wanted: int) -> Ints | None:
    demand = space.demand[leaf.group]
    counts = np.zeros(space.member.shape[1], np.int64)
    placed: list[tuple[int, int]] = []
    for p in room.partitions(leaf.machines):
        most = plan.holds_now(demand, p, leaf.length, wanted - int(counts.sum()))
        if most:
            found = room.take(demand, p, most)
            counts[p] = sum(tasks for _, tasks in found)
            plan.start_now(demand, p, leaf.length, int(counts[p]))
            placed += found
    if counts.sum() == wanted or (leaf.linear and placed):
        return counts
    room.give_back(demand, placed)
    for p in np.flatnonzero(counts).tolist():
        plan.start_now(demand, p, leaf.length, -int(counts[p]))
    return None
