"""An imported cluster under `kubernetes`: pods run where they ran, and kube-scheduler's rules place the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scheduler_core import Experiment, Simulation
from scheduler_core.engine.records import TASK_RUNNING, TASK_WAITING
from scheduler_core.kube import examine as ask
from scheduler_core.schedulers.kubernetes.state import parts
from tests.core.test_cli import cli
from tests.support import PROJECT

SAMPLE = PROJECT / "fixtures" / "clusters" / "kubernetes.json"


def node(name: str, zone: str, cpu: str = "4", **more: Any) -> dict[str, Any]:
    labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": zone, **more.pop("labels", {})}
    amounts = {"cpu": cpu, "memory": "8Gi", "pods": "110"}
    return {
        "kind": "Node",
        "apiVersion": "v1",
        "metadata": {"name": name, "labels": labels},
        "spec": more,
        "status": {"allocatable": amounts, "capacity": amounts},
    }


def pod(name: str, cpu: str, where: str = "", priority: int = 0, labels: Any = None, **more: Any) -> dict[str, Any]:
    spec = {"containers": [{"name": "c", "resources": {"requests": {"cpu": cpu, "memory": "1Gi"}}}], **more}
    if where:
        spec["nodeName"] = where
    return {
        "kind": "Pod",
        "apiVersion": "v1",
        "metadata": {
            "name": name, "namespace": "shop", "labels": labels or {}, "creationTimestamp": "2026-01-01T00:00:00Z",
        },
        "spec": spec | {"priority": priority},
        "status": {"phase": "Running", "startTime": "2026-01-01T00:00:01Z"} if where else {"phase": "Pending"},
    }  # fmt: skip


def ran(folder: Path, items: list[dict[str, Any]], **more: Any) -> Simulation:
    """Import the objects with their names, run for a minute, and return the run."""
    source, made = folder / "dump.json", folder / "e.json"
    source.write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": items}))
    done = cli("import-cluster", source, "--out", made, "--keep-names", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(made.read_text())
    data["stop"] = {"when": "at_s", "at_s": 60}
    data["scheduler"] = {"name": "kubernetes", "params": more}
    simulation = Simulation(Experiment.parse(data, base_dir=folder), frames=0)
    for _ in simulation.run():
        pass
    return simulation


def places(simulation: Simulation) -> dict[str, str | None]:
    """The node on which each pod is at the end, by name."""
    standing, world = simulation.standing, simulation.world
    assert standing is not None
    content = standing.content
    names = content.tasks.column("name").to_pylist()
    from scheduler_core.workload.clusters.standing import machines_at

    rows = np.stack([np.asarray(content.machines.column(c)) for c in ("cluster", "kind", "place")], axis=1)
    nodes = content.machines.column("name").to_pylist()
    of = dict(zip(machines_at(rows, simulation.experiment.topology).tolist(), nodes, strict=True))
    return {
        names[row]: of[int(task.machine)] if task.state == TASK_RUNNING else None
        for row, task in zip(standing.row.tolist(), world.task, strict=True)
    }


def test_taints_selectors_and_anti_affinity_decide_where_pending_pods_go(tmp_path: Path) -> None:
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
        {"labelSelector": {"matchLabels": {"app": "db"}}, "topologyKey": "topology.kubernetes.io/zone"}]}}  # fmt: skip
    items = [
        node("plain", "a"),
        node("fast", "b", labels={"disk": "ssd"}),
        node("tainted", "c", taints=[{"key": "only", "value": "x", "effect": "NoSchedule"}]),
        pod("db-0", "1", "plain", labels={"app": "db"}, affinity=apart),
        pod("db-1", "1", labels={"app": "db"}, affinity=apart),
        pod("wants-ssd", "1", nodeSelector={"disk": "ssd"}),
        pod("tolerant", "3500m", tolerations=[{"key": "only", "operator": "Exists"}]),
        pod("nowhere", "1", nodeSelector={"disk": "tape"}),
    ]
    simulation = ran(tmp_path, items)
    found = places(simulation)
    assert found == {
        "db-0": "plain", "db-1": "fast", "wants-ssd": "fast", "tolerant": "tainted", "nowhere": None,
    }  # fmt: skip
    waits = int(np.flatnonzero(simulation.world.task["state"] == TASK_WAITING)[0])
    told = simulation.why_waiting(waits)
    assert told is not None
    assert told["told"] == (
        ": 0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't match Pod's node "
        "affinity/selector."
    )


def test_a_pending_pod_of_high_priority_preempts_and_a_policy_of_never_does_not(tmp_path: Path) -> None:
    items = [node("a", "z"), pod("low", "3", "a", priority=-5), pod("high", "2", priority=2_000_000_000)]
    simulation = ran(tmp_path, items)
    assert places(simulation) == {"low": None, "high": "a"}
    assert simulation.state.rules[0].preemptions == 1
    items[-1]["spec"]["preemptionPolicy"] = "Never"
    assert places(ran(tmp_path, items)) == {"low": "a", "high": None}


def test_the_sample_cluster_is_accounted_for_to_the_last_byte(tmp_path: Path) -> None:
    """Used amounts are the sums of the requests of the pods that run, in Kubernetes' own units."""
    simulation = ran(tmp_path, json.loads(SAMPLE.read_text())["items"])
    _, model = parts(simulation.state)
    running = simulation.world.task["state"] == TASK_RUNNING
    assert (model.pod["node"] >= 0).tolist() == running.tolist()
    used, standing = np.zeros_like(model.used), simulation.standing
    assert standing is not None
    for task in np.flatnonzero(running).tolist():
        used[model.pod[task].node] += model.request[model.pod[task].klass]
        used[model.pod[task].node, 0] += 1
    assert (used == model.used).all()
    placed = np.unique(model.pod["node"][running & (standing.machine < 0)])
    assert len(placed)
    assert (model.used[placed] <= model.capacity[placed]).all()
    assert model.pod["priority"].min() < 0
    # All counters are what counting anew gives.
    kept = [array.copy() for array in (model.tally, model.counter, model.taken, model.scored)]
    for array in (model.tally, model.taken, model.scored):
        array[:] = 0
    model.counter["total"] = 0
    for task in np.flatnonzero(running).tolist():
        place = int(model.pod[task].node)
        model.pod[task].next = model.pod[task].previous = -1
        ask.examine(model, ask.PLACE, task, place)
    anew = (model.tally, model.counter, model.taken, model.scored)
    assert all((one == other).all() for one, other in zip(kept, anew, strict=True))


@pytest.mark.parametrize("cpus", [8.0, 2.0])
def test_amounts_that_the_experiment_changes_take_the_place_of_the_files(tmp_path: Path, cpus: float) -> None:
    items = [node("a", "z"), pod("runs", "1", "a"), pod("waits", "4")]
    source, made = tmp_path / "dump.json", tmp_path / "e.json"
    source.write_text(json.dumps({"kind": "List", "items": items}))
    assert cli("import-cluster", source, "--out", made, "--keep-names").returncode == 0
    data = json.loads(made.read_text())
    data["topology"]["clusters"][0]["machines"][0] |= {"cpus": cpus, "count": 2}
    data["stop"] = {"when": "at_s", "at_s": 60}
    simulation = Simulation(Experiment.parse(data, base_dir=tmp_path), frames=0)
    for _ in simulation.run():
        pass
    _, model = parts(simulation.state)
    assert model.capacity[:, 1].tolist() == [int(cpus * 1000)] * 2
