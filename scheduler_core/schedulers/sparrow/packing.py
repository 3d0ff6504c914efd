"""From a world to Sparrow's arrays: who may run what, and which tasks share their probes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, TASK_UNSCHEDULABLE, Records, World, records
from scheduler_core.schedulers.sparrow.state import ELIGIBLE, GROUP, LINK, PROBE_RECORD, SparrowState

Numbers = npt.NDArray[np.int32]

_RARE = 32
"""Where less than one machine in so many is eligible, drawing until one is met would be slow: those have a list."""


def eligible_machines(world: World) -> tuple[Records, Numbers]:
    """ELIGIBLE of each demand class, and the lists of those that few machines can hold."""
    machines = len(world.machine)
    table = records(len(world.demand) - 1, ELIGIBLE)
    lists = [np.zeros(0, np.int64)]
    listed = 0
    for row, demand, asks in zip(table, world.demand, world.asks, strict=False):  # the last class is none of a task
        able = np.flatnonzero((world.capacity >= demand).all(axis=1) & ((world.machine["offers"] & asks) == asks))
        row.machines, row.first, row.positions = len(able), listed, machines
        if len(able) * _RARE < machines:
            row.positions, row.listed = len(able), 1
            lists.append(able)
            listed += len(able)
    return table, np.concatenate(lists).astype(np.int32)


def probing_groups(world: World, each_task: bool) -> tuple[Records, Numbers, Numbers]:
    """GROUP records, the first group of each job (J + 1), and the tasks that can run, group after group.

    A group is a job's tasks of one demand class (a probe keeps room before it knows its task), or a single task.
    """
    demand, job = world.task["demand"], world.task["job"]
    order = np.flatnonzero(world.task["state"] != TASK_UNSCHEDULABLE)
    if each_task:
        starts = np.ones(len(order), np.bool_)
    else:
        order = order[np.lexsort((demand[order], job[order]))]
        starts = np.ones(len(order), np.bool_)
        starts[1:] = (np.diff(job[order]) != 0) | (np.diff(demand[order]) != 0)
    first = np.flatnonzero(starts)
    group = records(len(first), GROUP)
    group["next"] = first
    group["end"] = np.append(first[1:], len(order))[: len(first)]
    group["demand"] = demand[order[first]]
    group["first_probe"] = group["last_probe"] = NOBODY
    first_group = np.searchsorted(job[order[first]], np.arange(len(world.job) + 1))
    return group, first_group.astype(np.int32), order.astype(np.int32)


def grow_probes(state: SparrowState, length: int) -> SparrowState:
    """The state with at least so many probes; those that are new are the first to be used, in ascending order."""
    old, rules = len(state.probe), state.rules[0]
    probe = records(length, PROBE_RECORD)
    probe[:old] = state.probe
    if len(state.link) == old:
        link = records(length, LINK)
        link[:old] = state.link
        state = state._replace(link=link)
    probe["next"][old:] = np.arange(old + 1, length + 1)
    probe["next"][-1] = rules.free_probe if rules.unused_probes else NOBODY
    rules.free_probe = old
    rules.unused_probes += length - old
    return state._replace(probe=probe)
