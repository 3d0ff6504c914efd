"""Build a model from nodes and pods in Kubernetes' field names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NEVER, NOBODY, records
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.kube.labels import LabelTable
from scheduler_core.kube.model import (
    BUDGET,
    CACHED,
    CANDIDATE,
    CLASS,
    CPU,
    MEMORY,
    MOST_RESOURCES,
    NODE,
    POD,
    PODS,
    SCORES,
    SETTINGS,
    Model,
)
from scheduler_core.kube.placement import Shapes
from scheduler_core.kube.spec import Cluster, Fields, Profile, scoring_requests
from scheduler_core.kube.terms import Terms

_MOST_CACHED = 1 << 20
"""Entries of the cache: 16 MB."""
_ALWAYS = ("pods", "cpu", "memory", "ephemeral-storage")
Ints = npt.NDArray[np.int64]


def build_model(cluster: Cluster, profile: Profile, pods: int, *, classes: Ints | None = None) -> Model:
    """Return a model of `pods` pods that are on no node yet; `classes` is the specification of each, by number."""
    nodes, specs = cluster.nodes, cluster.pods
    names = resource_names(cluster)
    rows = records(max(len(specs), 1), CLASS)
    table = LabelTable([node.get("labels") or {} for node in nodes])
    shapes = Shapes(cluster, profile, table, rows)
    terms = Terms(cluster, profile, table, rows, shapes)
    pod = records(max(pods, 1), POD)
    pod["start_ns"] = NEVER
    for name in ("node", "next", "previous", "nominated", "next_nominee"):
        pod[name] = NOBODY
    if classes is not None:
        pod["klass"][: len(classes)] = classes
    node = records(len(nodes), NODE)
    node["head"] = node["tail"] = node["nominee"] = NOBODY
    node["version"] = 1
    node["cordoned"] = [bool(each.get("unschedulable")) for each in nodes]
    request, scoring = _requests(specs, names)
    budget = records(len(cluster.budgets), BUDGET)
    budget["allowed"] = [each.get("disruptionsAllowed", 0) for each in cluster.budgets]
    count = len(nodes)
    return Model(
        settings=settings_of(profile), node=node, pod=pod, klass=rows,
        capacity=_amounts((each.get("allocatable") or {} for each in nodes), names, count),
        used=np.zeros((count, len(names)), np.int64), scored=np.zeros((count, len(names)), np.int64),
        request=request, scoring=scoring, resource=_weights(profile, names),
        shape=np.array(profile.shape or [(0, 0)], np.int64).reshape(-1, 2),
        **shapes.arrays(), **terms.arrays(), budget=budget, cached=_cached(rows, len(specs), count),
        verdict=np.zeros(count, np.int64), feasible=np.zeros(count, np.int32),
        points=np.zeros((SCORES, count), np.int64), total=np.zeros(count, np.int64),
        candidate=records(count, CANDIDATE), removed=np.zeros(max(pods, 1), np.int32),
    )  # fmt: skip


def _cached(rows: Any, classes: int, nodes: int) -> Any:
    """Give rows of the cache to the first classes, and note which classes only look at the node itself."""
    count = min(classes, _MOST_CACHED // max(nodes, 1))
    rows["cached"] = NOBODY
    rows["cached"][:count] = np.arange(count)
    for each in ("need", "avoid", "theirs", "must"):
        rows["alone"] += rows[f"first_{each}"] != rows[f"end_{each}"]
    rows["alone"] = rows["alone"] == 0
    return records((max(count, 1), nodes), CACHED)


def resource_names(cluster: Cluster) -> list[str]:
    """Return the names of all resources: pods, CPU, memory, storage, then the others in order of their names."""
    named: set[str] = set()
    for node in cluster.nodes:
        named.update(node.get("allocatable") or {})
    for pod in cluster.pods:
        named.update(pod.get("requests") or {})
    names = [*_ALWAYS, *sorted(named.difference(_ALWAYS))]
    if len(names) > MOST_RESOURCES:
        told = f"name {len(names)} different resources"
        raise ExperimentError([Problem("nodes", told, f"at most {MOST_RESOURCES}", "leave out some of them")])
    return names


def settings_of(profile: Profile) -> Any:
    """Return the SETTINGS row of a configuration."""
    row = records(1, SETTINGS)
    row["weight"][0] = profile.weights
    row["strategy"], row["percentage"] = profile.strategy, profile.percentage
    row["candidate_percentage"], row["candidate_least"] = profile.candidate_percentage, profile.candidate_least
    row["hard_weight"], row["ignore_preferred"] = profile.hard_weight, profile.ignore_preferred
    row["filters"], row["shape_points"] = profile.filters, len(profile.shape)
    return row


def is_extended(name: str) -> bool:
    """Return whether scores leave out a resource for pods that do not ask for it: all but CPU, memory and storage."""
    return name not in _ALWAYS


def _amounts(given: Iterable[Fields], names: list[str], count: int) -> Ints:
    found = np.zeros((count, len(names)), np.int64)
    place = {name: number for number, name in enumerate(names)}
    for row, amounts in enumerate(given):
        for name, amount in amounts.items():
            found[row, place[name]] = amount
    return found


def _requests(specs: Any, names: list[str]) -> tuple[Ints, Ints]:
    request = _amounts((pod.get("requests") or {} for pod in specs), names, max(len(specs), 1))
    request[:, PODS] = 0  # counted by `used`, whatever a pod says
    scoring = request.copy()
    for row, pod in enumerate(specs):
        counted = scoring_requests(pod)
        scoring[row, CPU], scoring[row, MEMORY] = counted.get("cpu", 0), counted.get("memory", 0)
    return request, scoring


def _weights(profile: Profile, names: list[str]) -> Ints:
    found = np.zeros((4, len(names)), np.int64)
    for number, name in enumerate(names):
        vendors = "/" in name and "kubernetes.io/" not in name
        ignored = name in profile.ignored_resources or name.split("/")[0] in profile.ignored_groups
        found[:, number] = (
            profile.resources.get(name, 0), name in profile.balanced, is_extended(name), vendors and ignored,
        )  # fmt: skip
    return found
