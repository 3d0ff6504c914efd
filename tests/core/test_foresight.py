"""What a preview foretells of the whole run: ranges that hold it, growth without limit, and when it cannot tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench.preview_draws import drawn
from bench.previews import tried
from scheduler_core import Experiment, Simulation, growth_at_least, run_preview, simulate
from scheduler_core.run.foresight import PERCENTS, Seen, foresee
from scheduler_core.run.queue_model import starts_in_order
from tests.tiers import all_but_wide


def queue(load: float, *, tasks: int = 20_000, slots: int = 20, slowdown: float = 1.0) -> tuple[Any, Any]:
    """Give arrivals and starts of exponential tasks on slots; `slowdown` makes slots slower than the model knows."""
    rng = np.random.Generator(np.random.Philox(key=[7, round(1000 * load)]))
    arrival = np.cumsum(rng.exponential(1 / load, tasks)) * 1.0
    duration = rng.exponential(slots, tasks)
    return (arrival, duration), starts_in_order(arrival, slowdown * duration, np.zeros(slots))


def seen_until(part: float, work: Any, starts: Any, slots: int = 20) -> Seen:
    arrival, duration = work
    now = float(np.quantile(starts, part))
    return Seen(arrival, duration, np.where(starts <= now, starts, np.nan), slots, now)


def test_tasks_take_the_slot_that_is_free_first() -> None:
    arrival, service = np.array([0.0, 0.0, 1.0, 1.0]), np.array([3.0, 1.0, 5.0, 1.0])
    assert starts_in_order(arrival, service, np.zeros(2)).tolist() == [0, 0, 1, 3]
    assert starts_in_order(arrival, service, np.zeros(2), 2.0).tolist() == [0, 2, 4, 6]
    # Free at 4 and at 9: the first task frees its slot at 7, the second that one at 8, before the other is free.
    assert starts_in_order(arrival, service, np.array([9.0, 4.0])).tolist() == [4, 7, 8, 9]


@pytest.mark.parametrize(("load", "slowdown"), all_but_wide([(0.7, 1.0), (1.2, 1.0), (1.2, 1.1)], [(1.2, 1.0)]))
def test_ranges_hold_what_the_whole_run_measures(load: float, slowdown: float) -> None:
    work, starts = queue(load, slowdown=slowdown)
    found = foresee(seen_until(0.2, work, starts))
    waits = np.sort(starts - work[0])
    for name, (percent, _) in PERCENTS.items():
        shown = found.ranges[name]
        assert shown is not None, found
        assert shown[0] <= waits[round(percent / 100 * len(waits)) - 1] <= shown[1], (name, found)
    assert (found.growth is not None) == (load > 1)


def test_a_queue_above_capacity_grows_as_fast_as_it_is_said_to() -> None:
    work, starts = queue(1.25)
    growth = foresee(seen_until(0.2, work, starts)).growth
    assert growth is not None
    assert (growth.of, growth.cause) == ("wait", "machines")
    assert growth.rate is not None
    assert growth.rate[0] <= np.polyfit(work[0], starts - work[0], 1)[0] <= growth.rate[1]


def test_a_scheduler_that_is_too_slow_is_named_as_the_cause() -> None:
    (arrival, duration), _ = queue(0.5)
    starts = starts_in_order(arrival, duration, np.zeros(20), 2.5)
    growth = foresee(seen_until(0.2, (arrival, duration), starts)).growth
    assert growth is not None
    assert (growth.of, growth.cause) == ("wait", "scheduler")
    assert growth.rate is not None
    assert growth.rate[0] <= 0.25 <= growth.rate[1]


def test_few_starts_and_machines_that_still_fill_tell_nothing() -> None:
    work, starts = queue(0.9, slots=5_000)
    assert foresee(seen_until(0.01, work, starts, 5_000)).reason == "few"
    found = foresee(seen_until(0.1, work, starts, 5_000))
    assert found.reason == "filling"
    assert set(found.ranges.values()) == {None}


def test_what_the_model_knows_nothing_of_is_not_told() -> None:
    base = drawn(2, 1).to_dict()
    base["workload"]["tasks"] = 3_000
    assert run_preview(Experiment.parse(base))["foretold"] is None
    fail = {"at_s": 5, "kind": "fail", "target": {"machine": 3}}
    stopped = {"stop": {"when": "at_s", "at_s": 1_000}}
    for changes, reason in (({"events": [fail], "scheduler": {"name": "megha"}}, "events"), (stopped, "stop")):
        foretold = run_preview(Experiment.parse(base | changes), tasks=1_500)["foretold"]
        assert (foretold["reason"], foretold["growth"]) == (reason, None)
        assert set(foretold["allocation_delay"].values()) == {None}
        assert foretold["says"].startswith("Cannot tell: ")


def test_a_preview_of_a_part_foretells_the_rest() -> None:
    """Megha at load 0.8 on few machines: the beginning is like the rest."""
    raw = drawn(2, 0).to_dict()
    raw["topology"]["clusters"][0]["machines"][0] |= {"count": 8, "cpus": 1}
    raw["workload"] |= {"tasks": 18_000, "arrivals": {"kind": "poisson", "offered_load": 0.8}}
    raw["workload"]["duration_s"] = {"kind": "exponential", "mean": 2}
    experiment = Experiment.parse(raw)
    ranges = run_preview(experiment, tasks=6_000)["foretold"]["allocation_delay"]
    measured = simulate(experiment).summary["allocation_delay_s"]
    for name in ("p50", "p99"):
        assert ranges[name]["low_s"] <= measured[name] <= ranges[name]["high_s"], (name, ranges, measured)


def test_the_load_alone_bounds_growth_before_anything_is_compiled() -> None:
    raw = drawn(2, 0).to_dict()
    found = []
    for load in (0.8, 1.4):
        raw["workload"] |= {"tasks": 2_000, "arrivals": {"kind": "regular", "offered_load": load}}
        raw["workload"]["duration_s"] = {"kind": "constant", "value": 1.0}
        simulation = Simulation(Experiment.parse(raw), frames=0)
        assert growth_at_least(simulation) is None
        simulation.prepare()
        found.append(growth_at_least(simulation))
    assert found[0] is None
    assert found[1] == pytest.approx(60 * 0.4, rel=0.05)


@pytest.mark.wide
def test_ranges_and_growth_hold_on_drawn_experiments() -> None:
    """A fixed subset of bench/previews.py: two draws of each scheduler."""
    trials = [tried(2, number) for number in range(20)]
    shown = [one.holds(name) for one in trials for name in ("p50", "p99") if one.ranges[name]]
    assert sum(shown) >= 0.9 * len(shown)
    assert len(shown) >= 0.75 * 2 * len(trials)
    above = [one for one in trials if one.load > 1]
    assert sum(one.growth_is_right for one in above) >= 0.9 * len(above)
