"""Turns a synthetic workload's declaration into numbers for the sampling kernels, and bounds it before it is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from scheduler_core.cluster.build import Cluster, amounts
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment.workloads import (
    LONGEST_TASK_S,
    Arrivals,
    AtOnce,
    Constant,
    Demand,
    Distribution,
    Exponential,
    Poisson,
    SyntheticWorkload,
)
from scheduler_core.limits import Limits
from scheduler_core.workload import sampling
from scheduler_core.workload.raw import Ints, RawWork
from scheduler_core.workload.seconds import NS, to_ns

_FIRST_CHUNK = 4096
_LARGEST = 1e18


def draw(workload: SyntheticWorkload, seed: int, cluster: Cluster, limits: Limits) -> RawWork:
    """Draw the jobs and tasks of a synthetic workload; raises ExperimentError when they exceed a limit."""
    sizes, durations = parameters(workload.tasks_per_job), parameters(workload.duration_s)
    demands, weights = demand_kinds(workload)
    gap_ns = NS / rate_per_s(workload, cluster) if not isinstance(workload.arrivals, AtOnce) else 0.0
    _refuse_too_many(workload, gap_ns, sizes, limits)
    arrival, tasks, kind = _jobs(workload, seed, gap_ns, (sizes, cumulative(weights)), limits)
    total = int(tasks.sum())
    if problem := limits.exceeded("tasks", total, "workload"):
        raise ExperimentError([problem])
    duration, mean = np.empty(total, np.int64), np.empty(len(tasks), np.int64)
    sigma = math.sqrt(math.log1p(workload.in_job_cv**2))
    sampling.draw_durations(
        seed, durations, workload.duration_varies == "job", sigma, int(LONGEST_TASK_S) * NS, tasks, duration, mean
    )
    return RawWork(
        arrival,
        tasks,
        mean,
        duration,
        demands=tuple(dict(zip(cluster.names, amounts(d, cluster.names), strict=True)) for d in demands),
        demand=np.repeat(kind, tasks),
    )


def parameters(dist: Distribution) -> sampling.Floats:
    """Pack a distribution into a row of numbers."""
    if isinstance(dist, Constant):
        return np.array([sampling.CONSTANT, dist.value, 0.0, 0.0, _LARGEST])
    low, high = dist.min or 0.0, dist.max or _LARGEST
    if isinstance(dist, Exponential):
        return np.array([sampling.EXPONENTIAL, dist.mean, 0.0, low, high])
    mu = dist.mu if dist.mu is not None else _log(dist.median or 1.0)
    return np.array([sampling.LOGNORMAL, mu, dist.sigma, low, high])


def _log(value: float) -> float:
    """Logarithm that is the same on every machine."""
    from scheduler_core.engine import maths

    return float(maths.log(value))


def demand_kinds(workload: SyntheticWorkload) -> tuple[list[Demand], list[float]]:
    """List the kinds of demands with their weights."""
    if not workload.demands:
        return [workload.demand], [1.0]
    return [kind.demand for kind in workload.demands], [kind.weight for kind in workload.demands]


def cumulative(weights: list[float]) -> sampling.Floats:
    """Give the running sums of weights as shares of their total."""
    total, running, shares = math.fsum(weights), 0.0, []
    for weight in weights:
        running += weight / total
        shares.append(running)
    return np.array(shares)


def rate_per_s(workload: SyntheticWorkload, cluster: Cluster) -> float:
    """Give the jobs that arrive in a second; with `offered_load` from the work of a mean job and the capacity."""
    arrivals: Arrivals = workload.arrivals
    if isinstance(arrivals, AtOnce):
        return math.inf
    if arrivals.rate_per_s is not None:
        return arrivals.rate_per_s
    demands, weights = demand_kinds(workload)
    tasks = sampling.mean_of(parameters(workload.tasks_per_job), True)
    seconds = sampling.mean_of(parameters(workload.duration_s), False)
    capacity = [int(column) for column in cluster.capacity.sum(axis=0)]
    busiest = 0.0
    for column, have in enumerate(capacity):
        asked = math.fsum(
            weight * amounts(demand, cluster.names)[column] for weight, demand in zip(weights, demands, strict=True)
        ) / math.fsum(weights)
        if asked > 0 and have == 0:
            raise ExperimentError(
                [
                    Problem(
                        "workload.arrivals.offered_load",
                        f"counts in {cluster.names[column]}, of which the machines have none",
                        "a load of resources that the machines have",
                    )
                ]
            )
        busiest = max(busiest, asked / have if have else 0.0)
    assert arrivals.offered_load is not None
    return arrivals.offered_load / (busiest * tasks * seconds)


def _refuse_too_many(workload: SyntheticWorkload, gap_ns: float, sizes: sampling.Floats, limits: Limits) -> None:
    """Refuse by the expected numbers, before anything of that size is allocated."""
    per_job = sampling.mean_of(sizes, True)
    problems: list[Problem | None] = []
    if not isinstance(workload.arrivals, AtOnce) and gap_ns > sampling.LATEST_NS:
        problems.append(_too_late())
    elif workload.jobs is not None:
        problems.append(limits.exceeded("jobs", workload.jobs, "workload.jobs"))
        problems.append(limits.exceeded("tasks", int(0.9 * workload.jobs * per_job), "workload.jobs"))
    elif workload.tasks is not None:
        problems.append(limits.exceeded("tasks", workload.tasks, "workload.tasks"))
        problems.append(limits.exceeded("jobs", int(0.9 * workload.tasks / per_job), "workload.tasks"))
    elif workload.arrive_for_s is not None:
        jobs = 0.9 * min(workload.arrive_for_s * NS / max(gap_ns, 1e-9), _LARGEST)
        problems.append(limits.exceeded("jobs", int(jobs), "workload.arrive_for_s"))
        problems.append(limits.exceeded("tasks", int(jobs * per_job), "workload.arrive_for_s"))
    if found := [problem for problem in problems if problem is not None]:
        raise ExperimentError(found)


def _too_late() -> Problem:
    return Problem(
        "workload.arrivals",
        "has jobs arrive after more than 1,000,000,000 s",
        "an earlier end",
        "raise the rate, or ask for fewer jobs",
    )


def _jobs(
    workload: SyntheticWorkload,
    seed: int,
    gap_ns: float,
    shape: tuple[sampling.Floats, sampling.Floats],
    limits: Limits,
) -> tuple[Ints, Ints, Ints]:
    """Draw jobs in growing chunks until the workload's end; give arrival, tasks and kind of demand."""
    chunks: list[tuple[Ints, Ints, Ints]] = []
    end_ns = to_ns(workload.arrive_for_s) if workload.arrive_for_s is not None else 2**62
    jobs = tasks = 0
    for size in _sizes(workload.jobs):
        arrival, counts, kind = (np.empty(size, np.int64) for _ in range(3))
        last = int(chunks[-1][0][-1]) if chunks else 0
        code = _arrival_code(workload.arrivals)
        sampling.draw_jobs(seed, jobs, code, gap_ns, *shape, last, arrival, counts, kind)
        keep = int(np.searchsorted(arrival, end_ns, side="right"))
        if workload.tasks is not None:
            keep = min(keep, int(np.searchsorted(np.cumsum(counts), workload.tasks - tasks, side="left")) + 1)
        chunks.append((arrival[:keep], counts[:keep], kind[:keep]))
        jobs, tasks = jobs + keep, tasks + int(counts[:keep].sum())
        if problems := [
            p
            for n, c in (("jobs", jobs), ("tasks", tasks if workload.tasks is None else 0))
            if (p := limits.exceeded(n, c, "workload"))
        ]:
            raise ExperimentError(problems)
        if keep and int(chunks[-1][0][-1]) > sampling.LATEST_NS:
            raise ExperimentError([_too_late()])
        if keep < size or (workload.tasks is not None and tasks >= workload.tasks):
            break
    if jobs == 0:
        raise ExperimentError(
            [
                Problem(
                    "workload.arrive_for_s",
                    "is over before the first job arrives",
                    "at least one job",
                    "raise it, or the rate",
                )
            ]
        )
    arrival, counts, kind = (np.concatenate(parts) for parts in zip(*chunks, strict=True))
    if workload.tasks is not None:
        counts[-1] -= tasks - workload.tasks
    return arrival, counts, kind


def _sizes(jobs: int | None) -> Iterator[int]:
    """Give the sizes of chunks: all at once where the number is known, else doubling."""
    if jobs is not None:
        yield jobs
        return
    size = _FIRST_CHUNK
    while True:
        yield size
        size = min(size * 2, 1 << 18)


def _arrival_code(arrivals: Arrivals) -> int:
    if isinstance(arrivals, AtOnce):
        return sampling.AT_ONCE
    return sampling.POISSON if isinstance(arrivals, Poisson) else sampling.REGULAR
