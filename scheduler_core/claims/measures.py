"""What claims measure of a run's tasks and jobs beyond its summary. Adding one is a function with `@measure`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from scheduler_core.claims.figures import Ran

if TYPE_CHECKING:
    from scheduler_core.run.results import RunResult

F = TypeVar("F", bound=Callable[..., "float | None"])

MEASURES: dict[str, Callable[..., float | None]] = {}


def measure(function: F) -> F:
    """Let expressions call a function by its name."""
    MEASURES[function.__name__] = function
    return function


def _percentile(values: npt.NDArray[np.int64], percent: float) -> float | None:
    from scheduler_core.metrics.percentiles import nearest_rank  # metrics load the compiler

    return nearest_rank(np.sort(values), percent) / 1e9 if len(values) else None


@measure
def figure(run: Ran, name: str) -> float | None:
    """A figure by its short name, such as `short.mean` (claims.figures)."""
    return run.figures.get(name)


def _waits(run: RunResult) -> tuple[npt.NDArray[np.int64], Any]:
    """From its job's arrival to its first start, ns, of each task that started; and the rows of these tasks."""
    tasks = run.tasks[run.tasks["first_start_ns"] >= 0]
    return np.asarray(tasks["first_start_ns"] - tasks["arrival_ns"], np.int64), tasks


def _mean_ns(run: RunResult, tasks: Any) -> npt.NDArray[np.int64]:
    """Mean duration of each task's job, ns."""
    jobs = np.asarray(run.jobs["job"])
    place = np.searchsorted(jobs, np.asarray(tasks["job"]))
    return np.asarray(run.jobs["mean_ns"], np.int64)[place]


@measure
def wait(run: RunResult, percent: float) -> float | None:
    """A percentile of the waits of all tasks, s: from their job's arrival to their first start."""
    return _percentile(_waits(run)[0], percent)


@measure
def short_wait(run: RunResult, percent: float, cutoff_s: float) -> float | None:
    """A percentile of the waits of tasks of jobs whose tasks take less than `cutoff_s` in the mean, s."""
    waits, tasks = _waits(run)
    return _percentile(waits[_mean_ns(run, tasks) < cutoff_s * 1e9], percent)


@measure
def long_wait(run: RunResult, percent: float, cutoff_s: float) -> float | None:
    """A percentile of the waits of tasks of jobs whose tasks take `cutoff_s` or more in the mean, s."""
    waits, tasks = _waits(run)
    return _percentile(waits[_mean_ns(run, tasks) >= cutoff_s * 1e9], percent)


@measure
def waited(run: RunResult, more_than_s: float) -> float:
    """The share of tasks that waited longer than so many seconds, or never started: 0 to 1."""
    waits, _ = _waits(run)
    late = int((waits > more_than_s * 1e9).sum()) + len(run.tasks) - len(waits)
    return late / max(1, len(run.tasks))


@measure
def job_end(run: RunResult, job: float) -> float | None:
    """When a job ended, s; None while it has not."""
    end_ns = int(run.jobs["end_ns"][int(job)])
    return end_ns / 1e9 if end_ns >= 0 else None


@measure
def completion(run: RunResult) -> float | None:
    """The mean time from a job's arrival to its end, s, over jobs that ended."""
    jobs = run.jobs[run.jobs["end_ns"] >= 0]
    return float((jobs["end_ns"] - jobs["arrival_ns"]).mean()) / 1e9 if len(jobs) else None


@measure
def most_running(run: RunResult) -> float:
    """The most tasks that ran at one instant, by their last starts and ends."""
    started = run.tasks[run.tasks["end_ns"] >= 0]
    at = np.concatenate([np.asarray(started["last_start_ns"]), np.asarray(started["end_ns"])])
    step = np.concatenate([np.ones(len(started), np.int64), -np.ones(len(started), np.int64)])
    order = np.lexsort((step, at))  # ends before starts of the same instant
    return float(np.cumsum(step[order]).max(initial=0))
