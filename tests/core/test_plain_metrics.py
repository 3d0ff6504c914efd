"""The compiled walks of the metrics agree with the definitions, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import SCHEDULERS, Experiment, Simulation, signature_experiment
from scheduler_core.metrics.by_time import by_time
from scheduler_core.metrics.selection import values_at
from scheduler_core.metrics.use import used_s
from tests.core import plain_metrics
from tests.core.experiments import LOOPS, SCHEDULER_NAMES, by_loop, experiments
from tests.tiers import examples


def agrees(simulation: Simulation) -> None:
    """Run to the end; compare the summary with the definitions."""
    for _ in simulation.run():
        pass
    result, world = simulation.result, simulation.world
    assert result is not None
    plain = plain_metrics.measured(simulation)
    found: dict[str, Any] = {name: result.summary[name] for name in ("allocation_delay_s", "delay_components_s")}
    found["waits"] = [
        {key: each[key] for key in ("tasks", "parts_s", "free", "curve_s")}
        for each in result.summary["waits"]["groups"]
        if each["kind"] == "all"
    ]
    found["fairness"] = result.summary["fairness"]
    tasks = result.tasks
    last, end = (np.ascontiguousarray(tasks[name]) for name in ("last_start_ns", "end_ns"))
    found["used"] = used_s(last, end, np.ascontiguousarray(world.task["demand"]), world.demand).tolist()
    assert found == plain
    assert result.summary["outcome_digest"] == plain_metrics.outcome_digest(tasks)


@pytest.mark.parametrize("loop", LOOPS)
@examples(10, few=3)
@given(data=st.data())
def test_summaries_of_random_experiments_are_those_of_the_definitions(loop: str, data: st.DataObject) -> None:
    agrees(Simulation(data.draw(st.sampled_from(LOOPS[loop]).flatmap(experiments)), frames=0))


@pytest.mark.parametrize(
    "scheduler", by_loop([name for name in SCHEDULER_NAMES if name in {spec.name for spec in SCHEDULERS}])
)
def test_summaries_of_example_runs_are_those_of_the_definitions(scheduler: str) -> None:
    agrees(Simulation(Experiment.parse(signature_experiment(scheduler)), frames=0))


@given(st.lists(st.integers(0, 1 << 50), min_size=5_000, max_size=5_001), st.integers(0, 40))
@examples(5)
def test_times_are_sorted_and_equal_ones_keep_their_order(times: list[int], coarse: int) -> None:
    values = np.array(times) >> coarse
    order = np.argsort(values, kind="stable")
    found, places = by_time(values.copy(), np.arange(len(values), dtype=np.int32))
    assert (places == order).all()
    assert (found == values[order]).all()


@pytest.mark.parametrize("count", [5_000, 20_000])
@given(seed=st.integers(0, 1 << 30), most=st.integers(0, 62), coarse=st.integers(0, 30))
@examples(50, few=10)
def test_selected_values_are_those_of_the_sorted_order(count: int, seed: int, most: int, coarse: int) -> None:
    draws = np.random.default_rng(seed)
    values = (draws.integers(0, 1 << most, count, endpoint=True) >> draws.integers(0, 40, count)) >> coarse << coarse
    places = {0, count - 1, *draws.integers(0, count, 20).tolist()}
    ordered = np.sort(values)
    assert values_at(values, places) == {place: ordered[place] for place in places}
