"""Build the arrays of schedulers with probes from a world: eligible workers, and tasks that share probes."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, TASK_UNSCHEDULABLE, Records, World, records
from scheduler_core.schedulers.shared.probing.state import ELIGIBLE, GROUP, LINK

Numbers = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]

S = TypeVar("S", bound=Any)

_RARE = 32
"""If less than one machine in this number is eligible, random draws would be slow: such demands have a list."""


def eligible_machines(world: World, forgetting: bool = False) -> tuple[Records, Numbers]:
    """Return ELIGIBLE of each demand class, and the lists of machines of those that few can hold.

    With `forgetting` the classes follow a second time, as if they asked for nothing.
    """
    machines, classes = len(world.machine), len(world.demand) - 1  # the last class is none of a task
    kinds = list(zip(world.demand[:classes], world.asks.tolist(), strict=False))
    kinds += [(demand, 0) for demand, _ in kinds] if forgetting else []
    table = records(len(kinds), ELIGIBLE)
    lists = [np.zeros(0, np.int64)]
    listed = 0
    for number, (row, (demand, asks)) in enumerate(zip(table, kinds, strict=True)):
        able = machines_able(world, demand, asks)
        row.machines, row.positions, row.asks = len(able), machines, asks
        row.demand = number % classes
        if len(able) * _RARE < machines:
            row.first, row.positions, row.listed = listed, len(able), 1
            lists.append(able)
            listed += len(able)
    return table, np.concatenate(lists).astype(np.int32)


def _in_order(keys: npt.NDArray[np.int64]) -> bool:
    """Return True if the columns of keys are in lexicographic order: tasks that are alike need no sort."""
    before, after = keys[:, :-1], keys[:, 1:]
    later = before[-1] <= after[-1]
    for place in range(len(keys) - 2, -1, -1):
        later = (before[place] < after[place]) | ((before[place] == after[place]) & later)
    return bool(later.all())


def probing_groups(world: World, each_task: bool, rack: Places) -> tuple[Records, Numbers, Numbers]:
    """Return GROUP records, the first group of each job (J + 1), and the runnable tasks group by group.

    A group is a job's tasks of one demand class (a probe keeps room before it knows its task) that belong to one
    `rack` (tasks,), or a single task.
    """
    demand, job = world.task["demand"], world.task["job"]
    order = np.flatnonzero(world.task["state"] != TASK_UNSCHEDULABLE)
    if each_task:
        starts = np.ones(len(order), np.bool_)
    else:
        keys = np.stack([job[order], demand[order], rack[order]])
        if not _in_order(keys):
            sorting = np.lexsort(keys[::-1])
            order, keys = order[sorting], keys[:, sorting]
        starts = np.ones(len(order), np.bool_)
        starts[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    first = np.flatnonzero(starts)
    group = records(len(first), GROUP)
    group["next"] = first
    group["end"] = np.append(first[1:], len(order))[: len(first)]
    group["demand"] = group["able"] = demand[order[first]]
    group["remaining"] = group["end"] - group["next"]
    group["first_probe"] = group["last_probe"] = NOBODY
    first_group = np.searchsorted(job[order[first]], np.arange(len(world.job) + 1))
    return group, first_group.astype(np.int32), order.astype(np.int32)


def machines_able(world: World, demand: npt.NDArray[np.int64], asks: int) -> npt.NDArray[np.int64]:
    """Return the machines that could hold a demand when empty."""
    return np.flatnonzero((world.capacity >= demand).all(axis=1) & ((world.machine["offers"] & asks) == asks))


def grow_probes(state: S, length: int) -> S:
    """Return the state with room for `length` probes; new probes are taken first, in ascending order."""
    old, rules = len(state.probe), state.rules[0]
    probe = records(length, state.probe.dtype)
    probe[:old] = state.probe
    if len(state.link) == old:
        link = records(length, LINK)
        link[:old] = state.link
        state = state._replace(link=link)
    probe["next"][old:] = np.arange(old + 1, length + 1)
    probe["next"][-1] = rules.free_probe if rules.unused_probes else NOBODY
    rules.free_probe = old
    rules.unused_probes += length - old
    grown: S = state._replace(probe=probe)
    return grown
