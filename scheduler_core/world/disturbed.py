"""Add interference to the world: tasks on one machine slow each other down (engine.company)."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine.company import KINDS, MOST_SLOWED
from scheduler_core.engine.records import KINDS_DISTURB, SHARES_DISTURB, World
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.derived import disturbed

_LATEST_NS = 2.0**62


def with_interference(world: World, experiment: Experiment, *, paced: bool) -> World:
    """Return the world with the interference that the experiment requests. Raises ExperimentError.

    `paced`: the scheduler itself slows tasks down by their kinds, because it weighs the kinds (shared.pacing).
    """
    asked = experiment.interference
    if asked is None or not disturbed(experiment):
        return world
    if experiment.topology.pooled:
        told = (
            "is given, and `topology.pooled` makes one pool of all machines, so every task would run beside every other"
        )
        raise ExperimentError([Problem("interference", told, "machines that are not pooled", "leave one of them out")])
    _refuse_endless(world)
    control = world.control
    control["interference"] = asked.strength
    if asked.kinds == "alike":
        control["walks"] |= SHARES_DISTURB
    elif not paced:
        control["walks"] |= KINDS_DISTURB
        control["kinds_by_queue"] = asked.kinds == "queue"
        return world._replace(company=np.zeros((len(world.machine), len(KINDS)), np.int32))
    return world


def _refuse_endless(world: World) -> None:
    own_ns = world.task["own_ns"].astype(np.float64) * MOST_SLOWED
    if not len(own_ns):
        return
    longest = float(own_ns.max() + own_ns.sum() / len(world.machine))
    if float(world.job["arrival_ns"].max()) + longest > _LATEST_NS:
        told = "could make the run take more than 146 years: a task may take ten times its own time"
        raise ExperimentError([Problem("interference", told, "shorter tasks", "shorten the tasks, or leave it out")])
