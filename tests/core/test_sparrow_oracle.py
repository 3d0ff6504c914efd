"""Sparrow's kernel against a slow version in plain Python: every decision, every outcome, every count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from scheduler_core import Experiment, Simulation, build_cluster, build_workload, simulate
from scheduler_core.constraints import rack_rules
from tests.core.experiments import experiments
from tests.core.oracles_sparrow import SparrowOracle
from tests.tiers import examples, wide

pytestmark = pytest.mark.slow


def agree(experiment: Experiment) -> dict[str, int]:
    """Compare a run with the oracle; what was counted."""
    cluster = build_cluster(experiment)
    oracle = SparrowOracle(experiment, cluster, build_workload(experiment, cluster))
    wanted = oracle.run()
    simulation = Simulation(experiment, frames=0)
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    columns = ("first_start_ns", "end_ns", "machine", "attempts")
    assert [tuple(int(row[c]) for c in columns) for row in simulation.result.tasks] == wanted
    counters: dict[str, int] = simulation.result.summary["counters"]
    assert {name: counters[name] for name in oracle.counts} == oracle.counts
    rows = simulation.decisions()
    fields = ("t_ns", "task", "machine", "reason", "x")
    assert [tuple(int(row[c]) for c in fields) for row in rows] == [row[:5] for row in oracle.rows]
    placed = rows["machine"] >= 0
    assert rows["y"][placed].tolist() == [row[5] for row in oracle.rows if row[2] >= 0]
    return counters


@examples(400)
@given(experiments("sparrow", profile="paper"))
def test_every_mode_equals_plain_queues(experiment: Experiment) -> None:
    agree(experiment)


def loaded(params: dict[str, Any], **more: Any) -> Experiment:
    """Sixty machines in which many jobs meet, some of them larger than the datacenter."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "seed": 3,
            "topology": {
                "clusters": [
                    {"name": "c", "machines": [{"count": 40, "cpus": 4}]},
                    {"name": "large", "machines": [{"count": 20, "cpus": 12}]},
                ]
            },
            "workload": {
                "kind": "synthetic",
                "jobs": 60,
                "arrivals": {"kind": "poisson", "offered_load": 0.95},
                "tasks_per_job": {"kind": "lognormal", "median": 12, "sigma": 1.5, "max": 400},
                "duration_s": {"kind": "exponential", "mean": 2.0},
                "demand": {"cpus": 1},
            },
            "scheduler": {"name": "sparrow", "params": params},
            **more,
        }
    )


MODES = [
    {"sampling": sampling, "late_binding": late, "cancellation": cancellation}
    for sampling in ("batch", "per_task")
    for late, cancellation in ((True, False), (True, True), (False, False))
]
each_mode = pytest.mark.parametrize(
    "mode",
    [pytest.param(mode, marks=() if mode in MODES[1:3] else wide) for mode in MODES],
    ids=lambda mode: "-".join(str(value) for value in mode.values()),
)


@each_mode
def test_a_loaded_datacenter_agrees_too(mode: dict[str, Any]) -> None:
    counters = agree(loaded(mode))
    assert (counters["cancelled"] > 100) == mode["cancellation"]
    assert (counters["noops"] > 100) == mode["late_binding"]


@each_mode
def test_constraints_of_each_task_agree_too(mode: dict[str, Any]) -> None:
    """Tasks of one job ask for different things; what hardly any machine offers is drawn from a list."""
    data = loaded(mode, constraints={"catalogue": "megha-21", "task_share": 0.8}).to_dict()
    for cluster in data["topology"]["clusters"]:
        cluster["constraint_mix"] = "google-c"
    experiment = Experiment.parse(data)
    agree(experiment)
    simulation = Simulation(experiment, frames=0)
    simulation.prepare()
    state = simulation.state
    assert 0 < state.eligible["listed"].sum() < len(state.eligible)
    assert len(state.group) > len(simulation.world.job)
    assert (state.eligible["machines"] == 0).any()


@each_mode
def test_rules_on_racks_agree_too(mode: dict[str, Any]) -> None:
    """Jobs that stay together and jobs that spread, among racks that do not all have what tasks ask for."""
    data = loaded(
        mode,
        constraints={
            "catalogue": "megha-21",
            "task_share": 0.3,
            "racks": [{"kind": "affinity", "share": 0.4}, {"kind": "spread", "share": 0.4}],
        },
    ).to_dict()
    for cluster, racks in zip(data["topology"]["clusters"], (5, 4), strict=True):
        cluster |= {"constraint_mix": "google-c", "racks": racks}
    experiment = Experiment.parse(data)
    agree(experiment)
    cluster = build_cluster(experiment)
    rules = rack_rules(experiment, build_workload(experiment, cluster).jobs)
    result = simulate(experiment)
    ran = result.tasks[result.tasks["machine"] >= 0]
    spread_out = 0
    for job in np.flatnonzero(rules):
        racks = np.bincount(cluster.rack_of[ran["machine"][ran["job"] == job]], minlength=9)
        if rules[job] == 1:
            assert (racks > 0).sum() <= 1
        elif (rules[job] == 2) and racks.sum() > 1:
            spread_out += int((racks > 0).sum() > 1)
            assert racks.max() < racks.sum()
    assert spread_out > 10
    assert 0 < result.summary["tasks"]["unschedulable"] < result.summary["tasks"]["total"]


@each_mode
def test_crowds_on_one_machine_are_served_in_steps(mode: dict[str, Any]) -> None:
    """When a task of a whole machine ends, far more small ones start than one step of the kernel serves."""
    jobs = [{"arrival_s": 0, "durations_s": [5.0], "demand": {"cpus": 100}}]
    jobs += [{"arrival_s": 1 + n / 100, "durations_s": [3.0] * 30, "demand": {"cpus": 0.25}} for n in range(20)]
    counters = agree(
        Experiment.parse(
            {
                "schema_version": 1,
                "topology": {"clusters": [{"name": "c", "machines": [{"count": 1, "cpus": 100}]}]},
                "workload": {"kind": "inline", "jobs": jobs},
                "scheduler": {"name": "sparrow", "params": mode},
            }
        )
    )
    assert counters["probes"] >= 1200
