"""Compute how pacing parameters and soft constraints change the run times of tasks."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.constraints import slowest, soft_mask
from scheduler_core.engine import rng
from scheduler_core.engine.company import KINDS, MOST_SLOWED, SLOWED
from scheduler_core.engine.jit import kernel
from scheduler_core.engine.pace import PACE, PACED, Pace
from scheduler_core.engine.records import NOBODY, Records, World, records
from scheduler_core.engine.replicas import REPLICAS, draw_replicas
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.shared.pacing.data import has_data

_LATEST_NS = 2.0**62


def pack_pace(experiment: Experiment, world: World, params: dict[str, Any], *, placed: bool = False) -> Pace:
    """Return what the parameters (shared.pacing) and the soft constraints of an experiment make of its tasks' times.

    Data have places if tasks read some, or if they are `placed` and the parameters give tasks data without sizes.
    Raises ExperimentError when the run could last longer than nanoseconds count.
    """
    tasks, input_gb = len(world.task), params.get("input_gb", 0.0)
    interference, kinds = _interference(experiment, params)
    soft, slowdown = 0, np.ones(1)
    if experiment.constraints is not None:
        soft, slowdown = soft_mask(experiment.constraints)
    pace = records(1, PACE)
    pace["soft_mask"], pace["soft"], pace["reads"], pace["disturbs"] = soft, soft != 0, input_gb > 0, interference > 0
    pace["rack_ns"], pace["core_ns"] = 1e9 / params.get("rack_gb_s", 1.0), 1e9 / params.get("core_gb_s", 1.0)
    paced = records(tasks if input_gb > 0 or interference > 0 else 1, PACED)
    if input_gb > 0 or interference > 0:
        _draw(world, paced, experiment.seed, input_gb, kinds == "queue", len(KINDS))
    replica = np.full((1, REPLICAS), NOBODY, np.int32)
    if input_gb > 0 or (placed and has_data(params)):
        pace["placed"] = 1
        replica = draw_replicas(world, np.ones(tasks, np.int8))
    discord = interference * np.array(SLOWED)
    made = Pace(pace, paced, replica, np.zeros((len(world.machine), len(KINDS)), np.int32), discord, slowdown)
    _refuse_endless(world, made, slowest(slowdown) * (MOST_SLOWED if interference > 0 else 1.0))
    return made


def _interference(experiment: Experiment, params: dict[str, Any]) -> tuple[float, str]:
    """Return strength and kinds: the experiment's, else the parameters'. Raises ExperimentError for both."""
    own, asked = float(params.get("interference", 0.0)), experiment.interference
    if asked is None or asked.strength == 0:
        return own, params.get("kinds", "drawn")
    if own > 0:
        told = "is above 0, and the experiment has a section `interference`, too"
        remedy = "keep the section, which every scheduler supports, and set the parameter to 0"
        raise ExperimentError([Problem("scheduler.params.interference", told, "one of them", remedy)])
    # Where all tasks are alike, there are no kinds to weigh: the engine slows tasks down.
    return (0.0 if asked.kinds == "alike" else asked.strength), asked.kinds


@kernel
def _draw(w: World, paced: Records, seed: int, input_gb: float, by_queue: bool, kinds: int) -> None:
    """Draw the size of each task's input, and the kind of its job."""
    for t in range(len(paced)):
        job = w.task[t].job
        paced[t].input_gb = input_gb * rng.exponential(seed, rng.STREAM_READ, t, 0)
        paced[t].kind = w.job[job].queue % kinds if by_queue else rng.below(seed, rng.STREAM_KIND, job, 0, kinds)


def _refuse_endless(world: World, p: Pace, factor: float) -> None:
    own_ns = world.task["own_ns"].astype(np.float64)
    if not len(own_ns) or (factor == 1.0 and p.pace[0].reads == 0):
        return
    slowest_ns = max(float(p.pace[0].rack_ns), float(p.pace[0].core_ns))
    took_ns = own_ns * factor + (p.paced["input_gb"].astype(np.float64) * slowest_ns if p.pace[0].reads else 0.0)
    if float(world.job["arrival_ns"].max()) + float(took_ns.max() + took_ns.sum() / len(world.machine)) > _LATEST_NS:
        where = "scheduler.params.input_gb" if p.pace[0].reads else "scheduler.params.interference"
        raise ExperimentError(
            [
                Problem(
                    where,
                    "the run could take more than 146 years",
                    "less",
                    "shorten the tasks, lower their input or raise the bandwidths",
                )
            ]
        )
