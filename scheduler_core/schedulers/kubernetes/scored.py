"""The points of every node in a decision, for a picture of the comparison (world.work.Scoring).

Source: NodeResourcesFit, NodeResourcesBalancedAllocation and TaintToleration of kubernetes/kubernetes, as
`kube.scores` has them. No node of a drawn experiment has taints, so the last plugin gives every node its most.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.kube.model import MAX_NODE_SCORE
from scheduler_core.schedulers.kubernetes.params import WEIGHTS
from scheduler_core.world.work import Room

Points = npt.NDArray[np.float64]

#: CPUs and memory: other resources have no weight in the default profile.
_COUNTED = 2
#: A product of binary fractions may lie this much below the whole number that it stands for.
_BELOW = 1e-9


def node_points(params: Mapping[str, Any], room: Room) -> dict[str, Points] | None:
    """Return the points (nodes,) by what they are for; their sum is a node's score, 0 to 100.

    Return None for the strategy RequestedToCapacityRatio, which depends on a shape.
    """
    packs = params["scoring_strategy"] == "MostAllocated"
    whole = sum(params[name] for name in WEIGHTS)
    if params["scoring_strategy"] == "RequestedToCapacityRatio" or whole <= 0:
        return None
    left = room.left[:, :_COUNTED]
    free = _whole(MAX_NODE_SCORE * ((1.0 - left) if packs else left))
    parts = {
        "no taints": (params["taint_weight"], np.full(len(left), float(MAX_NODE_SCORE))),
        "little free room" if packs else "free room": (params["fit_weight"], _whole(np.nanmean(free, axis=1))),
        "even use of CPUs and memory": (
            params["balanced_weight"],
            _whole(MAX_NODE_SCORE * (1.0 - np.nanstd(left, axis=1))),
        ),
    }
    return {name: weight * points / whole for name, (weight, points) in parts.items() if weight}


def _whole(points: Points) -> Points:
    return np.floor(points + _BELOW)
