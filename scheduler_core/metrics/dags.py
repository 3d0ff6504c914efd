"""Metrics of runs with DAG jobs over several resources: fairness between jobs, slowdowns, paired factors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import kernel
from scheduler_core.metrics.fairness import WINDOW_NS
from scheduler_core.metrics.percentiles import distribution_s, nearest_rank

_MOST_WINDOWS = 100_000
_PERCENTILES = (75.0, 95.0)

Floats = npt.NDArray[np.float64]


@kernel
def _add_jobs(first, tasks, arrival, end, start_ns, end_ns, dominant, window_ns, row, sums) -> None:  # type: ignore[no-untyped-def]
    """Add each completed job's mean dominant share while it was there to the windows that it was there in.

    `first` and `tasks` say which rows of start_ns, end_ns and dominant are a job's. `row` (windows,) is scratch of
    zeros; `sums` (3, windows) gets the number of jobs, the sum and the sum of squares.
    """
    for job in range(len(first)):
        if end[job] < 0:
            continue
        for task in range(first[job], first[job] + tasks[job]):
            if end_ns[task] < 0:
                continue
            for window in range(start_ns[task] // window_ns, max(end_ns[task] - 1, start_ns[task]) // window_ns + 1):
                begin, over = max(start_ns[task], window * window_ns), min(end_ns[task], (window + 1) * window_ns)
                row[window] += dominant[task] * (over - begin)
        for window in range(arrival[job] // window_ns, max(end[job] - 1, arrival[job]) // window_ns + 1):
            there_ns = min(end[job], (window + 1) * window_ns) - max(arrival[job], window * window_ns)
            if there_ns > 0:
                share = row[window] / there_ns
                sums[0, window] += 1.0
                sums[1, window] += share
                sums[2, window] += share * share
            row[window] = 0.0


def job_fairness(tasks: Any, jobs: Any, dominant: Floats) -> dict[str, float]:
    """Return Jain's index of the jobs' dominant shares by window: its mean, minimum and maximum.

    A job's share in a window is the mean over the time that it was there; `dominant` is each task's largest demand as
    a fraction of the datacenter.
    """
    ends = np.asarray(jobs["end_ns"])
    none = {"jain_mean": 1.0, "jain_min": 1.0, "jain_max": 1.0, "window_s": WINDOW_NS / 1e9}
    if not (ends >= 0).any():
        return none
    window_ns = WINDOW_NS
    while int(tasks["end_ns"].max()) // window_ns >= _MOST_WINDOWS:
        window_ns *= 2
    windows = int(tasks["end_ns"].max()) // window_ns + 1
    count = np.ascontiguousarray(jobs["tasks"], np.int64)
    sums = np.zeros((3, windows))
    _add_jobs(
        np.cumsum(count) - count,
        count,
        np.ascontiguousarray(jobs["arrival_ns"]),
        np.ascontiguousarray(ends),
        np.ascontiguousarray(tasks["last_start_ns"]),
        np.ascontiguousarray(tasks["end_ns"]),
        dominant,
        window_ns,
        np.zeros(windows),
        sums,
    )
    number, total, squares = sums[:, sums[2] > 0]
    if not len(number):
        return none
    index = total * total / (number * squares)
    return {
        "jain_mean": float(index.mean()),
        "jain_min": float(index.min()),
        "jain_max": float(index.max()),
        "window_s": window_ns / 1e9,
    }


def completions(jobs: Any) -> dict[str, dict[str, float | None]]:
    """Return percentiles of completion times as papers on graphs give them, and slowdowns against running alone.

    Alone, a job takes its critical path; the slowdown leaves out jobs with a path of no time.
    """
    took_ns = jobs["end_ns"] - jobs["arrival_ns"]
    long = jobs["ideal_ns"] > 0
    slowdown = np.sort(took_ns[long] / jobs["ideal_ns"][long])
    return {"job_completion_s": distribution_s(took_ns, _PERCENTILES), "slowdown": _distribution(slowdown)}


def fair_shares(jobs: Any) -> Floats:
    """Return each job's fair share of the datacenter: the mean of 1 / (jobs present) while it was present.

    Jobs that never complete are there to the end. A job that was there for no time has all of it.
    """
    arrival, end = np.asarray(jobs["arrival_ns"]), np.asarray(jobs["end_ns"])
    done = end >= 0
    at_ns = np.concatenate([arrival, end[done]])
    order = np.argsort(at_ns, kind="stable")
    there = np.cumsum(np.concatenate([np.ones(len(arrival)), -np.ones(int(done.sum()))])[order])
    at_ns = at_ns[order]
    gone = np.diff(at_ns) / np.maximum(there[:-1], 1) * (there[:-1] > 0) if len(at_ns) else np.zeros(0)
    had = np.concatenate([[0.0], np.cumsum(gone)])
    share = np.ones(len(arrival))
    long = done & (end > arrival)
    first, last = np.searchsorted(at_ns, arrival[long]), np.searchsorted(at_ns, end[long])
    share[long] = (had[last] - had[first]) / (end[long] - arrival[long])
    return share


def fair_slowdown(jobs: Any, work_ns: Floats, counted: npt.NDArray[np.bool_]) -> dict[str, float | None]:
    """Return how much longer jobs took than each would have alone on its fair share of the datacenter (`fair_shares`).

    Alone it takes the longer of its critical path and `work_ns`, what its scarcest resource would take of the whole
    datacenter, over its share: no schedule is shorter. Below 1 it got more than its share. Of the `counted` jobs that
    completed; it leaves out those that take no time.
    """
    alone_ns = np.maximum(jobs["ideal_ns"], work_ns / fair_shares(jobs))
    chosen = counted & (jobs["end_ns"] >= 0) & (alone_ns > 0)
    took_ns = (jobs["end_ns"] - jobs["arrival_ns"])[chosen]
    slowdown = np.sort(took_ns / alone_ns[chosen])
    return _distribution(slowdown) | {"above_1.1": _part(slowdown > 1.1)}


def improvement(before: Any, after: Any) -> dict[str, float | None]:
    """Return how many times as fast jobs complete `after` as `before`, paired by number over those completed in both.

    Both are `RunResult.jobs` of the same work. `slowed` is the part of the jobs that takes longer, `below_0.8` of those
    with a factor below 0.8.
    """
    factor = improvements(before, after)
    return _distribution(factor) | {"slowed": _part(factor < 1), "below_0.8": _part(factor < 0.8)}


def improvements(before: Any, after: Any) -> Floats:
    """Return the factors of `improvement`, ascending."""
    both = (before["end_ns"] >= 0) & (after["end_ns"] >= 0) & (after["end_ns"] > after["arrival_ns"])
    old, new = ((jobs["end_ns"] - jobs["arrival_ns"])[both] for jobs in (before, after))
    factors: Floats = np.sort(old / np.maximum(new, 1))
    return factors


@dataclass(frozen=True)
class Given:
    """What jobs left of their shares in the decisions of a run.

    `slots` (resources + 1, 101) counts decisions by the hundredth that was left of all shares together, of each
    resource and in the mean of them; `of_job` (jobs,) is the mean part that each left while it had tasks to start, nan
    where it never had; `properties` are of each job's graph (workload.dag_statistics).
    """

    slots: npt.NDArray[np.int64]
    of_job: Floats
    properties: Mapping[str, npt.NDArray[Any]]


def leftover(given: Given, resources: Sequence[str]) -> dict[str, Any]:
    """Return the remainder at a decision, and how that goes with the graphs of jobs (Pearson's correlation)."""
    decisions = int(given.slots[-1].sum())
    if not decisions:
        return {"leftover": {"decisions": 0}}
    used = [(name, slots) for name, slots in zip(resources, given.slots[:-1], strict=True) if slots.any()]
    found = {
        "decisions": decisions,
        **_of_slots(given.slots[-1]),
        "by_resource": {name: _of_slots(slots) for name, slots in used},
    }
    return {"leftover": found, "leftover_correlation": correlations(given)}


def _of_slots(slots: npt.NDArray[np.int64]) -> dict[str, float]:
    below = np.cumsum(slots)
    ranks = {f"p{percent}": float(np.searchsorted(below, percent / 100 * below[-1])) / 100 for percent in (25, 50, 75)}
    return {"mean": float(slots @ np.arange(len(slots)) / below[-1] / 100), **ranks}


def correlations(given: Given) -> dict[str, float]:
    """Return Pearson's correlation of what jobs left with each graph property; it leaves out constant ones."""
    there = np.isfinite(given.of_job)
    gave, found = given.of_job[there], {}
    for name, values in given.properties.items():
        own = np.asarray(values, np.float64)[there]
        if len(own) > 1 and own.std() > 0 and gave.std() > 0:
            found[name] = float(np.corrcoef(gave, own)[0, 1])
    return found


def _part(which: npt.NDArray[np.bool_]) -> float | None:
    return float(which.mean()) if len(which) else None


def _distribution(ascending: Floats) -> dict[str, float | None]:
    if not len(ascending):
        return dict.fromkeys(("mean", "p50", "p75", "p95"))
    ranks = {f"p{percent:g}": float(nearest_rank(ascending, percent)) for percent in (50.0, *_PERCENTILES)}
    return {"mean": float(ascending.mean()), **ranks}
