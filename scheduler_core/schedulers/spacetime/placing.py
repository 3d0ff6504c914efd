"""From counts of tasks to machines, and the answer that needs no solver: groups one after the other, dearest first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scheduler_core.schedulers.spacetime.expression import NCk

Ints = npt.NDArray[np.int64]


def holds(free: Ints, demand: Ints, most: int) -> Ints:
    """How many tasks of a demand (R,) the free amounts (..., R) of each machine hold, up to `most` each."""
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

    def take_set(self, demand: Ints, machines: int, count: int) -> list[tuple[int, int, int]]:
        """Place up to `count` tasks in a set of machines: (partition, machine, tasks)."""
        placed: list[tuple[int, int, int]] = []
        for p in self._order[machines]:
            if count == 0:
                break
            for machine, tasks in self.take(demand, p, count):
                placed.append((p, machine, tasks))
                count -= tasks
        return placed

    def give_back(self, demand: Ints, placed: Sequence[tuple[int, int]]) -> None:
        """Undo placements."""
        for machine, tasks in placed:
            self._free[machine] += tasks * demand


def greedily(groups: Sequence[Sequence[NCk]], demand: Ints, room: Room, partitions: int) -> list[tuple[NCk, Ints]]:
    """Start what fits now, group after group in the given order, of each the dearest leaf first: counts by partition.

    `groups` has the leaves of each group; those of one group take up to the count of any of them.
    """
    answer = []
    for leaves in groups:
        left = None
        for leaf in sorted((one for one in leaves if one.start == 0), key=lambda one: -one.value):
            wanted = leaf.count if left is None else min(left, leaf.count)
            placed = room.take_set(demand[leaf.group], leaf.machines, wanted) if wanted else []
            tasks = sum(count for _, _, count in placed)
            if tasks < wanted and not leaf.linear:
                room.give_back(demand[leaf.group], [(machine, count) for _, machine, count in placed])
                continue
            if tasks:
                counts = np.zeros(partitions, np.int64)
                np.add.at(counts, [p for p, _, _ in placed], [count for _, _, count in placed])
                answer.append((leaf, counts))
            left = wanted - tasks
    return answer
