"""Draws jobs whose stages wait for one another."""

from __future__ import annotations

import math

import numpy as np

from scheduler_core.cluster.build import Cluster, amounts
from scheduler_core.engine import rng
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment.arrivals import AtOnce, Replayed
from scheduler_core.experiment.workloads import LONGEST_TASK_S, DagWorkload
from scheduler_core.limits import Limits
from scheduler_core.workload import sampling
from scheduler_core.workload.arriving import Clock, times_period_ns
from scheduler_core.workload.raw import Ints, RawWork
from scheduler_core.workload.rows import cumulative, mean_of, parameters
from scheduler_core.workload.seconds import NS
from scheduler_core.workload.stages import RawStages
from scheduler_core.workload.synthetic import seconds_of_capacity

_MOST_PARENTS = 2
"""A layered stage waits for one stage of the layer before it, or for two."""


def draw_dags(workload: DagWorkload, seed: int, cluster: Cluster, limits: Limits) -> RawWork:
    """Draw the jobs, their stages and tasks by the declaration; raises ExperimentError when they exceed a limit."""
    vectors, weights = _kinds(workload, cluster)
    _refuse_too_many(workload, limits)
    arrival, of_job = _jobs(workload, seed, _gap_ns(workload, cluster, vectors, weights))
    tasks, kind, duration = _stages(workload, seed, int(of_job.sum()), weights)
    if problem := limits.exceeded("tasks", int(tasks.sum()), "workload"):
        raise ExperimentError([problem])
    in_job = np.repeat(np.arange(len(of_job)), of_job)
    count = np.bincount(in_job, tasks, len(of_job)).astype(np.int64)
    work_ns = np.bincount(in_job, tasks * duration.astype(np.float64), len(of_job))
    parents_of, parents = _parents(workload.shape, seed, of_job)
    return RawWork(
        arrival,
        count,
        (work_ns / count).astype(np.int64),
        np.repeat(duration, tasks),
        demands=tuple(dict(zip(cluster.names, vector, strict=True)) for vector in vectors.tolist()),
        demand=np.repeat(kind, tasks),
        stages=RawStages(of_job, tasks, parents_of, parents),
    )


def _kinds(workload: DagWorkload, cluster: Cluster) -> tuple[Ints, sampling.Floats]:
    """Demand vectors in thousandths, and their cumulative weights."""
    kinds = [(kind.demand, kind.weight) for kind in workload.demands] or [(workload.demand, 1.0)]
    vectors = [amounts(demand, cluster.names) for demand, _ in kinds]
    return np.array(vectors, np.int64), cumulative([weight for _, weight in kinds])


def _stages_per_job(workload: DagWorkload) -> float:
    return 2.0 if workload.shape == "map_reduce" else mean_of(workload.stages, whole=True)


def _refuse_too_many(workload: DagWorkload, limits: Limits) -> None:
    """Refuse by the expected number, before anything of that size is allocated."""
    expected = workload.jobs * _stages_per_job(workload) * mean_of(workload.tasks_per_stage, whole=True)
    for name, asked in (("jobs", workload.jobs), ("tasks", int(0.9 * min(expected, 1e18)))):
        if problem := limits.exceeded(name, asked, "workload.jobs"):
            raise ExperimentError([problem])


def _gap_ns(workload: DagWorkload, cluster: Cluster, vectors: Ints, weights: sampling.Floats) -> float:
    """Mean gap between jobs."""
    arrivals = workload.arrivals
    if isinstance(arrivals, AtOnce):
        return 0.0
    if isinstance(arrivals, Replayed) and arrivals.rate_per_s is None and arrivals.offered_load is None:
        return times_period_ns(arrivals) / len(arrivals.times_s)
    if arrivals.rate_per_s is not None:
        gap_ns = NS / arrivals.rate_per_s
    else:
        tasks = _stages_per_job(workload) * mean_of(workload.tasks_per_stage, whole=True)
        shares = np.diff(weights, prepend=0.0)
        work = tasks * mean_of(workload.duration_s) * (shares @ vectors)
        assert arrivals.offered_load is not None
        gap_ns = NS * seconds_of_capacity(cluster, work) / arrivals.offered_load
    if not math.isfinite(gap_ns) or gap_ns * workload.jobs > sampling.LATEST_NS:
        raise ExperimentError([Problem("workload.arrivals", "has jobs arrive after more than 1,000,000,000 s",
                                       "an earlier end", "raise the rate, or ask for fewer jobs")])
    return gap_ns


def _jobs(workload: DagWorkload, seed: int, gap_ns: float) -> tuple[Ints, Ints]:
    """Arrival and number of stages of each job."""
    arrival, of_job = np.zeros(workload.jobs, np.int64), np.full(workload.jobs, 2, np.int64)
    Clock(workload.arrivals, seed, gap_ns, 0).fill(0, 0, arrival)
    if workload.shape != "map_reduce":
        sampling.draw_jobs(seed, 0, sampling.AT_ONCE, 0.0, parameters(workload.stages), np.ones(1), 0,
                           np.empty_like(arrival), of_job, np.empty_like(arrival))
    return arrival, of_job


def _stages(workload: DagWorkload, seed: int, stages: int, weights: sampling.Floats) -> tuple[Ints, Ints, Ints]:
    """Tasks, kind of demand and duration in ns of each stage, by a seed of their own: stage 7 is not like job 7."""
    own = int(rng.bits(seed, rng.STREAM_STAGE, 0, 0) >> np.uint64(11))
    tasks, kind, unused, duration = (np.zeros(stages, np.int64) for _ in range(4))
    sampling.draw_jobs(own, 0, sampling.AT_ONCE, 0.0, parameters(workload.tasks_per_stage), weights, 0,
                       unused, tasks, kind)
    sampling.draw_durations(own, parameters(workload.duration_s), True, 0.0, int(LONGEST_TASK_S) * NS,
                            np.ones(stages, np.int64), duration, unused)
    return tasks, kind, duration


def _parents(shape: str, seed: int, of_job: Ints) -> tuple[Ints, Ints]:
    """How many parents each stage has, and all of them as places in their job.

    Layers are as many as the root of the number of stages, rounded up, and as even as can be.
    """
    place = np.arange(int(of_job.sum()), dtype=np.int64) - np.repeat(np.cumsum(of_job) - of_job, of_job)
    if shape != "layered":
        return (place > 0).astype(np.int64), place[place > 0] - 1
    in_job = np.repeat(of_job, of_job)
    layers = np.repeat(np.ceil(np.sqrt(of_job)).astype(np.int64), of_job)
    layer = place * layers // in_job
    first_of, end_of = -(-(layer - 1) * in_job // layers), -(-layer * in_job // layers)  # of the layer before it
    parents_of = np.zeros(len(place), np.int64)
    chosen: list[int] = []
    for stage in np.flatnonzero(layer > 0).tolist():
        first, end = int(first_of[stage]), int(end_of[stage])
        drawn = {first + int(rng.below(seed, rng.STREAM_PARENT, stage, draw, end - first))
                 for draw in range(1 + int(rng.below(seed, rng.STREAM_PARENT, stage, 9, _MOST_PARENTS)))}
        parents_of[stage] = len(drawn)
        chosen += sorted(drawn)
    return parents_of, np.array(chosen, np.int64)
