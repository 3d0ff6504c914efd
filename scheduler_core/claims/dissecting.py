"""Follow the same jobs through two runs: tasks that run over a job's time, who gains, and who runs beside its data."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from scheduler_core.claims.figures import Ran
from scheduler_core.claims.measures import measure

if TYPE_CHECKING:
    from scheduler_core.run.results import RunResult

EARLY_END, LATE = 0.39, (0.42, 0.86)
"""Parts of the time that a job takes in the first run. In Carbyne's Figure 8, the job takes from 300 to 940 s; it runs
fewer tasks at once from 300 to 550 s, and more from 570 to 850 s."""
TOGETHER_NS = 20 * 10**9
"""The largest difference between the first starts of a job in the two runs: the mean time between two arrivals."""
PEAK = 11
"""The fewest tasks of a job that run at once in the first run: their number in the figure."""

Times = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Spans:
    """When the tasks of one job start and end in a run, ns, each sorted."""

    starts: Times
    ends: Times

    def running(self, at_ns: Times) -> Times:
        """Return how many of the tasks run at each of these instants."""
        return np.searchsorted(self.starts, at_ns, "right") - np.searchsorted(self.ends, at_ns, "right")

    def most(self, low_ns: int, high_ns: int) -> int:
        """Return the most tasks that run at once from `low_ns` to before `high_ns`."""
        begun = self.starts[(self.starts >= low_ns) & (self.starts < high_ns)]
        return int(self.running(np.append(begun, low_ns)).max())

    def mean(self, low_ns: int, high_ns: int) -> float:
        """Return the mean number of tasks that run from `low_ns` to `high_ns`."""
        held = np.clip(self.ends, low_ns, high_ns).sum() - np.clip(self.starts, low_ns, high_ns).sum()
        return float(held / (high_ns - low_ns))


@dataclass(frozen=True)
class Followed:
    """One job in two runs, from its first start in either (`first_ns`); `before` took `took_ns` from then."""

    before: Spans
    after: Spans

    @property
    def first_ns(self) -> int:
        """Return the first start in either run, ns."""
        return int(min(self.before.starts[0], self.after.starts[0]))

    @property
    def took_ns(self) -> int:
        """Return the time from there to the job's end in the first run, ns."""
        return int(self.before.ends[-1]) - self.first_ns

    def at(self, part: float) -> int:
        """Return an instant by the part of `took_ns` that has passed."""
        return self.first_ns + round(part * self.took_ns)

    def peak(self) -> float:
        """Return the most tasks at once in the early part of its time: second run / first run."""
        end_ns = self.at(EARLY_END)
        return self.after.most(self.first_ns, end_ns) / max(self.before.most(self.first_ns, end_ns), 1)

    def late(self) -> float:
        """Return the mean number of running tasks in the late part of its time: second run / first run."""
        low_ns, high_ns = self.at(LATE[0]), self.at(LATE[1])
        return self.after.mean(low_ns, high_ns) / max(self.before.mean(low_ns, high_ns), 1e-9)

    def time(self) -> float:
        """Return the time until its end: first run / second run."""
        return self.took_ns / max(int(self.after.ends[-1]) - self.first_ns, 1)


def _followed(before: RunResult, after: RunResult) -> Iterator[Followed]:
    """Yield the jobs that start at almost the same time in both runs and have enough tasks at once in the first."""
    count = np.asarray(before.jobs["tasks"], np.int64)
    first = np.cumsum(count) - count
    done = (np.asarray(before.jobs["end_ns"]) >= 0) & (np.asarray(after.jobs["end_ns"]) >= 0)
    spans = [[np.asarray(run.tasks[name], np.int64) for name in ("last_start_ns", "end_ns")] for run in (before, after)]
    for job in np.flatnonzero(done & (count > 0)):
        own = slice(first[job], first[job] + count[job])
        one = Followed(*(Spans(np.sort(starts[own]), np.sort(ends[own])) for starts, ends in spans))
        if abs(int(one.before.starts[0]) - int(one.after.starts[0])) > TOGETHER_NS or one.took_ns == 0:
            continue
        if one.before.most(one.first_ns, one.at(1.0)) >= PEAK:
            yield one


@measure
def dissected(before: RunResult, after: RunResult, what: str) -> float | None:
    """Return the median over followed jobs of `peak`, `late` or `time`; of `pattern` the share of jobs with all three.

    A job has all three if it runs fewer tasks at once early, more late, and ends sooner in the second run. `jobs` is
    their number. None without such jobs.

    Source: Carbyne, Figure 8, which follows one job.
    """
    jobs = list(_followed(before, after))
    if what == "jobs":
        return float(len(jobs))
    if not jobs:
        return None
    if what == "pattern":
        return statistics.fmean(one.peak() < 1 and one.late() > 1 and one.time() > 1 for one in jobs)
    ratios: list[float] = [getattr(one, what)() for one in jobs]
    return statistics.median(ratios)


@measure
def dissected_at(before: RunResult, after: RunResult, which: str, percent: float) -> float | None:
    """Return the mean over followed jobs of running tasks, as a part of the job's most in the first run.

    `which` is `before` or `after`; `percent` is of the job's time in the first run.
    """
    parts = []
    for one in _followed(before, after):
        spans: Spans = getattr(one, which)
        at_ns = np.array([one.at(percent / 100)])
        parts.append(spans.running(at_ns)[0] / one.before.most(one.first_ns, one.at(1.0)))
    return float(np.mean(parts)) if parts else None


def _factors(before: RunResult, after: RunResult) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the factor by which each job ends sooner in the second run, and its work: tasks times their mean, s."""
    there = (before.jobs["end_ns"] >= 0) & (after.jobs["end_ns"] > after.jobs["arrival_ns"])
    took = [np.asarray(run.jobs["end_ns"] - run.jobs["arrival_ns"], np.float64)[there] for run in (before, after)]
    work = np.asarray(before.jobs["tasks"], np.float64) * np.asarray(before.jobs["mean_ns"], np.float64) / 1e9
    return took[0] / took[1], work[there]


@measure
def share_gained(before: RunResult, after: RunResult) -> float | None:
    """Return the share of jobs that end sooner in the second run, 0 to 1."""
    factor, _ = _factors(before, after)
    return float((factor > 1).mean()) if len(factor) else None


@measure
def gain_by(before: RunResult, after: RunResult, what: str) -> float | None:
    """Return Spearman's rank correlation of jobs' factors with their `tasks` or their `work`, -1 to 1."""
    factor, work = _factors(before, after)
    there = (before.jobs["end_ns"] >= 0) & (after.jobs["end_ns"] > after.jobs["arrival_ns"])
    other = work if what == "work" else np.asarray(before.jobs["tasks"], np.float64)[there]
    if len(factor) < 2 or not other.std() or not factor.std():
        return None
    return float(np.corrcoef(_ranks(factor), _ranks(other))[0, 1])


def _ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the rank of each value; equal values share the mean of their ranks."""
    _, kind, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count + 1) / 2)[kind]


@measure
def work_of_slowed(before: RunResult, after: RunResult) -> float | None:
    """Return the median work of jobs that end later in the second run, divided by that of the others."""
    factor, work = _factors(before, after)
    slow = factor < 1
    return float(np.median(work[slow]) / np.median(work[~slow])) if slow.any() and (~slow).any() else None


@measure
def small_among(before: RunResult, after: RunResult, below: float) -> float | None:
    """Return the share of jobs with less than the median work among those with a factor below `below`, 0 to 1."""
    factor, work = _factors(before, after)
    slow = factor < below
    return float((work[slow] < np.median(work)).mean()) if slow.any() else None


@measure
def beside(run: Ran) -> float | None:
    """Return the share of started tasks with data that ran on a machine with their data, 0 to 1."""
    there = run.near >= 0
    return float((run.near[there] == 0).mean()) if there.any() else None


@measure
def beside_later(before: Ran, after: Ran) -> float | None:
    """Return `beside` in the second run, of the tasks that start later there than in the first."""
    there = after.near >= 0
    if not there.any():
        return None
    late = there & np.asarray(after.tasks["first_start_ns"] > before.tasks["first_start_ns"])
    return float((after.near[late] == 0).mean()) if late.any() else None
