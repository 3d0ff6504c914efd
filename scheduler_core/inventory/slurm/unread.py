"""Fields of Slurm that matter to scheduling and that no scheduler here obeys: counted where they ask for something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scheduler_core.inventory.words import words

NO_VALUE = frozenset({"", "(null)", "none", "n/a", "no", "0", "unlimited", "infinite", "all", "unknown"})
"""Values, in small letters, by which Slurm says that a field asks for nothing."""
JOB_COLUMNS = ("constraints", "licenses", "reservation")
_NODE = {"Weight": {"1"}, "CoreSpecCount": set[str](), "MemSpecLimit": set[str](), "Owner": set[str]()}
_PARTITION: Mapping[str, set[str]] = {
    "OverSubscribe": set(),
    "ExclusiveUser": set(),
    "ExclusiveTopo": set(),
    "MinNodes": {"1"},
    "MaxNodes": set(),
    "AllowGroups": set(),
    "AllowAccounts": set(),
    "AllowQos": set(),
    "DenyAccounts": set(),
    "DenyQos": set(),
    "QoS": set(),
    "LLN": set(),
    "PreemptMode": {"off"},
    "GraceTime": {"00:00:00"},
    "OverTimeLimit": set(),
    "PriorityJobFactor": {"1"},
    "MaxMemPerNode": set(),
    "MaxMemPerCPU": set(),
    "MaxCPUsPerNode": set(),
    "MaxCPUsPerSocket": set(),
    "Alternate": set(),
    "RootOnly": set(),
    "ReqResv": set(),
    "SelectTypeParameters": set(),
    "State": {"up"},
}
"""Fields of a partition, and the values, in small letters, that ask for nothing beside those of NO_VALUE."""
_JSON_NODE = {"weight": "Weight", "specialized_cores": "CoreSpecCount", "specialized_memory": "MemSpecLimit"}
_JSON_PARTITION = {
    "minimums.nodes": "MinNodes",
    "maximums.nodes": "MaxNodes",
    "groups.allowed": "AllowGroups",
    "accounts.allowed": "AllowAccounts",
    "accounts.deny": "DenyAccounts",
    "qos.allowed": "AllowQos",
    "qos.deny": "DenyQos",
    "qos.assigned": "QoS",
    "grace_time": "GraceTime",
    "maximums.over_time_limit": "OverTimeLimit",
    "priority.job_factor": "PriorityJobFactor",
    "maximums.memory_per_node": "MaxMemPerNode",
    "maximums.memory_per_cpu": "MaxMemPerCPU",
    "maximums.cpus_per_node": "MaxCPUsPerNode",
    "maximums.cpus_per_socket": "MaxCPUsPerSocket",
    "alternate": "Alternate",
}
_CARRIED = frozenset(words("cpu mem node billing energy vmem pages"))
_OTHERS = {"license": "licenses", "bb": "burst buffers", "gres": "generic resources that are no GPUs"}


def of_job(row: Mapping[str, str], trackable: Mapping[str, str]) -> Iterator[str]:
    """Yield what a row of sacct asks for that is not carried; `trackable` is its table of TRES."""
    for name in JOB_COLUMNS:
        if asks(row.get(name, "")):
            yield f"job: {name}"
    if "," in row.get("partition", ""):
        yield "job: further partitions"
    kinds = {name.partition("/")[0] for name in trackable if name not in _CARRIED and not name.startswith("gres/gpu")}
    for kind in sorted(kinds - {"fs"}):
        yield f"job: {_OTHERS.get(kind, 'other trackable resources')}"


def of_node(fields: Mapping[str, str]) -> Iterator[str]:
    """Yield what a node of `scontrol` has that is not carried."""
    yield from _asked("node", fields, _NODE)
    devices = (part.partition(":")[0].strip() for part in _outside(fields.get("Gres", "")).split(","))
    if any(asks(name) and name != "gpu" for name in devices):
        yield "node: generic resources that are no GPUs"


def of_partition(fields: Mapping[str, str]) -> Iterator[str]:
    """Yield what a partition of `scontrol` has that is not carried."""
    yield from _asked("partition", fields, _PARTITION)


def node_fields(it: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of a node of `scontrol --json` under the names of its text."""
    return {**_renamed(it, _JSON_NODE), "Gres": str(it.get("gres", ""))}


def partition_fields(it: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of a partition of `scontrol --json` under the names of its text."""
    found = _renamed(it, _JSON_PARTITION)
    state = _at(it, "partition.state")
    if isinstance(state, list):
        found["State"] = ",".join(map(str, state))
    shared = _at(it, "maximums.oversubscribe.flags")
    if isinstance(shared, list) and shared:
        found["OverSubscribe"] = ",".join(map(str, shared))
    return found


def asks(value: str) -> bool:
    """Return True if the value of a field asks for something."""
    return value.strip().lower() not in NO_VALUE


def _asked(kind: str, fields: Mapping[str, str], known: Mapping[str, set[str]]) -> Iterator[str]:
    for name, nothing in known.items():
        value = fields.get(name, "")
        if asks(value) and value.lower() not in nothing:
            yield f"{kind}: {name}"


def _renamed(it: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for path, name in names.items():
        value = _at(it, path)
        if isinstance(value, Mapping):  # {"set": true, "infinite": false, "number": 4}
            value = value.get("number") if value.get("set", True) and not value.get("infinite", False) else None
        if value is not None and not isinstance(value, list | dict):
            found[name] = str(value)
    return found


def _at(it: Any, path: str) -> Any:
    for step in path.split("."):
        it = it.get(step) if isinstance(it, Mapping) else None
    return it


def _outside(text: str) -> str:
    """Return a text without what is in brackets, in linear time."""
    kept, depth = [], 0
    for piece in text:
        depth += piece == "("
        if depth == 0:
            kept.append(piece)
        depth -= piece == ")" and depth > 0
    return "".join(kept)
