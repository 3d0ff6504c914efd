"""Read `scontrol show nodes` and `scontrol show partition`, as text (also `--oneliner`) and as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from scheduler_core.errors import Problem, TraceError
from scheduler_core.inventory.counts import Unknown
from scheduler_core.inventory.found import Machine
from scheduler_core.inventory.lines import lines
from scheduler_core.inventory.names import Names
from scheduler_core.inventory.slurm import unread
from scheduler_core.inventory.slurm.texts import duration_s, gpus, hosts, is_count
from scheduler_core.inventory.stream import objects
from scheduler_core.limits import Limits

_PAIR = re.compile(r"(?:^|\s)([A-Za-z][A-Za-z/]{0,40})=(\S*)")
_OUT = frozenset({"DOWN", "DRAIN", "DRAINED", "DRAINING", "FAIL", "FAILING", "MAINT", "NOT_RESPONDING", "FUTURE"})
_BEGINS = ("NodeName=", "PartitionName=", "ReservationName=", "LicenseName=", "JobId=")
_MOST_RECORD = 1 << 20
_MIB = 2**20
_MOST_NUMBER = 2**53


class Slurm:
    """Machines and partitions of the files read so far."""

    def __init__(self, names: Names, unknown: Unknown, limits: Limits) -> None:
        self.machines: dict[str, Machine] = {}
        self.partitions: list[dict[str, Any]] = []
        self._listed = 0
        self._names, self._unknown, self._limits = names, unknown, limits

    def read_text(self, path: Path) -> None:
        """Read text of scontrol: records that begin with NodeName= or PartitionName=; others are counted."""
        for record in self._records(path):
            fields = dict(_PAIR.findall(record))
            if "NodeName" in fields:
                self._node(
                    fields["NodeName"],
                    cpus=fields.get("CPUTot") or fields.get("CPUEfctv", ""),
                    memory_mb=fields.get("RealMemory", ""),
                    gres=fields.get("Gres", ""),
                    states=re.split(r"[+*~#!%$@^-]", fields.get("State", "")),
                    features=(fields.get("ActiveFeatures") or fields.get("AvailableFeatures", "")).split(","),
                )
                self._count("node", fields["NodeName"], unread.of_node(fields))
            elif "PartitionName" in fields:
                self._partition(
                    fields["PartitionName"],
                    fields.get("Nodes", ""),
                    duration_s(fields.get("MaxTime", "")),
                    fields.get("PriorityTier", ""),
                    fields.get("Default") == "YES",
                )
                self._count("partition", fields["PartitionName"], unread.of_partition(fields))
            else:
                kind = record.partition("=")[0]
                self._unknown.count(f"record {kind}", self._names.of(kind, fields.get(kind, "")))

    def read_json(self, path: Path) -> None:
        """Read `scontrol show nodes --json` or `show partition --json`."""
        for found in objects(path, self._limits):
            if found.of not in ("nodes", "partitions"):
                if found.of not in ("errors", "warnings", "meta", ""):
                    self._unknown.count("a list that is neither nodes nor partitions")
                continue
            try:
                it = msgspec.json.decode(found.data)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                raise TraceError([Problem("", "has an object that is not JSON", "what scontrol prints")]) from None
            if found.of == "nodes":
                features = it.get("active_features", it.get("features", []))
                states = it.get("state", [])
                self._node(
                    str(it.get("name", "")),
                    cpus=str(_number(it.get("cpus"))),
                    memory_mb=str(_number(it.get("real_memory"))),
                    gres=str(it.get("gres", "")),
                    states=states if isinstance(states, list) else [str(states)],
                    features=[str(one) for one in features] if isinstance(features, list) else str(features).split(","),
                )
                self._count("node", str(it.get("name", "")), unread.of_node(unread.node_fields(it)))
            else:
                self._json_partition(it)

    def _json_partition(self, it: dict[str, Any]) -> None:
        nodes, most = it.get("nodes", ""), it.get("maximums", {})
        minutes = _number(most.get("time")) if isinstance(most, dict) else None
        priority, flags = it.get("priority", {}), it.get("flags")
        self._partition(
            str(it.get("name", "")),
            str(nodes.get("configured", "")) if isinstance(nodes, dict) else str(nodes),
            minutes * 60.0 if minutes is not None else None,
            str(_number(priority.get("tier")) if isinstance(priority, dict) else ""),
            isinstance(flags, list) and "DEFAULT" in flags,
        )
        self._count("partition", str(it.get("name", "")), unread.of_partition(unread.partition_fields(it)))

    def _count(self, kind: str, name: str, found: Iterator[str]) -> None:
        """Count what a node or a partition has that is not carried."""
        for field in found:
            self._unknown.count(field, self._names.of(kind, name))

    def _records(self, path: Path) -> Iterator[str]:
        """Yield one record at a time: it ends before the next one begins."""
        record = ""
        for line in lines(path, self._limits):
            if line.startswith(_BEGINS):
                if record:
                    yield record
                record = line
            elif len(record) + len(line) < _MOST_RECORD:
                record += " " + line
        if record:
            yield record

    def _node(self, name: str, *, cpus: str, memory_mb: str, gres: str, states: list[str], features: list[str]) -> None:
        shown = self._names.of("node", name)
        if not name or not is_count(cpus) or int(cpus) < 1 or int(cpus) > 1_000_000:
            self._unknown.count("node without a number of CPUs", shown)
            return
        if (problem := self._limits.exceeded("inventory_machines", len(self.machines) + 1, "")) is not None:
            raise TraceError([problem])
        memory = int(memory_mb) if is_count(memory_mb) else 0
        exact = {"cpu": int(cpus), "memory": memory * _MIB}
        capacity = {"cpus": int(cpus) * 1000, "memory_gb": memory * _MIB // 1_000_000}
        if count := gpus(gres):
            capacity["gpus"], exact["gpu"] = count * 1000, count
        out = any(str(state).upper() in _OUT for state in states)
        labels = {self._names.key(one): "true" for one in features if one and one != "(null)"}
        self.machines[shown] = Machine(shown, capacity, exact, "slurm", labels, [], out)

    def _partition(self, name: str, nodes: str, most_s: float | None, tier: str, default: bool) -> None:
        listed = hosts(nodes, self._limits.inventory_machines)
        self._listed += 1 + len(listed)
        if (problem := self._limits.exceeded("inventory_objects", self._listed, "")) is not None:
            raise TraceError([problem])
        self.partitions.append(
            {
                "kind": "Partition",
                "namespace": "",
                "name": self._names.of("partition", name),
                "nodes": [self._names.of("node", one) for one in listed if one != "(null)"],
                "max_time_s": most_s,
                "priority_tier": int(tier) if is_count(tier) else None,
                "default": default,
            }
        )


def _number(value: Any) -> int | None:
    """Return a number, which newer versions write as {"set": true, "infinite": false, "number": 4}."""
    if isinstance(value, dict):
        value = value.get("number") if value.get("set", True) and not value.get("infinite", False) else None
    # Nothing that Slurm counts has more than 53 bits; infinity and larger numbers of JSON are no counts.
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _MOST_NUMBER
    return int(value) if good else None
