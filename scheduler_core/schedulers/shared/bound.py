"""Find jobs whose tasks are decided together, gangs and jobs with a rack rule, and those that can never run."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.constraints import rack_rules, soft_mask
from scheduler_core.constraints.racks import AFFINITY, SPREAD
from scheduler_core.engine.records import CAUSE_GANG, CAUSE_RACKS, TASK_UNSCHEDULABLE, World
from scheduler_core.experiment import Experiment

Numbers = npt.NDArray[np.int64]


class Bound(NamedTuple):
    """Jobs with a band: their gangs and rules, and how many tasks of each class of demand each rack could hold."""

    gang: npt.NDArray[np.bool_]  # (jobs,)
    rule: npt.NDArray[np.int8]  # (jobs,) as constraints.rack_rules gives them
    fits: Numbers  # (demand classes, racks): tasks that fit at once, were all machines empty; (1, 1) without bands

    @property
    def any(self) -> npt.NDArray[np.bool_]:
        """Which jobs have a band."""
        some: npt.NDArray[np.bool_] = self.gang | (self.rule != 0)
        return some


def bound_jobs(experiment: Experiment, world: World, slots: Numbers) -> Bound:
    """Find the jobs with a band; tasks of those that can never run as they are bound are marked so.

    A task's `requested` says whether its job is a gang, and is 0 afterwards. `slots` (machines,) are the most tasks.
    """
    jobs = len(world.job)
    gang = np.zeros(jobs, np.bool_)
    gang[world.task["job"][world.task["requested"] == 1]] = True
    world.task["requested"] = 0
    gang &= world.job["tasks"] > 1
    bound = Bound(gang, rack_rules(experiment, world.job), np.zeros((1, 1), np.int64))
    if not bound.any.any():
        return bound
    soft = soft_mask(experiment.constraints)[0] if experiment.constraints is not None else 0
    bound = bound._replace(fits=_fits(world, soft, slots))
    for job in np.flatnonzero(bound.any).tolist():
        _mark(world, bound, job)
    return bound


def _fits(world: World, soft: int, slots: Numbers) -> Numbers:
    """Return how many tasks of each class each rack could hold at once, were its machines empty and in service."""
    racks = int(world.machine["rack"].max()) + 1
    found = np.zeros((len(world.demand), racks), np.int64)
    for kind, (demand, asks) in enumerate(zip(world.demand.tolist(), world.asks.tolist(), strict=True)):
        many = slots.copy()
        for r, amount in enumerate(demand):
            if amount > 0:
                many = np.minimum(many, world.capacity[:, r] // amount)
        many[(world.machine["offers"] & asks & ~soft) != (asks & ~soft)] = 0
        np.add.at(found[kind], world.machine["rack"], many)
    return found


def _mark(world: World, bound: Bound, job: int) -> None:
    """Mark the tasks of a job that can never run for its gang or its rule on racks.

    A gang's tasks of each class have to fit by themselves: whether several classes fit beside one another is not
    looked into.
    """
    first = int(world.job["first_task"][job])
    tasks = world.task[first : first + int(world.job["tasks"][job])]
    can = tasks["state"] != TASK_UNSCHEDULABLE
    kinds, many = np.unique(tasks["demand"][can], return_counts=True)
    fits = bound.fits[kinds]
    if bound.gang[job] and not (can.all() and _at_once(fits, many, int(bound.rule[job]))):
        stuck, cause = np.ones(len(tasks), np.bool_), CAUSE_GANG
    elif bound.rule[job] == AFFINITY and not (fits > 0).all(axis=0).any():
        stuck, cause = can, CAUSE_RACKS
    else:
        return
    tasks["state"][stuck], tasks["place"][stuck] = TASK_UNSCHEDULABLE, cause


def _at_once(fits: Numbers, many: Numbers, rule: int) -> bool:
    """Return whether a number of tasks of each class has room at once, each class alone. `fits` is (classes, racks)."""
    if rule == AFFINITY:
        return bool((fits >= many[:, None]).all(axis=0).any())
    if rule == SPREAD:  # the rack that holds least fills first; the others may then take one more each
        level = np.array([of_racks[of_racks > 0].min() for of_racks in fits])
        fits = np.minimum(fits, level[:, None] + 1)
    return bool((fits.sum(axis=1) >= many).all())
