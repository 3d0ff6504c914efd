"""Experiments that were stored, or lie in somebody's link, keep opening."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import Experiment, ExperimentError
from scheduler_core.experiment.upgrade import CURRENT, STEPS, upgrade

STORED = Path(__file__).parent / "data" / "stored"


def keeps(old: Any, new: Any) -> bool:
    """Say whether everything in `old` is in `new`, which may have more keys: defaults that came later."""
    if isinstance(old, dict):
        return isinstance(new, dict) and all(key in new and keeps(value, new[key]) for key, value in old.items())
    if isinstance(old, list):
        return isinstance(new, list) and len(old) == len(new) and all(map(keeps, old, new))
    return bool(old == new)


@pytest.mark.parametrize("path", sorted(STORED.glob("*.json")), ids=lambda path: path.stem)
def test_a_stored_experiment_opens_and_asks_what_it_asked(path: Path) -> None:
    stored = json.loads(path.read_text())
    experiment = Experiment.parse(stored)
    now = experiment.to_dict()
    assert now["schema_version"] == CURRENT
    if stored["schema_version"] == CURRENT:
        assert keeps(stored, now)
    assert Experiment.parse(now) == experiment


def test_every_version_has_a_stored_experiment_and_a_step() -> None:
    versions = {json.loads(path.read_text())["schema_version"] for path in STORED.glob("*.json")}
    assert versions == set(range(1, CURRENT + 1))
    assert set(STEPS) == set(range(1, CURRENT))


def test_steps_follow_one_another_and_leave_the_old_one_alone() -> None:
    steps = {
        1: lambda data: {**data, "clusters": data["machines"]},
        2: lambda data: {key: value for key, value in data.items() if key != "machines"},
    }
    old = {"schema_version": 1, "machines": [4]}
    assert upgrade(old, steps=steps, current=3) == {"schema_version": 3, "clusters": [4]}
    assert old == {"schema_version": 1, "machines": [4]}
    present = {"schema_version": 3, "clusters": [4]}
    assert upgrade(present, steps=steps, current=3) is present


def test_a_version_that_is_still_to_come_is_told_so() -> None:
    with pytest.raises(ExperimentError) as caught:
        Experiment.parse({"schema_version": CURRENT + 1, "unheard_of": True})
    (problem,) = caught.value.problems
    assert problem.path == "schema_version"
    assert "newer version" in problem.remedy


@pytest.mark.parametrize("odd", [0, -1, "1", None, 1.5, [], {}])
def test_an_odd_version_is_the_models_affair(odd: Any) -> None:
    with pytest.raises(ExperimentError) as caught:
        Experiment.parse({"schema_version": odd})
    assert any(problem.path == "schema_version" for problem in caught.value.problems)
