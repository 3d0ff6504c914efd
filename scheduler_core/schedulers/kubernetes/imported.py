"""The nodes and pods of an imported cluster, as kube-scheduler saw them there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NEVER, NOBODY, Records
from scheduler_core.kube.labels import LabelTable, requirements_of
from scheduler_core.kube.model import Model
from scheduler_core.kube.spec import HOST_KEY, Cluster, Fields
from scheduler_core.workload.clusters.file import NO_TIME, ClusterFile, whole
from scheduler_core.workload.clusters.standing import Standing, machines_at
from scheduler_core.world.start import Start

Numbers = npt.NDArray[np.int64]

_OWNERS = ("ReplicaSet", "StatefulSet", "ReplicationController")
"""Kinds of owners whose selector spreads their pods by default."""
_EXACT = {"cpu": ("cpus", 1), "memory": ("memory_gb", 1_000_000), "nvidia.com/gpu": ("gpus", 1)}
"""The experiment's name of a resource, and how much of Kubernetes' unit a thousandth is (1 for 1,000 pieces)."""


def is_imported(standing: Standing | None) -> bool:
    """Return whether a workload comes from the file of a Kubernetes cluster."""
    return standing is not None and standing.content is not None and standing.content.head.get("source") == "kubernetes"


def imported_objects(start: Start[Any], added: list[Fields]) -> tuple[Cluster, Numbers, Numbers]:
    """Return the objects, and the specification and the priority of each task.

    `added` are nodes for the machines that the experiment has beyond those of the file.
    """
    standing = start.standing
    assert standing is not None
    content: ClusterFile = standing.content
    table = content.tasks.take(standing.row)
    specs, fields = whole(table, "spec").tolist(), content.spec_fields()
    looks = zip(
        specs, table.column("queue").to_pylist(), table.column("owner").to_pylist(), table.column("labels").to_pylist(),
        strict=True,
    )  # fmt: skip
    defaults = _Defaults(content)
    known: dict[tuple[Any, ...], int] = {}
    pods: list[Fields] = []
    classes = np.zeros(len(specs), np.int64)
    for task, (spec, namespace, owner, labels) in enumerate(looks):
        key = (spec, namespace, owner in _OWNERS, tuple(labels))
        if key not in known:
            known[key] = len(pods)
            pod = {**fields[spec], "namespace": namespace, "labels": dict(labels)}
            pods.append(pod | defaults.of(pod, owner))
        classes[task] = known[key]
    spaces = {each["name"]: each.get("labels") or {} for each in content.further("Namespace")}
    cluster = Cluster(
        _nodes(start, content, added), pods, spaces, list(map(_budget, content.further("PodDisruptionBudget")))
    )
    return cluster, classes, whole(table, "priority")


def start_pods(start: Start[Any], model: Model, nodes: list[str]) -> None:
    """Write when pods started, which of them are terminating, and to which nodes pending ones are nominated."""
    standing = start.standing
    assert standing is not None
    table = standing.content.tasks.take(standing.row)
    count, started = table.num_rows, whole(table, "started_ns")
    model.pod["start_ns"][:count] = np.where(started == NO_TIME, NEVER, started)
    model.pod["terminating"][:count] = table.column("terminating").to_numpy(zero_copy_only=False)
    place = {name: number for number, name in enumerate(nodes)}
    waits = standing.machine < 0
    for task, name in enumerate(table.column("nominated").to_pylist()):
        if name in place and waits[task]:
            node: Records = model.node[place[name]]
            model.pod[task].nominated, model.pod[task].next_nominee = place[name], node.nominee
            node.nominee = task
            model.settings["nominees"] += 1


def _nodes(start: Start[Any], content: ClusterFile, added: list[Fields]) -> list[Fields]:
    """Return a node for each machine: the file's where it has one, else one like the others of its group."""
    places = np.stack([whole(content.machines, name) for name in ("cluster", "kind", "place")], axis=1)
    machine = machines_at(places, start.experiment.topology)
    found, alike = list(added), dict[tuple[int, int], Fields]()
    for number, node, place in zip(machine.tolist(), content.nodes(), places.tolist(), strict=True):
        alike.setdefault((place[0], place[1]), node)
        if number != NOBODY:
            amounts = _current(start, number, node["allocatable"])
            found[number] = {**node, "allocatable": amounts}
    has = set(machine.tolist())
    for number, group in enumerate(_groups(start)):
        if number not in has and group in alike:
            found[number] = _another(start, number, str(added[number]["name"]), alike[group])
    return found


def _groups(start: Start[Any]) -> Iterator[tuple[int, int]]:
    """Yield the cluster and the group of alike machines of each machine, in their order."""
    cluster = 0
    for each in start.experiment.topology.clusters:
        for _ in range(each.repeat or 1):
            for kind, machines in enumerate(each.machines):
                yield from [(cluster, kind)] * machines.count
            cluster += 1


def _another(start: Start[Any], number: int, name: str, node: Fields) -> Fields:
    """Return a new node with the labels, taints and amounts of another, under a name of its own."""
    amounts = _current(start, number, node["allocatable"])
    labels = {**node["labels"], HOST_KEY: name}
    return {**node, "name": name, "labels": labels, "unschedulable": False, "allocatable": amounts}


def _current(start: Start[Any], number: int, exact: Mapping[str, int]) -> dict[str, int]:
    """Return a node's amounts, with those of the experiment where it has changed them since the import."""
    amounts = dict(exact)
    for name, (ours, unit) in _EXACT.items():
        if ours not in start.cluster.names:
            continue
        thousandths = int(start.world.capacity[number, start.cluster.names.index(ours)])
        mine = thousandths // 1000 if name == "nvidia.com/gpu" else thousandths * unit
        if abs(mine - amounts.get(name, 0)) > unit:
            amounts[name] = mine
    return amounts


def _budget(budget: Fields) -> Fields:
    status, spec = budget.get("status") or {}, budget.get("spec") or {}
    return {
        "namespace": budget["namespace"],
        "selector": spec.get("selector") or {},
        "disruptionsAllowed": status.get("disruptionsAllowed", 0),
    }


class _Defaults:
    """The selectors of Services and of owners, which spread pods that name no constraints themselves."""

    def __init__(self, content: ClusterFile) -> None:
        self._services = [
            (each["namespace"], selector)
            for each in content.further("Service")
            if (selector := (each.get("spec") or {}).get("selector"))
        ]
        self._owners = [
            (each["namespace"], selector)
            for kind in _OWNERS
            for each in content.further(kind)
            if (selector := (each.get("spec") or {}).get("selector"))
        ]

    def of(self, pod: Fields, owner: str) -> dict[str, Any]:
        """Return {"default_selector": ...} for a pod of a Service or an owner that spreads, else {}."""
        if pod.get("topologySpreadConstraints"):
            return {}
        labels: dict[str, str] = pod["labels"]
        wanted: dict[str, str] = {}
        more: list[Any] = []
        for namespace, selector in self._services:
            if namespace == pod["namespace"] and selector.items() <= labels.items():
                wanted |= selector
        for namespace, selector in self._owners if owner in _OWNERS else ():
            if namespace == pod["namespace"] and _matches(selector, labels):
                wanted |= selector.get("matchLabels") or {}
                more += selector.get("matchExpressions") or []
        if not wanted and not more:
            return {}
        return {"default_selector": {"matchLabels": wanted, "matchExpressions": more}}


def _matches(selector: Fields, labels: Mapping[str, str]) -> bool:
    needed = requirements_of(selector) or ()
    return bool(needed) and bool(LabelTable([labels]).meets_all(needed)[0])
