"""Draw jobs whose stages depend on each other."""

from __future__ import annotations

import math

import numpy as np

from scheduler_core.cluster.build import Cluster, amounts
from scheduler_core.engine import rng
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment.arrivals import AtOnce, Replayed
from scheduler_core.experiment.workloads import LONGEST_TASK_S, DagWorkload
from scheduler_core.limits import Limits
from scheduler_core.workload.raw import Ints, RawWork
from scheduler_core.workload.raw.seconds import NS
from scheduler_core.workload.stages import RawStages
from scheduler_core.workload.synthetic import dag_shapes, sampling
from scheduler_core.workload.synthetic.arriving import Clock, times_period_ns
from scheduler_core.workload.synthetic.declared import seconds_of_capacity
from scheduler_core.workload.synthetic.rows import cumulative, mean_of, parameters


def draw_dags(workload: DagWorkload, seed: int, cluster: Cluster, limits: Limits) -> RawWork:
    """Draw the jobs, their stages and tasks by the declaration; raises ExperimentError when they exceed a limit."""
    vectors, weights = _kinds(workload, cluster)
    _refuse_too_many(workload, limits)
    arrival, of_job = _jobs(workload, seed, _gap_ns(workload, cluster, vectors, weights))
    parents_of, parents = _parents(workload, seed, of_job)
    tasks, kind, duration = _stages(workload, seed, of_job, weights)
    if workload.input_work is not None:
        part = dag_shapes.draw_values(workload.input_work, seed, rng.STREAM_INPUT, len(of_job))
        dag_shapes.with_input_work(part, of_job, parents_of, tasks, duration)
    if problem := limits.exceeded("tasks", int(tasks.sum()), "workload"):
        raise ExperimentError([problem])
    in_job = np.repeat(np.arange(len(of_job)), of_job)
    count = np.bincount(in_job, tasks, len(of_job)).astype(np.int64)
    work_ns = np.bincount(in_job, tasks * duration.astype(np.float64), len(of_job))
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
    """Return demand vectors in thousandths, and their cumulative weights."""
    kinds = [(kind.demand, kind.weight) for kind in workload.demands] or [(workload.demand, 1.0)]
    vectors = [amounts(demand, cluster.names) for demand, _ in kinds]
    return np.array(vectors, np.int64), cumulative([weight for _, weight in kinds])


def _stages_per_job(workload: DagWorkload) -> float:
    return 2.0 if workload.shape == "map_reduce" else mean_of(workload.stages, whole=True)


def _refuse_too_many(workload: DagWorkload, limits: Limits) -> None:
    """Refuse by the expected number, before an allocation of that size."""
    expected = workload.jobs * _stages_per_job(workload) * mean_of(workload.tasks_per_stage, whole=True)
    for name, asked in (("jobs", workload.jobs), ("tasks", int(0.9 * min(expected, 1e18)))):
        if problem := limits.exceeded(name, asked, "workload.jobs"):
            raise ExperimentError([problem])


def gap_on(workload: DagWorkload, cluster: Cluster) -> float:
    """Return the mean gap between jobs on these machines, in ns."""
    return _gap_ns(workload, cluster, *_kinds(workload, cluster))


def _gap_ns(workload: DagWorkload, cluster: Cluster, vectors: Ints, weights: sampling.Floats) -> float:
    """Return the mean gap between jobs, in ns."""
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
        raise ExperimentError(
            [
                Problem(
                    "workload.arrivals",
                    "has jobs arrive after more than 1,000,000,000 s",
                    "an earlier end",
                    "raise the rate, or ask for fewer jobs",
                )
            ]
        )
    return gap_ns


def _jobs(workload: DagWorkload, seed: int, gap_ns: float) -> tuple[Ints, Ints]:
    """Return arrival and number of stages of each job."""
    arrival, of_job = np.zeros(workload.jobs, np.int64), np.full(workload.jobs, 2, np.int64)
    Clock(workload.arrivals, seed, gap_ns, 0).fill(0, 0, arrival)
    if workload.shape != "map_reduce":
        sampling.draw_jobs(
            seed,
            0,
            sampling.AT_ONCE,
            0.0,
            parameters(workload.stages),
            np.ones(1),
            0,
            np.empty_like(arrival),
            of_job,
            np.empty_like(arrival),
        )
    return arrival, of_job


def _stages(workload: DagWorkload, seed: int, of_job: Ints, weights: sampling.Floats) -> tuple[Ints, Ints, Ints]:
    """Return tasks, demand kind and duration in ns of each stage, by a seed of their own."""
    stages = int(of_job.sum())
    own = int(rng.bits(seed, rng.STREAM_STAGE, 0, 0) >> np.uint64(11))
    tasks, kind, unused, duration = (np.zeros(stages, np.int64) for _ in range(4))
    sampling.draw_jobs(
        own, 0, sampling.AT_ONCE, 0.0, parameters(workload.tasks_per_stage), weights, 0, unused, tasks, kind
    )
    group, sigma = np.ones(stages, np.int64), 0.0
    if workload.duration_varies == "job":
        group, sigma = of_job, math.sqrt(math.log1p(workload.in_job_cv**2))
    sampling.draw_durations(
        own,
        parameters(workload.duration_s),
        True,
        sigma,
        int(LONGEST_TASK_S) * NS,
        group,
        duration,
        unused[: len(group)],
    )
    return tasks, kind, duration


def _parents(workload: DagWorkload, seed: int, of_job: Ints) -> tuple[Ints, Ints]:
    """Return how many parents each stage has, and all of them as places in their job."""
    if workload.shape == "layered":
        return dag_shapes.layered(seed, of_job)
    if workload.shape == "parts":
        drawn = dag_shapes.draw_values(workload.barriers, seed, rng.STREAM_BARRIER, len(of_job))
        return dag_shapes.in_parts(seed, of_job, np.floor(np.minimum(drawn, of_job) + 0.5).astype(np.int64))
    return dag_shapes.chained(of_job)
