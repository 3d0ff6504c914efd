"""Start the tasks of a cluster that already run at time 0, before any scheduler decides.

A running task without an end holds what it asks for on its machine for the whole run. Under a scheduler that supports
"standing", it is a task like others there, and so is a running task with an end: `start_standing` puts both on their
machines, and the scheduler's `pack` adds them to its own lists and schedules the ends. Under other schedulers, the
capacity of the machines is smaller by what endless tasks hold, and a running task with an end arrives at time 0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scheduler_core.cluster import Cluster
from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.records import CAUSE_UNKNOWN, TASK_RUNNING, World
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment
from scheduler_core.workload import Workload
from scheduler_core.workload.clusters.standing import Standing, held
from scheduler_core.world.pack import grow_heap

SUPPORT = "standing"
_LONGEST_S = 5_000_000.0


def without_held(cluster: Cluster, workload: Workload) -> Cluster:
    """Return the machines without what running tasks without an end hold; each keeps at least a thousandth."""
    if workload.standing is None or not workload.standing.services:
        return cluster
    taken = held(workload.standing, workload.tasks["demand"], workload.demands, cluster)
    least = np.minimum(cluster.capacity, 1)
    return replace(cluster, capacity=np.maximum(cluster.capacity - taken, least))


def start_standing(world: World, workload: Workload, *, supported: bool) -> World:
    """Start the workload's first tasks at time 0: all that run, or without support those that have no end.

    The returned world has room for their ends, which a scheduler that supports them schedules.
    """
    if workload.standing is None:
        return world
    count = workload.standing.running if supported else workload.standing.services
    if not count:
        return world
    row, control = world.task[:count], world.control[0]
    row["state"] = TASK_RUNNING
    row["place"] = CAUSE_UNKNOWN
    row["attempts"] = 1
    row["machine"] = workload.standing.machine[:count]
    row["first_start_ns"] = row["last_start_ns"] = 0
    control.tasks_arrived += count
    control.tasks_started += count
    control.tasks_running += count
    control.next_job = int(row["job"][-1]) + 1
    control.tasks_wanted -= workload.standing.services
    if supported:
        demand = world.demand[row["demand"]]
        np.subtract.at(world.free, row["machine"], demand)
        world.used[:] += demand.sum(axis=0)
        np.add.at(world.machine["running"], row["machine"], 1)
        while count + 2 * EVENT_HEADROOM > len(world.heap):
            world = grow_heap(world)
    return world


def standing_notes(workload: Workload, label: str, *, supported: bool) -> tuple[str, ...]:
    """Return sentences about tasks that run at time 0 and tasks without an end, which are counted apart."""
    standing = workload.standing
    if standing is None:
        return ()
    services, moved = standing.services, standing.running - standing.services
    endless = int(standing.endless.sum()) - services
    notes = []
    if services:
        notes.append(
            f"{services:,} tasks run from the start and have no end: they hold their machines for the whole run and "
            "are part of no wait time."
        )
    if moved and supported:
        notes.append(f"{moved:,} tasks with an end run where they are at time 0 and are part of no wait time.")
    if moved and not supported:
        notes.append(
            f"{label} cannot begin with running tasks that end: {moved:,} of them arrive at time 0 and wait for a "
            "machine like new ones."
        )
    if endless:
        notes.append(f"{endless:,} tasks that arrive or wait have no end: once started, they run until the run stops.")
    return tuple(notes)


def check_stop(experiment: Experiment, standing: Standing | None) -> None:
    """Raise ExperimentError if tasks have no end and the run has none, either."""
    if standing is None or not standing.endless.any():
        return
    stop, count = experiment.stop, int(standing.endless.sum())
    if stop.when == "at_s" and stop.at_s is not None and stop.at_s <= _LONGEST_S:
        return
    what = f"is '{stop.when}'" if stop.when != "at_s" else f"ends the run at {stop.at_s:,.0f} s"
    raise ExperimentError(
        [
            Problem(
                "stop",
                f"{what}, but {count:,} tasks of the cluster have no end",
                f"{{'when': 'at_s', 'at_s': ...}} with at most {_LONGEST_S:,.0f} s",
                "say when the run ends, or give these tasks durations in `workload.durations`",
            )
        ]
    )
