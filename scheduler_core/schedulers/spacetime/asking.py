"""The input of a cycle: waiting groups, the machines that they could use, and when those are free."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import TASK_RUNNING, World
from scheduler_core.schedulers.spacetime.placing import holds
from scheduler_core.schedulers.spacetime.space import Space
from scheduler_core.schedulers.spacetime.state import SpaceState

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Asked:
    """The groups that a cycle considers, and the machines that each could use.

    `number` are rows of the state; `count` is how many tasks each asks for, `together` whether for all or none; `hard`
    and `full` are numbers of sets of machines: those with all that it must have, and those with all that it would like.
    `member` (K, M) says who is in.
    """

    number: Ints
    count: Ints
    together: Bools
    demand: Ints
    hard: Ints
    full: Ints
    member: Bools


def consider(world: World, state: SpaceState, numbers: Ints) -> Asked:
    """Look at these groups, which are rows of the state."""
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
    gang = (group["gang"][numbers] == 1) & (group["started"][numbers] == 0)
    together = gang | bool(rules.together)
    if together.any():
        in_service = np.where(world.machine["outage"][:, None] != 0, 0, world.capacity)
        for i in np.flatnonzero(together & ~gang).tolist():
            k = int(hard[i])
            room = int(holds(in_service[masks[k]], demand[i], int(count[i])).sum())
            count[i] = min(int(count[i]), max(1, int(room * float(rules.largest_wave))))
    return Asked(numbers, count, together, demand, hard, full, np.array(masks))


def partitions(member: Bools) -> tuple[Ints, Bools]:
    """Return the partition of each machine, -1 if unused, and the partitions of each set."""
    wanted = np.flatnonzero(member.any(axis=0))
    packed = np.packbits(member[:, wanted], axis=0)
    _, first, inverse = np.unique(packed, axis=1, return_index=True, return_inverse=True)
    partition_of = np.full(member.shape[1], -1, np.int64)
    partition_of[wanted] = inverse.ravel()
    return partition_of, member[:, wanted[first]]


def free_by_slice(world: World, state: SpaceState, now_ns: int) -> Ints:
    """Return what is free on each machine in each slice, (S, M, R): now, and as the tasks that run are known to end."""
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


def space_of(asked: Asked, free: Ints, partition_of: Ints, member: Bools) -> Space:
    """Sum up by partition and by set what is free, and count how many tasks the machines hold one by one."""
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
