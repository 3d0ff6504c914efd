"""When and where tasks started by the source of a workload."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scheduler_core.experiment import Experiment
from scheduler_core.workload.clusters.standing import Standing, machines_at
from scheduler_core.workload.raw import Ints


@dataclass(frozen=True)
class Recorded:
    """The recorded starts of a workload's tasks, in the workload's order.

    - `start_ns`: int64 (tasks,), the start after time 0 in ns; -1 where the source knows none.
    - `machine`: int64 (tasks,), the machine that ran the task; -1 where the source does not say.
    """

    start_ns: Ints
    machine: Ints


def of_starts(start_ns: Ints | None) -> Recorded | None:
    """Return starts without machines; None without starts."""
    return None if start_ns is None else Recorded(start_ns, np.full(len(start_ns), -1, np.int64))


def of_standing(standing: Standing, experiment: Experiment) -> Recorded | None:
    """Return the starts in a cluster file after time 0, on the experiment's machines; None without any."""
    start_ns = standing.recorded_starts()
    if start_ns is None:
        return None
    return Recorded(start_ns, machines_at(_places(standing), experiment.topology))


def _places(standing: Standing) -> Ints:
    """Return where each task ran: int64 (tasks, 3), cluster, group and place; -1 where the file does not say."""
    content: Any = standing.content
    rows = np.full((content.machines.num_rows + 1, 3), -1, np.int64)
    for at, name in enumerate(("cluster", "kind", "place")):
        rows[:-1, at] = content.machines.column(name).to_numpy()
    ran = "ran_on" if "ran_on" in content.tasks.column_names else "machine"  # files from before 0.3 lack `ran_on`
    machine = np.asarray(content.tasks.column(ran).to_numpy(), np.int64)[standing.row]
    found: Ints = rows[machine]
    return found
