"""Draw the constraints of each task by key, pack them into bits, and mark soft ones and rack rules."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.constraints import tables
from scheduler_core.constraints.offers import Floats, Masks, checked_names
from scheduler_core.engine import rng
from scheduler_core.engine.jit import kernel
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.catalogues import constraint_names
from scheduler_core.experiment.constraints import MEGHA_CLUSTERS_SHARE, AskClass, Asks, Constraints
from scheduler_core.experiment.workloads import InlineWorkload
from scheduler_core.workload.asking import asked_in_trace

# Draws of STREAM_ASK that what the catalogues draw does not use.
_SHARE, _CLASS, _RACK, _EACH = 1000, 1001, 1002, 1010


def task_asks(experiment: Experiment, workload: Any) -> Masks:
    """Return the constraint mask of each task, int64 (tasks,), in the workload's order.

    Inline jobs name their constraints. Tasks of a trace have the trace's constraints that the catalog contains; other
    tasks draw theirs by key.
    """
    tasks = len(workload.tasks)
    asks = np.zeros(tasks, np.int64)
    if experiment.constraints is None:
        return asks
    names = checked_names(experiment)
    if isinstance(experiment.workload, InlineWorkload):
        return _named(experiment.workload, names, workload)
    if (given := asked_in_trace(workload, names)) is not None:
        return given
    draw_asks(experiment, np.ascontiguousarray(workload.tasks["job"]), asks)
    return asks


def draw_asks(experiment: Experiment, job: Masks, asks: Masks) -> None:
    """Fill the masks of the tasks of given jobs, int64 (tasks,) both; raises ExperimentError."""
    constraints = experiment.constraints
    assert constraints is not None
    share = constraints.task_share
    if constraints.asks is not None:
        _draw_declared(experiment.seed, share, constraints.asks, checked_names(experiment), job, asks)
    elif constraints.catalogue == "megha-clusters":
        names = checked_names(experiment)
        _draw_declared(experiment.seed, share, cluster_asks(share, names), names, job, asks)
    elif constraints.catalogue == "megha-21":
        factors = np.array(tables.MEGHA_CLASS_FACTORS) * _scale_for(share)
        weights = np.cumsum(np.array(tables.MEGHA_CLASS_WEIGHTS), axis=1)
        percent = np.array(tables.MEGHA_TASKS_PERCENT, np.float64) / 100.0
        _ask_by_class(experiment.seed, percent, factors, weights, asks)
    else:
        kinds = constraints.custom
        listed = [kind.task_weight for kind in kinds] if kinds else tables.PHOENIX_TASKS_WEIGHT
        weight = np.array(listed, np.float64)
        _ask_for_one(experiment.seed, share, np.cumsum(weight) / max(weight.sum(), 1e-300), job, asks)


def cluster_asks(share: float, names: tuple[str, ...]) -> Asks:
    """Return what `megha-clusters` draws: a statistical cluster by weight, then each constraint by its frequency there.

    The program draws one of four types of task first, uniformly, and the cluster by that type's weights; as every task
    draws for itself, the mean of the four weights gives the same. Another share than the catalogue's scales all
    frequencies alike.
    """
    clusters = zip(tables.megha_cluster_weights(), tables.MEGHA_CLUSTERS_PERCENT, strict=True)
    classes = tuple(
        AskClass(
            weight=weight,
            probabilities={name: percent / 100 for name, percent in zip(names, percents, strict=True)},
        )
        for weight, percents in clusters
    )
    return Asks(classes=classes, scale_to_share=share != MEGHA_CLUSTERS_SHARE)


def _draw_declared(seed: int, share: float, asks: Asks, names: tuple[str, ...], job: Masks, masks: Masks) -> None:
    entity = job if asks.unit == "job" else np.arange(len(masks), dtype=np.int64)
    if asks.per_task:
        weight = np.array([asks.probabilities.get(name, 0.0) for name in names])
        if not asks.probabilities:
            weight[:] = 1.0
        counts = np.cumsum(np.array(asks.per_task, np.float64))
        _ask_for_several(seed, share, counts / counts[-1], weight, entity, masks)
        return
    weights, probabilities = ask_table(share, asks, names)
    _ask_each(seed, np.cumsum(weights), probabilities, entity, masks)


def ask_table(share: float, asks: Asks, names: tuple[str, ...]) -> tuple[Floats, Floats]:
    """Return class weights (sum 1) and constraint probabilities (classes, constraints), scaled to a share."""
    classes = asks.classes or (AskClass(),)
    weights = np.array([one.weight for one in classes])
    weights /= math.fsum(weights.tolist())
    plain = np.array(
        [
            [
                one.factor * (asks.probabilities if one.probabilities is None else one.probabilities).get(name, 0.0)
                for name in names
            ]
            for one in classes
        ]
    )
    if not asks.scale_to_share:
        return weights, np.minimum(plain, 1.0)

    def constrained(scale: float) -> float:
        return math.fsum(
            w * (1.0 - _none_of(row, scale)) for w, row in zip(weights.tolist(), plain.tolist(), strict=True)
        )

    scale = _bisect(constrained, share, 1e9)
    if constrained(scale) < share - 1e-6:
        raise ExperimentError(
            [
                Problem(
                    "constraints.asks.scale_to_share",
                    f"cannot make {share:.3g} of the tasks ask for something: at most {constrained(scale):.3g} ever do",
                    "classes that can all ask for something",
                    "give probabilities to the classes that have none, or lower task_share",
                )
            ]
        )
    return weights, np.minimum(plain * scale, 1.0)


def _none_of(row: list[float], scale: float) -> float:
    product = 1.0
    for probability in row:
        product *= 1.0 - min(probability * scale, 1.0)
    return product


def _bisect(found: Callable[[float], float], wanted: float, high: float) -> float:
    """Return the smallest argument at which a growing function reaches a value (only + - * /: alike everywhere)."""
    low = 0.0
    for _ in range(100):
        middle = (low + high) / 2
        if found(middle) < wanted:
            low = middle
        else:
            high = middle
    return high


def _named(inline: InlineWorkload, names: tuple[str, ...], workload: Any) -> Masks:
    bit = {name: 1 << number for number, name in enumerate(names)}
    order = np.argsort([round(job.arrival_s * 1e9) for job in inline.jobs], kind="stable")
    masks = np.array([sum(bit[name] for name in set(inline.jobs[i].constraints)) for i in order], np.int64)
    found: Masks = masks[workload.tasks["job"]]
    return found


def constrained_share(scale: float) -> float:
    """Return the share of tasks with a constraint when `scale` multiplies every class factor of megha-21."""
    products = []
    for factor in tables.MEGHA_CLASS_FACTORS:
        product = 1.0
        for percent in tables.MEGHA_TASKS_PERCENT:
            product *= 1.0 - min(percent / 100.0 * factor * scale, 1.0)
        products.append(product)
    free = 0.0
    for weights in tables.MEGHA_CLASS_WEIGHTS:
        total = sum(weights)
        for product, weight in zip(products, weights, strict=True):
            free += weight / total / len(tables.MEGHA_CLASS_WEIGHTS) * product
    return 1.0 - free


@functools.lru_cache(maxsize=64)
def _scale_for(share: float) -> float:
    """Return the scale at which `share` of the tasks have a constraint, by bisection (alike everywhere)."""
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
    """Draw each task's type (uniform), its class by the type's cumulative weights, then each constraint."""
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
    """Let a share of the jobs ask for one constraint, drawn by weight; all tasks of a job ask for the same."""
    for task in range(len(asks)):
        if rng.uniform(seed, rng.STREAM_ASK, job[task], 0) < share:
            at = rng.uniform(seed, rng.STREAM_ASK, job[task], 1)
            number = 0
            while number < len(cumulative) - 1 and cumulative[number] <= at:
                number += 1
            asks[task] = 1 << number


@kernel
def _ask_each(seed: int, weights: Any, probabilities: Any, entity: Any, asks: Any) -> None:
    """Draw each entity's class by cumulative weight, then each constraint independently."""
    last = -1
    for task in range(len(asks)):
        if entity[task] == last:
            asks[task] = asks[task - 1]
            continue
        last = entity[task]
        number = 0
        if len(weights) > 1:
            at = rng.uniform(seed, rng.STREAM_ASK, last, _CLASS)
            while number < len(weights) - 1 and weights[number] <= at:
                number += 1
        mask = 0
        for c in range(probabilities.shape[1]):
            p = probabilities[number, c]
            if p > 0.0 and rng.uniform(seed, rng.STREAM_ASK, last, _EACH + c) < p:
                mask |= 1 << c
        asks[task] = mask


@kernel
def _ask_for_several(seed: int, share: float, counts: Any, weight: Any, entity: Any, asks: Any) -> None:
    """Let a share of the entities draw a number of constraints (cumulative shares), then as many by weight."""
    for task in range(len(asks)):
        e = entity[task]
        if rng.uniform(seed, rng.STREAM_ASK, e, _SHARE) >= share:
            continue
        at = rng.uniform(seed, rng.STREAM_ASK, e, _CLASS)
        wanted = 1
        while wanted < len(counts) and counts[wanted - 1] <= at:
            wanted += 1
        mask = 0
        for step in range(wanted):
            left = 0.0
            for c in range(len(weight)):
                if not mask >> c & 1:
                    left += weight[c]
            if left <= 0.0:
                break
            at = rng.uniform(seed, rng.STREAM_ASK, e, _EACH + step) * left
            chosen = -1
            for c in range(len(weight)):
                if not mask >> c & 1 and weight[c] > 0.0:
                    chosen = c
                    at -= weight[c]
                    if at < 0.0:
                        break
            mask |= 1 << chosen
        asks[task] = mask


def soft_mask(constraints: Constraints) -> tuple[int, Floats]:
    """Return the mask of the soft constraints, and the run-time factor of each relaxed one (1: hard)."""
    names = constraint_names(constraints)
    mask, slowdowns = 0, np.ones(len(names))
    for soft in constraints.soft or ():
        number = names.index(soft.name)
        mask |= 1 << number
        slowdowns[number] = soft.slowdown if soft.slowdown is not None else tables.slowdown(constraints, number)
    return mask, slowdowns


def relaxed_factor(slowdowns: Floats, relaxed: int) -> float:
    """Return the run-time factor of a task without the constraints of a mask: the product of their slowdowns."""
    product = 1.0
    for number, slowdown in enumerate(slowdowns.tolist()):
        product *= slowdown if relaxed >> number & 1 else 1.0
    return product


def slowest(slowdowns: Floats) -> float:
    """Return the largest factor that any task's run time can have."""
    product = 1.0
    for slowdown in slowdowns.tolist():
        product = min(product * max(slowdown, 1.0), 1e30)
    return product


def rack_rules(experiment: Experiment, jobs: Any) -> npt.NDArray[np.int8]:
    """Return each job's rack rule, int8 (jobs,): 0 none, 1 affinity, 2 spread; one-task `jobs` have none."""
    rules = np.zeros(len(jobs), np.int8)
    if experiment.constraints is not None and experiment.constraints.racks:
        shares = {rule.kind: rule.share for rule in experiment.constraints.racks}
        tasks = np.ascontiguousarray(jobs["tasks"])
        _draw_rules(experiment.seed, shares.get("affinity", 0.0), shares.get("spread", 0.0), tasks, rules)
    return rules


@kernel
def _draw_rules(seed: int, affinity: float, spread: float, tasks: Any, rules: Any) -> None:
    for job in range(len(rules)):
        u = rng.uniform(seed, rng.STREAM_ASK, job, _RACK)
        if tasks[job] > 1 and u < affinity + spread:
            rules[job] = 1 if u < affinity else 2
