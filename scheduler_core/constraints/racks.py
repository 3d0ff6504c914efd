"""Rules about the racks of a job's tasks: decide which rack each task must run in."""

from __future__ import annotations

import heapq
import math

import numpy as np
import numpy.typing as npt

from scheduler_core.engine import rng

AFFINITY, SPREAD = 1, 2
ANYWHERE = -1

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def racks_of_tasks(seed: int, rules: npt.NDArray[np.int8], job_of: Numbers, class_of: Numbers, able: Flags) -> Numbers:
    """Return the rack of each task, int64 (tasks,): ANYWHERE without a rule, len(racks) where no rack will do.

    `rules` (jobs,) as constraints.rack_rules gives them; `job_of` (tasks,) in rising order; `class_of` (tasks,) tells
    tasks apart that need different machines; `able` (classes, racks) which racks have a machine for which.
    Affinity: one rack that has machines for all the job's tasks, drawn by key. Spread: racks take turns, in an order
    drawn by key, so that no rack gets a second task while another one that would do has none.
    """
    racks = np.full(len(job_of), ANYWHERE, np.int64)
    first = np.searchsorted(job_of, np.arange(len(rules) + 1))
    for job in np.flatnonzero(rules).tolist():
        tasks = slice(first[job], first[job + 1])
        if tasks.start == tasks.stop:
            continue
        bind = _together if rules[job] == AFFINITY else _apart
        racks[tasks] = bind(seed, job, class_of[tasks], able)
    return racks


def _together(seed: int, job: int, class_of: Numbers, able: Flags) -> int:
    fit = np.flatnonzero(able[np.unique(class_of)].all(axis=0)).tolist()
    drawn: int = fit[rng.below(seed, rng.STREAM_RACK, job, 0, len(fit))] if fit else able.shape[1]
    return drawn


def _apart(seed: int, job: int, class_of: Numbers, able: Flags) -> Numbers:
    order = _shuffled(seed, job, able.shape[1])
    taken = [0] * able.shape[1]
    found = np.full(len(class_of), able.shape[1], np.int64)
    for kind in np.unique(class_of).tolist():
        least = [(taken[rack], turn, rack) for turn, rack in enumerate(order.tolist()) if able[kind, rack]]
        heapq.heapify(least)
        for task in np.flatnonzero(class_of == kind).tolist() if least else ():
            _, turn, rack = least[0]
            taken[rack] += 1
            heapq.heapreplace(least, (taken[rack], turn, rack))
            found[task] = rack
    return found


def _shuffled(seed: int, job: int, racks: int) -> Numbers:
    """Return all racks from a drawn one on, in steps of a drawn width that meets each of them."""
    start = rng.below(seed, rng.STREAM_RACK, job, 0, racks)
    step = 1 + rng.below(seed, rng.STREAM_RACK, job, 1, racks)
    while math.gcd(step, racks) > 1:
        step += 1
    return (start + step * np.arange(racks, dtype=np.int64)) % racks
