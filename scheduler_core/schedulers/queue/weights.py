"""The weights of a machine's score from a scheduler's parameters, and all machines' scores for a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.schedulers.queue.reasons import DRAWN, EMPTIEST, FULLEST
from scheduler_core.schedulers.shared.pacing.data import has_data
from scheduler_core.world.work import Room

_STRATEGIES: dict[str, dict[str, float]] = {
    "spread": {"least": 1.0, "reason": EMPTIEST},
    "binpack": {"most": 1.0, "reason": FULLEST},
    "random": {"chance": 1.0, "reason": DRAWN},
    "hybrid": {"stranded": 1.0},
    "best-fit": {"most": 1.0},
    "e-pvm": {"pvm": 1.0},
}
_OF_PARAMS = {
    "least_allocated": "least",
    "balanced": "balanced",
    "locality": "near",
    "spread": "apart",
    "affinity": "soft",
}
_PARTS = {
    "least": "free room",
    "most": "little free room",
    "balanced": "even use of CPUs and memory",
    "stranded": "nothing left unusable",
    "apart": "few tasks of the same job",
    "near": "the task's data nearby",
    "soft": "the task's preferences",
}
"""What a part of the score is for, by its name."""


def weights_of(always: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a scheduler always has and what its parameters say: weights of a score, and the reason of a start."""
    chosen = dict(always) | _STRATEGIES.get(params.get("strategy", ""), {})
    chosen |= {rule: params[name] for name, rule in _OF_PARAMS.items() if name in params}
    return chosen if has_data(params) else chosen | {"near": 0.0}


def points_of(
    always: Mapping[str, Any], params: Mapping[str, Any], room: Room
) -> dict[str, npt.NDArray[np.float64]] | None:
    """Return the points of each machine by what they are for, as `scoring.score` has them without soft constraints.

    Their sum is the score, 0 to 100. Return None if a part of the score depends on more than `room` tells.
    """
    weights = weights_of(always, params)
    if weights.get("pvm") or weights.get("chance"):
        return None
    mean, low = np.nanmean(room.left, axis=1), np.nanmin(room.left, axis=1)
    parts = {
        "least": mean,
        "most": 1.0 - mean,
        "balanced": 1.0 - np.nanstd(room.left, axis=1),
        "stranded": 1.0 - (mean - low),
        "apart": 1.0 / (1.0 + room.siblings),
        "near": room.near,
        "soft": np.ones(len(mean)),
    }
    shares = {name: float(weights.get(name, 0.0)) for name in _PARTS}
    whole = sum(shares.values())
    if whole <= 0.0:
        return None
    return {_PARTS[name]: share * parts[name] * 100.0 / whole for name, share in shares.items() if share}
