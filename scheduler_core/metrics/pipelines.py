"""The reference architecture paper's metrics: response time of tasks; makespan, schedule length and wait of jobs.

Jobs' figures count from a job's submission. Response times do so, too, and beside it from each task's own submission,
as the paper and its program count them, and from when the task became eligible. The schedule length is normalized as
the paper's program does it, by the time from a job's first start to its end, and beside it by the job's critical path.
That program keeps the whole part only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.metrics.percentiles import distribution_s, nearest_rank

_PERCENTILES = (50.0, 90.0, 99.0)


def pipeline_figures(
    tasks: Any, jobs: Any, warmup_ns: int, submitted_ns: npt.NDArray[np.int64], eligible_ns: npt.NDArray[np.int64]
) -> dict[str, Any]:
    """Return TRT, JMS, NJSL and JWT of the jobs that arrived after the warm-up and completed.

    `submitted_ns` and `eligible_ns` say when each task was submitted by itself, and when it became eligible.
    """
    counted = (jobs["end_ns"] >= 0) & (jobs["arrival_ns"] >= warmup_ns)
    of = np.repeat(np.arange(len(jobs)), jobs["tasks"])
    chosen = (tasks["end_ns"] >= 0) & (tasks["arrival_ns"] >= warmup_ns)
    task_end_ns = np.asarray(tasks["end_ns"], np.int64)
    first_ns = np.full(len(jobs), np.iinfo(np.int64).max)
    started = tasks["first_start_ns"] >= 0
    np.minimum.at(first_ns, of[started], tasks["first_start_ns"][started])
    arrival_ns, end_ns = jobs["arrival_ns"][counted], jobs["end_ns"][counted]
    makespan_ns = end_ns - arrival_ns
    ran_ns = np.maximum(end_ns - first_ns[counted], 1)
    ideal_ns = np.maximum(jobs["ideal_ns"][counted], 1)
    return {
        "task_response_s": distribution_s((task_end_ns - tasks["arrival_ns"])[chosen], _PERCENTILES),
        "task_response_own_s": distribution_s((task_end_ns - submitted_ns)[chosen], _PERCENTILES),
        "task_response_eligible_s": distribution_s((task_end_ns - eligible_ns)[chosen], _PERCENTILES),
        "job_makespan_s": distribution_s(makespan_ns, _PERCENTILES),
        "job_waiting_s": distribution_s(first_ns[counted] - arrival_ns, _PERCENTILES),
        "schedule_length": _distribution(makespan_ns / ran_ns),
        "schedule_length_whole": _distribution((makespan_ns // ran_ns).astype(np.float64)),
        "schedule_length_of_path": _distribution(makespan_ns / ideal_ns),
    }


def _distribution(values: npt.NDArray[np.float64]) -> dict[str, float | None]:
    ordered = np.sort(values)
    if not len(ordered):
        return dict.fromkeys(("mean", "p50", "p90", "p99", "max"))
    ranks = {f"p{percent:g}": float(nearest_rank(ordered, percent)) for percent in _PERCENTILES}
    return {"mean": float(ordered.mean()), **ranks, "max": float(ordered[-1])}
