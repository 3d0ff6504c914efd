"""What a model is built from: nodes and pods in Kubernetes' field names, and the scheduler's configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scheduler_core.kube.model import ALL_FILTERS, LEAST_ALLOCATED

Fields = Mapping[str, Any]

DEFAULT_WEIGHTS = (3, 2, 2, 2, 1, 1, 1)
"""Of the score plugins in the order of kube.model: taints, affinity, spread, pod affinity, fit, balance, images."""

DEFAULT_CPU, DEFAULT_MEMORY = 100, 200 * 1024 * 1024
"""What scores count for a container that does not name CPU (millicores) or memory (bytes)."""

HOST_KEY, ZONE_KEY = "kubernetes.io/hostname", "topology.kubernetes.io/zone"

SYSTEM_SPREAD: tuple[Fields, ...] = (
    {"maxSkew": 3, "topologyKey": HOST_KEY, "whenUnsatisfiable": "ScheduleAnyway"},
    {"maxSkew": 5, "topologyKey": ZONE_KEY, "whenUnsatisfiable": "ScheduleAnyway"},
)
"""The constraints of pods that name none and belong to a Service, ReplicaSet or StatefulSet."""


@dataclass(frozen=True)
class Profile:
    """The configuration of kube-scheduler; the defaults are upstream's."""

    filters: int = ALL_FILTERS
    weights: Sequence[int] = DEFAULT_WEIGHTS
    strategy: int = LEAST_ALLOCATED
    resources: Mapping[str, int] = field(default_factory=lambda: {"cpu": 1, "memory": 1})
    balanced: Sequence[str] = ("cpu", "memory")
    shape: Sequence[tuple[int, int]] = ((0, 0), (100, 10))
    """Points (utilization, score 0 to 10) of RequestedToCapacityRatio."""
    percentage: int = 0
    candidate_percentage: int = 10
    candidate_least: int = 100
    hard_weight: int = 1
    ignore_preferred: bool = False
    ignored_resources: Sequence[str] = ()
    ignored_groups: Sequence[str] = ()
    added_affinity: Fields | None = None
    default_spread: Sequence[Fields] = SYSTEM_SPREAD
    system_defaults: bool = True
    """Whether `default_spread` are the system's: then nodes without a label take part."""


@dataclass(frozen=True)
class Cluster:
    """The objects of a cluster.

    A node has `name`, `labels`, `taints`, `allocatable` {resource: amount}, and optionally `unschedulable` and `images`
    {name: bytes}. A pod specification has the fields of a pod: `namespace`, `labels`, `requests`, `scoring_requests`,
    `containers`, `nodeName`, `nodeSelector`, `affinity`, `tolerations`, `topologySpreadConstraints`,
    `preemptionPolicy`, `ports`, `images`, and `default_selector`, the selector of the Services and owners that select
    it. CPU is in millicores, memory in bytes. `namespaces` gives labels by name. A budget has `namespace`,
    `matchLabels` or `selector`, `disruptionsAllowed` and `disruptedPods`.
    """

    nodes: Sequence[Fields]
    pods: Sequence[Fields]
    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    budgets: Sequence[Fields] = ()


def scoring_requests(pod: Fields) -> dict[str, int]:
    """Return what scores count for CPU and memory of a pod: a container that does not name one has a default."""
    given = pod.get("scoring_requests")
    if given is not None:
        return dict(given)
    found = {}
    for name, default in (("cpu", DEFAULT_CPU), ("memory", DEFAULT_MEMORY)):
        containers = [each.get(name, default) for each in pod.get("containers") or ()]
        first = [each.get(name, default) for each in pod.get("initContainers") or ()]
        if containers or first:
            found[name] = max(sum(containers), max(first, default=0)) + (pod.get("overhead") or {}).get(name, 0)
        else:
            found[name] = pod.get("requests", {}).get(name, 0)
    return found
