"""The compiled walks of the metrics agree with the definitions, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import SCHEDULERS, Experiment, Simulation, signature_experiment
from scheduler_core.experiment.classes import two_normals
from scheduler_core.metrics.by_time import by_time
from scheduler_core.metrics.fairness import WINDOW_NS, queue_fairness
from scheduler_core.metrics.selection import values_at
from scheduler_core.metrics.use import used_s
from scheduler_core.run.results import TASK_COLUMNS
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


@given(seed=st.integers(0, 1 << 30), most=st.integers(0, 60), near=st.integers(0, 40), coarse=st.integers(0, 40))
@examples(40, few=10)
def test_times_are_sorted_and_equal_ones_keep_their_order(seed: int, most: int, near: int, coarse: int) -> None:
    """Many times differ only in the lower bits, beside one that is far."""
    draws = np.random.default_rng(seed)
    values = draws.integers(0, 1 << near, 5_000, endpoint=True) >> coarse
    values[0] = 1 << most
    order = np.argsort(values, kind="stable")
    found, places = by_time(values.copy(), np.arange(len(values), dtype=np.int32))
    assert (places == order).all()
    assert (found == values[order]).all()


@pytest.mark.parametrize("count", [5_000, 80_000])
@given(seed=st.integers(0, 1 << 30), most=st.integers(0, 62), coarse=st.integers(0, 30))
@examples(50, few=10)
def test_selected_values_are_those_of_the_sorted_order(count: int, seed: int, most: int, coarse: int) -> None:
    draws = np.random.default_rng(seed)
    values = (draws.integers(0, 1 << most, count, endpoint=True) >> draws.integers(0, 40, count)) >> coarse << coarse
    places = {0, count - 1, *draws.integers(0, count, 20).tolist()}
    ordered = np.sort(values)
    assert values_at(values, places) == {place: ordered[place] for place in places}


@given(seed=st.integers(0, 1 << 30), queues=st.integers(1, 20), coarse=st.sampled_from([1, 6, 60]))
@examples(40, few=10)
def test_fairness_by_window_is_that_of_the_definition(seed: int, queues: int, coarse: int) -> None:
    """Times are often whole windows, and many tasks take no time: they belong to the window before."""
    draws = np.random.default_rng(seed)
    tasks = np.zeros(300, TASK_COLUMNS)
    tasks["arrival_ns"] = np.sort(draws.integers(0, 600, 300)) // coarse * coarse * (WINDOW_NS // 60)
    tasks["last_start_ns"] = tasks["arrival_ns"] + draws.integers(0, 9, 300) // 3 * (WINDOW_NS // 2)
    tasks["end_ns"] = tasks["last_start_ns"] + draws.integers(0, 5, 300) ** 2 * (WINDOW_NS // 3)
    tasks["end_ns"][draws.random(300) < 0.1] = -1
    tasks["queue"] = draws.integers(0, queues, 300)
    kind, dominant, shares = draws.integers(0, 3, 300), draws.random(3), draws.random(queues) + 0.1
    columns = (np.ascontiguousarray(tasks[name]) for name in ("arrival_ns", "last_start_ns", "end_ns", "queue"))
    found = queue_fairness(tuple(columns), kind, dominant, shares)
    assert found == plain_metrics.queue_fairness(tasks, dominant[kind], shares)


@given(seed=st.integers(0, 1 << 30), count=st.integers(20, 3_000), apart=st.sampled_from([0, 1, 3, 8]))
@examples(20, few=4)
def test_two_modes_are_fitted_as_defined(seed: int, count: int, apart: int) -> None:
    draws = np.random.default_rng(seed)
    x = np.sort(np.concatenate([draws.normal(0, 1, count), draws.normal(apart, draws.uniform(0.1, 2), count // 3)]))
    begin = np.array([x[count // 4], x[count]]), np.full(2, x.std())
    for found, plain in zip(two_normals(x, *begin), plain_metrics.two_normals(x, *begin), strict=True):
        assert (found == plain).all()
