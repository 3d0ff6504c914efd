"""The profiles `public-simulator` against slow versions that copy everything."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from scheduler_core import Experiment, build_cluster, build_workload, simulate
from scheduler_core.workload.public_reading import as_public_simulators_read
from tests.core.experiments import experiments
from tests.core.oracles_public import MeghaPublicOracle, SparrowPublicOracle


def agree(experiment: Experiment, kind: Any) -> dict[str, int]:
    """Compare task by task; what the oracle counted, if it counts."""
    cluster = build_cluster(experiment)
    oracle = kind(experiment, cluster, as_public_simulators_read(build_workload(experiment, cluster)))
    wanted = oracle.run()
    result = simulate(experiment)
    rows = [(int(r["task"]), int(r["machine"]), int(r["first_start_ns"]), int(r["end_ns"])) for r in result.tasks]
    assert [row for row in rows if row[1] >= 0] == wanted
    counts: dict[str, int] = getattr(oracle, "counts", {"noops": 0})
    if kind is MeghaPublicOracle:
        assert {name: result.summary["counters"][name] for name in counts} == counts
    return counts


@settings(max_examples=150)
@given(experiments("megha", profile="public-simulator"))
def test_megha_equals_full_copies(experiment: Experiment) -> None:
    agree(experiment, MeghaPublicOracle)


@settings(max_examples=150)
@given(experiments("sparrow", profile="public-simulator"))
def test_sparrow_equals_plain_queues(experiment: Experiment) -> None:
    agree(experiment, SparrowPublicOracle)


@pytest.mark.parametrize(("scheduler", "kind"), [("megha", MeghaPublicOracle), ("sparrow", SparrowPublicOracle)])
def test_a_loaded_datacenter_agrees_too(scheduler: str, kind: Any) -> None:
    """Partitions of more than one word, bursts at one instant, and enough load that requests go stale."""
    counts = agree(
        Experiment.parse(
            {
                "schema_version": 1,
                "seed": 3,
                "topology": {
                    "global_masters": 3,
                    "clusters": [{"name": "lm", "repeat": 2, "machines": [{"count": 201}]}],
                },
                "workload": {
                    "kind": "inline",
                    "jobs": [
                        {"arrival_s": n // 3, "durations_s": [1.0 + (n * k) % 7 for k in range(20 + 13 * n % 100)]}
                        for n in range(30)
                    ],
                },
                "scheduler": {"name": scheduler, "params": {"profile": "public-simulator"}},
            }
        ),
        kind,
    )
    if scheduler == "megha":
        assert all(count > 10 for count in counts.values()), counts
