"""Kernels of hybrid schedulers against slow versions in plain Python: every outcome, every count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import Experiment, build_cluster, build_workload, scheduler_by_name, simulate
from scheduler_core.constraints import rack_rules
from tests.core.experiments import PROFILES, experiments
from tests.core.oracles_hybrid import EagleOracle, HawkOracle
from tests.core.oracles_phoenix import PhoenixOracle
from tests.tiers import all_but_wide, examples

pytestmark = pytest.mark.slow


ORACLES: dict[str, Any] = {
    "hawk": HawkOracle,
    "eagle": EagleOracle,
    "hawk-c": HawkOracle,
    "eagle-c": EagleOracle,
    "phoenix": PhoenixOracle,
}
# Under the paper's profile Hawk-C and Eagle-C are Hawk and Eagle.
RULES = [(name, profile) for name in ORACLES for profile in PROFILES if profile != "paper" or not name.endswith("-c")]
"""Those of which tasks lack constraints that they do without."""
FEW = [("hawk", "paper"), ("eagle", "public-simulator"), ("phoenix", "paper")]
each_rules = pytest.mark.parametrize(("scheduler", "profile"), all_but_wide(RULES, FEW))


def agree(experiment: Experiment) -> dict[str, int]:
    """Compare a run with the oracle; what was counted."""
    cluster = build_cluster(experiment)
    workload = build_workload(experiment, cluster)
    reads = scheduler_by_name(experiment.scheduler.name).reads
    oracle = ORACLES[experiment.scheduler.name](experiment, cluster, reads(experiment, workload) if reads else workload)
    wanted = oracle.run()
    result = simulate(experiment)
    columns = ("first_start_ns", "end_ns", "machine")
    assert [tuple(int(row[c]) for c in columns) for row in result.tasks] == wanted
    counters: dict[str, int] = result.summary["counters"]
    assert {name: counters[name] for name in oracle.counts} == oracle.counts
    return counters


@each_rules
@examples(100)
@given(data=st.data())
def test_small_experiments_equal_plain_queues(scheduler: str, profile: str, data: st.DataObject) -> None:
    agree(data.draw(experiments(scheduler, profile=profile)))


@pytest.mark.parametrize("scheduler", all_but_wide(["hawk", "eagle", "phoenix"], ["eagle", "phoenix"]))
@examples(100)
@given(data=st.data())
def test_small_experiments_on_racks_equal_plain_queues(scheduler: str, data: st.DataObject) -> None:
    agree(data.draw(experiments(scheduler, profile="paper", racks=True)))


def constrained(scheduler: str, profile: str, **more: Any) -> Experiment:
    """The experiment below, with constraints of which some are soft where that is honored."""
    data = loaded(scheduler, profile, **more).to_dict() | {"constraints": {"catalogue": "phoenix-9", "task_share": 0.8}}
    if scheduler == "phoenix" and profile == "paper":
        data["constraints"]["soft"] = [{"name": "cpu_clock"}, {"name": "max_disks"}]
    for cluster in data["topology"]["clusters"]:
        cluster["constraint_mix"] = "phoenix"
    return Experiment.parse(data)


def loaded(scheduler: str, profile: str, **more: Any) -> Experiment:
    """Sixty machines at high load in which long and short jobs meet, some of them larger than the datacenter."""
    classes = [
        {"name": "short", "weight": 0.85, "duration_s": {"kind": "exponential", "mean": 2.0}},
        {"name": "long", "weight": 0.15, "duration_s": {"kind": "lognormal", "median": 40.0, "sigma": 0.5}},
    ]
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": 3,
            "topology": {
                "clusters": [
                    {"name": "c", "machines": [{"count": 40, "cpus": 1}]},
                    {"name": "large", "machines": [{"count": 20, "cpus": 2}]},
                ]
            },
            "workload": {
                "kind": "synthetic",
                "jobs": 150,
                "arrivals": {"kind": "poisson", "offered_load": 0.95},
                "tasks_per_job": {"kind": "lognormal", "median": 8, "sigma": 1.2, "max": 150},
                "duration_s": {"kind": "exponential", "mean": 2.0},
                "classes": classes,
                "demand": {"cpus": 1},
            },
            "scheduler": {
                "name": scheduler,
                "params": {"profile": profile, "short_cutoff_s": 10, "long_partition_share": 0.9, **more},
            },
        }
    )


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("scheduler", ["hawk", "eagle"])
@pytest.mark.parametrize("error", all_but_wide(["none", "uniform", "lognormal"], ["lognormal"]))
def test_a_loaded_datacenter_agrees_too(scheduler: str, profile: str, error: str) -> None:
    counters = agree(loaded(scheduler, profile, estimate_error=error))
    assert counters["placed"] > 100
    if scheduler == "hawk":
        assert counters["noops"] > 100
        assert counters["stolen"] > counters["steals"] > 20
    else:
        assert min(counters[name] for name in ("refused", "sticky", "overtaking", "dropped")) > 20


@pytest.mark.parametrize(("scheduler", "profile"), all_but_wide(RULES, [("phoenix", "paper")]))
def test_constraints_agree_too(scheduler: str, profile: str) -> None:
    counters = agree(constrained(scheduler, profile))
    assert (counters.get("lacking", 0) > 20) == (scheduler in ("eagle-c", "phoenix"))
    if scheduler == "phoenix":
        assert counters["overtaking"] > counters["reorders"] > 20
        assert counters["switches"] > 2
        assert (counters["negotiated"] > 10) == (profile == "paper")


def on_racks(scheduler: str, racks: tuple[int, int] = (5, 4), **more: Any) -> Experiment:
    """The constrained experiment on racks; some jobs stay together, some spread."""
    data = constrained(scheduler, "paper", **more).to_dict()
    data["constraints"]["racks"] = [{"kind": "affinity", "share": 0.4}, {"kind": "spread", "share": 0.4}]
    for cluster, count in zip(data["topology"]["clusters"], racks, strict=True):
        cluster["racks"] = count
    return Experiment.parse(data)


@pytest.mark.parametrize(
    ("scheduler", "racks"),
    all_but_wide([*((name, (5, 4)) for name in ORACLES), ("phoenix", (20, 10))], [("phoenix", (5, 4))]),
)
def test_rules_on_racks_agree_too(scheduler: str, racks: tuple[int, int]) -> None:
    experiment = on_racks(scheduler, racks, long_partition_share=0.7)
    counters = agree(experiment)
    assert counters["placed"] > 100
    if scheduler == "phoenix":
        assert counters["negotiated"] > 10
    if scheduler.startswith("hawk"):
        assert counters["stolen"] > 20
    keeps_the_rules(experiment)


def keeps_the_rules(experiment: Experiment) -> None:
    """Check the racks of tasks that ran, and that nearly all long tasks ran on machines for long tasks."""
    cluster = build_cluster(experiment)
    workload = build_workload(experiment, cluster)
    rules, first_long = rack_rules(experiment, workload.jobs), int(len(cluster.rack_of) * 0.3 + 1e-9)
    tasks = simulate(experiment).tasks
    ran = tasks[tasks["machine"] >= 0]
    seen = [0, 0, 0]
    for job in np.flatnonzero(rules):
        machines = ran["machine"][ran["job"] == job]
        racks = np.bincount(cluster.rack_of[machines], minlength=int(cluster.rack_of.max()) + 1)
        if rules[job] == 1:
            assert (racks > 0).sum() <= 1
        seen[rules[job]] += len(machines) > 1 and bool((racks > 0).sum() > 1)
    assert seen[2] > 10
    long = workload.jobs["mean_ns"][ran["job"]] > 10_000_000_000
    assert (ran["machine"][long] >= first_long).mean() > 0.9


@pytest.mark.parametrize("scheduler", all_but_wide(["hawk", "eagle", "phoenix"], ["phoenix"]))
@examples(60)
@given(data=st.data())
def test_no_job_leaves_its_rack_when_machines_fail(scheduler: str, data: st.DataObject) -> None:
    experiment = data.draw(experiments(scheduler, profile="paper", incidents=True, racks=True))
    cluster = build_cluster(experiment)
    tasks = simulate(experiment).tasks
    rules = rack_rules(experiment, build_workload(experiment, cluster).jobs)
    for job in np.flatnonzero(rules == 1):
        ran = tasks["machine"][(tasks["job"] == job) & (tasks["machine"] >= 0)]
        assert len(np.unique(cluster.rack_of[ran])) <= 1
