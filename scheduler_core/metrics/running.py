"""Metrics of runs in which placement affects run time: slowdown against the ideal, wait time, data locality."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.metrics.percentiles import distribution_s

_PERCENTILES = (50.0, 90.0, 99.0)
_NEAR = ("local", "in_rack", "remote")
_READ = ("read_local_mb", "read_rack_mb", "read_core_mb")


def running(tasks: Any, own_ns: npt.NDArray[np.int64], counted: Any, counters: dict[str, int]) -> dict[str, Any]:
    """Return figures over the counted tasks (a mask) that have ended; `own_ns` are durations without slowdown.

    `snp` is the geometric mean of ideal over actual run time (Sirius' normalized performance), and the same with the
    time until the start in the actual one; it leaves out tasks that take no time.
    """
    chosen = counted & (tasks["end_ns"] >= 0)
    end, start, arrival = (np.asarray(tasks[name][chosen]) for name in ("end_ns", "last_start_ns", "arrival_ns"))
    ideal, ran, took = own_ns[chosen], end - start, end - arrival
    found: dict[str, Any] = {
        "snp": _geometric_mean(ideal, ran),
        "snp_with_waiting": _geometric_mean(ideal, took),
        "run_s": distribution_s(ran, _PERCENTILES),
        "wait_s": distribution_s(took - ran, _PERCENTILES),
        "response_s": distribution_s(took, _PERCENTILES),
    }
    starts, megabytes = ([counters.get(name, 0) for name in names] for names in (_NEAR, _READ))
    if sum(starts):
        found["locality"] = {name: number / sum(starts) for name, number in zip(_NEAR, starts, strict=True)}
    if sum(megabytes):
        found["read_gb"] = {name: number / 1e3 for name, number in zip(_NEAR, megabytes, strict=True)}
    return found


def _geometric_mean(ideal: npt.NDArray[np.int64], actual: npt.NDArray[np.int64]) -> float | None:
    some = (ideal > 0) & (actual > 0)
    return float(np.exp(np.log(ideal[some] / actual[some]).mean())) if some.any() else None
