"""Megha's kernel against a slow version that copies the whole state into every message."""

from __future__ import annotations

from hypothesis import given, settings

from scheduler_core import Experiment, Simulation, build_cluster, build_workload, simulate
from tests.core.experiments import experiments
from tests.core.oracles_megha import MeghaOracle, outcome


def agrees(experiment: Experiment) -> MeghaOracle:
    """Run both, compare every task and every counter."""
    cluster = build_cluster(experiment)
    oracle = MeghaOracle(experiment, cluster, build_workload(experiment, cluster))
    wanted = oracle.run()
    result = simulate(experiment)
    assert outcome(result.tasks) == wanted
    assert {name: result.summary["counters"][name] for name in oracle.counts} == oracle.counts
    return oracle


@settings(max_examples=200, deadline=None)
@given(experiments("megha", profile="paper"))
def test_stale_views_by_change_log_equal_full_copies(experiment: Experiment) -> None:
    agrees(experiment)


@settings(max_examples=300, deadline=None)
@given(experiments("megha", profile="paper", incidents=True))
def test_faults_drains_and_changes_equal_full_copies(experiment: Experiment) -> None:
    agrees(experiment)


def test_a_loaded_federation_agrees_with_full_copies_too() -> None:
    """More machines and work than the random cases, so that partitions fill, lend and refuse many times."""
    experiment = Experiment.parse(
        {
            "schema_version": 1,
            "seed": 3,
            "topology": {
                "global_masters": 3,
                "clusters": [{"name": "lm", "repeat": 4, "machines": [{"count": 9, "cpus": 2}]}],
            },
            "workload": {
                "kind": "synthetic",
                "jobs": 120,
                "arrivals": {"kind": "poisson", "offered_load": 1.3},
                "tasks_per_job": {"kind": "exponential", "mean": 8},
                "duration_s": {"kind": "exponential", "mean": 2.0},
                "demand": {"cpus": 1},
            },
            "scheduler": {"name": "megha", "params": {"heartbeat_s": 1.5, "match_us": 2000}},
        }
    )
    cluster = build_cluster(experiment)
    oracle = MeghaOracle(experiment, cluster, build_workload(experiment, cluster))
    wanted = oracle.run()
    simulation = Simulation(experiment, frames=0)
    for _ in simulation.run():
        pass
    assert simulation.result is not None
    assert [(int(r["first_start_ns"]), int(r["end_ns"])) for r in simulation.result.tasks] == [w[:2] for w in wanted]
    assert all(count > 10 for count in oracle.counts.values()), oracle.counts
