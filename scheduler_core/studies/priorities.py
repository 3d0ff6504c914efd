"""The priorities of a run's tasks as its source tells them, also under a scheduler that ignores them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scheduler_core.experiment.derived import has_priorities
from scheduler_core.experiment.workloads import TraceWorkload
from scheduler_core.run.driver import Simulation
from scheduler_core.workload import build_workload

Ints = npt.NDArray[np.int64]


def priorities_of(simulation: Simulation) -> Ints | None:
    """Return each task's priority, larger first, (tasks,); None if the experiment has none.

    Tasks of an imported cluster have the numbers of their PriorityClass.
    """
    experiment, standing = simulation.experiment, simulation.standing
    if standing is not None and standing.content is not None:
        column = standing.content.tasks.column("priority").to_numpy()
        return np.asarray(column, np.int64)[standing.row]
    if not has_priorities(experiment):
        return None
    if "priorities" in simulation.spec.honors(experiment):
        return np.asarray(simulation.world.task["kind"], np.int64)
    if isinstance(experiment.workload, TraceWorkload):
        return None  # such a trace would have to be read again
    work = build_workload(experiment, simulation.cluster)
    work = simulation.spec.reads(experiment, work) if simulation.spec.reads else work
    return work.priority
