"""Convert a workload to the form in which the public simulators of Megha and of the Eagle family read it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scheduler_core.workload.build import Workload
from scheduler_core.workload.raw.seconds import NS

DEPHASING_NS = NS // 100


def as_public_simulators_read(workload: Workload) -> Workload:
    """Return durations and means cut to whole seconds; the k-th repeat of an arrival comes k hundredths later."""
    tasks, jobs = workload.tasks.copy(), workload.jobs.copy()
    tasks["duration_ns"] -= tasks["duration_ns"] % NS
    jobs["mean_ns"] -= jobs["mean_ns"] % NS
    arrival = jobs["arrival_ns"]
    first = np.searchsorted(arrival, arrival, side="left")  # jobs are in order of arrival
    jobs["arrival_ns"] = arrival + (np.arange(len(jobs)) - first) * DEPHASING_NS
    order = np.argsort(jobs["arrival_ns"], kind="stable")
    if (order == np.arange(len(jobs))).all():
        return replace(workload, tasks=tasks, jobs=jobs)
    count = jobs["tasks"][order]
    new_first = np.cumsum(count) - count
    rows = np.repeat(jobs["first_task"][order] - new_first, count) + np.arange(len(tasks))
    tasks, jobs = tasks[rows], jobs[order]
    jobs["first_task"] = new_first
    tasks["job"] = np.repeat(np.arange(len(jobs)), count)
    asks = None if workload.asks is None else workload.asks[rows]
    priority = None if workload.priority is None else workload.priority[rows]
    gang = None if workload.gang is None else workload.gang[order]
    return replace(workload, tasks=tasks, jobs=jobs, asks=asks, priority=priority, gang=gang)
