"""Draw jobs and tasks by key: the same experiment and seed give the same workload, whatever part a caller draws.

A distribution is a row (kind, a, b, low, high, further numbers) of float64; its quantile function is `quantile_at`. A
new one is a model in experiment/distributions.py, a row in rows.py and a branch here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scheduler_core.engine import maths, rng
from scheduler_core.engine.jit import kernel

CONSTANT, EXPONENTIAL, LOGNORMAL, PARETO, EMPIRICAL = 0, 1, 2, 3, 4
STEPS, GEOMETRIC = 0, 1
HEAD = 5
"""Numbers before the values of an empirical distribution."""
AT_ONCE, REGULAR, POISSON = 0, 1, 2

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# A later arrival becomes one nanosecond more than this, which the caller refuses.
LATEST_NS = 10**18

_NS = 1e9
# Sum tails decade by decade: a log-normal of large sigma has much of its mean in the last thousandth.
_DECADES = 12
_STEPS = 2048


@kernel
def quantile_at(dist: Floats, at: int, u: float) -> float:
    """Return the value below which the share u of the distribution at `at` lies, within its bounds."""
    if dist[at] == CONSTANT:
        value = dist[at + 1]
    elif dist[at] == EXPONENTIAL:
        value = -dist[at + 1] * maths.log(1.0 - u)
    elif dist[at] == LOGNORMAL:
        value = maths.exp(dist[at + 1] + dist[at + 2] * maths.normal_quantile(u))
    elif dist[at] == PARETO:
        value = dist[at + 3] * maths.exp(-maths.log(1.0 - u * dist[at + 2]) / dist[at + 1])
    else:
        value = _empirical(dist, at, u)
    return float(min(max(value, dist[at + 3]), dist[at + 4]))


@kernel
def _empirical(dist: Floats, at: int, u: float) -> float:
    """Return the first value whose cumulative share is at least u, or an interpolated one."""
    n = int(dist[at + 1])
    values, shares = at + HEAD, at + HEAD + n
    low, high = 0, n - 1
    while low < high:
        middle = (low + high) // 2
        if dist[shares + middle] >= u:
            high = middle
        else:
            low = middle + 1
    value = float(dist[values + low])
    if dist[at + 2] == GEOMETRIC and low > 0:
        before, width = dist[shares + low - 1], dist[shares + low] - dist[shares + low - 1]
        if width > 0.0:
            ratio = maths.log(value / dist[values + low - 1])
            value = float(dist[values + low - 1] * maths.exp(ratio * ((u - before) / width)))
    return value


@kernel
def quantile(dist: Floats, u: float) -> float:
    """Return the value below which the share u of the distribution lies, within its bounds."""
    return quantile_at(dist, 0, u)


@kernel
def whole(value: float) -> int:
    """Round to the nearest whole number, at least 1."""
    return max(int(np.floor(value + 0.5)), 1)


@kernel
def _empirical_mean(dist: Floats, as_whole: bool) -> float:
    """Return the exact mean of an empirical distribution; log-uniform between two points."""
    n = int(dist[1])
    total, before = 0.0, 0.0
    for i in range(n):
        value, share = dist[HEAD + i], dist[HEAD + n + i]
        if as_whole:
            value = np.float64(whole(value))
        elif dist[2] == GEOMETRIC and i > 0 and value > dist[HEAD + i - 1]:
            value = (value - dist[HEAD + i - 1]) / maths.log(value / dist[HEAD + i - 1])
        total += value * (share - before)
        before = share
    return float(total)


@kernel
def mean_of(dist: Floats, as_whole: bool) -> float:
    """Return the mean after bounds (and rounding), by summing the quantile function; error below 1e-3."""
    if dist[0] == CONSTANT:
        return np.float64(whole(dist[1])) if as_whole else dist[1]
    total = 0.0
    if dist[0] == EMPIRICAL and (dist[2] == STEPS or not as_whole):
        return _empirical_mean(dist, as_whole)
    high = 1.0
    for _ in range(_DECADES):
        low = high * 0.1
        width = (high - low) / _STEPS
        for step in range(_STEPS):
            # u runs from the end of the tail: 1 - u is exact where u itself has no digits left.
            value = quantile(dist, 1.0 - (low + width * (step + 0.5)))
            total += width * (np.float64(whole(value)) if as_whole else value)
        high = low
    return total


@kernel
def draw_jobs(
    seed: int,
    first: int,
    arrivals: int,
    gap_ns: float,
    sizes: Floats,
    weights: Floats,
    last_ns: int,
    arrival_ns: Ints,
    tasks: Ints,
    demand: Ints,
) -> None:
    """Fill arrival_ns (int64), tasks and demand of jobs `first` and up; `last_ns` is when the one before arrived.

    `weights` holds the demands' cumulative shares, the last one 1.
    """
    now = int(last_ns)
    for i in range(arrival_ns.shape[0]):
        job = first + i
        if arrivals == POISSON:
            gap = rng.exponential(seed, rng.STREAM_ARRIVAL, job, 0) * gap_ns
            now += int(np.floor(min(gap, 2.0 * LATEST_NS) + 0.5))
        elif arrivals == REGULAR:
            now = int(np.floor(min(gap_ns * job, 2.0 * LATEST_NS) + 0.5))
        now = min(now, LATEST_NS + 1)
        arrival_ns[i] = now
        tasks[i] = whole(quantile(sizes, rng.uniform(seed, rng.STREAM_JOB_SIZE, job, 0)))
        kind = 0
        if weights.shape[0] > 1:
            u = rng.uniform(seed, rng.STREAM_JOB_CLASS, job, 0)
            while kind < weights.shape[0] - 1 and u >= weights[kind]:
                kind += 1
        demand[i] = kind


@kernel
def draw_durations(
    seed: int,
    durations: Floats,
    by_job: bool,
    sigma: float,
    longest_ns: int,
    tasks: Ints,
    duration_ns: Ints,
    mean_ns: Ints,
) -> None:
    """Fill the tasks' durations and each job's mean of them.

    By job, a task's duration is the job's mean times a log-normal factor of mean 1 whose logarithm has `sigma`.
    """
    at = 0
    for job in range(tasks.shape[0]):
        mean = quantile(durations, rng.uniform(seed, rng.STREAM_JOB_DURATION, job, 0)) if by_job else 0.0
        quotients, remainders = np.int64(0), np.int64(0)
        for i in range(tasks[job]):
            if not by_job:
                value = quantile(durations, rng.uniform(seed, rng.STREAM_TASK_DURATION, job, i))
            elif sigma > 0.0:
                value = mean * maths.exp(sigma * (rng.normal(seed, rng.STREAM_TASK_DURATION, job, i) - 0.5 * sigma))
            else:
                value = mean
            ns = min(np.int64(np.floor(min(value, 1e9) * _NS + 0.5)), np.int64(longest_ns))
            duration_ns[at] = ns
            at += 1
            # The sum of many long tasks would not fit into int64; those of their quotients and remainders do.
            quotients += ns // tasks[job]
            remainders += ns % tasks[job]
        mean_ns[job] = quotients + remainders // tasks[job]


@kernel
def assign_by_share(seed: int, cumulative: Floats, queue: Ints) -> None:
    """Draw each job's queue by share."""
    for job in range(queue.shape[0]):
        u = rng.uniform(seed, rng.STREAM_QUEUE, job, 0)
        chosen = 0
        while chosen < cumulative.shape[0] - 1 and u >= cumulative[chosen]:
            chosen += 1
        queue[job] = chosen


@kernel
def assign_by_hash(arrival_ns: Ints, tasks: Ints, queues: int, queue: Ints) -> None:
    """Hash what a job is, not where it stands: it keeps its queue without the jobs before it."""
    for job in range(queue.shape[0]):
        queue[job] = rng.below(arrival_ns[job], rng.STREAM_QUEUE, tasks[job], 0, queues)
