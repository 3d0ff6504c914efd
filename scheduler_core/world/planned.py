"""Turn an experiment's `events` into rows of `World.incident` (engine.incidents).

An event becomes one row; an event with a duration becomes two. A rack or a cluster becomes its machines. Random
failures become the drawn outages (world.failures). A burst is not an incident: it moves arrivals before the run
(workload.bursts).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from scheduler_core.cluster import Cluster, build_cluster
from scheduler_core.engine.events import EVENT_HEADROOM, schedule
from scheduler_core.engine.incidents import (
    DRAIN_MACHINES,
    FAIL_GLOBAL_MASTER,
    FAIL_LOCAL_MASTER,
    FAIL_MACHINES,
    KIND_INCIDENT,
    RECOVER_GLOBAL_MASTER,
    RECOVER_LOCAL_MASTER,
    RESTORE_MACHINES,
    SET_PARAMS,
    SET_SHARE,
    SHARE_UNIT,
    STOP_TASK,
)
from scheduler_core.engine.records import DRAINED, FAILED, INCIDENT, Records, World, records
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.experiment.sections import Event, Queue
from scheduler_core.world.failures import outages
from scheduler_core.world.pack import grow_heap
from scheduler_core.world.start import P, Start


def plan(experiment: Experiment, cluster: Cluster, tasks: int | None = None) -> Records:
    """Return the incidents of an experiment in order of time; `x` of a SET_PARAMS row indexes `changed_params`.

    Raises ExperimentError if an event stops a task that the workload, with `tasks` tasks, does not have.
    """
    rows: list[tuple[int, int, int, int, int]] = []
    settings = 0
    queues = effective_queues(experiment)
    for place, event in enumerate(experiment.events):
        if event.kind == "burst":
            continue
        if tasks is not None and event.target.task is not None and event.target.task >= tasks:
            path, allowed = f"events[{place}].target.task", f"0 to {tasks - 1:,}: the workload has {tasks:,} tasks"
            raise ExperimentError([Problem(path, f"is {event.target.task:,}", allowed)])
        if event.kind == "fail" and event.value:
            machines = range(*_machines(event.target, cluster))
            for begin_ns, end_ns, first, end in outages(event, place, experiment.seed, machines, cluster.rack_of):
                rows += [(begin_ns, FAIL_MACHINES, first, end, FAILED), (end_ns, RESTORE_MACHINES, first, end, FAILED)]
            continue
        at_ns = round(event.at_s * 1e9)
        until_ns = None if event.duration_s is None else round((event.at_s + event.duration_s) * 1e9)
        if event.kind == "set":
            times = [at_ns] if until_ns is None else [at_ns, until_ns]
            if event.target.queue is not None:
                rows += _shares(event, times, queues)
            else:
                rows += [(time_ns, SET_PARAMS, 0, 0, settings + number) for number, time_ns in enumerate(times)]
                settings += len(times)
            continue
        if event.kind == "stop":
            # Its target is a task: check_events has refused all others.
            rows.append((at_ns, STOP_TASK, event.target.task, event.target.task + 1, 0))  # type: ignore[arg-type, operator]
            continue
        for undone, time_ns in ((False, at_ns), (True, until_ns)):
            if time_ns is not None:
                rows.append((time_ns, *_outage(event, undone, cluster)))
    found = records(len(rows), INCIDENT)
    for row, values in zip(found, sorted(rows, key=lambda r: r[0]), strict=True):
        row.time_ns, row.what, row.first, row.end, row.x = values
    return found


def stops_of(world: World) -> frozenset[tuple[int, int]]:
    """Return the time, in ns, and the task of each event that stops one."""
    rows = world.incident[world.incident["what"] == STOP_TASK]
    return frozenset(zip(rows["time_ns"].tolist(), rows["first"].tolist(), strict=True))


def first_outage(experiment: Experiment) -> tuple[int, float] | None:
    """Return the first machine that an event takes out of service, and when, in seconds; None if none does."""
    for row in plan(experiment, build_cluster(experiment)):
        if row.what in (FAIL_MACHINES, DRAIN_MACHINES):
            return int(row.first), int(row.time_ns) / 1e9
    return None


def _outage(event: Event, undone: bool, cluster: Cluster) -> tuple[int, int, int, int]:
    """Return (what, first, end, x) of a fault, drain or recovery, or of its end."""
    target, back = event.target, undone or event.kind == "recover"
    if target.global_master is not None:
        what = RECOVER_GLOBAL_MASTER if back else FAIL_GLOBAL_MASTER
        return what, target.global_master, target.global_master + 1, 0
    if target.local_master is not None:
        number = cluster.cluster_names.index(target.local_master)
        return RECOVER_LOCAL_MASTER if back else FAIL_LOCAL_MASTER, number, number + 1, 0
    first, end = _machines(target, cluster)
    if event.kind == "recover":
        return RESTORE_MACHINES, first, end, FAILED | DRAINED
    why = FAILED if event.kind == "fail" else DRAINED
    if undone:
        return RESTORE_MACHINES, first, end, why
    return (FAIL_MACHINES if why == FAILED else DRAIN_MACHINES), first, end, why


def _machines(target: Any, cluster: Cluster) -> tuple[int, int]:
    if target.machine is not None:
        return target.machine, target.machine + 1
    if target.rack is not None:
        first, end = np.searchsorted(cluster.rack_of, [target.rack, target.rack + 1])
        return int(first), int(end)
    number = cluster.cluster_names.index(target.cluster)
    return int(cluster.cluster_first[number]), int(cluster.cluster_first[number + 1])


def _shares(event: Event, times_ns: list[int], queues: tuple[Queue, ...]) -> list[tuple[int, int, int, int, int]]:
    """Return the rows of a share change; at the second time the experiment's own share applies again."""
    queue = [one.name for one in queues].index(str(event.target.queue))
    shares = (float(event.value["share"]), queues[queue].share)
    return [
        (time_ns, SET_SHARE, queue, queue + 1, round(share * SHARE_UNIT))
        for time_ns, share in zip(times_ns, shares, strict=False)
    ]


def changed_params(experiment: Experiment) -> list[dict[str, Any]]:
    """Return what each event sets that changes parameters, followed by what it resets at its end, if it has one."""
    changes: list[dict[str, Any]] = []
    for event in experiment.events:
        if event.kind == "set" and event.target.queue is None:
            changes.append(dict(event.value))
            if event.duration_s is not None:
                changes.append({key: experiment.scheduler.params[key] for key in event.value})
    return changes


def params_after_events(experiment: Experiment, incidents: Records) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield, for each change in order of time, its index in `changed_params` and all parameters after it."""
    params, changes = experiment.scheduler.params, changed_params(experiment)
    for row in incidents:
        if row.what == SET_PARAMS:
            params = params | changes[row.x]
            yield int(row.x), params


def settings_after_events(start: Start[P], kind: np.dtype[Any], fill: Callable[[Records, P], None]) -> Records:
    """Return a row of `kind` for each change of parameters; a row without effect if there is none.

    `fill` writes into (1,) rows the settings that follow from the parameters after the change.
    """
    return settings_by_name(start, kind, lambda rows, given: fill(rows, start.after(given)))


def settings_by_name(
    start: Start[Any], kind: np.dtype[Any], fill: Callable[[Records, dict[str, Any]], None]
) -> Records:
    """Do the same for a family whose schedulers have different parameters: `fill` takes them by name."""
    found = records(max(len(changed_params(start.experiment)), 1), kind)
    for place, given in params_after_events(start.experiment, start.world.incident):
        fill(found[place : place + 1], given)
    return found


def with_incidents(world: World, incidents: Records) -> World:
    """Return the world with its incidents scheduled."""
    world = world._replace(incident=incidents)
    world.control["incidents_left"] = len(incidents)
    while len(incidents) + EVENT_HEADROOM > len(world.heap):
        world = grow_heap(world)
    for number, row in enumerate(incidents):
        schedule(world, int(row.time_ns), KIND_INCIDENT, number, 0)
    return world
