"""Phoenix and the names with -C on runs small enough to think through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scheduler_core import Experiment, Simulation, explain, simulate
from scheduler_core.schedulers.probing.phoenix.params import AXES
from tests.core.test_hawk import ended, small, starts
from tests.core.test_hybrid_oracle import constrained, loaded
from tests.core.test_queueing import queue_of
from tests.tiers import wide

PRESETS = Path(__file__).resolve().parents[2] / "fixtures" / "presets"
ONE_PROBE = {"short_cutoff_s": 1000, "long_partition_share": 1, "probe_ratio": 1, "min_probes": 1}
RARE = {"catalogue": "custom", "custom": [{"name": "rare", "machine_share": 1, "axis": "disk"}]}
BUSY_THEN = [
    {"arrival_s": 0, "durations_s": [100.0]},
    {"arrival_s": 1, "durations_s": [4.0]},
    {"arrival_s": 2, "durations_s": [9.0], "constraints": ["rare"]},
]
CONSTRAINED = ("sparrow-c", "hawk-c", "eagle-c", "phoenix")


def with_constraints(
    machines: int, jobs: list[dict[str, Any]], scheduler: str, offered: float = 1, soft: float = 0, **params: Any
) -> Experiment:
    """Machines of which a share offers the rare property; `soft` is the slowdown of a task without it, 0: hard."""
    data = small(machines, [{"arrival_s": 0, "durations_s": [1]}], scheduler, **params).to_dict()
    data["workload"]["jobs"] = jobs
    data["topology"]["clusters"][0]["constraint_shares"] = {"rare": offered}
    softness = {"soft": [{"name": "rare", "slowdown": soft}]} if soft else {}
    return Experiment.parse(data | {"constraints": RARE | softness})


@pytest.mark.parametrize(
    ("params", "first", "switches"),
    [
        ({"load_threshold_percent": 50}, 2, 1),
        ({"load_threshold_percent": 100, "wait_threshold_s": 1e9}, 1, 0),
        ({"load_threshold_percent": 100, "wait_threshold_s": 1e8}, 2, 0),
    ],
    ids=["load-above", "neither", "endless-wait"],
)
def test_under_load_the_scarcest_constraint_goes_first(params: dict[str, Any], first: int, switches: int) -> None:
    """The worker is busy until 100.003. One of 4 s waits for it and one of 9 s that asks for something."""
    experiment = with_constraints(1, BUSY_THEN, "phoenix", **ONE_PROBE, **params)
    run = ended(experiment)
    times = [start for _, start in starts(run)]
    assert times[first] == pytest.approx(100.005)
    counters = run.result.summary["counters"]  # type: ignore[union-attr]
    assert (counters["reorders"], counters["switches"]) == (first == 2, switches)
    if first == 2:
        (told,) = explain(experiment, 2)["decisions"]
        assert (told["reason"], told["arguments"]) == ("reordered", {"machine": "0", "y": "1", "x_s": "98 s"})
        assert explain(experiment, 1)["decisions"][-1]["reason"] == "bypassed"


@pytest.mark.slow
@wide
def test_a_worker_expects_waits_as_pollaczek_and_khinchine_say() -> None:
    """What it has learned by the end of an M/M/1 queue at a load of 0.7: 2.33 s."""
    params = ONE_PROBE | {"wait_memory": 1_000_000, "load_threshold_percent": 100, "wait_threshold_s": 1e9}
    data = queue_of({"name": "phoenix", "params": params}, 1, 0.7, 1).to_dict()
    data["workload"]["duration_s"] = {"kind": "exponential", "mean": 1.0}
    it = ended(Experiment.parse(data)).state.sample[0]
    assert it.square_s2 / (2 * (it.gap_s - it.service_s)) == pytest.approx(0.7 / 0.3, rel=0.05)


def test_a_job_that_nobody_could_run_whole_does_without_what_is_soft() -> None:
    job = [{"arrival_s": 0, "durations_s": [2.0], "constraints": ["rare"]}]
    experiment = with_constraints(2, job, "phoenix", offered=0, soft=3, **ONE_PROBE)
    result = simulate(experiment)
    assert result.tasks["end_ns"][0] - result.tasks["first_start_ns"][0] == 6_000_000_000
    assert result.summary["counters"]["negotiated"] == 1
    told = [one["reason"] for one in explain(experiment, 0)["decisions"]]
    assert told == ["negotiated", "relaxed", "launched"]


@pytest.mark.parametrize(("negotiate", "waits"), [(True, 1), (False, 0)])
def test_under_load_what_is_soft_and_scarce_is_negotiated_away(negotiate: bool, waits: int) -> None:
    """Five tasks wait for the one worker of ten that offers it, when a sixth comes."""
    jobs = [
        {"arrival_s": 0, "durations_s": [50.0] * 9},
        *(
            {"arrival_s": at_s, "durations_s": [50.0] * tasks, "constraints": ["rare"]}
            for at_s, tasks in ((0, 6), (9, 1))
        ),
    ]
    experiment = with_constraints(
        10,
        jobs,
        "phoenix",
        offered=0.1,
        soft=2,
        negotiate=negotiate,
        load_threshold_percent=10,
        **(ONE_PROBE | {"min_probes": 9}),
    )
    data = experiment.to_dict()
    data["constraints"]["layout"] = "blocks"
    counters = simulate(Experiment.parse(data)).summary["counters"]
    assert counters["negotiated"] == waits


@pytest.mark.parametrize("scheduler", CONSTRAINED)
@pytest.mark.parametrize("profile", ["paper", "public-simulator"])
def test_what_nobody_offers_is_given_up_and_the_rest_runs(scheduler: str, profile: str) -> None:
    """Long jobs and short ones, all of them constrained, on workers that offer nothing; then on one that does."""
    jobs = [
        {"arrival_s": at_s, "durations_s": [seconds] * 2, "constraints": ["rare"]}
        for at_s, seconds in ((0, 1.0), (1, 300.0))
    ]
    nobody = with_constraints(3, jobs, scheduler, offered=0, profile=profile)
    assert simulate(nobody).summary["tasks"]["unschedulable"] == 4
    assert "no machine offers" in explain(nobody, 3)["decisions"][-1]["sentence"]
    one = simulate(with_constraints(1, jobs, scheduler, profile=profile))
    assert one.summary["tasks"]["completed"] == 4


@pytest.mark.parametrize(
    ("scheduler", "params"), [("sparrow", {}), ("hawk", {"min_probes": 20}), ("eagle", {"rounds": 5})]
)
def test_by_the_paper_the_names_with_c_are_the_plain_ones(scheduler: str, params: dict[str, Any]) -> None:
    data = constrained("phoenix", "public-simulator").to_dict()
    keys = ("short_cutoff_s", "long_partition_share")
    common = {} if scheduler == "sparrow" else {key: data["scheduler"]["params"][key] for key in keys}
    plain, named = (
        simulate(Experiment.parse(data | {"scheduler": {"name": name, "params": common | more}})).summary
        for name, more in ((scheduler, params), (f"{scheduler}-c", {}))
    )
    assert plain["outcome_digest"] == named["outcome_digest"]


def test_without_constraints_and_with_patience_phoenix_is_eagle_c() -> None:
    patient = {"load_threshold_percent": 100, "wait_threshold_s": 1e9}
    phoenix, eagle = (
        simulate(loaded(name, "paper", **params)).summary["outcome_digest"]
        for name, params in (("phoenix", patient), ("eagle-c", {}))
    )
    assert phoenix == eagle


def test_ratios_and_switching_can_be_watched() -> None:
    simulation = Simulation(constrained("phoenix", "paper"), frames=200)
    frames = list(simulation.run())
    series = {
        name: [value for frame in frames for _, value in frame.series.get(name, [])]
        for name in ("crv_on", "crv_most", "scarcest_first", *(f"crv_{axis}" for axis in AXES))
    }
    assert set(series["crv_on"]) == {0, 1}
    assert max(series["scarcest_first"]) > 1
    assert {name for name, values in series.items() if max(values) == 0} == {"crv_memory"}  # none of the nine
    assert max(series["crv_most"]) >= max(series["crv_disk"])
    kinds = {mark[1] for frame in frames for mark in frame.marks}
    assert kinds >= {"reorder", "negotiation", "crv_on", "crv_off"}
    final = simulation.inspect()
    assert [one["demand"] for one in final["constraints"]] == [0] * 9
