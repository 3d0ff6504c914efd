"""Map the constraints that a trace's tasks request to the names of the experiment's catalog."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scheduler_core.errors import ExperimentError, Problem, listed
from scheduler_core.workload.build import Workload
from scheduler_core.workload.raw import Ints


def asked_in_trace(workload: Workload, names: Sequence[str]) -> Ints | None:
    """Return the mask of each task in the bits of a catalog; None if the trace names no constraint of the catalog.

    Raises ExperimentError where the catalogue has some of the trace's constraints and lacks others.
    """
    known = [one.name for one in workload.asked if one.name in names]
    if workload.asks is None or not known:
        return None
    if missing := [one.name for one in workload.asked if one.name not in names]:
        raise ExperimentError(
            [
                Problem(
                    "constraints.custom",
                    f"has some of the trace's constraints and lacks {listed(missing, 5)}",
                    "all of them, or none",
                    "take the trace's constraints over as a whole",
                )
            ]
        )
    masks = np.zeros(len(workload.asks), np.int64)
    for bit, one in enumerate(workload.asked):
        masks |= (workload.asks >> bit & 1) << names.index(one.name)
    return masks
