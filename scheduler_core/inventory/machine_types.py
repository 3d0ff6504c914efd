"""Read machines only: a CSV with one line for each type of machine and how many there are."""

from __future__ import annotations

import csv
from pathlib import Path

from scheduler_core.errors import Problem, TraceError, listed
from scheduler_core.inventory.found import Inventory, Machine
from scheduler_core.inventory.lines import lines
from scheduler_core.inventory.names import Names
from scheduler_core.limits import Limits

_LONGEST_NAME = 256
_COLUMNS = {
    "count": ("count", "number", "machines", "nodes", "quantity", "n"),
    "cpus": ("cpus", "cpu", "cores", "vcpus", "vcpu"),
    "memory_gb": ("memory_gb", "memory", "mem", "mem_gb", "ram", "ram_gb", "memory_gib"),
    "gpus": ("gpus", "gpu"),
    "type": ("type", "name", "machine", "machine_type", "instance_type"),
    "cluster": ("cluster", "zone", "rack", "site"),
}


def reads_machine_types(head: str) -> bool:
    """Return True if a first line names at least the columns count and cpus."""
    found = _columns(_cells(head, _delimiter(head)))
    return {"count", "cpus"} <= found.keys()


def read_machine_types(path: Path, names: Names, limits: Limits) -> Inventory:
    """Return the machines of a CSV with the columns count and cpus, and if wanted memory_gb, gpus, type, cluster."""
    found = Inventory("machines")
    rows = lines(path, limits)
    head = next(rows, "").removeprefix("\ufeff")
    delimiter = _delimiter(head)
    places = _columns(_cells(head, delimiter))
    for number, line in enumerate(rows, 2):
        if not line:
            continue
        fields = _cells(line, delimiter)
        texts = {name: fields[at].strip() for name, at in places.items() if at < len(fields)}
        count, cpus = (_number(texts.get(name, ""), name, number) for name in ("count", "cpus"))
        memory, gpus = (_number(texts.get(name) or "0", name, number) for name in ("memory_gb", "gpus"))
        if count != int(count) or round(cpus * 1000) < 1:
            said = "needs a whole `count`, and `cpus` of at least 0.001"
            raise TraceError([Problem(f"line {number}", said, "such as 12,64,256")])
        if any(len(texts.get(name, "")) > _LONGEST_NAME for name in ("type", "cluster")):
            # Each machine gets its type's name.
            said = f"has a name of more than {_LONGEST_NAME} characters"
            raise TraceError([Problem(f"line {number}", said, "a shorter `type` and `cluster`")])
        if (problem := limits.exceeded("inventory_machines", len(found.machines) + int(count), "")) is not None:
            raise TraceError([problem])
        kind = names.of("type", texts.get("type", ""))
        amounts = {"cpus": round(cpus * 1000), "memory_gb": round(memory * 1000), "gpus": round(gpus * 1000)}
        capacity = {name: amount for name, amount in amounts.items() if amount or name != "gpus"}
        cluster = names.of("cluster", texts.get("cluster", "")) or "machines"
        for one in range(int(count)):
            label = {"node.kubernetes.io/instance-type": kind} if kind else {}
            found.machines.append(Machine(f"{kind or f'line {number}'} {one}", capacity, {}, cluster, label))
    if not found.machines:
        raise TraceError([Problem("", "has no machines", "a line for each type, with its count")])
    return found


def _cells(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line; none of a line that is not CSV, such as the first bytes of another format."""
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def _columns(header: list[str]) -> dict[str, int]:
    wanted = [name.strip().lower().replace(" ", "_") for name in header]
    places = {}
    for name, words in _COLUMNS.items():
        if (at := next((wanted.index(word) for word in words if word in wanted), None)) is not None:
            places[name] = at
    return places


def _delimiter(head: str) -> str:
    return max(",;\t", key=head.count)


def _number(text: str, name: str, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1_000_000:
        raise TraceError([Problem(f"line {line}", f"`{name}` is no number from 0 to 1,000,000", listed(_COLUMNS))])
    return value
