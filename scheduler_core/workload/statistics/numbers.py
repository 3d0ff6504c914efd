"""Statistics of a workload: counts, gaps, sizes, durations, and the share of long jobs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.metrics.percentiles import nearest_rank
from scheduler_core.workload.raw import Ints
from scheduler_core.workload.raw.seconds import NS

Floats = NDArray[np.float64]
PERCENTILES = (50, 90, 99)


def statistics(
    arrival_ns: Ints, tasks: Ints, mean_ns: Ints, duration_ns: Ints, cutoff_s: float, weight: Floats | None = None
) -> dict[str, Any]:
    """Measure a workload; a job is long when its mean duration reaches the cut-off. Percentiles by nearest rank.

    With `weight`, `duration_ns` holds only some of the tasks, and `weight` how many each of them stands for.
    """
    gaps = np.diff(arrival_ns) / NS
    long = mean_ns >= cutoff_s * NS
    work = mean_ns / NS * tasks
    span = float(arrival_ns[-1] - arrival_ns[0]) / NS
    mean_gap = float(gaps.mean()) if len(gaps) else 0.0
    return {
        "jobs": len(tasks),
        "tasks": int(tasks.sum()),
        "span_s": span,
        "gap_s": {"mean": mean_gap, "cv": float(gaps.std()) / mean_gap if mean_gap else 0.0},
        "tasks_per_job": _described(tasks.astype(np.float64)),
        "duration_s": _described(duration_ns / NS) if weight is None else _weighed(duration_ns / NS, weight),
        "long_jobs": float(long.mean()),
        "long_tasks": float(tasks[long].sum() / tasks.sum()),
        "long_task_seconds": float(work[long].sum() / max(float(work.sum()), 1e-300)),
        "mean_concurrency": _at_once(arrival_ns, tasks, mean_ns),
    }


def picture_end(arrival: Ints, end: Ints) -> int:
    """Return until when a picture of what runs goes: the last end, or 1.1 times the last arrival; both from 0."""
    return max(min(int(end.max()), int(arrival[-1] * 1.1) or int(end.max())), 1)


def _at_once(arrival_ns: Ints, tasks: Ints, mean_ns: Ints) -> float:
    """Return how many tasks run at once on average if all start on arrival: never more than there are tasks."""
    arrival = arrival_ns - arrival_ns[0]
    until = picture_end(arrival, arrival + mean_ns)
    return float((np.minimum(mean_ns, until - arrival) * tasks.astype(np.float64)).sum()) / until


def _described(values: Floats) -> dict[str, float]:
    mean, ordered = float(values.mean()), np.sort(values)
    return {
        "mean": mean,
        **{f"p{percent}": nearest_rank(ordered, percent) for percent in PERCENTILES},
        "max": float(ordered[-1]),
        "cv": float(values.std()) / mean if mean else 0.0,
    }


def _weighed(values: Floats, weight: Floats) -> dict[str, float]:
    total = float(weight.sum())
    mean = float((values * weight).sum()) / total
    order = np.argsort(values)
    upto = np.cumsum(weight[order])
    ranks = np.searchsorted(upto, np.array(PERCENTILES) / 100.0 * total * (1 - 1e-12))
    found = values[order[np.minimum(ranks, len(order) - 1)]].tolist()
    variance = max(float((np.square(values - mean) * weight).sum()) / total, 0.0)
    return {
        "mean": mean,
        **{f"p{percent}": value for percent, value in zip(PERCENTILES, found, strict=True)},
        "max": float(values[order[-1]]),
        "cv": variance**0.5 / mean if mean else 0.0,
    }
