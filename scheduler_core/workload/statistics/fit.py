"""Fit a synthetic workload to an observed one.

Jobs are split into short and long by the cut-off, each of them into classes of sizes, and these into classes of
durations, which hold about equally many tasks each. In a class, sizes and mean durations get distributions through
measured points, the durations by tasks: a job of a thousand tasks counts a thousand times, because it is the tasks that
a scheduler places. A class of very few jobs is one of the largest, which hold much of the work: they are kept one by
one. Gaps become a renewal process of the same mean and coefficient of variation. What is lost: how gaps, sizes and
durations depend on what came before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.experiment.distributions import Empirical
from scheduler_core.workload.raw import Ints
from scheduler_core.workload.raw.seconds import NS
from scheduler_core.workload.statistics.numbers import Floats
from scheduler_core.workload.synthetic import sampling
from scheduler_core.workload.synthetic.rows import parameters

_POINTS = 10
_SIZE_CLASSES, _DURATION_CLASSES = 5, 5
_FEWEST = 6
"""Jobs of a class, where there are several classes."""
_KEPT = 14
"""Classes of at most this number of jobs are kept job by job."""
_LARGEST_CV = 100.0


def fit_workload(arrival_ns: Ints, tasks: Ints, mean_ns: Ints, duration_ns: Ints, cutoff_s: float) -> dict[str, Any]:
    """Return a synthetic workload (as JSON) with these statistics; jobs of a mean duration from `cutoff_s` are long."""
    gaps = np.diff(arrival_ns) / NS
    mean_gap = float(gaps.mean()) if len(gaps) else 1.0
    cv_in_job = _cv_in_job(tasks, mean_ns, duration_ns)
    found = []
    for name, chosen in (("short", mean_ns < cutoff_s * NS), ("long", mean_ns >= cutoff_s * NS)):
        for i, alike in enumerate(_bins(tasks, tasks, np.flatnonzero(chosen & (tasks > 0)), _SIZE_CLASSES)):
            for j, members in enumerate(_bins(mean_ns, tasks, alike, _DURATION_CLASSES)):
                parts = [members] if len(members) > _KEPT else np.array_split(members, len(members))
                for k, part in enumerate(parts):
                    label = f"{name} {i + 1}.{j + 1}" + (f".{k + 1}" if len(parts) > 1 else "")
                    found.append(_class(label, tasks[part], mean_ns[part] / NS, cv_in_job[part]))
    cv = float(gaps.std()) / mean_gap if len(gaps) and mean_gap > 0 else 0.0
    return {
        "kind": "synthetic",
        "jobs": len(tasks),
        "sampling": "even",
        "duration_varies": "job",
        "arrivals": {
            "kind": "renewal",
            "rate_per_s": _short(1.0 / max(mean_gap, 1e-9)),
            "cv": min(_short(cv), _LARGEST_CV),
        },
        "tasks_per_job": found[0]["tasks_per_job"],
        "duration_s": found[0]["duration_s"],
        "classes": found,
    }


def _cv_in_job(tasks: Ints, mean_ns: Ints, duration_ns: Ints) -> Floats:
    """Return the coefficient of variation that gives log-normal durations each job's median, or a larger own."""
    first = np.cumsum(tasks) - tasks
    of_job = np.repeat(np.arange(len(tasks)), tasks)
    ranked = duration_ns[np.lexsort((duration_ns, of_job))] / NS
    median = np.maximum(ranked[first + tasks // 2], 1e-9)
    mean = np.maximum(np.add.reduceat(ranked, first) / tasks, 1e-9)
    squares = np.add.reduceat(ranked * ranked, first) / tasks
    own = np.sqrt(np.maximum(squares - mean * mean, 0.0)) / mean
    skewed = np.sqrt(np.maximum((mean / median) ** 2 - 1.0, 0.0))
    variation: Floats = np.maximum(own, np.minimum(skewed, 2.0))
    return variation


def _bins(values: Ints, tasks: Ints, jobs: Ints, most: int) -> list[Ints]:
    """Split jobs by a value into classes of about equally many tasks; jobs of one value stay together."""
    if not len(jobs):
        return []
    order = jobs[np.argsort(values[jobs], kind="stable")]
    ranked, size = values[order], tasks[order]
    part = (np.cumsum(size) - size) * most // int(size.sum())
    cuts = [0]
    for number in range(1, most):
        at = min(int(np.searchsorted(part, number)), len(order) - 1)
        cut = int(np.searchsorted(ranked, ranked[at]))
        if cut - cuts[-1] >= _FEWEST and len(order) - cut >= _FEWEST:
            cuts.append(cut)
    return [order[first:end] for first, end in zip(cuts, [*cuts[1:], len(order)], strict=True)]


def _class(name: str, tasks: Ints, mean_s: Floats, cv: Floats) -> dict[str, Any]:
    weights = tasks.astype(np.float64)
    # A job of one task shows nothing of how tasks of one job differ.
    several = np.where(tasks > 1, weights, 0.0)
    inside = float(np.average(cv, weights=several)) if several.any() else 0.0
    return {
        "name": name,
        "weight": len(tasks),
        "tasks_per_job": _sizes(tasks),
        "duration_s": _points(np.maximum(mean_s, 1e-6), weights),
        "in_job_cv": min(_short(inside), 10.0),
    }


def _sizes(tasks: Ints) -> dict[str, Any]:
    """Return sizes in steps: every one if few, else means of equally many jobs, so that the sum stays."""
    values, counts = np.unique(tasks, return_counts=True)
    most = 2 * _POINTS if len(tasks) < 500 else 5 * _POINTS
    if len(values) > most:
        groups = np.array_split(np.sort(tasks), most)
        values, counts = np.array([group.mean() for group in groups]), np.array([len(group) for group in groups])
    if len(values) == 1:
        return {"kind": "constant", "value": _short(float(values[0]))}
    shares = np.cumsum(counts) / counts.sum()
    return {
        "kind": "empirical",
        "values": [_short(float(value)) for value in values],
        "shares": [*(_short(float(share)) for share in shares[:-1]), 1.0],
        "between": "steps",
    }


def _points(values: Floats, weights: Floats) -> dict[str, Any]:
    """Return points of the weighted distribution function; it scales values between to keep the mean."""
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    shares = np.cumsum(weights[order]) / weights.sum()
    few = len(values) < 4 * _POINTS
    ranks = np.arange(1, 6) / 5 if few else np.concatenate([[0.02], np.arange(1, _POINTS) / _POINTS, [0.97, 0.99, 1.0]])
    points = ranked[np.minimum(np.searchsorted(shares, ranks - 1e-12), len(ranked) - 1)]
    if float(points[-1]) <= float(points[0]) * (1 + 1e-9):
        return {"kind": "constant", "value": _short(float(points[-1]))}
    fitted = {
        "kind": "empirical",
        "values": [_short(float(point)) for point in points],
        "shares": [*(_short(float(rank)) for rank in ranks[:-1]), 1.0],
        "between": "geometric",
    }
    drawn = float(sampling.mean_of(parameters(Empirical.model_validate(fitted)), False))
    ratio = float(np.average(values, weights=weights)) / drawn
    return fitted | {"values": [_short(float(point) * ratio) for point in points]}


def _short(value: float) -> float:
    return float(f"{value:.6g}")
