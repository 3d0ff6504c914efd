"""Who can run where: properties of machines and demands of tasks, drawn by key and packed into bits.

Bit i of a mask stands for constraint i of the catalogue. A machine is eligible for a task when it offers every bit
that the task asks for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.constraints import tables
from scheduler_core.engine import rng
from scheduler_core.engine.jit import kernel
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.catalogues import constraint_names
from scheduler_core.experiment.workloads import InlineWorkload

Masks = npt.NDArray[np.int64]
MOST_CONSTRAINTS = 62
"""As many as fit into one signed word."""


def machine_offers(experiment: Experiment, cluster: Cluster) -> Masks:
    """Mask of each machine, int64 (machines,). Clusters without a mix offer everything: nothing rules them out."""
    offers = np.full(cluster.machines, -1, np.int64)
    if experiment.constraints is None:
        return offers
    names = _checked_names(experiment)
    everything = (1 << len(names)) - 1
    number = 0
    for group in experiment.topology.clusters:
        for _ in range(group.repeat or 1):
            first, end = int(cluster.cluster_first[number]), int(cluster.cluster_first[number + 1])
            number += 1
            if group.constraint_mix is None:
                offers[first:end] = everything
                continue
            shares = np.array(_shares(experiment, group.constraint_mix))
            if group.constraint_mix == "phoenix":
                _offer_blocks(experiment.seed, first, shares, offers[first:end])
            else:
                _offer_independently(experiment.seed, first, shares, offers[first:end])
    return offers


def _checked_names(experiment: Experiment) -> tuple[str, ...]:
    assert experiment.constraints is not None
    names = constraint_names(experiment.constraints)
    if len(names) > MOST_CONSTRAINTS:
        raise ExperimentError([Problem("constraints.custom", f"lists {len(names)} constraints",
                                       f"at most {MOST_CONSTRAINTS} in one catalogue")])
    return names


def _shares(experiment: Experiment, mix: str) -> tuple[float, ...]:
    assert experiment.constraints is not None
    if mix == "custom":
        return tuple(kind.machine_share for kind in experiment.constraints.custom)
    return tables.machine_shares(mix)


@kernel
def _offer_independently(seed: int, first: int, shares: Any, offers: Any) -> None:
    """Each machine offers constraint c with probability shares[c], independently (float64 (C,), int64 (machines,))."""
    for machine in range(len(offers)):
        mask = 0
        for c in range(len(shares)):
            if rng.uniform(seed, rng.STREAM_OFFER, first + machine, c) < shares[c]:
                mask |= 1 << c
        offers[machine] = mask


@kernel
def _offer_blocks(seed: int, first: int, shares: Any, offers: Any) -> None:
    """Constraint c is offered by a contiguous block of machines from a random place on, as in the Phoenix code."""
    machines = len(offers)
    offers[:] = 0
    for c in range(len(shares)):
        start = rng.below(seed, rng.STREAM_OFFER, first, c, machines)
        for place in range(round(shares[c] * machines)):
            offers[(start + place) % machines] |= 1 << c


def task_asks(experiment: Experiment, workload: Any) -> Masks:
    """Mask of each task, int64 (tasks,), in the workload's order; inline jobs ask for what they name."""
    tasks = len(workload.tasks)
    asks = np.zeros(tasks, np.int64)
    if experiment.constraints is None:
        return asks
    names = _checked_names(experiment)
    if isinstance(experiment.workload, InlineWorkload):
        return _named(experiment.workload, names, workload)
    share = experiment.constraints.task_share
    if experiment.constraints.catalogue == "megha-21":
        factors = np.array(tables.MEGHA_CLASS_FACTORS) * _scale_for(share)
        weights = np.cumsum(np.array(tables.MEGHA_CLASS_WEIGHTS), axis=1)
        percent = np.array(tables.MEGHA_TASKS_PERCENT, np.float64) / 100.0
        _ask_by_class(experiment.seed, percent, factors, weights, asks)
    else:
        kinds = experiment.constraints.custom
        listed = [kind.task_weight for kind in kinds] if kinds else tables.PHOENIX_TASKS_WEIGHT
        weight = np.array(listed, np.float64)
        job = np.ascontiguousarray(workload.tasks["job"])
        _ask_for_one(experiment.seed, share, np.cumsum(weight) / max(weight.sum(), 1e-300), job, asks)
    return asks


def _named(inline: InlineWorkload, names: tuple[str, ...], workload: Any) -> Masks:
    bit = {name: 1 << number for number, name in enumerate(names)}
    order = np.argsort([round(job.arrival_s * 1e9) for job in inline.jobs], kind="stable")
    masks = np.array([sum(bit[name] for name in set(inline.jobs[i].constraints)) for i in order], np.int64)
    found: Masks = masks[workload.tasks["job"]]
    return found


def constrained_share(scale: float) -> float:
    """Share of the tasks with a constraint when every class factor of megha-21 is multiplied by `scale`."""
    free = 0.0
    for weights in tables.MEGHA_CLASS_WEIGHTS:
        for factor, weight in zip(tables.MEGHA_CLASS_FACTORS, weights, strict=True):
            product = 1.0
            for percent in tables.MEGHA_TASKS_PERCENT:
                product *= 1.0 - min(percent / 100.0 * factor * scale, 1.0)
            free += weight / sum(weights) / len(tables.MEGHA_CLASS_WEIGHTS) * product
    return 1.0 - free


def _scale_for(share: float) -> float:
    """The scale at which `share` of the tasks have a constraint, by bisection (only + - * /, so alike everywhere)."""
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        if constrained_share(middle) < share:
            low = middle
        else:
            high = middle
    return high


@kernel
def _ask_by_class(seed: int, percent: Any, factors: Any, weights: Any, asks: Any) -> None:
    """Each task draws its type (uniform), its class by the type's weights (cumulative), then each constraint."""
    for task in range(len(asks)):
        kind = rng.below(seed, rng.STREAM_ASK, task, 0, weights.shape[0])
        at = rng.uniform(seed, rng.STREAM_ASK, task, 1) * weights[kind, weights.shape[1] - 1]
        number = 0
        while number < weights.shape[1] - 1 and weights[kind, number] <= at:
            number += 1
        mask = 0
        for c in range(len(percent)):
            if rng.uniform(seed, rng.STREAM_ASK, task, 2 + c) < percent[c] * factors[number]:
                mask |= 1 << c
        asks[task] = mask


@kernel
def _ask_for_one(seed: int, share: float, cumulative: Any, job: Any, asks: Any) -> None:
    """A share of the jobs asks for one constraint, drawn by weight; all tasks of a job ask for the same."""
    for task in range(len(asks)):
        if rng.uniform(seed, rng.STREAM_ASK, job[task], 0) < share:
            at = rng.uniform(seed, rng.STREAM_ASK, job[task], 1)
            number = 0
            while number < len(cumulative) - 1 and cumulative[number] <= at:
                number += 1
            asks[task] = 1 << number
