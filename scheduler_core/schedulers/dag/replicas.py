"""Which machines have the data of which tasks: synthetic, drawn by key, three copies as a distributed file system has.

The first copy is on any machine, the second on one of another rack, the third on another machine of that rack; where
there is only one rack, all are on different machines of it. Only tasks that wait for nothing read such data.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine import rng
from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import NOBODY, Records, World
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.schedulers.dag.state import REPLICAS

_LATEST_NS = 2.0**62


def pack_replicas(
    world: World, stage: Records, stage_of: npt.NDArray[np.int32], drawn: bool
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """(machines of each task, the first machine of each rack); as good as none unless they are `drawn`."""
    racks = int(world.machine["rack"].max()) + 1
    rack_first = np.searchsorted(world.machine["rack"], np.arange(racks + 1)).astype(np.int32)
    replica = np.full((len(world.task) if drawn else 1, REPLICAS), NOBODY, np.int32)
    if drawn:
        reads = (stage["parents"] == 0)[stage_of].astype(np.int8)
        _draw(int(world.control[0].seed), reads, np.ascontiguousarray(world.machine["rack"]), rack_first, replica)
    return replica, rack_first


def refuse_too_long(world: World, factor: float) -> None:
    """Refuse a factor with which the run could last longer than nanoseconds count."""
    duration = world.task["duration_ns"].astype(np.float64)
    arrival = world.job["arrival_ns"]
    if len(duration) and float(arrival.max()) + factor * (float(duration.sum()) + duration.max()) > _LATEST_NS:
        raise ExperimentError([Problem("scheduler.params.remote_factor",
                                       "the run could take more than 146 years", "less", "shorten the tasks")])


@kernel
def _draw(seed: int, reads: Any, rack_of: Any, rack_first: Any, replica: Any) -> None:
    """Fill in the machines of tasks that read data. `reads` int8 (tasks,), `replica` int32 (tasks, 3)."""
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
