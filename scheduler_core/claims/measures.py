"""Measure a run's tasks and jobs beyond its summary. A new measure is a function with `@measure`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from scheduler_core.claims.fairest import fairest_division
from scheduler_core.claims.figures import Ran
from scheduler_core.refarch import TABLE_III, TABLE_VIII, differences, group_table
from scheduler_core.refarch.tables import ACADEMIA, BEFORE, INDUSTRY, SINCE
from scheduler_core.workload.stages.times import eligible_ns, submitted_ns

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
    """Return a figure by its short name, such as `short.mean` (claims.figures)."""
    return run.figures.get(name)


def _waits(run: RunResult) -> tuple[npt.NDArray[np.int64], Any]:
    """Return the wait of each started task, ns, from its job's arrival to its first start; and the tasks' rows."""
    tasks = run.tasks[run.tasks["first_start_ns"] >= 0]
    return np.asarray(tasks["first_start_ns"] - tasks["arrival_ns"], np.int64), tasks


def _mean_ns(run: RunResult, tasks: Any) -> npt.NDArray[np.int64]:
    """Return the mean duration of each task's job, ns."""
    jobs = np.asarray(run.jobs["job"])
    place = np.searchsorted(jobs, np.asarray(tasks["job"]))
    return np.asarray(run.jobs["mean_ns"], np.int64)[place]


@measure
def wait(run: RunResult, percent: float) -> float | None:
    """Return a percentile of the waits of all tasks, s: from their job's arrival to their first start."""
    return _percentile(_waits(run)[0], percent)


@measure
def short_wait(run: RunResult, percent: float, cutoff_s: float) -> float | None:
    """Return a percentile of the waits of tasks of jobs whose mean task duration is below `cutoff_s`, s."""
    waits, tasks = _waits(run)
    return _percentile(waits[_mean_ns(run, tasks) < cutoff_s * 1e9], percent)


@measure
def long_wait(run: RunResult, percent: float, cutoff_s: float) -> float | None:
    """Return a percentile of the waits of tasks of jobs whose mean task duration is at least `cutoff_s`, s."""
    waits, tasks = _waits(run)
    return _percentile(waits[_mean_ns(run, tasks) >= cutoff_s * 1e9], percent)


@measure
def waited(run: RunResult, more_than_s: float) -> float:
    """Return the share of tasks that waited longer than `more_than_s` or never started, 0 to 1."""
    waits, _ = _waits(run)
    late = int((waits > more_than_s * 1e9).sum()) + len(run.tasks) - len(waits)
    return late / max(1, len(run.tasks))


@measure
def job_end(run: RunResult, job: float) -> float | None:
    """Return when a job ended, s; None while it has not."""
    end_ns = int(run.jobs["end_ns"][int(job)])
    return end_ns / 1e9 if end_ns >= 0 else None


@measure
def completion(run: RunResult) -> float | None:
    """Return the mean time from a job's arrival to its end, s, over jobs that ended."""
    jobs = run.jobs[run.jobs["end_ns"] >= 0]
    return float((jobs["end_ns"] - jobs["arrival_ns"]).mean()) / 1e9 if len(jobs) else None


@measure
def most_running(run: RunResult) -> float:
    """Return the most tasks that ran at one instant, by their last starts and ends."""
    started = run.tasks[run.tasks["end_ns"] >= 0]
    at = np.concatenate([np.asarray(started["last_start_ns"]), np.asarray(started["end_ns"])])
    step = np.concatenate([np.ones(len(started), np.int64), -np.ones(len(started), np.int64)])
    order = np.lexsort((step, at))  # ends before starts of the same instant
    return float(np.cumsum(step[order]).max(initial=0))


def _chosen(run: Ran, which: str, cutoff_s: float) -> npt.NDArray[np.bool_]:
    """Select a class of jobs: all, short or long by mean task duration, or short without constraints."""
    short = np.asarray(run.jobs["mean_ns"]) <= cutoff_s * 1e9
    classes = {"all": short | True, "short": short, "long": ~short, "short free": short & (_job_asks(run) == 0)}
    return np.asarray(classes[which])


def _first_rows(run: Ran) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(run.jobs["tasks"])[:-1]]).astype(np.int64)


def _job_asks(run: Ran) -> npt.NDArray[np.int64]:
    return run.asks[_first_rows(run)]


def _of_jobs(run: Ran, what: str) -> npt.NDArray[np.float64]:
    """Return for each job, s: `time` until its end, `delay` beyond its `ideal`, or the mean `wait` of its tasks."""
    jobs = run.jobs
    if what == "ideal":
        return np.asarray(jobs["ideal_ns"]) / 1e9
    if what == "wait":
        waits = np.asarray(run.tasks["first_start_ns"] - run.tasks["arrival_ns"]) / 1e9
        return np.asarray(np.add.reduceat(waits, _first_rows(run)) / jobs["tasks"])
    less = jobs["ideal_ns"] if what == "delay" else 0
    return np.where(jobs["end_ns"] < 0, np.nan, np.asarray(jobs["end_ns"] - jobs["arrival_ns"] - less) / 1e9)


def _statistic(values: npt.NDArray[np.float64], statistic: str) -> float | None:
    known = np.sort(values[np.isfinite(values)])
    if not len(known):
        return None
    if statistic == "mean":
        return float(known.mean())
    return float(known[-int(-float(statistic[1:]) * len(known) // 100) - 1])


@measure
def jobs_snp(run: Ran) -> float | None:
    """Return the geometric mean over jobs of the ideal over the actual job completion time, 0 to 1.

    Source: Sirius, Section 4.1.2, equation 11. The paper's mean run time includes the wait, so a job's does here.
    """
    ratios = _of_jobs(run, "ideal") / _of_jobs(run, "time")
    known = ratios[np.isfinite(ratios) & (ratios > 0)]
    return float(np.exp(np.log(known).mean())) if len(known) else None


@measure
def jobs(run: Ran, what: str, statistic: str, which: str = "all", cutoff_s: float = 0.0) -> float | None:
    """Return a statistic (`mean`, `p50`, `p99`) of a class's `time`, `delay`, `ideal` or mean `wait` of a job, s."""
    return _statistic(_of_jobs(run, what)[_chosen(run, which, cutoff_s)], statistic)


@measure
def share_of_jobs(run: Ran, which: str, cutoff_s: float = 0.0) -> float:
    """Return the part of the jobs that is of a class, or that asks for something: 0 to 1."""
    chosen = _job_asks(run) != 0 if which == "asking" else _chosen(run, which, cutoff_s)
    return float(chosen.mean())


@measure
def slowed(constraint: float, *ways: Ran | float) -> float:
    """Return the factor by which short jobs with a constraint take longer than their twins in a run without.

    `ways` are a run, its twin and the cutoff in seconds, once or more often: it adds up all their jobs.
    """
    sums = np.zeros(2)
    for bound, free, cutoff_s in zip(ways[::3], ways[1::3], ways[2::3], strict=True):
        assert isinstance(bound, Ran)
        assert isinstance(free, Ran)
        assert isinstance(cutoff_s, int | float)
        asking = _chosen(bound, "short", cutoff_s) & (_job_asks(bound) == 1 << int(constraint))
        sums += [_of_jobs(one, "time")[asking].sum() for one in (bound, free)]
    return float(sums[0] / sums[1])


@measure
def gained(before: RunResult, after: RunResult, figure: str) -> float | None:
    """Return how many times as fast jobs end `after` as `before`, paired, by a `figure` of `improvement`."""
    from scheduler_core.metrics.dags import improvement  # metrics load the compiler

    return improvement(before.jobs, after.jobs)[figure]


@measure
def gained_at(before: RunResult, after: RunResult, percent: float) -> float | None:
    """Return a percentile of the factors of `gained`; percentile 0 is the job that loses most."""
    from scheduler_core.metrics.dags import improvements  # metrics load the compiler

    factors = improvements(before.jobs, after.jobs)
    return float(np.percentile(factors, percent)) if len(factors) else None


@measure
def execution_delay(run: Ran, percent: float) -> float | None:
    """Return a percentile of the time by which tasks end later than their own duration after their arrival, s."""
    tasks, ended = run.tasks, run.tasks["end_ns"] >= 0
    late = np.asarray(tasks["end_ns"] - tasks["arrival_ns"], np.int64)[ended] - run.own_ns[ended]
    return float(np.percentile(late, percent)) / 1e9 if len(late) else None


@measure
def queue_time(run: RunResult, queue: float) -> float | None:
    """Return the mean time from the arrival to the end of a queue's tasks, s."""
    tasks = run.tasks[(run.tasks["queue"] == int(queue)) & (run.tasks["end_ns"] >= 0)]
    return float((tasks["end_ns"] - tasks["arrival_ns"]).mean()) / 1e9 if len(tasks) else None


@measure
def running_at(run: RunResult, job: float, at_s: float) -> float:
    """Return how many tasks of a job run at an instant."""
    tasks = run.tasks[run.tasks["job"] == int(job)]
    return float(((tasks["last_start_ns"] <= at_s * 1e9) & (tasks["end_ns"] > at_s * 1e9)).sum())


@measure
def machine_of(run: RunResult, task: float) -> float:
    """Return the number of the machine that a task ran on, from 0; -1 where it ran on none."""
    return float(run.tasks["machine"][int(task)])


@measure
def first_start(run: RunResult, task: float) -> float | None:
    """Return when a task first started, s."""
    start_ns = int(run.tasks["first_start_ns"][int(task)])
    return start_ns / 1e9 if start_ns >= 0 else None


@measure
def stage_time(run: RunResult, stage: str) -> float:
    """Return the modeled time of a stage of a pipeline, s; 0 where it has none."""
    told = run.summary["pipeline"]["stages"].get(stage, {})
    return float(told.get("time_s", 0.0))


@measure
def stages_time(stages: str, *runs: RunResult) -> float:
    """Return the modeled time of some stages (`T1 T2`), s: their sum in each run, the mean over the runs."""
    return float(np.mean([sum(stage_time(run, stage) for stage in stages.split()) for run in runs]))


def _since_ns(run: Ran, since: str) -> npt.NDArray[np.int64]:
    """Return for each task the submission of its `job`, its own `submission`, or when it became `eligible`, ns."""
    arrival_ns = np.asarray(run.tasks["arrival_ns"], np.int64)
    if since == "submission":
        return submitted_ns(run.stages, arrival_ns, run.own_ns)
    if since == "eligible":
        return eligible_ns(run.stages, arrival_ns, np.asarray(run.tasks["end_ns"], np.int64))
    return arrival_ns


@measure
def response(run: Ran, since: str) -> float | None:
    """Return the mean time until tasks end, s: `since` their `job`'s submission, their own, or when `eligible`."""
    end_ns = np.asarray(run.tasks["end_ns"], np.int64)
    took = (end_ns - _since_ns(run, since))[end_ns >= 0]
    return float(took.mean()) / 1e9 if len(took) else None


@measure
def queue_length(run: Ran) -> float | None:
    """Return the mean number of eligible tasks in the queue, from the first arrival to the last end."""
    tasks = run.tasks[run.tasks["end_ns"] >= 0]
    if not len(tasks):
        return None
    waits = (run.tasks["first_start_ns"] - _since_ns(run, "eligible"))[run.tasks["end_ns"] >= 0]
    return float(waits.sum() / max(int(tasks["end_ns"].max() - tasks["arrival_ns"].min()), 1))


_TABLES: dict[str, Callable[[], Iterable[Any]]] = {
    "II": group_table,
    "III": lambda: differences(TABLE_III, ACADEMIA, INDUSTRY),
    "VIII": lambda: differences(TABLE_VIII, BEFORE, SINCE),
}


@measure
def agreeing(table: str) -> float:
    """Return how many percentages or columns of the reference architecture's table II, III or VIII agree with ours."""
    return float(sum(one.agrees for one in _TABLES[table]()))


@measure
def group_share(system: str, group: str) -> float:
    """Return a percentage of the reference architecture's Table II, counted from the matrix."""
    return next(one.found for one in group_table() if (one.system, one.group) == (system, group))


@measure
def column_share(table: str, stage: str, half: float) -> float:
    """Return a percentage of its Table III or VIII, of the first (0) or the second half of the schedulers."""
    return float(next(one.chosen[int(half)] for one in _TABLES[table]() if one.stage == stage))


@measure
def off_the_fairest(run: Ran) -> float:
    """Return the fraction of machines with another place than in the fairest division.

    Each job's machines are its tasks that start at 0. Flows find the fairest division.
    """
    got = np.bincount(run.tasks["job"][run.tasks["first_start_ns"] == 0], minlength=len(run.jobs))
    best = fairest_division((run.offers & _job_asks(run)[:, None]) == _job_asks(run)[:, None])
    return float(np.abs(np.sort(got) - np.sort(best)).sum() / best.sum())
