"""Put a cluster's tasks on an experiment's machines: which run at time 0 and where, and how long each takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster import Cluster
from scheduler_core.errors import ExperimentError, Problem, did_you_mean, listed
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.sections import Topology
from scheduler_core.experiment.workloads import TraceWorkload
from scheduler_core.workload.raw import Ints, RawWork
from scheduler_core.workload.raw.seconds import NS

_STREAM = 46
"""The random stream of durations that are drawn, beside those of engine.rng."""
ENDLESS_NS = 10_000_000 * NS
"""How long a task without an end takes: longer than any run that has one."""
SERVICE, RUNNING, LATER = range(3)
_BOUND = np.array(["DaemonSet", "Node"], object)
"""Kinds of owners whose pods belong to one machine."""


@dataclass(frozen=True)
class Standing:
    """Which of a workload's tasks run at time 0.

    - `machine`: int64 (tasks,), the machine; -1 for a task that has not started.
    - `row`: int64 (tasks,), the task's row in the cluster file.
    - `endless`: (tasks,), True for a task that runs until the run stops.
    - `content`: the cluster file (workload.clusters.file).

    Jobs are either running or not. In the workload's order, running jobs without an end come first, then other running
    jobs, then the rest.
    """

    machine: Ints
    row: Ints
    endless: NDArray[np.bool_]
    content: Any = None

    def recorded_starts(self) -> Ints | None:
        """Return when each task started by the file, in ns, -1 for not after time 0; None without any such start."""
        if self.content is None:
            return None
        started = np.asarray(self.content.tasks.column("started_ns").to_numpy(), np.int64)[self.row]
        return np.maximum(started, -1) if (started >= 0).any() else None

    def bound(self) -> NDArray[np.bool_]:
        """Return which tasks end with their machine: no controller makes another one elsewhere. (tasks,) bool."""
        if self.content is None:
            return np.zeros(len(self.row), np.bool_)
        owners = np.asarray(self.content.tasks.column("owner").to_pylist(), object)[self.row]
        found: NDArray[np.bool_] = (self.machine >= 0) & np.isin(owners, _BOUND)
        return found

    @property
    def services(self) -> int:
        """Count the tasks that run at time 0 and have no end: the first tasks of the workload."""
        return int(((self.machine >= 0) & self.endless).sum())

    @property
    def running(self) -> int:
        """Count the tasks that run at time 0."""
        return int((self.machine >= 0).sum())


def with_durations(raw: RawWork, experiment: Experiment) -> RawWork:
    """Draw the durations that the file does not know, and put running jobs first. Raises ExperimentError.

    A kind of owner without a distribution in `workload.durations` has no end: its tasks run until the run stops.
    """
    standing, workload = raw.standing, experiment.workload
    if standing is None or not isinstance(workload, TraceWorkload):
        return raw
    given = workload.durations or {}
    _refuse_unknown(given, standing.owners)
    duration = raw.duration_ns.copy()
    endless = standing.open_ >= 0
    notes: list[str] = []
    for name, distribution in given.items():
        number = standing.owners.index(name) if name in standing.owners else -2
        mine = np.flatnonzero(standing.open_ == number)
        if len(mine):
            duration[mine] = _drawn(distribution, experiment.seed, standing.row[mine])
            endless[mine] = False
            notes.append(f"{len(mine):,} tasks of the kind {name} have a drawn duration: the file does not know it.")
    duration[endless] = ENDLESS_NS
    machine = machines_at(standing.place, experiment.topology)
    lost = int(((standing.place[:, 0] >= 0) & (machine < 0)).sum())
    if lost:
        notes.append(f"{lost:,} tasks ran on machines that the experiment does not have; they wait at time 0.")
    placed = machine >= 0
    rank = np.where(placed & endless, SERVICE, np.where(placed, RUNNING, LATER))
    standing = replace(standing, endless=endless)
    return _regrouped(replace(raw, duration_ns=duration, standing=standing, notes=(*raw.notes, *notes)), rank)


def standing_of(raw: RawWork, experiment: Experiment) -> Standing | None:
    """Return which tasks of a workload run at time 0; None if it does not come from a cluster."""
    if raw.standing is None:
        return None
    kept = raw.standing
    return Standing(machines_at(kept.place, experiment.topology), kept.row, kept.endless, kept.content)


def machines_at(place: Ints, topology: Topology) -> Ints:
    """Return the machine at each (cluster, group of alike machines, which one), int64; -1 where there is none."""
    found = np.full(len(place), -1, np.int64)
    first = cluster = 0
    for group in topology.clusters:
        for _ in range(group.repeat or 1):
            for kind, machines in enumerate(group.machines):
                mine = (place[:, 0] == cluster) & (place[:, 1] == kind) & (place[:, 2] < machines.count)
                found[mine] = first + place[mine, 2]
                first += machines.count
            cluster += 1
    found[place[:, 0] < 0] = -1
    return found


def held(standing: Standing, demand: Ints, demands: Ints, cluster: Cluster) -> Ints:
    """Return what running tasks without an end hold of each machine, int64 (machines, resources), in thousandths."""
    taken = np.zeros_like(cluster.capacity)
    services = np.flatnonzero((standing.machine >= 0) & standing.endless)
    np.add.at(taken, standing.machine[services], demands[demand[services]])
    return taken


def _refuse_unknown(given: Mapping[str, object], owners: tuple[str, ...]) -> None:
    # A kind that the file does not have changes nothing, and a typing error would make tasks endless in silence.
    unknown = [name for name in given if name not in owners and not any(name == one for one in ("Job", "Pod", "job"))]
    if unknown:
        name = unknown[0]
        raise ExperimentError(
            [
                Problem(
                    f"workload.durations.{name}",
                    f"no task of the cluster is of this kind{did_you_mean(name, owners)}",
                    listed(owners),
                )
            ]
        )


def _drawn(distribution: object, seed: int, rows: Ints) -> Ints:
    from scheduler_core.engine import rng  # loads the compiler, which checking an experiment does without
    from scheduler_core.workload.synthetic.rows import parameters
    from scheduler_core.workload.synthetic.sampling import quantile

    row = parameters(distribution)  # type: ignore[arg-type]
    seconds = [quantile(row, rng.uniform(seed, _STREAM, int(number), 0)) for number in rows]
    found: Ints = np.maximum(np.rint(np.minimum(np.array(seconds), 1e8) * NS), 1).astype(np.int64)
    return found


def _regrouped(raw: RawWork, rank: Ints) -> RawWork:
    """Return the work in the order of arrival, rank and job; a job whose tasks differ in rank becomes several."""
    assert raw.standing is not None
    assert raw.demand is not None
    assert raw.queue is not None
    of_job = np.repeat(np.arange(len(raw.tasks), dtype=np.int64), raw.tasks)
    order = np.lexsort((of_job, rank, raw.arrival_ns[of_job]))
    job, own = of_job[order], rank[order]
    first = np.flatnonzero(np.concatenate([[True], (job[1:] != job[:-1]) | (own[1:] != own[:-1])]))
    tasks = np.diff(np.concatenate([first, [len(job)]])).astype(np.int64)
    duration = raw.duration_ns[order]
    return replace(
        raw,
        arrival_ns=raw.arrival_ns[job[first]],
        tasks=tasks,
        mean_ns=(np.add.reduceat(duration.astype(np.float64), first) / tasks).astype(np.int64),
        duration_ns=duration,
        queue=raw.queue[job[first]],
        demand=raw.demand[order],
        priority=None if raw.priority is None else raw.priority[order],
        standing=raw.standing.moved(order),
    )
