"""What nodes' names, labels, taints and images mean to pods: computed once for pods that are alike in it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, Records
from scheduler_core.kube.labels import Flags, LabelTable, expressions, node_terms, tolerates
from scheduler_core.kube.model import (
    MAX_NODE_SCORE,
    REFUSED_ENFORCED,
    REFUSED_LABELS,
    REFUSED_NAME,
    REFUSED_TAINT,
)
from scheduler_core.kube.spec import Cluster, Fields, Profile

_NAME = "metadata.name"
_CORDON = {"key": "node.kubernetes.io/unschedulable", "value": "", "effect": "NoSchedule"}
_REFUSING = ("NoSchedule", "NoExecute")
_MB = 1024 * 1024
_LEAST_IMAGE, _MOST_IMAGE = 23 * _MB, 1000 * _MB


class Shapes:
    """The static tables of a model. Reading the pods fills their columns of CLASS."""

    def __init__(self, cluster: Cluster, profile: Profile, table: LabelTable, rows: Records) -> None:
        self._nodes, self._table = cluster.nodes, table
        self._place = {node["name"]: number for number, node in enumerate(cluster.nodes)}
        self._names = LabelTable([{_NAME: node["name"]} for node in cluster.nodes])
        self._added = profile.added_affinity or {}
        self._known: dict[str, int] = {}
        self._static: list[npt.NDArray[np.uint8]] = []
        self._rows: dict[str, list[npt.NDArray[np.int32]]] = {"affinity": [], "taints": [], "images": []}
        self._only: list[int] = []
        self._taints = _Taints(cluster.nodes)
        self._having: dict[str, dict[int, int]] = {}
        for number, node in enumerate(cluster.nodes):
            for image, size in (node.get("images") or {}).items():
                self._having.setdefault(_full_name(image), {})[number] = size
        for row, pod in zip(rows, cluster.pods, strict=False):
            self._read(row, pod)

    def arrays(self) -> dict[str, Any]:
        """Return the model's arrays by their names."""
        nodes = len(self._nodes)
        tables = {name: np.array(found or np.zeros((1, nodes)), np.int32) for name, found in self._rows.items()}
        return {
            "static": np.array(self._static or np.zeros((1, nodes)), np.uint8),
            "affinity_raw": tables["affinity"], "taint_raw": tables["taints"], "image_raw": tables["images"],
            "only": np.array(self._only or [0], np.int32),
        }  # fmt: skip

    def required(self, pod: Fields) -> Flags:
        """Return which nodes match a pod's node selector and required node affinity."""
        selector = [(key, "In", (value,)) for key, value in (pod.get("nodeSelector") or {}).items()]
        found = self._table.meets_all(selector)
        needed = _node_affinity(pod).get("requiredDuringSchedulingIgnoredDuringExecution")
        if needed is not None:
            found &= node_terms(self._table, self._names, needed.get("nodeSelectorTerms"))
        return found

    def tolerated(self, pod: Fields) -> Flags:
        """Return which nodes have no taint that keeps a pod away."""
        return ~self._taints.refuse(pod.get("tolerations") or ())

    def _read(self, row: Any, pod: Fields) -> None:
        row.tolerates_cordon = any(tolerates(each, _CORDON) for each in pod.get("tolerations") or ())
        row.never = pod.get("preemptionPolicy") == "Never"
        looks = {name: pod.get(name) for name in ("nodeName", "nodeSelector", "tolerations")}
        key = json.dumps([looks, _node_affinity(pod)], sort_keys=True)
        if key not in self._known:
            self._known[key] = len(self._static)
            self._static.append(self._refused(pod))
        row.look = self._known[key]
        row.prefer = self._row("affinity", pod, self._preferred)
        row.taints = self._row("taints", pod, lambda one: self._taints.avoided(one.get("tolerations") or ()))
        row.images = self._row("images", pod, self._images)
        self._name(row, pod)

    def _refused(self, pod: Fields) -> npt.NDArray[np.uint8]:
        found = np.zeros(len(self._nodes), np.uint8)
        if pod.get("nodeName"):
            found |= np.uint8(REFUSED_NAME)
            if pod["nodeName"] in self._place:
                found[self._place[pod["nodeName"]]] = 0
        found[~self.tolerated(pod)] |= REFUSED_TAINT
        enforced = self._added.get("requiredDuringSchedulingIgnoredDuringExecution")
        if enforced is not None:
            found[~node_terms(self._table, self._names, enforced.get("nodeSelectorTerms"))] |= REFUSED_ENFORCED
        found[~self.required(pod)] |= REFUSED_LABELS
        return found

    def _row(self, kind: str, pod: Fields, compute: Any) -> int:
        """Return the row of a table for a pod, a new one if no pod before had the same; NOBODY for zeros."""
        made = compute(pod)
        if made is None or not made.any():
            return NOBODY
        key = kind + made.tobytes().hex()
        if key not in self._known:
            self._known[key] = len(self._rows[kind])
            self._rows[kind].append(made)
        return self._known[key]

    def _preferred(self, pod: Fields) -> npt.NDArray[np.int32] | None:
        """Return the sum of the weights of the preferred terms that each node matches."""
        name = "preferredDuringSchedulingIgnoredDuringExecution"
        terms = [*(self._added.get(name) or ()), *(_node_affinity(pod).get(name) or ())]
        if not terms:
            return None
        found = np.zeros(len(self._nodes), np.int32)
        for term in terms:
            found += term["weight"] * node_terms(self._table, self._names, [term["preference"]]).astype(np.int32)
        return found

    def _images(self, pod: Fields) -> npt.NDArray[np.int32] | None:
        """Return the score of the pod's images that each node has already."""
        images, nodes = pod.get("images") or (), len(self._nodes)
        if not images or not self._having:
            return None
        total = np.zeros(nodes, np.int64)
        for image in images:
            having = self._having.get(_full_name(image), {})
            for number, size in having.items():
                total[number] += int(float(size) * (len(having) / nodes))
        most = _MOST_IMAGE * len(images)
        clamped = np.clip(total, _LEAST_IMAGE, most)
        return (MAX_NODE_SCORE * (clamped - _LEAST_IMAGE) // (most - _LEAST_IMAGE)).astype(np.int32)

    def _name(self, row: Any, pod: Fields) -> None:
        """Note the nodes that the terms of required node affinity name, if each of them names some."""
        names = named_nodes(pod)
        if names is None:
            return
        row.named, row.first_only = (1 if names else 2), len(self._only)
        self._only += sorted(self._place[name] for name in names if name in self._place)
        row.end_only = len(self._only)


def named_nodes(pod: Fields) -> set[str] | None:
    """Return the names to which every term of required node affinity is bound, or None if some term is not."""
    needed = _node_affinity(pod).get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    found: set[str] | None = None
    for term in needed.get("nodeSelectorTerms") or ():
        sets = [set(each[2]) for each in expressions(term.get("matchFields")) if each[:2] == (_NAME, "In")]
        if not sets:
            return None
        found = (found or set()) | set.intersection(*sets)
    return found


def first_refusing(node: Fields, pod: Fields) -> Fields:
    """Return the first taint of a node that refuses a pod."""
    tolerations = pod.get("tolerations") or ()
    refusing = (taint for taint in node.get("taints") or () if taint["effect"] in _REFUSING)
    return next(taint for taint in refusing if not any(tolerates(each, taint) for each in tolerations))


class _Taints:
    """The distinct lists of taints of nodes."""

    def __init__(self, nodes: Any) -> None:
        known: dict[str, int] = {}
        self._lists: list[Any] = []
        of_node = []
        for node in nodes:
            taints = node.get("taints") or []
            key = json.dumps(taints, sort_keys=True)
            if key not in known:
                known[key] = len(self._lists)
                self._lists.append(taints)
            of_node.append(known[key])
        self._of_node = np.array(of_node, np.int64)

    def refuse(self, tolerations: Any) -> Flags:
        """Return which nodes have a taint that refuses a pod with these tolerations."""
        refused = [
            any(t["effect"] in _REFUSING and not any(tolerates(each, t) for each in tolerations) for t in taints)
            for taints in self._lists
        ]
        return np.array(refused, np.bool_)[self._of_node] if refused else np.zeros(0, np.bool_)

    def avoided(self, tolerations: Any) -> npt.NDArray[np.int32]:
        """Return how many taints of each node a pod with these tolerations would rather avoid."""
        soft = [each for each in tolerations if each.get("effect") in (None, "", "PreferNoSchedule")]
        counts = [
            sum(t["effect"] == "PreferNoSchedule" and not any(tolerates(each, t) for each in soft) for t in taints)
            for taints in self._lists
        ]
        return np.array(counts, np.int32)[self._of_node] if counts else np.zeros(0, np.int32)


def _node_affinity(pod: Fields) -> Fields:
    found: Fields = (pod.get("affinity") or {}).get("nodeAffinity") or {}
    return found


def _full_name(image: str) -> str:
    """Return an image's name with its tag: `latest` where it names none."""
    return image if image.rfind(":") > image.rfind("/") else f"{image}:latest"
