"""Which machines of an imported Kubernetes cluster may be switched off: budgets, spread and anti-affinity block."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scheduler_core import Experiment
from scheduler_core.ask.asking import ask_question
from scheduler_core.inventory.build.importing import import_files, write_import
from scheduler_core.inventory.names import Names

ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
PROMISE = "tasks.unschedulable <= 0"


def node(name: str, zone: str = "z") -> dict[str, Any]:
    labels = {ZONE: zone, HOST: name}
    amounts = {"cpu": "4", "memory": "16Gi", "pods": "110"}
    return {"kind": "Node", "metadata": {"name": name, "labels": labels}, "status": {"allocatable": amounts}}


def pod(name: str, app: str, at: str, owner: str = "ReplicaSet", **spec: Any) -> dict[str, Any]:
    requests = {"cpu": "500m", "memory": "256Mi"}
    return {
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "shop",
            "uid": name,
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "labels": {"app": app},
            "ownerReferences": [{"kind": owner, "name": app, "controller": True, "uid": app}],
        },
        "spec": {"nodeName": at, "containers": [{"name": "c", "resources": {"requests": requests}}]} | spec,
        "status": {"phase": "Running", "startTime": "2026-01-01T00:00:10Z"},
    }


def budget(name: str, app: str, allowed: int) -> dict[str, Any]:
    return {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {"maxUnavailable": allowed, "selector": {"matchLabels": {"app": app}}},
        "status": {"disruptionsAllowed": allowed},
    }


def spread(app: str) -> dict[str, Any]:
    constraint = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}
    return {"topologySpreadConstraints": [constraint | {"labelSelector": {"matchLabels": {"app": app}}}]}


def apart(app: str) -> dict[str, Any]:
    term = {"topologyKey": HOST, "labelSelector": {"matchLabels": {"app": app}}}
    return {"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}}


def only_on(name: str) -> dict[str, Any]:
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [name]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    return {"affinity": {"nodeAffinity": required}}


def ask(folder: Path, *items: dict[str, Any], **options: Any) -> dict[str, Any]:
    """Import the objects and ask."""
    file = folder / "export.json"
    file.write_text(json.dumps({"kind": "List", "items": list(items)}))
    write_import(import_files([file], Names(None), {"path": "mine.cluster"}), folder / "mine.json")
    of = Experiment.from_file(folder / "mine.json").with_(stop={"when": "at_s", "at_s": 60.0})
    return ask_question(of, "off", PROMISE, options, seeds=1)


def test_a_budget_lets_no_more_pods_go_at_once_than_it_allows(tmp_path: Path) -> None:
    nodes = [node(f"n{number}") for number in range(4)]
    pods = [pod(f"web-{number}", "web", f"n{number}") for number in range(4)]
    free = ask(tmp_path, *nodes, *pods)
    assert free["machines_off"] == 3
    found = ask(tmp_path, *nodes, *pods, budget("keep", "web", 2))
    assert found["machines_off"] == 2
    assert len(found["moves"]) == 2
    assert {move["from"] for move in found["moves"]} == set(found["answer"])
    assert all(move["to"] not in found["answer"] and move["to"] is not None for move in found["moves"])
    said = "Disruption budget keep allows 2 evictions at once: 1 of its pods runs here, and 2 on machines that are off."
    assert list(found["blocked_by"].values()) == [said, said]
    assert any("Disruption budgets count" in note for note in found["notes"])


def test_a_pod_that_two_budgets_guard_is_never_evicted(tmp_path: Path) -> None:
    nodes = [node(f"n{number}") for number in range(3)]
    pods = [pod("web-0", "web", "n2")]
    found = ask(tmp_path, *nodes, *pods, budget("one", "web", 1), budget("other", "web", 1))
    assert found["answer"] == [0, 1]
    assert found["blocked_by"] == {
        "2": "Several disruption budgets guard task 0, which runs here. Kubernetes evicts no such pod."
    }


def test_pods_of_daemon_sets_need_no_budget_and_end_with_their_machine(tmp_path: Path) -> None:
    nodes = [node(f"n{number}") for number in range(3)]
    agents = [
        pod(f"agent-{number}", "agent", f"n{number}", "DaemonSet", **only_on(f"n{number}")) for number in range(3)
    ]
    found = ask(tmp_path, *nodes, *agents, pod("web-0", "web", "n1"), budget("keep", "agent", 0))
    assert found["machines_off"] == 2
    tasks = {move["task"] for move in found["moves"]}
    assert len(tasks) == (1 if 1 in found["answer"] else 0)


def test_spread_and_anti_affinity_say_which_pod_starts_nowhere(tmp_path: Path) -> None:
    nodes = [node("n0", "a"), node("n1", "a"), node("n2", "b"), node("n3", "b")]
    even = [pod("api-0", "api", "n0", **spread("api")), pod("api-1", "api", "n2", **spread("api"))]
    found = ask(tmp_path, *nodes, *even)
    stays = set(range(4)) - set(found["answer"])
    assert len(stays) == 2  # one of each zone
    assert {machine // 2 for machine in stays} == {0, 1}
    assert all("didn't match pod topology spread constraints" in why for why in found["blocked_by"].values())

    alone = [pod("db-0", "db", "n0", **apart("db")), pod("db-1", "db", "n2", **apart("db"))]
    found = ask(tmp_path, *nodes, *alone)
    assert found["machines_off"] == 2
    assert all("didn't match pod anti-affinity rules" in why for why in found["blocked_by"].values())


def test_where_each_pod_goes_under_all_three(tmp_path: Path) -> None:
    nodes = [node("n0", "a"), node("n1", "b"), node("n2", "a"), node("n3", "b")]
    pods = [
        pod("web-0", "web", "n0"), pod("web-1", "web", "n1"),
        pod("api-0", "api", "n0", **spread("api")), pod("api-1", "api", "n1", **spread("api")),
        pod("db-0", "db", "n2", **apart("db")), pod("db-1", "db", "n3", **apart("db")),
    ]  # fmt: skip
    found = ask(tmp_path, *nodes, *pods, budget("keep", "web", 1))
    # Machines are in the order of their zones: 0 and 1 are n0 and n2 of zone a, 2 and 3 are n1 and n3 of zone b.
    assert found["answer"] == [0, 3]
    # The pods of web and api on n0 go to n2, which keeps api even. The pod of db on n3 may not join the one on n2.
    assert sorted((move["from"], move["to"]) for move in found["moves"]) == [(0, 1), (0, 1), (3, 2)]
    assert "didn't match pod topology spread constraints" in found["blocked_by"]["1"]
    assert found["blocked_by"]["2"] == (
        "Disruption budget keep allows 1 eviction at once: 1 of its pods runs here, and 1 on machines that are off."
    )


def test_a_plan_by_periods_keeps_to_the_budgets(tmp_path: Path) -> None:
    nodes = [node(f"n{number}") for number in range(4)]
    pods = [pod(f"web-{number}", "web", f"n{number}") for number in range(4)]
    found = ask(tmp_path, *nodes, *pods, budget("keep", "web", 1), periods=2, until_s=40.0)
    assert max(len(row["machines"]) for row in found["plan"]) == 1
