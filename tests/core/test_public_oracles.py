"""The profiles `public-simulator` against slow versions that copy everything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from scheduler_core import Experiment, Simulation, build_cluster, build_workload, simulate
from scheduler_core.engine.records import TASK_WAITING
from scheduler_core.workload.public_reading import as_public_simulators_read
from tests.core import published
from tests.core.experiments import experiments
from tests.core.oracles_public import MeghaPublicOracle, SparrowPublicOracle, WithPublicNumbers
from tests.tiers import examples, wide

pytestmark = pytest.mark.slow


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


@examples(150)
@given(experiments("megha", profile="public-simulator"))
def test_megha_equals_full_copies(experiment: Experiment) -> None:
    agree(experiment, MeghaPublicOracle)


@examples(150)
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


@pytest.mark.parametrize(
    ("run", "trace", "masters", "clusters", "machines"),
    [
        ("m_small_cp", "YH_small.tr", 3, 2, 18),
        # Minutes of plain Python: more than one test may take elsewhere. Groups begin before single tests, so it is
        # not the last one to end.
        pytest.param(
            *("m_YH1_1000_10x10_pypy", "YH1_sub.tr", 10, 10, 1_000),
            marks=[wide, pytest.mark.timeout(1_500), pytest.mark.xdist_group("interpreted")],
        ),
    ],
)
def test_with_its_own_random_numbers_megha_decides_as_the_public_simulator(
    run: str, trace: str, masters: int, clusters: int, machines: int
) -> None:
    """The slow version, which the kernel equals above, gives every figure of the authors' own run."""
    experiment = Experiment.parse(
        {
            "schema_version": 1,
            "topology": {
                "global_masters": masters,
                "clusters": [{"name": "lm", "repeat": clusters, "machines": [{"count": machines // clusters}]}],
            },
            "workload": {
                "kind": "trace",
                "format": "sparrow",
                "path": str(published.trace(trace)),
                "time_origin": "file",
            },
            "scheduler": {"name": "megha", "params": {"profile": "public-simulator"}},
        }
    )
    cluster = build_cluster(experiment)
    oracle = WithPublicNumbers(experiment, cluster, as_public_simulators_read(build_workload(experiment, cluster)))
    oracle.run()
    theirs = published.figures("simulators")[run]
    counters = theirs["counters"]
    assert oracle.counts == {
        "inconsistencies_internal": counters["internal_inconsistency_event"],
        "inconsistencies_external": counters["external_inconsistency_event"],
        "repartitions": counters["external_matching_logic_op"] - counters["external_inconsistency_event"],
        "matches": counters["match_found_event"],
        "failed_matches": counters["cluster_saturated_event"],
    }
    delay = (
        np.sort(
            [
                max(task.end for task in job.tasks) - job.arrival.ns - max(task.duration for task in job.tasks)
                for job in oracle.jobs
            ]
        )
        / 1e9
    )
    ranks = {f"p{q}": float(delay[-(-q * len(delay) // 100) - 1]) for q in (50, 90, 99)}
    wanted = theirs["job_delay"]["all"]
    assert {**ranks, "mean": float(delay.mean()), "max": float(delay[-1])} == pytest.approx(
        {name: wanted[name] for name in (*ranks, "mean", "max")}, abs=1e-5
    )


def test_a_waiting_task_and_a_refusal_say_what_was_in_the_way() -> None:
    """Two GMs share two machines: what waits names its GM and how many wait, a refusal the task that came first."""
    simulation = Simulation(
        Experiment.parse(
            {
                "schema_version": 1,
                "topology": {"global_masters": 2, "clusters": [{"name": "lm", "machines": [{"count": 2}]}]},
                "workload": {
                    "kind": "inline",
                    "jobs": [
                        {"arrival_s": 0, "durations_s": [5.0] * 4},
                        {"arrival_s": 1, "durations_s": [5.0] * 3},
                        {"arrival_s": 2, "durations_s": [5.0] * 5},
                    ],
                },
                "scheduler": {"name": "megha", "params": {"profile": "public-simulator"}},
            }
        )
    )
    simulation.advance_to(3_000_000_000)
    waiting = np.flatnonzero(simulation.world.task["state"] == TASK_WAITING)
    assert len(waiting) == 10
    for task in waiting:
        why = simulation.why_waiting(int(task))
        owner = (4, 3, 5)[simulation.world.task[task].job] % 2
        assert why is not None
        assert (why["to"], why["x"]) == (owner, 2 if owner == 0 else 8)
    assert simulation.why_waiting(0) is None
    for _ in simulation.run():
        pass
    spec = {reason.name: reason.code for reason in simulation.spec.reasons}
    log = simulation.decisions()
    refused = log[np.isin(log["reason"], [spec["refused_internal"], spec["refused_external"]])]
    assert len(refused)
    launched = log[~np.isin(log["reason"], [spec["refused_internal"], spec["refused_external"]])]
    for row in refused:
        before = launched[(launched["machine"] == row["machine"]) & (launched["t_ns"] <= row["t_ns"])]
        assert row["x"] in before["task"]
        assert row["x"] != row["task"]
