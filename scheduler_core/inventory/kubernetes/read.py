"""Turn looks at a Kubernetes cluster into machines and tasks: one look is a state, several give arrivals and ends."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scheduler_core.inventory.found import OPEN, Inventory, Machine, Task
from scheduler_core.inventory.kubernetes.demands import amounts
from scheduler_core.inventory.kubernetes.pods import Pod
from scheduler_core.inventory.kubernetes.seen import Gatherer, Look
from scheduler_core.inventory.names import Names
from scheduler_core.inventory.problems import in_file
from scheduler_core.limits import Limits

ENDLESS = frozenset({"ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController", "Deployment", "Node"})
"""Kinds of owners whose pods have no end of their own."""
_NS = 1_000_000_000
Key = tuple[str, str, int]


def read_kubernetes(paths: Sequence[Path], names: Names, limits: Limits) -> Inventory:
    """Return what `kubectl get ... -o json` or `-o yaml` shows, from one or several files. Raises ExperimentError."""
    found = Inventory("kubernetes")
    gatherer = Gatherer(names, found.unknown, limits)
    for path in paths:
        with in_file(path):
            gatherer.read(path)
    looks = gatherer.looks
    found.specs = gatherer.pods.specs
    if not looks:
        return found
    first, last = looks[0], looks[-1]
    machines: dict[str, Machine] = {}
    for look in reversed(looks):
        machines = look.machines | machines
    found.machines = list(machines.values())
    if len(looks) > 1 and last.time > first.time:
        found.span_ns = last.time - first.time
    _Tasks(found, looks, gatherer.ends).fill()
    found.objects = _objects(last, looks)
    found.shares = _shares(found)
    return found


class _Tasks:
    """Make tasks of pods. Time 0 is the first look."""

    def __init__(self, found: Inventory, looks: list[Look], ends: dict[tuple[str, str], int]) -> None:
        self._found, self._looks, self._ends = found, looks, ends
        self._zero = looks[0].time
        self._machines = {machine.name for machine in found.machines}
        self._classes, self._default = _priorities(looks[-1])
        self._counts: Counter[str] = Counter()

    def fill(self) -> None:
        """Add the tasks, in order of arrival, and sentences about what is assumed."""
        seen: dict[Key, tuple[int, int]] = {}
        for number, look in enumerate(self._looks):
            for key in look.pods:
                seen[key] = (seen.get(key, (number, 0))[0], number)
        tasks = [task for key, (begin, end) in seen.items() if (task := self._task(key, begin, end)) is not None]
        tasks.sort(key=lambda task: (task.arrival_ns, task.job))
        self._found.tasks = tasks
        self._say()

    def _task(self, key: Key, begin: int, end: int) -> Task | None:
        first, last = self._looks[begin].pods[key], self._looks[end].pods[key]
        self._note_length(last)
        if first.phase in ("Succeeded", "Failed") and begin == 0:
            self._counts["ended before"] += 1
            return None
        placed = begin == 0 and first.node in self._machines
        if begin == 0 and first.node and not placed:
            self._counts["on unknown nodes"] += 1
        arrival = 0 if begin == 0 else max((last.created or self._looks[begin].time) - self._zero, 0)
        started = None if last.started is None else last.started - self._zero
        endless = last.owner_kind in ENDLESS
        duration = self._duration(key, last, end, 0 if placed else max(started or arrival, arrival))
        return Task(
            name=last.name,
            job=(last.namespace, last.owner_kind, last.owner, str(arrival), "placed" if placed else ""),
            queue=last.namespace,
            spec=first.spec,
            arrival_ns=arrival,
            started_ns=started if placed else None,
            duration_ns=duration,
            machine=first.node if placed else "",
            ran_on=last.node,
            kind=last.owner_kind or "Pod",
            controller=last.owner,
            endless=endless and duration == OPEN,
            priority=self._priority(last),
            labels=last.labels,
            waiting=begin == 0 and not placed,
            terminating=placed and first.deleted,
            nominated=first.nominated if begin == 0 else "",
        )

    def _duration(self, key: Key, pod: Pod, end: int, start_ns: int) -> int:
        """Return how long a pod runs after it starts (ns from time 0), or OPEN if its end is not known."""
        if pod.finished is not None:
            self._counts["with a known end"] += 1
            return max(pod.finished - self._zero - start_ns, 0)
        if end == len(self._looks) - 1:
            return OPEN
        told = self._ends.get(key[:2])
        early, late = self._looks[end].time, self._looks[end + 1].time
        if told is not None and early <= told <= late:
            self._counts["with an end that an event tells"] += 1
            return max(told - self._zero - start_ns, 0)
        # Drawn by its name, so that the same files always give the same cluster.
        digest = hashlib.sha256("/".join(map(str, key)).encode()).digest()
        self._counts["gone between two looks"] += 1
        gone = early + int.from_bytes(digest[:4], "big") * (late - early) // 2**32
        return max(gone - self._zero - start_ns, 0)

    def _priority(self, pod: Pod) -> int:
        if pod.priority is not None:
            return pod.priority
        return self._classes.get(pod.klass, self._default)

    def _note_length(self, pod: Pod) -> None:
        if pod.finished is not None and pod.started is not None and pod.phase == "Succeeded":
            lasted = (pod.finished - pod.started) / _NS
            if lasted > 0:
                self._found.lasted_s.setdefault(pod.owner_kind or "Pod", []).append(lasted)

    def _say(self) -> None:
        said = {
            "ended before": "{} pods had ended before the first look; they tell how long pods of their kind run.",
            "on unknown nodes": "{} pods run on nodes that the files do not have; they wait at time 0.",
            "with a known end": "{} pods have the end that the files tell.",
            "with an end that an event tells": "{} pods end when an event says so.",
            "gone between two looks": "{} pods are gone at the next look; each end is drawn evenly between the two.",
        }
        self._found.notes += [
            text.format(f"{self._counts[what]:,}") for what, text in said.items() if self._counts[what]
        ]


def _priorities(look: Look) -> tuple[dict[str, int], int]:
    classes = {name: it.get("value", 0) for (kind, _, name), it in look.objects.items() if kind == "PriorityClass"}
    known = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
    default = next(
        (
            it.get("value", 0)
            for (kind, _, _), it in look.objects.items()
            if kind == "PriorityClass" and it.get("globalDefault")
        ),
        0,
    )
    return known | classes, default


def _objects(last: Look, looks: list[Look]) -> list[dict[str, Any]]:
    merged: dict[tuple[str, str, str], dict[str, Any]] = {}
    for look in looks:
        merged |= look.objects
    kept = []
    for (kind, namespace, name), it in merged.items():
        rest = {field: value for field, value in it.items() if field != "metadata"}
        labels = it.get("metadata", {}).get("labels")
        kept.append(
            {"kind": kind, "namespace": namespace, "name": name, **({"labels": labels} if labels else {}), **rest}
        )
    return kept


def _shares(found: Inventory) -> dict[str, float]:
    """Return the fraction of the cluster that each namespace's quota allows, by the largest of CPUs and memory."""
    total: Counter[str] = Counter()
    for machine in found.machines:
        total.update({name: machine.exact.get(name, 0) for name in ("cpu", "memory")})
    shares: dict[str, float] = {}
    for it in found.objects:
        if it["kind"] != "ResourceQuota":
            continue
        hard = it.get("spec", {}).get("hard", {})
        named = {name: hard.get(f"requests.{name}", hard.get(name)) for name in ("cpu", "memory")}
        limits = amounts({name: text for name, text in named.items() if text is not None})
        parts = [amount / total[name] for name, amount in limits.items() if total[name]]
        if parts:
            shares[it["namespace"]] = min(max(shares.get(it["namespace"], 0.0), *parts, 0.0), 1.0)
    return shares
