"""Measure what the operator of a cluster asks of a run: by queue, by priority, and what room the machines had.

These measures join the summary when a run has ended. They read the run and change nothing of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import TASK_DONE, TASK_RUNNING
from scheduler_core.metrics.percentiles import distribution_s
from scheduler_core.run.driver import Simulation
from scheduler_core.studies.priorities import priorities_of
from scheduler_core.studies.room import end_ns, room_of

Mask = npt.NDArray[np.bool_]

CLUSTER_MEASURES = ("by_queue", "by_priority", "room")
"""The parts of a summary that are measured here. Previews leave them out, since they take longer than the others."""
MOST_GROUPS = 12
"""Queues and priorities beyond these are left out; the ones with most tasks stay."""
MOST_TASKS = 2_000_000
"""Runs of more tasks have none of these measures, which take memory of their own for each task."""
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
    tasks = _Tasks(simulation)
    found: dict[str, Any] = {}
    queues = np.asarray(simulation.world.job["queue"][simulation.world.task["job"]], np.int64)
    if by_queue := tasks.grouped(queues, simulation.names.queues):
        found["by_queue"] = by_queue
    if (priorities := priorities_of(simulation)) is not None:
        falling, group = np.unique(-priorities, return_inverse=True)
        if by_priority := tasks.grouped(group.ravel(), tuple(str(-value) for value in falling.tolist())):
            found["by_priority"] = by_priority
    if (room := room_of(simulation)) is not None:
        found["room"] = room
    return found


class _Tasks:
    """The tasks of a run, to be counted group by group."""

    def __init__(self, simulation: Simulation) -> None:
        task, job = simulation.world.task, simulation.world.job
        now_ns = end_ns(simulation)
        arrival = np.asarray(job["arrival_ns"][task["job"]])
        first_start = np.asarray(task["first_start_ns"])
        self.arrived: Mask = arrival <= now_ns
        placed = (task["state"] == TASK_DONE) | (task["state"] == TASK_RUNNING)
        self.pending: Mask = self.arrived & ~placed
        self.stopped: Mask = (task["attempts"] > 1) | (task["lost_ns"] > 0) | ((task["attempts"] > 0) & ~placed)
        ran_before = np.zeros(len(task), bool)
        if simulation.standing is not None:
            ran_before = simulation.standing.machine >= 0
        counted = (first_start >= 0) & (arrival >= round(simulation.experiment.warmup_s * 1e9))
        self.started: Mask = counted & ~ran_before
        self.wait_ns = first_start - arrival

    def grouped(self, group: npt.NDArray[np.int64], names: tuple[str, ...]) -> dict[str, Any]:
        """Return the figures of each group of tasks by its name; nothing where there are fewer than two groups."""
        counts = np.bincount(group[self.arrived], minlength=len(names))
        if (counts > 0).sum() < 2:
            return {}
        largest = np.argsort(-counts, kind="stable")[:MOST_GROUPS]
        shown = sorted(number for number in largest.tolist() if counts[number])
        return {names[number]: self._figures(group == number) for number in shown}

    def _figures(self, mine: Mask) -> dict[str, Any]:
        started = mine & self.started
        return {
            "tasks": int((mine & self.arrived).sum()),
            "started": int(started.sum()),
            "pending": int((mine & self.pending).sum()),
            "stopped": int((mine & self.stopped).sum()),
            "allocation_delay_s": distribution_s(self.wait_ns[started], _PERCENTILES),
        }
