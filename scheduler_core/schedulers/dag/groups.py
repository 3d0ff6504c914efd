"""Pack the arrays for grouped queues: the tree, and the resources that tasks request."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.engine.records import World, records
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.schedulers.dag.state import BY_QUEUE, LINE
from scheduler_core.schedulers.shared.groups.tree import FLAT, HDRF, NAIVE, NODE, tree_of

_WORK_CONSERVING = "work_conserving"


def pack_groups(experiment: Experiment, world: World, rules: Any) -> dict[str, Any]:
    """Return the state's fields for groups by name, and set how groups compare. Raises ExperimentError."""
    queues, resources = effective_queues(experiment), world.capacity.shape[1]
    if all(queue.parent is None for queue in queues):
        rules["tree"] = FLAT
        return _arrays(records(1, NODE), 1, np.zeros((1, resources), np.int64), np.zeros(1, np.int64))
    _refuse_strict_shares(experiment)
    rules["tree"] = NAIVE if rules[0].order == BY_QUEUE else HDRF
    wanted, asks_for = np.unique((world.demand > 0).astype(np.int64), axis=0, return_inverse=True)
    return _arrays(tree_of(queues), len(queues), wanted, asks_for.ravel().astype(np.int64))


def _arrays(node: Any, queues: int, wanted: Any, asks_for: Any) -> dict[str, Any]:
    kinds, resources = wanted.shape
    return {
        "node": node, "vector": np.zeros((len(node), resources)), "spare": np.zeros(resources, np.int64),
        "line": records(queues, LINE), "asks_for": asks_for, "wanted": wanted,
        "open_in": np.zeros((queues, kinds), np.int64),
    }  # fmt: skip


def _refuse_strict_shares(experiment: Experiment) -> None:
    """Raise ExperimentError for strict shares: each is a job's part of all jobs, whatever the groups."""
    places: list[tuple[str, dict[str, Any]]] = [("scheduler.params", experiment.scheduler.params)]
    places += [(f"events[{number}].value", event.value) for number, event in enumerate(experiment.events)]
    paths = [f"{path}.{_WORK_CONSERVING}" for path, values in places if values.get(_WORK_CONSERVING) is False]
    if paths:
        what = "is false: jobs get strict shares, which disregard groups of queues"
        remedy = "set it to true, or leave out the queues' `parent`"
        raise ExperimentError([Problem(path, what, "true", remedy) for path in paths])
