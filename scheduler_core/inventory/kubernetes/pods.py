"""Read a pod from its bytes. What many pods have in common is walked once."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Raw, Struct

from scheduler_core.errors import Problem, TraceError, shown
from scheduler_core.inventory.counts import Unknown
from scheduler_core.inventory.found import Spec
from scheduler_core.inventory.kubernetes.allowed import KINDS
from scheduler_core.inventory.kubernetes.demands import spec_of
from scheduler_core.inventory.kubernetes.keeping import CLAIM, Keeper, is_nothing
from scheduler_core.inventory.names import Names
from scheduler_core.inventory.quantities import LATEST_S
from scheduler_core.inventory.words import words
from scheduler_core.limits import Limits

_TREE = KINDS["Pod"]["spec"]
_LARGEST = 2**63
_SHAPING = words(
    """
    initContainers overhead nodeSelector affinity tolerations topologySpreadConstraints preemptionPolicy
    schedulerName schedulingGates resourceClaims resources
    """
)
"""Fields of a pod's `spec` that are kept as a whole, beside its containers."""
_ASKING = ("containers", *_SHAPING)
"""Fields of a pod's `spec` that say what it asks for."""
_CLAIM = f'"{CLAIM}"'.encode()


class _Owner(Struct):
    kind: str = ""
    name: str = ""
    controller: bool = False


class _Meta(Struct, rename="camel"):
    name: str = ""
    namespace: str = "default"
    labels: Raw = Raw()
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    owner_references: list[_Owner] | None = None


class _Terminated(Struct, rename="camel"):
    started_at: str | None = None
    finished_at: str | None = None


class _State(Struct):
    terminated: _Terminated | None = None


class _ContainerStatus(Struct):
    state: _State | None = None


class _Condition(Struct, rename="camel"):
    type: str = ""
    status: str = ""
    last_transition_time: str | None = None


class _Status(Struct, rename="camel"):
    phase: str = "Pending"
    start_time: str | None = None
    nominated_node_name: str | None = None
    conditions: list[_Condition] | None = None
    container_statuses: list[_ContainerStatus] | None = None


class _Pod(Struct):
    metadata: _Meta
    spec: dict[str, Raw]
    status: _Status | None = None


class _Container(Struct, rename="camel"):
    resources: Raw = Raw()
    ports: Raw = Raw()
    restart_policy: Raw = Raw()


_pod = msgspec.json.Decoder(_Pod)
_containers = msgspec.json.Decoder(list[_Container])
_text = msgspec.json.Decoder(str | None)
_number = msgspec.json.Decoder(int | None)


class Pod:
    """What is kept of one pod; all names are pseudonyms. Times are ns since 1970, or None."""

    __slots__ = (
        "created",
        "deleted",
        "finished",
        "klass",
        "labels",
        "name",
        "namespace",
        "node",
        "nominated",
        "owner",
        "owner_kind",
        "phase",
        "priority",
        "spec",
        "started",
    )

    name: str
    namespace: str
    owner: str
    owner_kind: str
    labels: dict[str, str]
    spec: int
    node: str
    nominated: str
    phase: str
    priority: int | None
    klass: str
    created: int | None
    started: int | None
    finished: int | None
    deleted: bool


class PodReader:
    """Read pods; `specs` collects the distinct things that they ask for."""

    def __init__(self, names: Names, unknown: Unknown, limits: Limits) -> None:
        self.specs: list[Spec] = []
        self._names = names
        self._unknown = unknown
        self._keeper = Keeper(names, unknown, limits)
        self._limits = limits
        self._spec_of: dict[tuple[Any, ...], tuple[int, tuple[str, ...]]] = {}
        self._labels_of: dict[bytes, dict[str, str]] = {}
        self._number_of: dict[bytes, int] = {}
        self._kind_of: dict[str, str] = {}
        # Of the last pod: the names of its spec's fields, those that say what it asks for, and what was found.
        self._last: tuple[list[str], list[Raw | None], tuple[int, tuple[str, ...]]] | None = None

    def read(self, data: bytes) -> Pod | None:
        """Return what is kept of a pod, or None for one that is not of a pod's form, which is counted.

        Raises TraceError for what is not JSON.
        """
        try:
            it = _pod.decode(data)
            return self._pod(it)
        except msgspec.ValidationError as error:
            place = str(error).rpartition("`$")[2].strip("`")
            self._unknown.count(f"Pod{place}" if "[..." not in place and place.isascii() else "Pod (form)")
            return None
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise TraceError([Problem("", "has a pod that is not JSON", "what kubectl prints with -o json")]) from None

    def _pod(self, it: _Pod) -> Pod:
        names, meta, status = self._names, it.metadata, it.status or _Status()
        pod = Pod()
        pod.name = names.of("pod", meta.name)
        pod.namespace = names.of("ns", meta.namespace)
        said = f"Pod {pod.name}"
        owners = meta.owner_references or []
        owner = next((one for one in owners if one.controller), owners[0] if owners else None)
        pod.owner_kind = "" if owner is None else self._kind(owner.kind)
        pod.owner = pod.name if owner is None else names.of("owner", owner.name)
        pod.labels = self._labels(bytes(meta.labels), said)
        pod.spec = self._spec(it.spec, said)
        pod.node = names.of("node", self._one(it.spec, "nodeName", _text) or "")
        pod.priority = self._one(it.spec, "priority", _number)
        if pod.priority is not None and not -_LARGEST <= pod.priority < _LARGEST:
            allowed = "a whole number of 64 bits"
            raise TraceError([Problem(said, f"has a priority that is too large: {shown(pod.priority)}", allowed)])
        pod.klass = names.priority_class(self._one(it.spec, "priorityClassName", _text) or "")
        pod.nominated = names.of("node", status.nominated_node_name or "")
        pod.phase = status.phase if status.phase in ("Running", "Pending", "Succeeded", "Failed") else "Running"
        pod.created = time_ns(meta.creation_timestamp)
        pod.deleted = meta.deletion_timestamp is not None
        pod.started = time_ns(status.start_time)
        ends = [
            end
            for one in status.container_statuses or ()
            if one.state is not None and one.state.terminated is not None
            if (end := time_ns(one.state.terminated.finished_at)) is not None
        ]
        pod.finished = max(ends) if ends and pod.phase in ("Succeeded", "Failed") else None
        return pod

    @staticmethod
    def _one(spec: dict[str, Raw], field: str, decoder: Any) -> Any:
        raw = spec.get(field)
        return None if raw is None else decoder.decode(raw)

    def _kind(self, kind: str) -> str:
        found = self._kind_of.get(kind)
        if found is None:
            found = self._kind_of[kind] = self._keeper.leaf("kind", kind)
        return found

    def _labels(self, raw: bytes, said: str) -> dict[str, str]:
        found = {} if raw in (b"", b"null") else self._labels_of.get(raw)
        if found is None:
            kept = self._keeper.part("labels", msgspec.json.decode(raw), "Pod.metadata.labels", said)
            found = self._labels_of[raw] = {} if is_nothing(kept) else kept
        return found

    def _spec(self, spec: dict[str, Raw], said: str) -> int:
        """Return the number of what a pod asks for. A pod like one before is not walked again."""
        # Pods of one owner stand one after the other: comparing their bytes is quicker than reading them.
        names, asking = list(spec), [spec.get(name) for name in _ASKING]
        if self._last is not None and self._last[0] == names and self._last[1] == asking:
            known = self._last[2]
            for field in known[1]:
                self._unknown.count(field, said)
        else:
            known = self._known(spec, said)
            self._last = names, asking, known
        # Volumes name what is the pod's own, so no two pods have the same: they are not part of the key.
        if _CLAIM in bytes(spec.get("volumes", b"")):
            self._unknown.count(f"Pod.spec.volumes[].{CLAIM}", said)
        return known[0]

    def _known(self, spec: dict[str, Raw], said: str) -> tuple[int, tuple[str, ...]]:
        """Return the number of what a pod asks for, and the fields that are not understood."""
        containers = _containers.decode(spec["containers"]) if "containers" in spec else []
        inits = _containers.decode(spec["initContainers"]) if "initContainers" in spec else []
        key: tuple[Any, ...] = (
            tuple(_bytes(one) for one in containers),
            tuple(_bytes(one) for one in inits),
            tuple(bytes(spec[name]) if name in spec else b"" for name in _SHAPING[1:]),
            tuple(name for name in spec if name not in _TREE),
        )
        known = self._spec_of.get(key)
        if known is None:
            known = self._spec_of[key] = self._walk(spec, containers, inits, said)
        else:
            for field in known[1]:
                self._unknown.count(field, said)
        return known

    def _walk(
        self, spec: dict[str, Raw], containers: list[_Container], inits: list[_Container], said: str
    ) -> tuple[int, tuple[str, ...]]:
        plain = {name: msgspec.json.decode(raw) for name, raw in spec.items() if name in _SHAPING}
        plain |= {name: None for name in spec if name not in _TREE}
        plain["containers"] = [_plain(one) for one in containers]
        plain["initContainers"] = [_plain(one) for one in inits]
        own = Unknown()
        kept = Keeper(self._names, own, self._limits).part(_TREE, plain, "Pod.spec", said)
        told = tuple(own.fields.elements())
        for field in told:
            self._unknown.count(field, said)
        made = spec_of(kept)
        text = msgspec.json.encode([made.demand, made.fields])
        number = self._number_of.setdefault(text, len(self.specs))
        if number == len(self.specs):
            self.specs.append(made)
        return number, told


def _bytes(container: _Container) -> tuple[bytes, bytes, bytes]:
    ports = bytes(container.ports)
    return bytes(container.resources), ports if b"hostPort" in ports else b"", bytes(container.restart_policy)


def _plain(container: _Container) -> dict[str, Any]:
    resources, ports, policy = _bytes(container)
    named = {"resources": resources, "ports": ports, "restartPolicy": policy}
    return {name: msgspec.json.decode(raw) for name, raw in named.items() if raw}


@lru_cache(maxsize=1 << 16)
def time_ns(text: str | None) -> int | None:
    """Return a time of RFC 3339 as ns since 1970; None for no time, and for one before 1970 or after 2255."""
    if not text:
        return None
    try:
        when = datetime.fromisoformat(text)
        if when.tzinfo is None or not 0 <= when.timestamp() <= LATEST_S:
            return None
        return round(when.timestamp() * 1_000_000) * 1000
    except (ValueError, OverflowError):
        return None
