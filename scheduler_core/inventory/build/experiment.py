"""Make a small experiment of an inventory: machines, queues, durations, and the cluster file as its workload."""

from __future__ import annotations

from collections import Counter
from typing import Any

from scheduler_core.inventory.build.layout import Layout
from scheduler_core.inventory.found import OPEN, Inventory
from scheduler_core.limits import Limits

OTHERS = "others"
_DAY_S = 86_400.0
_LEAST_SHARE = 1e-6
_MEDIAN_S, _SIGMA = 600.0, 1.5
_ENOUGH = 20
_MOST_VALUES = 1_000


def queues_of(found: Inventory, limits: Limits) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the queues with their shares, and the queue of each namespace or partition.

    Beyond the limit on queues, the ones with the fewest tasks share a queue.
    """
    counts = Counter(task.queue for task in found.tasks)
    names = sorted(counts, key=lambda name: (-counts[name], name))
    own = names if len(names) <= limits.queues else names[: limits.queues - 1]
    queue_of = (
        {name: name if name in set(own) else OTHERS for name in names}
        if len(names) != len(own)
        else {n: n for n in names}
    )
    weights: Counter[str] = Counter()
    demand = _dominant(found)
    for name in names:
        weights[queue_of[name]] += found.shares.get(name, demand.get(name, 0.0)) or _LEAST_SHARE  # type: ignore[assignment]
    total = sum(weights.values()) or 1.0
    least = min(1.0 / max(len(weights), 1), _LEAST_SHARE)
    scale = 1.0 - least * len(weights)
    queues = [
        {"name": name[:64] or "default", "share": round(least + scale * weight / total * 0.999999, 9), "priority": 0}
        for name, weight in weights.items()
    ]
    if len(own) < len(names):
        found.notes.append(f"{len(names) - len(own):,} namespaces with few tasks share the queue '{OTHERS}'.")
    if queues:
        stated = sum(name in found.shares for name in names)
        found.notes.append(
            f"Shares of queues: {stated:,} from quotas, the others by what their tasks ask for."
            if stated
            else "Shares of queues are by what their tasks ask for."
        )
    return queues, queue_of


def _dominant(found: Inventory) -> dict[str, float]:
    total: Counter[str] = Counter()
    for machine in found.machines:
        total.update(machine.capacity)
    asked: dict[str, Counter[str]] = {}
    for task in found.tasks:
        asked.setdefault(task.queue, Counter()).update(found.specs[task.spec].demand)
    return {
        queue: max((amount / total[name] for name, amount in sums.items() if total[name]), default=0.0)
        for queue, sums in asked.items()
    }


def durations_of(found: Inventory) -> dict[str, Any]:
    """Return how long tasks run whose end is not known, by the kind of their owner; kinds without an end are left out.

    With twenty ended tasks of a kind, durations are drawn from theirs; otherwise from a log-normal distribution.
    """
    kinds = sorted({task.kind for task in found.tasks if task.duration_ns == OPEN and not task.endless})
    drawn: dict[str, Any] = {}
    for kind in kinds:
        known = sorted(found.lasted_s.get(kind, ()))
        if len(known) >= _ENOUGH:
            step = max(len(known) // _MOST_VALUES, 1)
            drawn[kind] = {
                "kind": "empirical",
                "values": [round(max(value, 0.001), 3) for value in known[::step][:_MOST_VALUES]],
            }
            found.notes.append(f"Durations of the kind {kind} are drawn from those of {len(known):,} that have ended.")
        else:
            drawn[kind] = {"kind": "lognormal", "median": _MEDIAN_S, "sigma": _SIGMA}
            found.notes.append(
                f"Durations of the kind {kind} are drawn: log-normal with a median of {_MEDIAN_S:,.0f} s. "
                "This is an assumption; change it in the durations of the workload."
            )
    return drawn


def experiment_of(
    found: Inventory, layout: Layout, queues: list[dict[str, Any]], durations: dict[str, Any], where: dict[str, str]
) -> dict[str, Any]:
    """Return the experiment in JSON types. `where` is {"path": ...} or {"trace": ...}."""
    topology = {
        "clusters": [
            {"name": name[:64], "machines": [_group(capacity, count) for capacity, count in kinds]}
            for name, kinds in layout.clusters
        ]
    }
    made: dict[str, Any] = {
        "schema_version": 1,
        "name": {"kubernetes": "Kubernetes cluster", "slurm": "Slurm cluster"}.get(found.source, "Machines"),
        "topology": topology,
        "scheduler": {"name": "slurm" if found.source == "slurm" else "kubernetes"},
    }
    if not found.tasks:
        return made | {"workload": _made_up(), "stop": {"when": "drained"}}
    workload: dict[str, Any] = {"kind": "trace", "format": "cluster", **where, "queue_assignment": "column"}
    if durations:
        workload["durations"] = durations
    endless = any(task.endless and task.duration_ns == OPEN for task in found.tasks)
    made |= {"queues": queues, "workload": workload}
    if endless:
        made["stop"] = {"when": "at_s", "at_s": max(_DAY_S, float(-(-found.span_ns // 1_000_000_000)))}
    return made


def _group(capacity: dict[str, int], count: int) -> dict[str, Any]:
    own = {name: amount / 1000 for name, amount in capacity.items()}
    group: dict[str, Any] = {"count": count, "cpus": own.pop("cpus"), "memory_gb": own.pop("memory_gb", 0.0)}
    if gpus := own.pop("gpus", 0.0):
        group["gpus"] = gpus
    return group | ({"resources": own} if own else {})


def _made_up() -> dict[str, Any]:
    """Return a small workload of our own for machines without work."""
    return {
        "kind": "synthetic",
        "jobs": 1_000,
        "arrivals": {"kind": "poisson", "offered_load": 0.7},
        "tasks_per_job": {"kind": "exponential", "mean": 10.0},
        "duration_s": {"kind": "lognormal", "median": 60.0, "sigma": 1.0},
    }
