"""Turn the arrays of a run that has ended into tables and a summary object."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.incidents import SET_SHARE, SHARE_UNIT
from scheduler_core.engine.records import TASK_RUNNING, TASK_UNSCHEDULABLE, World
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.experiment.catalogues import constraint_names
from scheduler_core.metrics import Finished, measure
from scheduler_core.metrics.entitlement import ShareChanges
from scheduler_core.metrics.recorded import job_starts
from scheduler_core.run.classes import cutoff_of
from scheduler_core.run.ending import Ended, waiting_groups
from scheduler_core.run.results import START_COLUMNS, RunResult, Table
from scheduler_core.run.tables import TaskColumns, job_table
from scheduler_core.version import __version__
from scheduler_core.workload.stages import Stages
from scheduler_core.workload.stages.times import eligible_ns, submitted_ns
from scheduler_core.world.protocol import Protocol
from scheduler_core.world.spec import SchedulerSpec

ALWAYS_COUNTED = ("events", "messages")


def finished_of(
    experiment: Experiment,
    spec: SchedulerSpec,
    protocol: Protocol,
    world: World,
    state: Any,
    *,
    resources: tuple[str, ...],
    counters: dict[str, int],
    dropped: npt.NDArray[np.bool_] | None,
    ended: Ended,
    standing: int = 0,
    endless: int | None = None,
    never_ending: npt.NDArray[np.bool_] | None = None,
    recorded_ns: npt.NDArray[np.int64] | None = None,
    graph: Stages | None = None,
) -> Finished:
    """Return what metrics measure: a run that has ended, or what a run has done so far.

    `counters` has all counters of the run; metrics see those that `spec` declares. `dropped` marks the tasks
    that their jobs go on without; None without dropped tasks. `ended` says how the run ended. The first
    `standing` tasks ran before it began; `endless` tasks without an end run at its end. `never_ending` marks the tasks
    that nobody waits for. `recorded_ns` has the starts that the workload's source knows. `graph` says which tasks wait
    for which.
    """
    tasks, queues = TaskColumns(world), effective_queues(experiment)
    told = {*ALWAYS_COUNTED, *(counter.name for counter in spec.counters)}
    cutoff = experiment.scheduler.params.get("short_cutoff_s")
    given, stages = (getattr(protocol, name, None) for name in ("given", "figures"))
    return Finished(
        tasks=tasks,
        jobs=job_table(world),
        capacity=world.capacity,
        demands=world.demand,
        kind=np.ascontiguousarray(world.task["demand"]),
        resources=resources,
        shares=np.array([queue.share for queue in queues]),
        unschedulable=int(world.control[0].tasks_unschedulable),
        now_ns=int(world.control[0].now_ns),
        running=world.task["state"] == TASK_RUNNING,
        never=world.task["state"] == TASK_UNSCHEDULABLE,
        queues=tuple(queue.name for queue in queues),
        share_changes=_share_changes(world),
        dropped=None if dropped is None else int((dropped & (tasks["arrival_ns"] <= world.control[0].now_ns)).sum()),
        warmup_ns=round(experiment.warmup_s * 1e9),
        short_cutoff_ns=None if cutoff is None else round(cutoff * 1e9),
        work_cutoff=cutoff_of(experiment, world.job["mean_ns"]),
        ended=ended,
        waiting=waiting_groups(world, queues, resources, experiment, never_ending) if ended == "stuck" else (),
        standing=standing,
        endless=endless,
        recorded_ns=recorded_ns,
        counters={name: value for name, value in counters.items() if name in told},
        stages=stages(world, state) if stages else None,
        **(_of_graph(tasks, world, graph) if stages else {}),
        own_ns=world.task["own_ns"] if spec.paced else None,
        graphs="dag" in spec.supports,
        given=given(world, state) if given else None,
        asks=None if experiment.constraints is None else world.asks[world.task["demand"]],
        constraints=() if experiment.constraints is None else constraint_names(experiment.constraints),
    )


def _of_graph(tasks: TaskColumns, world: World, graph: Stages | None) -> dict[str, npt.NDArray[np.int64]]:
    """Return when each task was submitted by itself, and when it became eligible."""
    arrival_ns, end_ns = (np.asarray(tasks[name], np.int64) for name in ("arrival_ns", "end_ns"))
    return {
        "submitted_ns": submitted_ns(graph, arrival_ns, np.asarray(world.task["own_ns"], np.int64)),
        "eligible_ns": eligible_ns(graph, arrival_ns, end_ns),
    }


def result_of(
    experiment: Experiment,
    spec: SchedulerSpec,
    finished: Finished,
    *,
    experiment_digest: str,
) -> RunResult:
    """Return the result of a run that has ended; its summary has no `performance` yet."""
    summary = {
        "experiment_digest": experiment_digest,
        "outcome_digest": finished.tasks.digest(),
        "scheduler": spec.name,
        "seed": experiment.seed,
        "core_version": __version__,
        **measure(finished),
    }
    return RunResult(summary, finished.tasks.table, finished.jobs, starts=_starts(finished))


def _starts(finished: Finished) -> Table | None:
    """Return the starts of jobs beside the recorded ones, for the jobs that `recorded_starts` of the summary counts."""
    recorded_ns = finished.recorded_ns
    if recorded_ns is None or not len(finished.jobs) or not (recorded_ns >= 0).any():
        return None
    ours = job_starts(finished.jobs, finished.tasks["first_start_ns"])
    theirs = job_starts(finished.jobs, recorded_ns)
    both = np.flatnonzero(finished.job_arrivals & (ours >= 0) & (theirs >= 0))
    table = np.zeros(len(both), START_COLUMNS).view(Table)
    table["job"], table["start_ns"], table["recorded_start_ns"] = both, ours[both], theirs[both]
    table["shift_ns"] = ours[both] - theirs[both]
    return table


def _share_changes(world: World) -> ShareChanges:
    """Return the shares that events have set."""
    rows = world.incident[world.incident["what"] == SET_SHARE]
    queue = np.asarray(rows["first"], np.int64)
    return ShareChanges(np.asarray(rows["time_ns"]), queue, np.asarray(rows["x"]) / SHARE_UNIT)


@dataclass
class Spent:
    """Wall-clock seconds of the parts of a run."""

    prepare_s: float = 0.0
    simulate_s: float = 0.0
    measure_s: float = 0.0
    wall_s: float = 0.0
    """The event loop and the frames alone; part of `simulate_s`."""
    compile_s: float = 0.0


@contextmanager
def counted(spent: Spent, part: str) -> Iterator[None]:
    """Add the time of a block to a part."""
    started = time.perf_counter()
    try:
        yield
    finally:
        setattr(spent, part, getattr(spent, part) + time.perf_counter() - started)


def performance(world: World, tasks: int, spent: Spent, stages: dict[str, Any] | None) -> dict[str, Any]:
    """Return the speed figures of a run, the only figures of a summary that differ between runs."""
    wall = max(spent.wall_s, 1e-9)
    found = {
        "wall_s": spent.wall_s,
        "tasks_per_s": tasks / wall,
        "events_per_s": int(world.control[0].events) / wall,
        "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "compile_s": spent.compile_s,
        "prepare_s": spent.prepare_s,
        "simulate_s": spent.simulate_s,
        "measure_s": spent.measure_s,
        "write_s": 0.0,
        "whole_tasks_per_s": tasks / max(spent.prepare_s + spent.simulate_s + spent.measure_s, 1e-9),
    }
    return found if stages is None else found | {"stages": stages}
