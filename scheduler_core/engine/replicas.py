"""Synthetic data placement: the machines that hold each task's data, drawn by key.

There are three copies, as in a distributed file system. The first copy is on any machine, the second on a machine of
another rack, the third on another machine of that second rack. If there is only one rack, all copies are on different
machines of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine import rng
from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import NOBODY, World

REPLICAS = 3
"""Copies of each piece of data."""


def draw_replicas(world: World, reads: npt.NDArray[np.int8]) -> npt.NDArray[np.int32]:
    """Return the machines that have each task's data: (tasks, REPLICAS), NOBODY for none.

    `reads` is 1 for tasks that read data.
    """
    replica = np.full((len(world.task), REPLICAS), NOBODY, np.int32)
    rack_of = np.ascontiguousarray(world.machine["rack"])
    _draw(int(world.control[0].seed), reads, rack_of, first_of_racks(world), replica)
    return replica


def first_of_racks(world: World) -> npt.NDArray[np.int32]:
    """Return the first machine of each rack and, at the end, the number of machines: (racks + 1,)."""
    racks = int(world.machine["rack"].max()) + 1
    return np.searchsorted(world.machine["rack"], np.arange(racks + 1)).astype(np.int32)


@kernel
def _draw(seed: int, reads: Any, rack_of: Any, rack_first: Any, replica: Any) -> None:
    """Fill in the machines of tasks that read data; `reads` is int8 (tasks,), `replica` int32 (tasks, 3)."""
    machines = len(rack_of)
    for task in range(len(reads)):
        if reads[task] == 0:
            continue
        one = rng.below(seed, rng.STREAM_REPLICA, task, 0, machines)
        replica[task, 0] = one
        if machines == 1:
            continue
        rack = rack_of[one]
        first, end = rack_first[rack], rack_first[rack + 1]
        if end - first == machines:  # one rack: any other machine
            first, end = one, one + 1
        two = rng.below(seed, rng.STREAM_REPLICA, task, 1, machines - (end - first))
        if two >= first:
            two += end - first
        replica[task, 1] = two
        low, high = rack_first[rack_of[two]], rack_first[rack_of[two] + 1]
        others = high - low - 1 - (1 if rack_of[one] == rack_of[two] else 0)
        if others < 1:
            continue
        three = low + rng.below(seed, rng.STREAM_REPLICA, task, 2, others)
        for taken in (min(one, two), max(one, two)):
            if low <= taken < high and three >= taken:
                three += 1
        replica[task, 2] = three
