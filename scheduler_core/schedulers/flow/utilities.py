"""The paper's utilities: triples of tasks, machines, and the value of these machines to these tasks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.constraints.offers import checked_names
from scheduler_core.engine.records import Ints, World
from scheduler_core.errors import ExperimentError, Problem, did_you_mean, listed, shown
from scheduler_core.experiment import Experiment, cluster_names, effective_queues

Worth = npt.NDArray[np.float64]


def worth_of(experiment: Experiment, world: World, utilities: Any) -> tuple[Ints, Worth, npt.NDArray[np.int32]]:
    """Return (row of each queue's tasks, worth (rows, places), place of each machine); row 0 is worth 0.

    A place is the machines that every triple treats alike. Raises ExperimentError for names that there are not.

    Source: Sirius, Section 3.1.2, equations 3 to 5.
    """
    queues = [queue.name for queue in effective_queues(experiment)]
    applies, there, utility = [], [], []
    for number, one in enumerate(utilities):
        path = f"scheduler.params.utilities[{number}]"
        _known(f"{path}.queue", "queue", one["queue"], queues)
        applies.append([one["queue"] in (None, name) for name in queues])
        there.append(_machines(experiment, world, path, one))
        utility.append(float(one["utility"]))
    if not utility:
        return np.zeros(len(queues), np.int64), np.zeros((1, 1)), np.zeros(len(world.machine), np.int32)
    rows, row_of = np.unique(np.array([[False] * len(utility), *np.array(applies).T]), axis=0, return_inverse=True)
    places, place_of = np.unique(np.array(there).T, axis=0, return_inverse=True)
    worth = (rows * np.array(utility)) @ places.T.astype(np.float64)
    return row_of.ravel()[1:].astype(np.int64), np.ascontiguousarray(worth), place_of.ravel().astype(np.int32)


def _machines(experiment: Experiment, world: World, path: str, one: dict[str, Any]) -> npt.NDArray[np.bool_]:
    """Return which machines a triple means."""
    meant = np.ones(len(world.machine), np.bool_)
    if one["cluster"] is not None:
        clusters = list(cluster_names(experiment.topology))
        _known(f"{path}.cluster", "cluster", one["cluster"], clusters)
        meant &= world.machine["cluster"] == clusters.index(one["cluster"])
    if one["constraint"] is not None:
        names = checked_names(experiment) if experiment.constraints is not None else ()
        _known(f"{path}.constraint", "constraint", one["constraint"], list(names))
        meant &= (world.machine["offers"] >> names.index(one["constraint"])) & 1 == 1
    if one["rack"] is not None:
        racks = 1 + int(world.machine["rack"].max(initial=0))
        if one["rack"] >= racks:
            raise ExperimentError([Problem(f"{path}.rack", f"there is no rack {one['rack']}", f"0 to {racks - 1}")])
        meant &= world.machine["rack"] == one["rack"]
    return meant


def _known(path: str, what: str, name: str | None, names: list[str]) -> None:
    if name is not None and name not in names:
        message = f"no {what} is called {shown(name)}{did_you_mean(name, names)}"
        raise ExperimentError([Problem(path, message, listed(names) if names else f"this experiment has no {what}")])
