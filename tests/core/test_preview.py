"""Previews: the beginning of the very run, and builds that are kept between runs that differ little."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core import Cancelled, Experiment, KeptBuilds, Simulation, run_preview, scheduler_by_name, simulate
from scheduler_core.studies.cluster_measures import CLUSTER_MEASURES
from tests.core.experiments import LOOPS
from tests.tiers import all_but_wide, sampled

pytestmark = pytest.mark.slow


SMALL: dict[str, Any] = {
    "schema_version": 1,
    "topology": {
        "global_masters": 2,
        "clusters": [{"name": "lm", "repeat": 2, "machines": [{"count": 20, "cpus": 1, "memory_gb": 4}]}],
    },
    "queues": [{"name": "a", "share": 0.75}, {"name": "b", "share": 0.25}],
    "workload": {
        "kind": "synthetic",
        "jobs": 300,
        "arrivals": {"kind": "poisson", "offered_load": 0.9},
        "tasks_per_job": {"kind": "constant", "value": 3},
        "duration_s": {"kind": "exponential", "mean": 5},
    },
    "scheduler": {"name": "megha"},
}
NAMES = list(LOOPS)


def asked(**changes: Any) -> Experiment:
    return Experiment.parse(SMALL | changes)


def without_speed(summary: dict[str, Any]) -> dict[str, Any]:
    """Leave out times, and the measures of clusters, which a preview does not take."""
    return {name: value for name, value in summary.items() if name not in ("performance", *CLUSTER_MEASURES)}


@pytest.mark.parametrize("name", all_but_wide(NAMES, [name for name in NAMES[::3] if name != "tetrisched"]))
def test_a_preview_of_a_small_run_is_the_run(name: str) -> None:
    experiment = asked(scheduler={"name": name})
    answer = run_preview(experiment)
    assert answer["reduced"] is None
    assert without_speed(answer["summary"]) == without_speed(simulate(experiment).summary)
    assert sum(answer["hist"]["allocation_delay"]["val"]) == 900


@pytest.mark.parametrize("name", NAMES)
def test_a_preview_of_a_larger_run_is_what_that_run_has_measured_by_then(name: str) -> None:
    experiment = asked(scheduler={"name": name})
    answer = run_preview(experiment, tasks=200)
    whole = Simulation(experiment, frames=0)
    # Where a decision comes after all events of its instant, the preview ends before that of its last one.
    last = scheduler_by_name(name).family in {"dag", "pipeline", "kubernetes", "batch", "replay"} or name in {
        "hydra",
        "own",
    }
    whole.advance_to(answer["t_ns"] - last)
    shown = dict(zip(*(answer["hist"]["allocation_delay"][part] for part in ("idx", "val")), strict=True))
    bins = whole.world.histogram
    assert shown == {int(number): int(bins[number]) for number in bins.nonzero()[0]}
    assert answer["summary"]["tasks"] == {"total": 900, "completed": 200, "unfinished": 700, "unschedulable": 0}
    assert answer["reduced"]["tasks"] == 200
    assert answer["reduced"]["of_tasks"] == 900
    assert "200 of its 900 tasks" in answer["reduced"]["says"]


def test_a_preview_ends_where_the_experiment_does() -> None:
    experiment = asked(stop={"when": "at_s", "at_s": 20})
    assert without_speed(run_preview(experiment)["summary"]) == without_speed(simulate(experiment).summary)


def test_shares_say_what_queues_deserve_and_used() -> None:
    first, second = run_preview(asked())["shares"]
    assert (first["queue"], first["deserved"], second["deserved"]) == ("a", 0.75, 0.25)
    assert first["used"] + second["used"] == pytest.approx(1)
    assert first["tasks_started"] + second["tasks_started"] == 900
    # Jobs go to the queues in turn.
    assert first["used"] == pytest.approx(0.5, abs=0.1)


def test_an_outdated_preview_is_given_up_between_slices() -> None:
    seen = []

    def give_up(simulation: Simulation) -> None:
        seen.append(simulation.now_ns)
        raise Cancelled

    with pytest.raises(Cancelled):
        run_preview(asked(workload=SMALL["workload"] | {"jobs": 20_000}), on_slice=give_up)
    assert len(seen) == 1


@pytest.mark.parametrize("name", sampled(NAMES, 4))
def test_what_was_built_serves_the_next_run_and_stays_as_it_was(name: str) -> None:
    builds = KeptBuilds()
    faults = [{"at_s": 5, "kind": "fail", "target": {"machine": 3}}]
    honors = "machine_faults" in scheduler_by_name(name).supports
    experiment = asked(scheduler={"name": name}, events=faults if honors else [])
    found = [run_preview(experiment, builds=builds)["summary"]["outcome_digest"] for _ in range(3)]
    assert builds.hits == 2
    assert set(found) == {simulate(experiment).summary["outcome_digest"]}


def test_a_knob_of_the_scheduler_builds_nothing_anew_and_every_other_one_does() -> None:
    builds = KeptBuilds()

    def outcome(**changes: Any) -> str:
        experiment = asked(**changes)
        found: str = run_preview(experiment, builds=builds)["summary"]["outcome_digest"]
        assert found == simulate(experiment).summary["outcome_digest"], changes
        return found

    slower = {"name": "megha", "params": {"heartbeat_s": 2}}
    outcome()
    outcome(scheduler=slower)
    outcome(stop={"when": "tasks", "tasks": 100})
    outcome(network={"message_delay_s": 0.01})
    assert builds.hits == 3
    burst = {"at_s": 2, "kind": "burst", "target": {"queue": "a"}, "value": {"rate_factor": 3}, "duration_s": 9}
    for changes in (
        {"seed": 2},
        {"events": [burst]},
        {"workload": SMALL["workload"] | {"jobs": 301}},
        {"scheduler": {"name": "megha", "params": {"profile": "public-simulator"}}},
        {"scheduler": {"name": "sparrow"}},
    ):
        outcome(**changes)
    assert builds.hits == 3


def test_builds_are_forgotten_when_they_take_too_much() -> None:
    builds = KeptBuilds(most_bytes=1)
    for _ in range(2):
        run_preview(asked(), builds=builds)
    assert builds.hits == 0
