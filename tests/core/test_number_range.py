"""The whole range of every number of an experiment: it is refused by name, or the experiment can be drawn."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, constraint_preview, workload_preview
from scheduler_core.errors import ExperimentError
from scheduler_core.experiment.fields import SMALLEST
from scheduler_core.limits import Limits
from tests.core.experiments import experiments
from tests.support import PROJECT, small_experiment

LIMITS = Limits(tasks=20_000, jobs=20_000, machines=2_000)
EDGES = [
    5e-324, 1e-310, 2.2250738585072014e-308, 1e-200, 1e-15, SMALLEST, 1e-9, 0.0, -0.0, -5e-324, -1e308, 1e9, 1e15,
    2.0**53, 2.0**63, 1e18, 1e19, 1e200, 1e308, 1.7976931348623157e308, math.inf, -math.inf, math.nan,
]  # fmt: skip
Place = tuple[Any, Any]


def numbers_in(value: Any) -> Iterator[Place]:
    """Give every place of a number: what holds it, and its key."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in list(inner):
        if isinstance(one, int | float) and not isinstance(one, bool):
            yield value, key
        yield from numbers_in(one)


def use(data: dict[str, Any]) -> None:
    """Do with an experiment what a server does before a run; anything but a refusal is a fault."""
    try:
        experiment = Experiment.parse(data, limits=LIMITS)
        assert Experiment.parse(json.loads(json.dumps(experiment.to_dict())), limits=LIMITS) == experiment
        experiment.digest(lambda name: (_ for _ in ()).throw(LookupError(name)))
        if experiment.workload.kind == "synthetic":
            shown = workload_preview(experiment, tasks=200, limits=LIMITS)
            json.dumps(shown, allow_nan=False)
        json.dumps(constraint_preview(experiment, limits=LIMITS), allow_nan=False)
    except ExperimentError as error:
        refused = error.problems
    else:
        refused = ()
    assert all(item.message and len(str(item)) < 2_000 for item in refused)


def with_workload(workload: dict[str, Any]) -> dict[str, Any]:
    return small_experiment() | {"workload": {"kind": "synthetic", "jobs": 50} | workload}


POISSON = {"kind": "poisson", "offered_load": 0.8}
EXPONENTIAL = {"kind": "exponential", "mean": 5.0, "min": 0.1, "max": 100.0}
LOGNORMAL = {"kind": "lognormal", "median": 5.0, "sigma": 1.0}
PARETO = {"kind": "bounded_pareto", "alpha": 1.5, "min": 1.0, "max": 100.0}
EMPIRICAL = {"kind": "empirical", "values": [1.0, 5.0, 20.0], "shares": [0.2, 0.6, 1.0]}
FIXTURES = [json.loads(path.read_text()) for path in sorted((PROJECT / "fixtures" / "experiments").glob("*.json"))]
BASES = [
    with_workload({"arrivals": arrivals, "duration_s": duration, "tasks_per_job": tasks})
    for duration, tasks in zip(
        [EXPONENTIAL, LOGNORMAL, PARETO, EMPIRICAL], [PARETO, {"kind": "constant", "value": 3}, EMPIRICAL, LOGNORMAL],
        strict=True,
    )
    for arrivals in (POISSON, {"kind": "poisson", "rate_per_s": 2.0}, {"kind": "at_once"})
]  # fmt: skip


def small(experiment: dict[str, Any]) -> dict[str, Any]:
    """Let an experiment be drawn quickly."""
    workload = experiment["workload"]
    return experiment | {"workload": workload | ({"jobs": 50} if isinstance(workload.get("jobs"), int) else {})}


def changed(base: dict[str, Any], data: st.DataObject) -> dict[str, Any]:
    found = copy.deepcopy(base)
    places = list(numbers_in(found))
    for at in data.draw(st.lists(st.integers(0, len(places) - 1), min_size=1, max_size=3)):
        holder, key = places[at]
        holder[key] = data.draw(st.sampled_from(EDGES) | st.floats())
    return found


@given(st.sampled_from([*BASES, *map(small, FIXTURES)]), st.data())
def test_every_number_may_have_any_value(base: dict[str, Any], data: st.DataObject) -> None:
    use(changed(base, data))


@given(experiments(), st.data())
def test_every_number_of_a_drawn_experiment_may_have_any_value(experiment: Experiment, data: st.DataObject) -> None:
    use(changed(experiment.to_dict(), data))


DURATIONS = [
    {"kind": "lognormal", "sigma": 1, "median": 5e-324}, {"kind": "exponential", "mean": 5e-324},
    {"kind": "constant", "value": 1e-310}, {"kind": "bounded_pareto", "alpha": 5e-324, "min": 1, "max": 2},
    {"kind": "bounded_pareto", "alpha": 1, "min": 5e-324, "max": 1e9},
]  # fmt: skip


@pytest.mark.parametrize("duration", DURATIONS, ids=str)
def test_what_is_too_close_to_0_is_refused_by_its_place(duration: dict[str, Any]) -> None:
    with pytest.raises(ExperimentError) as refused:
        Experiment.parse(with_workload({"arrivals": POISSON, "duration_s": duration}))
    assert "too close to 0" in refused.value.problems[0].message
    assert refused.value.problems[0].path.startswith("workload.duration_s.")


def test_minus_0_is_0() -> None:
    negative, positive = (small_experiment() | {"network": {"message_delay_s": delay}} for delay in (-0.0, 0.0))
    assert Experiment.parse(negative).digest() == Experiment.parse(positive).digest()
