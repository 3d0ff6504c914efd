"""Draw jobs of several classes, by key or evenly over their distributions.

Evenly: the jobs are dealt out to n slots by a keyed shuffle. A class has as many slots as its share asks for; slot i of
the m of a class lies at (i + 1/2) / m of the distribution of sizes and, by multiples of the golden ratio from a keyed
start, at a place of the distribution of durations, so that every part of both, and of every pair of parts, is hit about
equally.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scheduler_core.engine import maths, rng
from scheduler_core.engine.jit import kernel
from scheduler_core.workload.synthetic.sampling import Floats, Ints, quantile_at, whole

_GOLDEN = 0.6180339887498949
_NS = 1e9
# Draws of STREAM_JOB_CLASS and STREAM_ARRIVAL; 0 is the demand of a job without classes, and the gap.
_CLASS, _SHUFFLE, _START, _DEMAND = 1, 2, 3, 4


@kernel
def _keys(seed: int, stream: int, keys: NDArray[np.uint64]) -> None:
    for i in range(keys.shape[0]):
        keys[i] = rng.bits(seed, stream, i, _SHUFFLE)


def shuffled(seed: int, stream: int, n: int) -> Ints:
    """Return a permutation of 0 .. n-1 by the seed."""
    keys = np.empty(n, np.uint64)
    _keys(seed, stream, keys)
    order: Ints = np.argsort(keys, kind="stable").astype(np.int64)
    return order


@kernel
def normal_share(z: float) -> float:
    """Return the share of a standard normal distribution below z, to 1e-7 (Abramowitz and Stegun 26.2.17)."""
    t = 1.0 / (1.0 + 0.2316419 * abs(z))
    tail = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail *= 0.3989422804014327 * maths.exp(-0.5 * z * z)
    share = tail if z < 0.0 else 1.0 - tail
    return min(max(share, 1e-12), 1.0 - 1e-12)


@kernel
def following(u: float, own: float, correlation: float) -> float:
    """Return a share whose normal score correlates as given with that of u; `own` is an independent share."""
    if correlation == 0.0:
        return own
    rest = math.sqrt(1.0 - correlation * correlation)
    return normal_share(correlation * maths.normal_quantile(u) + rest * maths.normal_quantile(own))


@kernel
def draw_shapes(
    seed: int,
    first: int,
    slots: Ints,
    bounds: Ints,
    weights: Floats,
    sizes: Floats,
    size_at: Ints,
    follows: Floats,
    tasks: Ints,
    of_class: Ints,
    place: Floats,
) -> None:
    """Fill size, class and place in the distribution of durations of jobs `first` and up.

    `slots` holds each job's slot and `bounds` the first slot of each class and the end, both empty for independent
    draws; `weights` the classes' cumulative shares; `follows` the correlation of duration with size of each class.
    """
    for i in range(tasks.shape[0]):
        job = first + i
        c = 0
        if slots.shape[0] > 0:
            while slots[job] >= bounds[c + 1]:
                c += 1
            inner = np.float64(slots[job] - bounds[c])
            size = float((inner + 0.5) / np.float64(bounds[c + 1] - bounds[c]))
            turn = (inner + 0.5) * _GOLDEN + rng.uniform(seed, rng.STREAM_JOB_DURATION, c, _START)
            own = float(min(max(turn - np.floor(turn), 1e-12), 1.0 - 1e-12))
        else:
            if weights.shape[0] > 1:
                u = rng.uniform(seed, rng.STREAM_JOB_CLASS, job, _CLASS)
                while c < weights.shape[0] - 1 and u >= weights[c]:
                    c += 1
            size = rng.uniform(seed, rng.STREAM_JOB_SIZE, job, 0)
            own = rng.uniform(seed, rng.STREAM_JOB_DURATION, job, 0)
        of_class[i] = c
        tasks[i] = whole(quantile_at(sizes, size_at[c], size))
        place[i] = following(size, own, follows[c])


@kernel
def draw_kinds(
    seed: int,
    first: int,
    place: Floats,
    correlation: float,
    of_class: Ints,
    fixed: Ints,
    weights: Floats,
    resources: int,
    levels: int,
    kind: Ints,
) -> None:
    """Fill each job's kind of demand.

    `fixed` holds the kind of a class with a demand of its own, -1 for none. With `levels`, a kind is a number of
    `resources` digits to that base, each a level of one resource; else it is drawn by `weights` (cumulative shares).
    """
    for i in range(kind.shape[0]):
        job = first + i
        kind[i] = fixed[of_class[i]]
        if kind[i] >= 0:
            continue
        number = 0
        if levels > 0:
            for r in range(resources):
                u = following(place[i], rng.uniform(seed, rng.STREAM_JOB_CLASS, job, _DEMAND + r), correlation)
                number = number * levels + min(int(u * levels), levels - 1)
        elif weights.shape[0] > 1:
            u = following(place[i], rng.uniform(seed, rng.STREAM_JOB_CLASS, job, 0), correlation)
            while number < weights.shape[0] - 1 and u >= weights[number]:
                number += 1
        kind[i] = number


@kernel
def draw_class_durations(
    seed: int,
    durations: Floats,
    duration_at: Ints,
    by_job: Ints,
    sigma: Floats,
    longest_ns: int,
    tasks: Ints,
    of_class: Ints,
    place: Floats,
    duration_ns: Ints,
    mean_ns: Ints,
) -> None:
    """Fill the tasks' durations and each job's mean of them, each job by its class (sampling.draw_durations)."""
    at = 0
    for job in range(tasks.shape[0]):
        c = of_class[job]
        mean = quantile_at(durations, duration_at[c], place[job]) if by_job[c] else 0.0
        quotients, remainders = np.int64(0), np.int64(0)
        for i in range(tasks[job]):
            value = mean
            if not by_job[c]:
                value = quantile_at(durations, duration_at[c], rng.uniform(seed, rng.STREAM_TASK_DURATION, job, i))
            elif sigma[c] > 0.0:
                score = rng.normal(seed, rng.STREAM_TASK_DURATION, job, i)
                value = mean * maths.exp(sigma[c] * (score - 0.5 * sigma[c]))
            ns = min(np.int64(np.floor(min(value, 1e9) * _NS + 0.5)), np.int64(longest_ns))
            duration_ns[at] = ns
            at += 1
            quotients += ns // tasks[job]
            remainders += ns % tasks[job]
        mean_ns[job] = quotients + remainders // tasks[job]


@kernel
def sum_work(
    durations: Floats,
    duration_at: Ints,
    by_job: Ints,
    means: Floats,
    tasks: Ints,
    of_class: Ints,
    place: Floats,
    kind: Ints,
    seconds: Floats,
) -> None:
    """Add each job's expected task-seconds to those of its kind of demand; `means`: the classes' mean durations."""
    for job in range(tasks.shape[0]):
        c = of_class[job]
        mean = quantile_at(durations, duration_at[c], place[job]) if by_job[c] else means[c]
        seconds[kind[job]] += mean * tasks[job]
