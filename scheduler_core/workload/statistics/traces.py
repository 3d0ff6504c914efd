"""Statistics of a trace: counts, distributions with percentiles, burstiness, concurrent tasks."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.metrics.percentiles import nearest_rank
from scheduler_core.workload.raw import Ints, RawWork, in_arrival_order
from scheduler_core.workload.raw.seconds import NS
from scheduler_core.workload.statistics.graphs import graph_statistics
from scheduler_core.workload.statistics.numbers import Floats, picture_end, statistics

PERCENTILES = (10, 25, 50, 75, 90, 95, 99, 99.9)
CUTOFF_S = 100.0
_POINTS, _SLOTS = 160, 240
_WINDOWS_S = (1, 10, 60, 600, 3600)
_FEWEST_WINDOWS = 5


def trace_statistics(raw: RawWork, cutoff_s: float = CUTOFF_S) -> dict[str, Any]:
    """Return the statistics of a trace in JSON types; times in seconds, shares from 0 to 1."""
    raw = in_arrival_order(raw)
    found = statistics(raw.arrival_ns, raw.tasks, raw.mean_ns, raw.duration_ns, cutoff_s)
    since = (raw.arrival_ns - raw.arrival_ns[0]) / NS
    gaps = np.diff(since)
    return {
        "jobs": found["jobs"],
        "tasks": found["tasks"],
        "span_s": found["span_s"],
        "work_s": float(raw.duration_ns.sum(dtype=np.float64)) / NS,
        "mean_concurrency": _at_once(raw)["tasks"],
        "at_once": _at_once(raw),
        "cutoff_s": cutoff_s,
        "long": {name: found[f"long_{name}"] for name in ("jobs", "tasks", "task_seconds")},
        "distributions": {
            "tasks_per_job": distribution(raw.tasks.astype(np.float64)),
            "duration_s": distribution(raw.duration_ns / NS),
            "gap_s": distribution(gaps),
        },
        "burstiness": _burstiness(since, gaps),
        "over_time": _over_time(raw),
        "graphs": graph_statistics(raw, distribution),
    }


def distribution(values: Floats) -> dict[str, Any] | None:
    """Describe values; None for none of them."""
    if not len(values):
        return None
    ordered = np.sort(values)
    mean = float(ordered.mean())
    shares = np.concatenate([np.linspace(0, 0.98, _POINTS - 40), np.linspace(0.9805, 1, 40)])
    at = np.minimum(np.rint(shares * (len(ordered) - 1)).astype(np.int64), len(ordered) - 1)
    points = ordered[np.unique(at)]
    # Equal values make one step, at their last row.
    upto = np.searchsorted(ordered, np.unique(points), side="right") / len(ordered)
    return {
        "count": len(ordered),
        "mean": mean,
        "cv": float(ordered.std()) / mean if mean else 0.0,
        "min": float(ordered[0]),
        "max": float(ordered[-1]),
        "percentiles": {f"p{percent:g}": nearest_rank(ordered, percent) for percent in PERCENTILES},
        "cdf": [
            [_short(value), _short(share)]
            for value, share in zip(np.unique(points).tolist(), upto.tolist(), strict=True)
        ],
    }


def _burstiness(since: Floats, gaps: Floats) -> dict[str, Any]:
    mean = float(gaps.mean()) if len(gaps) else 0.0
    lag = 0.0
    if len(gaps) > 2 and float(gaps[1:].std()) > 0 and float(gaps[:-1].std()) > 0:
        lag = float(np.corrcoef(gaps[1:], gaps[:-1])[0, 1])
    windows = []
    for length in _WINDOWS_S:
        count = int(since[-1] // length) if len(since) else 0
        if not _FEWEST_WINDOWS <= count <= 10_000_000:
            continue
        arrived = np.bincount((since[since < count * length] // length).astype(np.int64), minlength=count)
        usual = float(arrived.mean())
        windows.append(
            {
                "length_s": length,
                "dispersion": float(arrived.var()) / usual if usual else 0.0,
                "peak_to_mean": float(arrived.max()) / usual if usual else 0.0,
            }
        )
    return {"gap_cv": float(gaps.std()) / mean if mean else 0.0, "gap_correlation": lag, "windows": windows}


def _at_once(raw: RawWork) -> dict[str, float | None]:
    """Return how many tasks run, and CPUs are in use, in the mean of the picture `_over_time`; None without CPUs."""
    arrival = np.repeat(raw.arrival_ns - raw.arrival_ns[0], raw.tasks)
    until = picture_end(arrival, arrival + raw.duration_ns)
    runs = np.minimum(raw.duration_ns, until - arrival).clip(0).astype(np.float64)
    cpus = None
    if raw.demand is not None:
        of_kind = np.array([kind.get("cpus", 0) for kind in raw.demands], np.float64) / 1000
        cpus = float((runs * of_kind[raw.demand]).sum()) / until
    return {"tasks": float(runs.sum()) / until, "cpus": cpus}


def _over_time(raw: RawWork) -> dict[str, Any]:
    """Return arrivals and running tasks in slots, from the first arrival to the last end or 1.1 times the span."""
    start = int(raw.arrival_ns[0])
    arrival = raw.arrival_ns - start
    end = np.repeat(arrival, raw.tasks) + raw.duration_ns
    last = picture_end(arrival, end)
    edges = np.linspace(0, last, _SLOTS + 1)
    jobs = np.histogram(arrival, edges)[0]
    return {
        "slot_s": last / _SLOTS / NS,
        "jobs": jobs.tolist(),
        "tasks": np.histogram(arrival, edges, weights=raw.tasks)[0].astype(np.int64).tolist(),
        "running": [_short(value) for value in (_busy(arrival, raw.tasks, end, edges) / (last / _SLOTS)).tolist()],
    }


def _busy(arrival: Ints, tasks: Ints, end: Ints, edges: Floats) -> Floats:
    """Return the nanoseconds that tasks run in each slot: the integral of begun minus ended tasks."""
    return _integral(arrival, tasks.astype(np.float64), edges) - _integral(end, None, edges)


def _integral(at: Ints, weight: Floats | None, edges: Floats) -> Floats:
    """Integrate over each slot the number of events so far."""
    slots, width = len(edges) - 1, edges[1] - edges[0]
    slot = np.minimum((at / width).astype(np.int64), slots)
    number = np.bincount(slot, weight, slots + 1)[:slots].astype(np.float64)
    left = (slot + 1) * width - at
    inside = np.bincount(slot, left if weight is None else left * weight, slots + 1)[:slots]
    before = np.concatenate([[0.0], np.cumsum(number)[:-1]])
    total: Floats = before * width + inside
    return total


def _short(value: float) -> float:
    return float(f"{value:.6g}")
