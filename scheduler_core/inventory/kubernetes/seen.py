"""Gather the objects of files into looks at the cluster (snapshots), each with its time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from scheduler_core.errors import Problem, TraceError
from scheduler_core.inventory.counts import Unknown
from scheduler_core.inventory.found import Machine
from scheduler_core.inventory.kubernetes.allowed import KINDS, NEXT_FILE
from scheduler_core.inventory.kubernetes.demands import amounts, capacity_of
from scheduler_core.inventory.kubernetes.keeping import Keeper
from scheduler_core.inventory.kubernetes.pods import Pod, PodReader, time_ns
from scheduler_core.inventory.names import Names
from scheduler_core.inventory.stream import Found, objects
from scheduler_core.inventory.words import words
from scheduler_core.inventory.yaml_lists import is_yaml, yaml_objects
from scheduler_core.limits import Limits

ZONES = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
_ENDS = ("Killing", "Completed", "Evicted", "Preempted")
IGNORED = frozenset(
    words(
        """
    Deployment DaemonSet Job CronJob Endpoints EndpointSlice ConfigMap Secret ServiceAccount Ingress
    PersistentVolume PersistentVolumeClaim HorizontalPodAutoscaler LimitRange Lease
    """
    )
)

_MOST_FIELDS = 200
_SAID = re.compile(r"[A-Z][A-Za-z]{0,62}( [a-z]{1,62}-[0-9a-f]{12})?\Z")
_FIELD = re.compile(r"[A-Za-z(][A-Za-z0-9.()\[\] -]{0,150}\Z")


class Look:
    """One look at the cluster: what its files showed, and when (ns since 1970: the latest time in them)."""

    def __init__(self) -> None:
        self.time = 0
        self.machines: dict[str, Machine] = {}
        self.pods: dict[tuple[str, str, int], Pod] = {}
        self.objects: dict[tuple[str, str, str], dict[str, Any]] = {}

    def clashes(self, other: Look) -> bool:
        """Return True if both show one thing, so that they are two looks and not two parts of one."""
        return bool(self.machines.keys() & other.machines.keys() or self.pods.keys() & other.pods.keys())

    def add(self, other: Look) -> None:
        """Take in another file of the same look."""
        self.time = max(self.time, other.time)
        self.machines |= other.machines
        self.pods |= other.pods
        self.objects |= other.objects


class Gatherer:
    """Read files one by one; `looks` has them in order of time, `ends` what events say about ends of pods."""

    def __init__(self, names: Names, unknown: Unknown, limits: Limits) -> None:
        self.pods = PodReader(names, unknown, limits)
        self.ends: dict[tuple[str, str], int] = {}
        self._looks: list[Look] = []
        self._names, self._unknown, self._limits = names, unknown, limits
        self._keeper = Keeper(names, unknown, limits)
        self._counts: Counter[str] = Counter()
        self._look = Look()

    @property
    def looks(self) -> list[Look]:
        """The looks, earliest first."""
        return sorted(self._looks, key=lambda look: look.time)

    def read(self, path: Path) -> None:
        """Read one file. Raises TraceError."""
        for found in self._objects(path):
            self._take(found)
        self._keep()

    def _keep(self) -> None:
        look, self._look = self._look, Look()
        if not (look.machines or look.pods or look.objects):
            return
        mine = next((one for one in self._looks if not one.clashes(look)), None)
        if mine is None:
            self._looks.append(look)
        else:
            mine.add(look)

    def _objects(self, path: Path) -> Iterator[Found]:
        return yaml_objects(path, self._limits) if is_yaml(path) else objects(path, self._limits)

    def _take(self, found: Found) -> None:
        kind = _kind(found.data) or found.kind
        if kind == "Pod":
            self._bounded("inventory_pods", kind)
            if (pod := self.pods.read(found.data)) is not None:
                self._look.pods[pod.namespace, pod.name, pod.created or 0] = pod
                self._look.time = max(self._look.time, pod.created or 0, pod.started or 0, pod.finished or 0)
            return
        if kind == NEXT_FILE:
            self._keep()
            self._counted_before(found.data)
            return
        if kind.endswith("List") or kind in IGNORED:
            return
        if kind not in KINDS:
            self._unknown.count(f"kind {self._names.of('kind', kind)}" if kind else "an object without a kind")
            return
        try:
            plain = msgspec.json.decode(found.data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise TraceError([Problem("", f"has an object of kind {kind} that is not JSON", "valid JSON")]) from None
        if isinstance(plain, dict):
            self._kept(kind, self._keeper.whole(kind, plain))

    def _counted_before(self, data: bytes) -> None:
        """Take over what a page's filter has counted before it dropped it."""
        try:
            mark = msgspec.json.decode(data, type=_Mark)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return
        for field, count in list(mark.notUnderstood.items())[:_MOST_FIELDS]:
            if _FIELD.match(field) and 0 < count < 2**31:
                self._unknown.count(field)
                self._unknown.fields[field] += count - 1
                for said in mark.notUnderstoodIn.get(field, ())[:_MOST_FIELDS]:
                    if _SAID.match(said) and field in self._unknown.fields:
                        self._unknown.show(field, said)

    def _bounded(self, limit: str, kind: str) -> None:
        self._counts[kind] += 1
        if (problem := self._limits.exceeded(limit, self._counts[kind], "")) is not None:
            raise TraceError([problem])

    def _kept(self, kind: str, it: dict[str, Any]) -> None:
        meta = it.get("metadata", {})
        name, namespace = meta.get("name", ""), meta.get("namespace", "")
        if kind == "Event":
            self._event(it, namespace)
        elif kind == "Node":
            self._bounded("inventory_machines", kind)
            self._node(name, it)
        else:
            self._look.objects[kind, namespace, name] = it
            self._look.time = max(self._look.time, time_ns(meta.get("creationTimestamp")) or 0)

    def _event(self, it: dict[str, Any], namespace: str) -> None:
        about = it.get("involvedObject", {})
        times = [time_ns(it.get(field)) for field in ("eventTime", "firstTimestamp", "lastTimestamp")]
        when = max((time for time in times if time is not None), default=None)
        if it.get("reason") in _ENDS and about.get("kind") == "Pod" and when is not None:
            place = (about.get("namespace", namespace), about.get("name", ""))
            self.ends[place] = max(self.ends.get(place, 0), when)

    def _node(self, name: str, it: dict[str, Any]) -> None:
        meta, spec, status = it.get("metadata", {}), it.get("spec", {}), it.get("status", {})
        exact = amounts(status.get("allocatable") or status.get("capacity"))
        labels = meta.get("labels", {})
        for one in status.get("conditions", ()):
            self._look.time = max(self._look.time, time_ns(one.get("lastHeartbeatTime")) or 0)
        self._look.machines[name] = Machine(
            name=name,
            capacity=capacity_of(exact),
            exact=exact,
            cluster=next((labels[zone] for zone in ZONES if labels.get(zone)), "cluster"),
            labels=labels,
            taints=spec.get("taints", []),
            unschedulable=spec.get("unschedulable", False),
        )


class _Mark(msgspec.Struct):
    notUnderstood: dict[str, int] = {}
    notUnderstoodIn: dict[str, list[str]] = {}


class _Kind(msgspec.Struct):
    kind: str = ""


_kind_decoder = msgspec.json.Decoder(_Kind)


def _kind(data: bytes) -> str:
    # Most objects say their kind early; a whole walk would read each object twice.
    head = data[:400]
    for kind in (b"Pod", b"Event"):
        if b'"kind":"' + kind + b'"' in head or b'"kind": "' + kind + b'"' in head[:80]:
            return kind.decode()
    try:
        return _kind_decoder.decode(data).kind[:80]
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise TraceError([Problem("", "has an object that is not JSON", "what kubectl prints with -o json")]) from None
