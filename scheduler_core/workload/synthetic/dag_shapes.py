"""Draw the dependencies between the stages of a DAG, and divide its work among them."""

from __future__ import annotations

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.engine.jit import kernel
from scheduler_core.experiment.distributions import Distribution
from scheduler_core.workload.raw import Ints
from scheduler_core.workload.synthetic import sampling
from scheduler_core.workload.synthetic.rows import parameters

_MOST_PARENTS = 2
"""A layered stage waits for one stage of the layer before it, or for two."""
_LEAST_PART, _MOST_PART = 0.005, 0.995
"""Bounds of the part of a job's work that is in its first stages, where it has others."""


@kernel
def _draw_values(seed, stream, dist, drawn) -> None:  # type: ignore[no-untyped-def]
    for number in range(len(drawn)):
        drawn[number] = sampling.quantile(dist, rng.uniform(seed, stream, number, 0))


def draw_values(dist: Distribution, seed: int, stream: int, count: int) -> sampling.Floats:
    """Draw values of a distribution, by key."""
    drawn = np.zeros(count)
    _draw_values(seed, stream, parameters(dist), drawn)
    return drawn


def chained(of_job: Ints) -> tuple[Ints, Ints]:
    """Return the number of parents of each stage, and all parents, if each stage waits for the one before."""
    place = np.arange(int(of_job.sum()), dtype=np.int64) - np.repeat(np.cumsum(of_job) - of_job, of_job)
    return (place > 0).astype(np.int64), place[place > 0] - 1


def layered(seed: int, of_job: Ints) -> tuple[Ints, Ints]:
    """Return graphs of as many layers as the root of the stages, rounded up, and as even as possible."""
    place = np.arange(int(of_job.sum()), dtype=np.int64) - np.repeat(np.cumsum(of_job) - of_job, of_job)
    in_job = np.repeat(of_job, of_job)
    layers = np.repeat(np.ceil(np.sqrt(of_job)).astype(np.int64), of_job)
    layer = place * layers // in_job
    first_of, end_of = -(-(layer - 1) * in_job // layers), -(-layer * in_job // layers)  # of the layer before it
    parents_of = np.zeros(len(place), np.int64)
    chosen: list[int] = []
    for stage in np.flatnonzero(layer > 0).tolist():
        first, end = int(first_of[stage]), int(end_of[stage])
        drawn = {
            first + int(rng.below(seed, rng.STREAM_PARENT, stage, draw, end - first))
            for draw in range(1 + int(rng.below(seed, rng.STREAM_PARENT, stage, 9, _MOST_PARENTS)))
        }
        parents_of[stage] = len(drawn)
        chosen += sorted(drawn)
    return parents_of, np.array(chosen, np.int64)


def in_parts(seed: int, of_job: Ints, barriers: Ints) -> tuple[Ints, Ints]:
    """Return graphs in parts with barriers: each part's first stages wait for all last ones of the part before.

    A part is one stage, or two chains or more that have nothing to do with one another, so that it holds no barrier.
    """
    parents_of: list[int] = []
    chosen: list[int] = []
    for job, (stages, wanted) in enumerate(zip(of_job.tolist(), barriers.tolist(), strict=True)):
        ends: list[int] = []
        first = 0
        for number, size in enumerate(_sizes(seed, job, stages, min(wanted + 1, stages))):
            last_of = _chains(seed, job, number, size)
            before: list[int] = []
            for place, after in enumerate(last_of):
                waits_for = ends if after < 0 else [first + after]
                parents_of.append(len(waits_for))
                chosen += waits_for
                if place not in last_of:
                    before.append(first + place)
            ends = before
            first += size
    return np.array(parents_of, np.int64), np.array(chosen, np.int64)


def _sizes(seed: int, job: int, stages: int, parts: int) -> list[int]:
    """Return how many stages each part has, at least one."""
    sizes = [1] * parts
    for stage in range(stages - parts):
        sizes[int(rng.below(seed, rng.STREAM_PART, job, stage, parts))] += 1
    return sizes


def _chains(seed: int, job: int, part: int, size: int) -> list[int]:
    """Return the stage of the part that each waits for, -1 for none: between two and half as many chains as stages."""
    if size == 1:
        return [-1]
    key = job * 1_000 + part
    chains = 2 + int(rng.below(seed, rng.STREAM_PARENT, key, 0, max((size + 1) // 2 - 1, 1)))
    last = list(range(chains))
    after = [-1] * chains
    for stage in range(chains, size):
        chain = int(rng.below(seed, rng.STREAM_PARENT, key, stage, chains))
        after.append(last[chain])
        last[chain] = stage
    return after


def with_input_work(part: sampling.Floats, of_job: Ints, parents_of: Ints, tasks: Ints, duration_ns: Ints) -> None:
    """Move work between first stages and others until the former hold a job's `part`; its sum stays the same.

    Tasks become more or fewer; what does not go into whole tasks goes into their durations. Changes `tasks` and
    `duration_ns`. A job of first stages only stays as it is.
    """
    in_job = np.repeat(np.arange(len(of_job)), of_job)
    work = tasks * duration_ns.astype(np.float64)
    inputs = parents_of == 0
    of_inputs = np.bincount(in_job, work * inputs, len(of_job))
    of_others = np.bincount(in_job, work * ~inputs, len(of_job))
    both = (of_inputs > 0) & (of_others > 0)
    part, whole = np.clip(part, _LEAST_PART, _MOST_PART), of_inputs + of_others
    grow = np.where(
        inputs,
        (part * whole / np.where(both, of_inputs, 1.0))[in_job],
        ((1 - part) * whole / np.where(both, of_others, 1.0))[in_job],
    )
    grow[~both[in_job]] = 1.0
    tasks[:] = np.maximum(np.floor(tasks * grow + 0.5), 1)
    duration_ns[:] = np.maximum(np.floor(work * grow / tasks + 0.5), 1)
