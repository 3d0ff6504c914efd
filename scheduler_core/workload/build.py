"""Build the arrays that an engine runs: from draws, from a file, or from jobs in the experiment itself."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.build import Cluster, amounts
from scheduler_core.errors import ExperimentError, Problem, TraceError, did_you_mean, listed, shown
from scheduler_core.experiment import Experiment, ResolveTrace, effective_queues, trace_file
from scheduler_core.experiment.derived import has_priorities
from scheduler_core.experiment.digest import file_sha256
from scheduler_core.experiment.sections import Queue
from scheduler_core.experiment.workloads import Demand, InlineJob, InlineWorkload, SyntheticWorkload, TraceWorkload
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.workload.bursts import with_bursts
from scheduler_core.workload.clusters.standing import Standing, standing_of, with_durations
from scheduler_core.workload.raw import Asked, Ints, RawWork, in_arrival_order
from scheduler_core.workload.raw.resampled import resampled, stretched
from scheduler_core.workload.raw.seconds import NS, to_ns
from scheduler_core.workload.recorded import Recorded, of_standing, of_starts
from scheduler_core.workload.stages import RawStages, Stages, numbered, topological

JOB_DTYPE = np.dtype([(name, np.int64) for name in ("arrival_ns", "queue", "first_task", "tasks", "mean_ns")])
TASK_DTYPE = np.dtype([(name, np.int64) for name in ("job", "duration_ns", "demand")])

# Half of int64's range: additions to a time during a run must fit as well.
_LAST_NS = 2**62


@dataclass(frozen=True)
class Workload:
    """A workload as arrays.

    - `jobs`: record array of int64 (arrival_ns, queue, first_task, tasks, mean_ns), in order of arrival.
    - `tasks`: record array of int64 (job, duration_ns, demand), job by job.
    - `demands`: int64 (classes, resources), the distinct demand vectors in thousandths of a unit.
    - `source_digest`: a digest of the whole content. `notes`: sentences for people.
    - `before_bursts`: the workload without the experiment's bursts; None if the experiment has none.
    - `asks`: the bits of the constraints in `asked` that each task requests; None if the source records none.
    - `stages`: the dependencies between tasks; None if there are none.
    - `priority`: the priority of each task, larger first; None if the experiment has no priorities.
    - `gang`: 1 for each job whose tasks must start together; None if there is no such job.
    - `standing`: which tasks run at time 0 (workload.clusters.standing); None if the source does not say.
    - `recorded`: when and where tasks started by the source (workload.recorded); None if it does not say.
    """

    jobs: NDArray[Any]
    tasks: NDArray[Any]
    demands: NDArray[np.int64]
    source_digest: str
    notes: tuple[str, ...] = ()
    before_bursts: Workload | None = None
    asks: NDArray[np.int64] | None = None
    asked: tuple[Asked, ...] = ()
    stages: Stages | None = None
    priority: NDArray[np.int64] | None = None
    gang: NDArray[np.int64] | None = None
    standing: Standing | None = None
    recorded: Recorded | None = None


def build_workload(
    experiment: Experiment,
    cluster: Cluster,
    *,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Workload:
    """Return the workload of an experiment as arrays. Raises ExperimentError."""
    workload = experiment.workload
    source = ""
    if isinstance(workload, SyntheticWorkload):
        from scheduler_core.workload.synthetic.declared import draw

        raw = draw(workload, experiment.seed, cluster, limits)
    elif isinstance(workload, TraceWorkload):
        raw, source = _from_trace(experiment, workload, cluster, resolve_trace, limits)
    elif isinstance(workload, InlineWorkload):
        raw = _from_inline(workload, cluster)
    else:
        from scheduler_core.workload.synthetic.dags import draw_dags

        raw = draw_dags(workload, experiment.seed, cluster, limits)
    raw = in_arrival_order(raw)
    refuse_endless(raw, cluster)
    queue = _assign_queues(experiment, raw)
    hurried, queue_then = with_bursts(experiment, raw, queue)
    packed = _pack(hurried, queue_then, cluster, source, _priorities(experiment, hurried, queue_then))
    packed = _with_record(packed, hurried, experiment)
    if hurried is raw:
        return packed
    planned = _pack(raw, queue, cluster, source, _priorities(experiment, raw, queue))
    return replace(packed, before_bursts=_with_record(planned, raw, experiment))


def _with_record(packed: Workload, raw: RawWork, experiment: Experiment) -> Workload:
    """Return the workload with what its source says about tasks that run at time 0, and about starts."""
    standing = standing_of(raw, experiment)
    recorded = of_starts(raw.started_ns) if standing is None else of_standing(standing, experiment)
    return replace(packed, standing=standing, recorded=recorded)


def _from_trace(
    experiment: Experiment,
    workload: TraceWorkload,
    cluster: Cluster,
    resolve_trace: ResolveTrace | None,
    limits: Limits,
) -> tuple[RawWork, str]:
    """Read the trace; a problem in the file becomes one of the experiment's field that names it."""
    from scheduler_core.workload.readers.registry import read_trace

    path = trace_file(experiment, resolve_trace)
    where = "workload.path" if workload.path is not None else "workload.trace"
    try:
        raw = read_trace(path, workload.format, limits)
    except TraceError as error:
        raise ExperimentError(
            Problem(
                where,
                f"{problem.path}: {problem.message}" if problem.path else problem.message,
                problem.allowed,
                problem.remedy,
            )
            for problem in error.problems
        ) from None
    if raw.demand is None:
        raw = replace(
            raw, demand=np.zeros(len(raw.duration_ns), np.int64), demands=(_named(workload.task_demand, cluster),)
        )
    if workload.graphs == "drop" and raw.stages is not None:
        note = (
            f"{len(raw.stages.parents):,} edges between stages were dropped, as `graphs` says: all tasks of a job "
            "may start when it arrives."
        )
        raw = replace(raw, stages=None, notes=(*raw.notes, note))
    origin = 0 if raw.standing is not None else int(raw.arrival_ns.min())
    if workload.time_origin == "first_arrival" and origin:
        note = f"Time 0 is the first arrival, which the file has at {origin / NS:,.3f} s."
        raw = replace(raw, arrival_ns=raw.arrival_ns - origin, notes=(*raw.notes, note))
    if raw.standing is not None:
        return _of_cluster(raw, experiment, workload), ""
    if workload.durations is not None:
        raise ExperimentError(
            [
                Problem(
                    "workload.durations",
                    "is given, and the trace knows how long its tasks run",
                    "a cluster file of import-cluster",
                    "leave it out",
                )
            ]
        )
    if workload.resampling is None and workload.offered_load is None:
        return raw, file_sha256(path)
    raw = in_arrival_order(raw)
    if workload.resampling is not None:
        raw = resampled(raw, experiment.seed, workload.resampling.block_jobs)
    if workload.offered_load is not None:
        demands = np.array([[kind.get(name, 0) for name in cluster.names] for kind in raw.demands], np.int64)
        raw = stretched(raw, demands, cluster.capacity.sum(axis=0), workload.offered_load)
    return raw, ""


def _of_cluster(raw: RawWork, experiment: Experiment, workload: TraceWorkload) -> RawWork:
    """Return a cluster's work with all durations; its tasks already run on its machines."""
    for name in ("resampling", "offered_load"):
        if getattr(workload, name) is not None:
            told = "is given, and the tasks of a cluster already run on its machines"
            raise ExperimentError([Problem(f"workload.{name}", told, "a trace of jobs that arrive", "leave it out")])
    return with_durations(raw, experiment)


def _from_inline(workload: InlineWorkload, cluster: Cluster) -> RawWork:
    """Take the jobs as the experiment writes them; one with durations is one stage among jobs that have stages."""
    kinds: dict[tuple[int, ...], int] = {}
    arrival, counts, means, demand, queue = [], [], [], [], []
    of_job, tasks, parents_of = [], [], []
    durations: list[int] = []
    priority: list[int] = []
    parents: list[int] = []
    started: list[int] = []
    names: dict[str, int] = {}
    for job in workload.jobs:
        before, stages = len(durations), _stages_of(job)
        for own, wants, waits_for in stages:
            kind = kinds.setdefault(tuple(amounts(wants, cluster.names)), len(kinds))
            durations += own
            demand += [kind] * len(own)
            tasks.append(len(own))
            parents_of.append(len(waits_for))
            parents += waits_for
        of_job.append(len(stages))
        arrival.append(to_ns(job.arrival_s))
        counts.append(len(durations) - before)
        means.append(sum(durations[before:]) // counts[-1])
        queue.append(names.setdefault(job.queue, len(names)) if job.queue is not None else -1)
        started += [-1 if job.started_s is None else to_ns(job.started_s)] * counts[-1]
        priority += job.priorities or [-1 if job.priority is None else job.priority] * counts[-1]
    graph = any(job.stages is not None for job in workload.jobs)
    gang = np.array([job.gang is True for job in workload.jobs], np.int64)
    return RawWork(
        np.array(arrival, np.int64),
        np.array(counts, np.int64),
        np.array(means, np.int64),
        np.array(durations, np.int64),
        queue_names=tuple(names),
        queue=np.array(queue, np.int64),
        demands=tuple(dict(zip(cluster.names, kind, strict=True)) for kind in kinds),
        demand=np.array(demand, np.int64),
        stages=RawStages(*(np.array(c, np.int64) for c in (of_job, tasks, parents_of, parents))) if graph else None,
        priority=np.array(priority, np.int64) if max(priority) >= 0 else None,
        gang=gang if gang.any() else None,
        started_ns=np.array(started, np.int64) if max(started) >= 0 else None,
    )


def _stages_of(job: InlineJob) -> list[tuple[list[int], Demand, list[int]]]:
    """Return durations in ns, demand and parents (places in this list) of each stage, parents first."""
    if job.stages is None:
        return [([to_ns(seconds) for seconds in job.durations_s or ()], job.demand, [])]
    order = topological([stage.name for stage in job.stages], [stage.after for stage in job.stages])
    place = {job.stages[number].name: at for at, number in enumerate(order)}
    return [
        ([to_ns(stage.duration_s)] * stage.tasks, stage.demand, sorted({place[name] for name in stage.after}))
        for stage in (job.stages[number] for number in order)
    ]


def _named(demand: Any, cluster: Cluster) -> dict[str, int]:
    return dict(zip(cluster.names, amounts(demand, cluster.names), strict=True))


def refuse_endless(work: RawWork | Workload, cluster: Cluster, slowdown: float = 1.0) -> None:
    """Refuse a workload that takes longer, with all machines busy, than nanoseconds can count.

    `slowdown` is the largest factor by which any run time may grow.
    """
    arrival, duration = (
        (work.arrival_ns, work.duration_ns)
        if isinstance(work, RawWork)
        else (work.jobs["arrival_ns"], work.tasks["duration_ns"])
    )
    longest = float(duration.max()) + float(duration.sum(dtype=np.float64)) / cluster.machines
    end = float(arrival[-1]) + longest * slowdown
    if end > _LAST_NS:
        slowed = ", with every soft constraint relaxed" if slowdown > 1 else ""
        raise ExperimentError(
            [
                Problem(
                    "constraints.soft" if slowdown > 1 else "workload",
                    f"would take about {end / NS / 31_557_600:,.0f} years to run{slowed}",
                    "at most 146 years",
                    "lower the slowdowns" if slowdown > 1 else "shorten the tasks, or add machines",
                )
            ]
        )


def _assign_queues(experiment: Experiment, raw: RawWork) -> Ints:
    """Return each job's queue; a queue that the job names takes precedence over the rule."""
    queues = effective_queues(experiment)
    workload = experiment.workload
    rule = workload.queue_assignment
    queue = _RULES[rule](experiment.seed, raw, queues)
    by_job = isinstance(workload, InlineWorkload | SyntheticWorkload)
    named = raw.queue is not None and (by_job or rule == "column")
    if named and raw.queue is not None:
        known = _known_queues(raw, queues)
        queue = np.where(raw.queue >= 0, known[raw.queue], queue)
    return queue


def _known_queues(raw: RawWork, queues: tuple[Queue, ...]) -> Ints:
    """Map the source's queue names to the experiment's queues; the last entry stands for -1."""
    names = [queue.name for queue in queues]
    unknown = [name for name in raw.queue_names if name not in names]
    if unknown:
        raise ExperimentError(
            Problem(
                "workload.queue_assignment",
                f"the trace names a queue {shown(name)}{did_you_mean(name, names)}",
                listed(names),
                "add the queue to `queues`",
            )
            for name in unknown[:20]
        )
    return np.array([*(names.index(name) for name in raw.queue_names), 0], np.int64)


def _round_robin(seed: int, raw: RawWork, queues: tuple[Queue, ...]) -> Ints:
    return np.arange(len(raw.tasks), dtype=np.int64) % len(queues)


def _by_share(seed: int, raw: RawWork, queues: tuple[Queue, ...]) -> Ints:
    from scheduler_core.workload.synthetic.rows import cumulative
    from scheduler_core.workload.synthetic.sampling import assign_by_share

    queue = np.empty(len(raw.tasks), np.int64)
    assign_by_share(seed, cumulative([one.share for one in queues]), queue)
    return queue


def _by_hash(seed: int, raw: RawWork, queues: tuple[Queue, ...]) -> Ints:
    from scheduler_core.workload.synthetic.sampling import assign_by_hash

    queue = np.empty(len(raw.tasks), np.int64)
    assign_by_hash(raw.arrival_ns, raw.tasks, len(queues), queue)
    return queue


def _by_column(seed: int, raw: RawWork, queues: tuple[Queue, ...]) -> Ints:
    if raw.queue is None or bool((raw.queue < 0).any()):
        missing = (
            "the trace has no column of queues"
            if raw.queue is None
            else (f"{int((raw.queue < 0).sum()):,} of its jobs name no queue")
        )
        raise ExperimentError(
            [
                Problem(
                    "workload.queue_assignment",
                    f"is 'column', but {missing}",
                    "round_robin, by_share, hash",
                    "choose one of them",
                )
            ]
        )
    return np.zeros(len(raw.tasks), np.int64)


_RULES: dict[str, Callable[[int, RawWork, tuple[Queue, ...]], Ints]] = {
    "round_robin": _round_robin,
    "by_share": _by_share,
    "hash": _by_hash,
    "column": _by_column,
}


def _priorities(experiment: Experiment, raw: RawWork, queue: Ints) -> Ints | None:
    """Return each task's priority: its own, else its queue's, else 0; None if the experiment has no priorities."""
    if not has_priorities(experiment):
        return None
    of_queue = np.array([one.priority or 0 for one in effective_queues(experiment)], np.int64)
    by_queue: Ints = np.repeat(of_queue[queue], raw.tasks)
    return by_queue if raw.priority is None else np.where(raw.priority >= 0, raw.priority, by_queue)


def _pack(raw: RawWork, queue: Ints, cluster: Cluster, source: str, priority: Ints | None) -> Workload:
    """Put everything into record arrays and name it by a digest."""
    assert raw.demand is not None
    jobs = np.recarray(len(raw.tasks), dtype=JOB_DTYPE)
    jobs.arrival_ns, jobs.queue, jobs.tasks, jobs.mean_ns = raw.arrival_ns, queue, raw.tasks, raw.mean_ns
    jobs.first_task = np.cumsum(raw.tasks) - raw.tasks
    tasks = np.recarray(len(raw.duration_ns), dtype=TASK_DTYPE)
    tasks.job = np.repeat(np.arange(len(raw.tasks), dtype=np.int64), raw.tasks)
    tasks.duration_ns, tasks.demand = raw.duration_ns, raw.demand
    demands = np.array([[kind.get(name, 0) for name in cluster.names] for kind in raw.demands], np.int64)
    if not source:
        digest = hashlib.sha256(repr((cluster.names, demands.tolist())).encode())
        for array in (raw.arrival_ns, raw.tasks, raw.duration_ns, raw.demand, queue):
            digest.update(np.ascontiguousarray(array, dtype="<i8").tobytes())
        if raw.stages is not None:
            for array in (raw.stages.of_job, raw.stages.tasks, raw.stages.parents_of, raw.stages.parents):
                digest.update(np.ascontiguousarray(array, dtype="<i8").tobytes())
        if priority is not None:
            digest.update(np.ascontiguousarray(priority, dtype="<i8").tobytes())
        if raw.gang is not None:
            digest.update(np.ascontiguousarray(raw.gang, dtype="<i8").tobytes())
        if raw.started_ns is not None:
            digest.update(np.ascontiguousarray(raw.started_ns, dtype="<i8").tobytes())
        source = digest.hexdigest()
    stages = None if raw.stages is None else numbered(raw.stages)
    return Workload(
        jobs, tasks, demands, source, raw.notes, None, raw.asks, raw.asked, stages, priority=priority, gang=raw.gang
    )
