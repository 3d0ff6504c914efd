"""An experiment's machines and tasks as Kubernetes' nodes and pods."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.constraints import rack_rules, soft_mask
from scheduler_core.constraints.racks import AFFINITY, SPREAD
from scheduler_core.engine.records import World
from scheduler_core.experiment.catalogues import constraint_names
from scheduler_core.experiment.derived import has_priorities
from scheduler_core.kube.spec import HOST_KEY, ZONE_KEY, Cluster, Fields
from scheduler_core.schedulers.kubernetes.imported import imported_objects, is_imported
from scheduler_core.world.start import Start

RACK_KEY = "topology.kubernetes.io/rack"
JOB_KEY = "batch.kubernetes.io/job-name"
_CONSTRAINT = "scheduler-playground.dev/"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_MEGABYTE = 1_000_000
_NAMES = {"cpus": ("cpu", 1), "memory_gb": ("memory", _MEGABYTE), "gpus": ("nvidia.com/gpu", 1)}
"""Kubernetes' name of a resource, and how much of its unit a thousandth of ours is."""

Numbers = npt.NDArray[np.int64]


def resource_of(name: str) -> tuple[str, int]:
    """Return Kubernetes' name of a resource, and how much of its unit a thousandth of ours is."""
    return _NAMES.get(name, (f"{_CONSTRAINT}{name}", 1))


def objects_of(start: Start[Any]) -> tuple[Cluster, Numbers, Numbers]:
    """Return the objects, and the number of the specification and the priority of each task."""
    if is_imported(start.standing):
        return imported_objects(start, _nodes(start))
    kind: Numbers = start.world.task["kind"].astype(np.int64)
    return *_drawn(start), kind if has_priorities(start.experiment) else np.zeros_like(kind)


def _drawn(start: Start[Any]) -> tuple[Cluster, Numbers]:
    """Return the objects, and the number of each task's pod specification.

    A cluster of machines is a zone. Constraints that machines offer are labels. Tasks of one demand have one
    specification, and those of a job with a rule on racks have one of their own.
    """
    world, rules = start.world, rack_rules(start.experiment, start.world.job)
    job = world.task["job"].astype(np.int64)
    bound = np.where(rules[job] != 0, job, -1)
    rows, classes = np.unique(np.column_stack([world.task["demand"], bound]), axis=0, return_inverse=True)
    pods = [_pod(start, demand, of_job, int(rules[of_job]) if of_job >= 0 else 0) for demand, of_job in rows.tolist()]
    return Cluster(_nodes(start), pods), classes.ravel().astype(np.int64)


def _nodes(start: Start[Any]) -> list[Fields]:
    world, cluster = start.world, start.cluster
    names = _constraints(start)
    per_node = int(start.given["pods_per_node"])
    found: list[Fields] = []
    for number, row in enumerate(world.machine):
        zone = cluster.cluster_names[int(row.cluster)]
        labels = {HOST_KEY: f"node-{number}", ZONE_KEY: zone, RACK_KEY: str(int(row.rack))}
        offers = int(row.offers)
        labels |= {_CONSTRAINT + name: "true" for bit, name in enumerate(names) if offers >> bit & 1}
        amounts = {"pods": per_node, **_amounts(start, world.capacity[number])}
        found.append({"name": f"node-{number}", "labels": labels, "taints": (), "allocatable": amounts})
    return found


def _amounts(start: Start[Any], thousandths: Any) -> dict[str, int]:
    found = {}
    for name, amount in zip(start.cluster.names, thousandths.tolist(), strict=True):
        kubernetes, unit = resource_of(name)
        found[kubernetes] = amount * unit
    return found


def _constraints(start: Start[Any]) -> tuple[str, ...]:
    constraints = start.experiment.constraints
    return () if constraints is None else constraint_names(constraints)


def _pod(start: Start[Any], demand: int, job: int, rule: int) -> Fields:
    world: World = start.world
    amounts = {name: amount for name, amount in _amounts(start, world.demand[demand]).items() if amount > 0}
    pod: dict[str, Any] = {"namespace": "default", "labels": {}, "requests": amounts, "containers": [amounts]}
    affinity = _node_affinity(start, int(world.asks[demand]))
    if rule:
        pod["labels"] = {JOB_KEY: str(job)}
        own = {"labelSelector": {"matchLabels": pod["labels"]}, "topologyKey": RACK_KEY}
        if rule == AFFINITY:
            affinity["podAffinity"] = {_REQUIRED: [own]}
        elif rule == SPREAD:
            pod["topologySpreadConstraints"] = [{"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", **own}]
    return pod | ({"affinity": affinity} if affinity else {})


def _node_affinity(start: Start[Any], asks: int) -> dict[str, Any]:
    constraints = start.experiment.constraints
    soft = soft_mask(constraints)[0] if constraints is not None else 0
    hard, liked = [], []
    for bit, name in enumerate(_constraints(start)):
        if asks >> bit & 1:
            wanted = {"key": _CONSTRAINT + name, "operator": "Exists"}
            if soft >> bit & 1:
                liked.append({"weight": 1, "preference": {"matchExpressions": [wanted]}})
            else:
                hard.append(wanted)
    found: dict[str, Any] = {}
    if hard:
        found[_REQUIRED] = {"nodeSelectorTerms": [{"matchExpressions": hard}]}
    if liked:
        found[_PREFERRED] = liked
    return {"nodeAffinity": found} if found else {}
