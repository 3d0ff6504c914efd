"""Measure what the operator of a cluster asks of a run: by queue, by priority, and what room the machines had.

These measures join the summary when a run has ended. They read the run and change nothing of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import TASK_DONE, TASK_RUNNING
from scheduler_core.metrics.percentiles import distribution_s
from scheduler_core.run.driver import Simulation
from scheduler_core.studies.priorities import priorities_of
from scheduler_core.studies.room import end_ns, room_of

Ints = npt.NDArray[np.int64]

CLUSTER_MEASURES = ("by_queue", "by_priority", "room")
"""The parts of a summary that are measured here. Previews, which are to answer at once, leave them out."""
MOST_GROUPS = 12
"""Queues and priorities beyond these are left out; the ones with most tasks stay."""
MOST_TASKS = 2_000_000
"""Runs of more tasks have none of these measures, which take memory of their own for each task."""
_COUNTS = ("tasks", "started", "pending", "stopped")
_PERCENTILES = (50.0, 90.0, 99.0)


def add_cluster_measures(simulation: Simulation) -> None:
    """Add `by_queue`, `by_priority` and `room` to the summary of a run that has ended.

    A part is absent where it would say nothing: with one queue, with one priority, in a fluid pool of capacity.
    """
    assert simulation.result is not None
    if len(simulation.world.task) <= MOST_TASKS:
        simulation.result.summary.update(cluster_measures(simulation))


def cluster_measures(simulation: Simulation) -> dict[str, Any]:
    """Return the measures of a run that has ended. Times are seconds; amounts are whole units, such as CPUs."""
    found: dict[str, Any] = {}
    names = simulation.names.queues
    if len(names) > 1:
        queues = np.asarray(simulation.world.job["queue"][simulation.world.task["job"]], np.int64)
        if by_queue := _grouped(simulation, queues, names):
            found["by_queue"] = by_queue
    if (priorities := priorities_of(simulation)) is not None:
        falling, group = np.unique(-priorities, return_inverse=True)
        if by_priority := _grouped(simulation, group.ravel(), tuple(str(-value) for value in falling.tolist())):
            found["by_priority"] = by_priority
    if (room := room_of(simulation)) is not None:
        found["room"] = room
    return found


def _grouped(simulation: Simulation, group: Ints, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the figures of each group of tasks by its name; nothing where there are fewer than two groups.

    `group` is the number of each task's group in `names`: int64 (tasks,).
    """
    world, standing = simulation.world, simulation.standing
    ran_before = np.zeros(0, bool) if standing is None else standing.machine >= 0
    since_ns = round(simulation.experiment.warmup_s * 1e9)
    counts = np.zeros((len(names), len(_COUNTS)), np.int64)
    _count(world.task, world.job, group, end_ns(simulation), since_ns, ran_before, counts)
    arrived, started = counts[:, 0], counts[:, 1]
    if (arrived > 0).sum() < 2:
        return {}
    ends = np.cumsum(started)
    waits = np.empty(ends[-1], np.int64)
    _write_waits(world.task, world.job, group, since_ns, ran_before, ends - started, waits)
    largest = np.argsort(-arrived, kind="stable")[:MOST_GROUPS]
    shown = sorted(number for number in largest.tolist() if arrived[number])
    return {
        names[number]: {
            **dict(zip(_COUNTS, counts[number].tolist(), strict=True)),
            "allocation_delay_s": distribution_s(waits[ends[number] - started[number] : ends[number]], _PERCENTILES),
        }
        for number in shown
    }


@inner
def _counts_as_started(row, job, since_ns, before) -> bool:  # type: ignore[no-untyped-def]
    """Whether a task's wait counts: it started, came after the warm-up, and did not run before the run began."""
    return row.first_start_ns >= 0 and job[row.job].arrival_ns >= since_ns and not before


@kernel
def _count(task, job, group, now_ns, since_ns, ran_before, counts) -> None:  # type: ignore[no-untyped-def]
    """Count the tasks of each group: arrived, started, pending and stopped."""
    for i in range(len(task)):
        row, mine = task[i], counts[group[i]]
        arrived = job[row.job].arrival_ns <= now_ns
        placed = row.state == TASK_DONE or row.state == TASK_RUNNING
        mine[0] += arrived
        mine[1] += _counts_as_started(row, job, since_ns, len(ran_before) > 0 and ran_before[i])
        mine[2] += arrived and not placed
        mine[3] += row.attempts > 1 or row.lost_ns > 0 or (row.attempts > 0 and not placed)


@kernel
def _write_waits(task, job, group, since_ns, ran_before, place, waits) -> None:  # type: ignore[no-untyped-def]
    """Write the waits of the tasks that count as started, group by group, each from its `place` on."""
    for i in range(len(task)):
        row = task[i]
        if _counts_as_started(row, job, since_ns, len(ran_before) > 0 and ran_before[i]):
            waits[place[group[i]]] = row.first_start_ns - job[row.job].arrival_ns
            place[group[i]] += 1
