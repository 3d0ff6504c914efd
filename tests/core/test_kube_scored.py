"""The points of nodes in pictures of a decision: by hand, and those of recorded decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, RunView, Simulation, signature_experiment
from scheduler_core.recording.choices import choices_of
from scheduler_core.schedulers.kubernetes import SPEC
from scheduler_core.schedulers.kubernetes.scored import node_points
from scheduler_core.world.work import Room

NAN = float("nan")


def points(left: list[list[float]], **params: Any) -> dict[str, list[float]]:
    """The points of nodes whose resources would be free in these parts, in twelfths of a point."""
    room = Room(np.array(left), np.zeros(len(left), np.int64), np.zeros(len(left)))
    found = node_points(SPEC.params.model_validate(params).model_dump(), room)
    assert found is not None
    return {name: (12 * part).round(9).tolist() for name, part in found.items()}


def test_points_are_whole_and_have_their_weight_of_all_weights() -> None:
    # Of the weights 3, 2, 2, 2, 1, 1, 1 three plugins give points here: taints all, fit and balance what is computed.
    assert points([[0.75, NAN], [0.5, 0.25], [0.299999, 0.1]]) == {
        "no taints": [300, 300, 300],
        "free room": [75, 37, 19],
        "even use of CPUs and memory": [100, 87, 90],
    }
    assert points([[0.75, NAN]], scoring_strategy="MostAllocated", taint_weight=0) == {
        "little free room": pytest.approx([25 * 12 / 9]),
        "even use of CPUs and memory": pytest.approx([100 * 12 / 9]),
    }


def test_a_shape_s_points_are_not_told() -> None:
    room = Room(np.array([[0.5, 0.5]]), np.zeros(1, np.int64), np.zeros(1))
    assert (
        node_points(SPEC.params.model_validate({"scoring_strategy": "RequestedToCapacityRatio"}).model_dump(), room)
        is None
    )


def test_recorded_decisions_have_the_score_that_the_log_has() -> None:
    simulation = Simulation(Experiment.parse(signature_experiment("kubernetes")))
    simulation.finish()
    found = choices_of(RunView(simulation)._compared())
    assert len(found) > 5
    assert any(one.scores[one.scores > 0].min() < one.scores.max() for one in found), "nodes differ"
    assert all(one.scores[one.machine] == one.scores.max() for one in found), "the best node is chosen"
    log = {(row["task"], row["machine"]): row["y"] for row in simulation.decisions()}
    assert all(one.scores[one.machine] - 1 == log[one.task, one.machine] for one in found), "the log's tenths"
    for one in found:
        room = one.scores > 0
        assert (np.sum(list(one.parts.values()), axis=0)[room] == one.scores[room] - 1).all(), "parts add up"
