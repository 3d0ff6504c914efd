"""Measure a run that has ended. A metric is one small function and one line in `METRICS`.

Each metric takes a `Finished` and returns its part of the summary.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from scheduler_core.metrics.constraint_waits import constraint_waits
from scheduler_core.metrics.dags import Given, completions, fair_slowdown, job_fairness, leftover
from scheduler_core.metrics.entitlement import ShareChanges, entitled_fairness, walk_of
from scheduler_core.metrics.fairness import Columns, queue_fairness
from scheduler_core.metrics.jobs import CountedJobs
from scheduler_core.metrics.percentiles import Ordered, distribution_of, distribution_s
from scheduler_core.metrics.pipelines import pipeline_figures
from scheduler_core.metrics.recorded import recorded_starts
from scheduler_core.metrics.running import running
from scheduler_core.metrics.use import used_s
from scheduler_core.metrics.waits import CURVE, wait_groups

_TASK_PERCENTILES = (50.0, 90.0, 99.0, 99.9, 99.99)
_NONE = np.zeros(0, np.int64)
DELAY_PARTS = ("framework_queuing", "processing", "communication", "worker_queuing")


class WorkCutoff(Protocol):
    """What divides the work into short and long jobs, whatever its scheduler."""

    @property
    def seconds(self) -> float:
        """The longest mean task duration of a short job."""

    @property
    def rule(self) -> str:
        """The rule that gave it."""

    @property
    def says(self) -> str:
        """The definition in words."""


@dataclass(frozen=True)
class Finished:
    """The end of a run as arrays. Task and job rows are as in `RunResult.tasks` and `.jobs`; -1 ns means never."""

    tasks: Any
    """Columns of the tasks by name: `run.tables.TaskColumns`, or the table itself."""
    jobs: Any
    capacity: npt.NDArray[np.int64]  # (machines, resources), thousandths
    demands: npt.NDArray[np.int64]  # (kinds, resources), thousandths
    kind: npt.NDArray[np.int64]
    """Which row of `demands` each task asks for; (tasks,)."""
    resources: tuple[str, ...]
    shares: npt.NDArray[np.float64]  # (queues,)
    unschedulable: int
    now_ns: int
    """When the run ended."""
    running: npt.NDArray[np.bool_]
    """Which tasks still run then; (tasks,)."""
    never: npt.NDArray[np.bool_]
    """Which tasks no machine can run; (tasks,)."""
    queues: tuple[str, ...]
    share_changes: ShareChanges
    dropped: int | None
    """How many of the unschedulable tasks were dropped; None where jobs keep them."""
    warmup_ns: int
    short_cutoff_ns: int | None
    work_cutoff: WorkCutoff
    ended: str
    """How the run ended: drained, stopped-at or stuck."""
    counters: dict[str, int]
    graphs: bool = False
    """Whether the scheduler is one of jobs that are graphs."""
    given: Given | None = None
    """What jobs left of their shares, where the scheduler lets them."""
    own_ns: npt.NDArray[np.int64] | None = None
    """What each task takes where nothing slows it down, where the scheduler knows of that."""
    stages: dict[str, dict[str, float]] | None = None
    """What each stage did, where the scheduler is a pipeline of stages."""
    submitted_ns: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    """When each task of a pipeline of stages was submitted by itself; (tasks,)."""
    eligible_ns: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    """When each task of a pipeline of stages became eligible, -1 for never; (tasks,)."""
    waiting: tuple[dict[str, Any], ...] = ()
    """The groups of tasks that wait for ever, of a run that is stuck."""
    asks: npt.NDArray[np.int64] | None = None
    """The constraints that each task asks for, as a mask of `constraints`; None without constraints. (tasks,)"""
    constraints: tuple[str, ...] = ()
    standing: int = 0
    """How many tasks ran before the run began: the first ones. They are part of no wait and of no completion time."""
    endless: int | None = None
    """How many tasks without an end run when the run ends; None where all tasks have one."""
    recorded_ns: npt.NDArray[np.int64] | None = None
    """When each task started by the workload's source, -1 where it does not know; None if it records no starts."""

    @functools.cached_property
    def arrivals(self) -> Any:
        """Which tasks arrived after the warm-up, and did not run before the run began; (tasks,)."""
        found = np.asarray(self.tasks["arrival_ns"] >= self.warmup_ns)
        found[: self.standing] = False
        return found

    @functools.cached_property
    def job_arrivals(self) -> Any:
        """Which jobs arrived after the warm-up, and did not run before the run began; (jobs,)."""
        found = np.asarray(self.jobs["arrival_ns"] >= self.warmup_ns)
        if self.standing:
            found[: int(np.searchsorted(np.cumsum(self.jobs["tasks"]), self.standing, side="right"))] = False
        return found

    @functools.cached_property
    def counted_starts(self) -> Any:
        """Which tasks arrived after the warm-up and started; (tasks,)."""
        return self.arrivals & (self.tasks["first_start_ns"] >= 0)

    @functools.cached_property
    def _all_count(self) -> bool:
        return bool(self.counted_starts.all())

    def started(self, column: str) -> Any:
        """Return a column of the tasks that arrived after the warm-up and started (rows would mean whole copies)."""
        values = self.tasks[column]
        return values if self._all_count else values[self.counted_starts]

    @functools.cached_property
    def waited(self) -> Ordered | None:
        """The waits of those tasks, ns, in order at all percentiles that the summary has; None without such tasks."""
        values = self.started("first_start_ns") - self.started("arrival_ns")
        return Ordered(values, _TASK_PERCENTILES, CURVE) if len(values) else None

    @functools.cached_property
    def delay_parts(self) -> dict[str, Ordered]:
        """Return the parts of the same waits, ns, likewise in order; empty without such tasks."""
        parts = {part: self.started(f"{part}_ns") for part in DELAY_PARTS}
        return {part: Ordered(values, _TASK_PERCENTILES) for part, values in parts.items() if len(values)}

    @functools.cached_property
    def have_ended(self) -> Any:
        """Which tasks have ended; (tasks,)."""
        return np.asarray(self.tasks["end_ns"] >= 0)

    @functools.cached_property
    def dominant(self) -> npt.NDArray[np.float64]:
        """The largest demand of each kind of tasks as a fraction of the datacenter; (kinds,)."""
        return np.asarray((self.demands / np.maximum(self.capacity.sum(axis=0), 1)).max(axis=1))

    @functools.cached_property
    def counted_jobs(self) -> CountedJobs:
        """The completed jobs that arrived after the warm-up."""
        return CountedJobs.of_table(self.jobs, self.job_arrivals & (self.jobs["end_ns"] >= 0))


def _tasks(run: Finished) -> dict[str, int]:
    total, completed = len(run.tasks), int(run.have_ended.sum())
    found = {
        "total": total,
        "completed": completed,
        "unfinished": total - completed - run.unschedulable - (run.endless or 0),
        "unschedulable": run.unschedulable,
    }
    if run.endless is not None:
        found["endless"] = run.endless
    return found if run.dropped is None else found | {"dropped": run.dropped}


def _jobs(run: Finished) -> dict[str, int]:
    return {"total": len(run.jobs), "completed": int((run.jobs["end_ns"] >= 0).sum())}


def _recorded_starts(run: Finished) -> dict[str, Any] | None:
    if run.recorded_ns is None:
        return None
    return recorded_starts(run.jobs, run.tasks["first_start_ns"], run.recorded_ns, run.job_arrivals)


def _allocation_delay(run: Finished) -> dict[str, float | None]:
    if run.waited is None:
        return distribution_s(_NONE, _TASK_PERCENTILES)
    return distribution_of(run.waited, _TASK_PERCENTILES)


def _delay_components(run: Finished) -> dict[str, dict[str, float | None]]:
    parts = run.delay_parts
    return {
        part: distribution_of(parts[part], _TASK_PERCENTILES) if parts else distribution_s(_NONE, _TASK_PERCENTILES)
        for part in DELAY_PARTS
    }


def _by_class(run: Finished) -> dict[str, Any] | None:
    if run.short_cutoff_ns is None:
        return None
    jobs = run.counted_jobs
    short = jobs["mean_ns"] <= run.short_cutoff_ns
    return {
        name: {"jobs": len(part), "job_completion_s": part.completion, "job_delay_s": part.delay}
        for name, part in (("short", jobs.where(short)), ("long", jobs.where(~short)))
    }


def _waits_of(run: Finished, chosen: npt.NDArray[np.bool_]) -> dict[str, float | None]:
    """Return the distribution of the waits of some of the counted tasks that started; (started tasks,)."""
    if chosen.all():
        return _allocation_delay(run)
    waits = run.started("first_start_ns")[chosen] - run.started("arrival_ns")[chosen]
    return distribution_s(waits, _TASK_PERCENTILES)


def _by_work_class(run: Finished) -> dict[str, Any]:
    cutoff, jobs = run.work_cutoff, run.counted_jobs
    found: dict[str, Any] = {"definition": cutoff.says, "rule": cutoff.rule, "cutoff_s": cutoff.seconds}
    task_short = np.repeat(run.jobs["mean_ns"] <= cutoff.seconds * 1e9, run.jobs["tasks"])[run.counted_starts]
    job_short = jobs["mean_ns"] <= cutoff.seconds * 1e9
    for name, tasks, own in (("short", task_short, job_short), ("long", ~task_short, ~job_short)):
        part = jobs.where(own)
        found[name] = {
            "jobs": len(part),
            "tasks": int(tasks.sum()),
            "allocation_delay_s": _waits_of(run, tasks),
            "job_completion_s": part.completion,
            "job_delay_s": part.delay,
        }
    return found


def _makespan(run: Finished) -> float:
    last = run.tasks["end_ns"].max(initial=-1)
    return float(last - run.tasks["arrival_ns"].min()) / 1e9 if last >= 0 else 0.0


def _utilisation(run: Finished) -> dict[str, float]:
    span = _makespan(run)
    total = run.capacity.sum(axis=0) * span
    used = used_s(run.tasks["last_start_ns"], run.tasks["end_ns"], run.kind, run.demands)
    return {
        name: float(used[r] / total[r]) for r, name in enumerate(run.resources) if total[r] > 0 and used[r] > 0
    } or {run.resources[0]: 0.0}


def _work_ns(run: Finished) -> npt.NDArray[np.float64]:
    """Return how long each job's tasks would fill the datacenter's scarcest resource for them, ns."""
    ran_ns = np.where(run.tasks["end_ns"] >= 0, run.tasks["end_ns"] - run.tasks["last_start_ns"], 0)
    job = np.repeat(np.arange(len(run.jobs)), run.jobs["tasks"])
    whole, most = run.capacity.sum(axis=0), np.zeros(len(run.jobs))
    for r in np.flatnonzero(whole):
        np.maximum(most, np.bincount(job, (run.demands[:, r] / whole[r])[run.kind] * ran_ns, len(most)), out=most)
    return most


def _graphs(run: Finished) -> dict[str, Any] | None:
    if not run.graphs:
        return None
    fairness = job_fairness(run.tasks, run.jobs, run.dominant[run.kind])
    counted = run.job_arrivals
    slowdown = fair_slowdown(run.jobs, _work_ns(run), counted)
    found = {"fairness_of_jobs": fairness, **completions(run.counted_jobs), "fair_share_slowdown": slowdown}
    return found if run.given is None else found | leftover(run.given, run.resources)


def _pipeline(run: Finished) -> dict[str, Any] | None:
    if run.stages is None:
        return None
    figures = pipeline_figures(run.tasks, run.jobs, run.warmup_ns, run.submitted_ns, run.eligible_ns)
    return figures | {"stages": run.stages}


def _running(run: Finished) -> dict[str, Any] | None:
    counted = run.arrivals
    return None if run.own_ns is None else running(run.tasks, run.own_ns, counted, run.counters)


def _fairness(run: Finished) -> dict[str, Any]:
    columns = tuple(run.tasks[name] for name in ("arrival_ns", "last_start_ns", "end_ns", "queue"))
    found = queue_fairness(columns, run.kind, run.dominant, run.shares)
    return found | _entitled(run, columns)


def _entitled(run: Finished, columns: Columns) -> dict[str, Any]:
    """Return fairness against what queues could use; tasks that no machine can run count as no demand."""
    changes = walk_of(columns, run.kind, run.dominant, run.running, run.never, run.now_ns)
    return entitled_fairness(changes, run.queues, run.shares, run.now_ns, run.share_changes)


def _constraint_waits(run: Finished) -> dict[str, Any] | None:
    counted = run.arrivals.copy()
    counted &= run.tasks["arrival_ns"] <= run.now_ns
    if run.asks is None or not counted.any():
        return None
    arrival, first_start = (np.asarray(run.tasks[name][counted]) for name in ("arrival_ns", "first_start_ns"))
    return constraint_waits(arrival, first_start, run.asks[counted], run.constraints)


METRICS: tuple[tuple[str, Callable[[Finished], Any]], ...] = (
    ("finished", lambda run: run.ended),
    ("waiting_groups", lambda run: list(run.waiting) or None),
    ("tasks", _tasks),
    ("jobs", _jobs),
    ("allocation_delay_s", _allocation_delay),
    ("delay_components_s", _delay_components),
    ("job_completion_s", lambda run: run.counted_jobs.completion),
    ("job_delay_s", lambda run: run.counted_jobs.delay),
    ("by_class", _by_class),
    ("by_work_class", _by_work_class),
    ("waits", wait_groups),
    ("constraint_waits", _constraint_waits),
    ("recorded_starts", _recorded_starts),
    ("lost_work_s", lambda run: int(run.tasks["lost_ns"].sum()) / 1e9),
    ("makespan_s", _makespan),
    ("utilisation", _utilisation),
    ("fairness", _fairness),
    ("graphs", _graphs),
    ("running", _running),
    ("pipeline", _pipeline),
    ("counters", lambda run: run.counters),
)


def measure(run: Finished) -> dict[str, Any]:
    """Return every metric of the run."""
    found = {name: function(run) for name, function in METRICS}
    return {name: value for name, value in found.items() if value is not None}


def measured_number(run: Finished, name: str) -> float | None:
    """Return one number of the run by its dotted name, such as `allocation_delay_s.p99`; None where there is none."""
    first, *keys = name.split(".")
    function = dict(METRICS).get(first)
    found = None if function is None else function(run)
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None
