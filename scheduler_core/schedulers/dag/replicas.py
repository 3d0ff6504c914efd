"""Find the machines that hold the data of tasks in root stages; only root tasks read such data (engine.replicas)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, Records, World
from scheduler_core.engine.replicas import REPLICAS, draw_replicas, first_of_racks
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.schedulers.shared.pacing.data import has_data

_LATEST_NS = 2.0**62


def pack_replicas(
    world: World, stage: Records, stage_of: npt.NDArray[np.int32], looked_for: bool, params: Mapping[str, Any]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return (machines with each task's data, the first machine of each rack); dummies unless data are `looked_for`.

    Tasks have data if the parameters say so (shared.pacing.data).
    """
    replica = np.full((1, REPLICAS), NOBODY, np.int32)
    if looked_for:
        replica = draw_replicas(world, ((stage["parents"] == 0) & has_data(params))[stage_of].astype(np.int8))
    return replica, first_of_racks(world)


def refuse_too_long(world: World, factor: float) -> None:
    """Refuse a factor with which the run could last longer than nanoseconds count."""
    duration = world.task["duration_ns"].astype(np.float64)
    arrival = world.job["arrival_ns"]
    if len(duration) and float(arrival.max()) + factor * (float(duration.sum()) + duration.max()) > _LATEST_NS:
        raise ExperimentError(
            [
                Problem(
                    "scheduler.params.remote_factor",
                    "the run could take more than 146 years",
                    "less",
                    "shorten the tasks",
                )
            ]
        )
