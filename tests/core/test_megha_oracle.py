"""Megha's kernel against a slow version that copies the whole state into every message."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

from scheduler_core import Experiment, build_cluster, build_workload, simulate
from scheduler_core.experiment import effective_queues
from tests.core.experiments import experiments
from tests.core.oracles_megha import MeghaOracle, outcome
from tests.tiers import examples, wide

pytestmark = pytest.mark.slow


def agrees(experiment: Experiment) -> MeghaOracle:
    """Run both, compare every task and every counter."""
    cluster = build_cluster(experiment)
    oracle = MeghaOracle(experiment, cluster, build_workload(experiment, cluster))
    wanted = oracle.run()
    result = simulate(experiment)
    assert outcome(result.tasks) == wanted
    assert {name: result.summary["counters"][name] for name in oracle.counts} == oracle.counts
    return oracle


@examples(200)
@given(experiments("megha", profile="paper"))
def test_stale_views_by_change_log_equal_full_copies(experiment: Experiment) -> None:
    agrees(experiment)


@wide
@examples(300)
@given(experiments("megha", profile="paper", incidents=True))
def test_faults_drains_and_changes_equal_full_copies(experiment: Experiment) -> None:
    agrees(experiment)


@wide
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
            "events": [
                {"at_s": 1.5 + at, "kind": "fail", "target": {"machine": 3 * at}, "duration_s": 2} for at in range(9)
            ],
        }
    )
    oracle = agrees(experiment)
    assert all(count > 3 for name, count in oracle.counts.items() if name != "relaxed"), oracle.counts


def test_soft_constraints_agree_under_load_with_faults_and_preemption() -> None:
    """Two of three constraints are soft: tasks wait, are relaxed, lose machines and run elsewhere at another pace."""
    names = ["fast", "near", "certified"]
    jobs = [
        {
            "arrival_s": number / 8,
            "queue": f"q{number % 3}",
            "durations_s": [0.5 + number % 5] * (1 + number % 4),
            "constraints": [name for bit, name in enumerate(names) if number * 7 + number // 3 >> bit & 1],
        }
        for number in range(150)
    ]
    custom = [{"name": name, "machine_share": share} for name, share in zip(names, (0.2, 0.3, 0.7), strict=True)]
    experiment = Experiment.parse(
        {
            "schema_version": 1,
            "topology": {
                "global_masters": 3,
                "clusters": [
                    {"name": "lm", "repeat": 3, "constraint_mix": "custom", "machines": [{"count": 12, "cpus": 2}]}
                ],
            },
            "queues": [
                {"name": f"q{number}", "share": share, "global_master": number}
                for number, share in enumerate((0.6, 0.3, 0.1))
            ],
            "constraints": {
                "catalogue": "custom",
                "custom": custom,
                "soft": [{"name": "fast", "slowdown": 2.5}, {"name": "near", "slowdown": 1.3}],
            },
            "workload": {"kind": "inline", "jobs": jobs},
            "scheduler": {"name": "megha", "params": {"heartbeat_s": 1.5, "match_us": 2000}},
            "events": [
                {"at_s": 4 + at, "kind": "fail", "target": {"machine": 4 * at}, "duration_s": 3} for at in range(9)
            ],
        }
    )
    oracle = agrees(experiment)
    assert min(oracle.counts[name] for name in ("relaxed", "preemptions", "relaunches")) > 3, oracle.counts
    assert {task.duration_ns / task.own_ns for task in oracle.tasks} >= {1.0, 1.3, 2.5, 3.25}


TODAY = {"launch_first": True, "fit": "first", "unplaceable": "end", "further_victims": True}
OTHER = {"launch_first": False, "fit": "next", "unplaceable": "head", "further_victims": False}


@wide
@pytest.mark.parametrize("other", [{}, *({name: value} for name, value in OTHER.items()), OTHER], ids=str)
def test_each_rule_agrees_where_demands_differ_and_views_are_stale(other: dict[str, object]) -> None:
    """Tasks of several sizes wait, and Local Masters refuse preemptions: their answers take long."""
    demands = [{"weight": weight, "demand": {"cpus": cpus}} for weight, cpus in ((4, 1), (2, 2), (1, 4))]
    costs = {"heartbeat_s": 4, "match_us": 2000, "request_us": 3000, "send_ns": 1e6, "apply_ns": 1e5}
    experiment = Experiment.parse(
        {
            "schema_version": 1,
            "seed": 5,
            "topology": {
                "global_masters": 3,
                "clusters": [{"name": "lm", "repeat": 3, "machines": [{"count": 12, "cpus": 4}]}],
            },
            "network": {"message_delay_s": 0.2},
            "queues": [
                {"name": f"q{number}", "share": share, "global_master": number % 3}
                for number, share in enumerate((0.4, 0.3, 0.2, 0.1))
            ],
            "workload": {
                "kind": "synthetic",
                "jobs": 120,
                "arrivals": {"kind": "poisson", "offered_load": 1.5},
                "tasks_per_job": {"kind": "exponential", "mean": 8},
                "duration_s": {"kind": "exponential", "mean": 3.0},
                "demands": demands,
            },
            "scheduler": {"name": "megha", "params": costs | TODAY | other},
        }
    )
    oracle = agrees(experiment)
    assert min(oracle.seen[name] for name in ("moved", "refused_preemptions")) > 3, oracle.seen


@examples(60)
@given(experiments("centralised"))
def test_centralised_is_megha_with_one_master_of_each_kind(experiment: Experiment) -> None:
    data = experiment.to_dict()
    machines = [group for cluster in data["topology"]["clusters"] for group in cluster["machines"]]
    mixes = {cluster["constraint_mix"] for cluster in data["topology"]["clusters"]}
    assume(len(mixes) == 1)
    data["topology"] |= {"global_masters": 1, "clusters": [{"name": "all", "machines": machines}]}
    data["topology"]["clusters"][0]["constraint_mix"] = mixes.pop()
    data["queues"] = [queue | {"global_master": 0} for queue in data["queues"]] or [
        {"name": queue.name, "share": queue.share} for queue in effective_queues(experiment)
    ]
    data["scheduler"] = {"name": "megha", "params": experiment.scheduler.params}
    assert outcome(simulate(experiment).tasks) == outcome(simulate(Experiment.parse(data)).tasks)
