"""Compare the jobs of two runs of the same workload pair by pair: the completion time of each job."""

from __future__ import annotations

from typing import Any

import numpy as np

from playground.errors import PlaygroundError, problem
from playground.models import Run
from playground.runs.results.files import open_tasks_table

#: Largest number of single pairs in an answer; of more jobs, it takes an even sample.
MOST_PAIRS = 4_000


def pairs_of(*, run: Run, other: Run) -> dict[str, Any]:
    """Pair jobs by their number. Figures are of all pairs, `job`, `mine_s` and `other_s` of a part of them."""
    mine, others = _jobs(run), _jobs(other)
    same = run.seed == other.seed and len(mine["tasks"]) == len(others["tasks"])
    if not same or (mine["tasks"] != others["tasks"]).any():
        said = problem(
            "other", "has other jobs, so jobs cannot be paired", allowed="a run of the same workload and seed"
        )
        raise PlaygroundError(422, "other-work", "These runs have different workloads", (said,))
    both = np.flatnonzero((mine["end_ns"] >= 0) & (others["end_ns"] >= 0))
    took = (mine["end_ns"] - mine["arrival_ns"])[both] / 1e9
    took_other = (others["end_ns"] - others["arrival_ns"])[both] / 1e9
    usable = (took > 0) & (took_other > 0)
    both, took, took_other = both[usable], took[usable], took_other[usable]
    factor = took_other / took
    shown = np.unique(np.linspace(0, max(0, len(both) - 1), min(len(both), MOST_PAIRS)).astype(np.int64))
    return {
        "jobs": len(mine["tasks"]),
        "pairs": len(both),
        "mean_factor": float(factor.mean()) if len(both) else None,
        "median_factor": float(np.sort(factor)[-(-len(both) // 2) - 1]) if len(both) else None,
        "faster": int((factor > 1 + 1e-9).sum()),
        "slower": int((factor < 1 - 1e-9).sum()),
        "job": both[shown].tolist() if len(both) else [],
        "mine_s": took[shown].tolist() if len(both) else [],
        "other_s": took_other[shown].tolist() if len(both) else [],
    }


def _jobs(run: Run) -> dict[str, Any]:
    """Read the task table and add its rows up by job: tasks, arrival, and the last end (-1: not all have ended)."""
    import pyarrow.parquet as pq

    with open_tasks_table(run=run) as file:
        table = pq.read_table(file, columns=["job", "arrival_ns", "end_ns"])
    job, arrival, end = (table.column(name).to_numpy() for name in ("job", "arrival_ns", "end_ns"))
    first = np.flatnonzero(np.diff(job, prepend=-1))
    if not len(first):
        empty = np.zeros(0, np.int64)
        return {"tasks": empty, "arrival_ns": empty, "end_ns": empty}
    last = np.maximum.reduceat(end, first)
    ended = np.minimum.reduceat(end, first) >= 0
    return {
        "tasks": np.diff(first, append=len(job)),
        "arrival_ns": arrival[first],
        "end_ns": np.where(ended, last, -1),
    }
