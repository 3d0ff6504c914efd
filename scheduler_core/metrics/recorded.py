"""Compare the starts of jobs with those that the workload's source has recorded."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.metrics.percentiles import distribution_s

_SOON_NS = 60_000_000_000
_PERCENTILES = (50.0, 90.0, 99.0)


def job_starts(jobs: Any, starts_ns: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the start of each job's first task, (jobs,) in ns, from those of the tasks; -1 for none."""
    never = np.iinfo(np.int64).max
    first = np.cumsum(jobs["tasks"]) - jobs["tasks"]
    found: npt.NDArray[np.int64] = np.minimum.reduceat(np.where(starts_ns >= 0, starts_ns, never), first)
    return np.where(found < never, found, -1)


def recorded_starts(
    jobs: Any, started_ns: npt.NDArray[np.int64], recorded_ns: npt.NDArray[np.int64], counted: npt.NDArray[np.bool_]
) -> dict[str, Any] | None:
    """Return how far the jobs' starts are from the recorded ones; None where no start is recorded.

    `started_ns` and `recorded_ns` are the starts of the tasks, (tasks,), -1 for none; a job starts with its first task.
    `counted` (jobs,) leaves out jobs that ran before the run began. Both times count from the start of the run.
    """
    if not len(jobs) or not (recorded_ns >= 0).any():
        return None
    ours, theirs = job_starts(jobs, started_ns), job_starts(jobs, recorded_ns)
    both = counted & (ours >= 0) & (theirs >= 0)
    later = ours[both] - theirs[both]
    return {
        "jobs": int(both.sum()),
        "error_s": distribution_s(np.abs(later), _PERCENTILES),
        "mean_shift_s": float(later.mean()) / 1e9 if len(later) else None,
        "within_60_s": int((np.abs(later) <= _SOON_NS).sum()),
        "earlier": int((later < 0).sum()),
        "later": int((later > 0).sum()),
    }
