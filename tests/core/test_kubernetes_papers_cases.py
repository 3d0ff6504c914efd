"""The scheduler `kubernetes-papers` scores machines and ends its search as the Kubernetes scheduler's own tests expect.

`tests/data/kubernetes` holds the cases. Each node is a machine of its own, since these scores look at one at a time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from scheduler_core.schedulers.queue.protocol import _wanted
from tests.core.test_queue_schedulers import UNWEIGHED, experiment, job, last_score
from tests.support import PROJECT

FOLDER = PROJECT / "tests" / "data" / "kubernetes"
PARTS = {"least_allocated": "least_allocated", "balanced_allocation": "balanced"}
BOTH = {"cpu", "memory"}


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def job_of(pod: dict[str, Any], arrival_s: float = 0) -> dict[str, Any]:
    """Scores are ratios, so any unit does: a thousandth of a CPU becomes a CPU, a byte a thousandth of a GB."""
    requests = pod["requests"]
    return job(requests.get("cpu", 0) / 1000, requests.get("memory", 0) / 1000, 1e6, arrival_s=arrival_s)


def scored() -> Iterator[Any]:
    """Yield the cases in which a pod asks for CPU, on nodes with CPU and memory, both of weight 1."""
    for name, part in PARTS.items():
        for case in cases(name):
            weights = {each["name"]: each["weight"] for each in case["args"]["resources"]}
            asks = case["pod"]["requests"]
            if weights == dict.fromkeys(BOTH, 1) and asks.get("cpu") and set(asks) <= BOTH:
                yield from (pytest.param(part, case, node, id=f"{case['id']}-{node['name']}") for node in case["nodes"])


SCORED = list(scored())


@pytest.mark.parametrize(("part", "case", "node"), SCORED)
def test_a_machine_gets_the_points_of_the_node(part: str, case: dict[str, Any], node: dict[str, Any]) -> None:
    there = [job_of(pod) for pod in case["existing_pods"] if pod["node"] == node["name"]]
    room = node["allocatable"]
    machines = [{"cpus": room["cpu"] / 1000, "memory_gb": room["memory"] / 1000}]
    made = experiment(
        "kubernetes-papers", [*there, job_of(case["pod"], arrival_s=1)], machines, params=UNWEIGHED | {part: 1}
    )
    machine, tenths = last_score(made)
    assert (machine, tenths // 10) == (0, case["expected"]["scores"][node["name"]])


def test_both_scores_have_several_cases() -> None:
    assert {part: sum(one.values[0] == part for one in SCORED) for part in PARTS.values()} == {
        "least_allocated": 6,
        "balanced": 4,
    }


def test_the_search_ends_after_as_many_machines_with_room() -> None:
    asked = [case for case in cases("framework") if case["extension_point"] == "numFeasibleNodesToFind"]
    assert len(asked) == 4
    for case in asked:
        given, machines = case["args"]["percentageOfNodesToScore"], case["args"]["num_all_nodes"]
        assert _wanted({"percentage": given}, machines) == case["expected"]["num_nodes"], case["id"]
