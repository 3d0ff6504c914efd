"""Write an inventory as the tables of a cluster file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from scheduler_core.inventory.build.layout import Layout
from scheduler_core.inventory.found import Inventory, Task
from scheduler_core.workload.clusters.file import NO_TIME, ClusterFile


def cluster_file(found: Inventory, layout: Layout, queue_of: dict[str, str], *, names_kept: bool) -> ClusterFile:
    """Return the content of a cluster file. `queue_of` maps namespaces or partitions to the experiment's queues."""
    import pyarrow as pa

    head = {
        "source": found.source,
        "clusters": [name for name, _ in layout.clusters],
        "queue_of": {name: queue for name, queue in queue_of.items() if name != queue},
        "names": "kept" if names_kept else "pseudonyms",
        "span_ns": found.span_ns,
        "notes": found.notes,
        "not_understood": dict(found.unknown.fields),
        "not_understood_in": found.unknown.objects,
    }
    row_of = {machine.name: row for row, (machine, *_) in enumerate(layout.machines)}
    return ClusterFile(
        head,
        machines=pa.table(_machines(layout)),
        tasks=pa.table(_tasks(found.tasks, row_of)),
        specs=pa.table(_specs(found)),
        objects=pa.table(
            {
                "kind": pa.array([it["kind"] for it in found.objects], pa.string()),
                "namespace": pa.array([it["namespace"] for it in found.objects], pa.string()),
                "name": pa.array([it["name"] for it in found.objects], pa.string()),
                "object": pa.array([_json(it, ("kind", "namespace", "name")) for it in found.objects], pa.string()),
            }
        ),
    )


def _json(it: dict[str, Any], without: Iterable[str]) -> str:
    return json.dumps({key: value for key, value in it.items() if key not in without}, sort_keys=True)


def _machines(layout: Layout) -> dict[str, Any]:
    import pyarrow as pa

    rows = [machine for machine, *_ in layout.machines]
    taint = pa.struct([("key", pa.string()), ("value", pa.string()), ("effect", pa.string())])
    columns = {
        "name": pa.array([machine.name for machine in rows], pa.string()),
        "cluster": pa.array([cluster for _, cluster, _, _ in layout.machines], pa.int64()),
        "kind": pa.array([kind for _, _, kind, _ in layout.machines], pa.int64()),
        "place": pa.array([place for *_, place in layout.machines], pa.int64()),
        "unschedulable": pa.array([machine.unschedulable for machine in rows], pa.bool_()),
        "labels": _labels([machine.labels for machine in rows]),
        "taints": pa.array(
            [
                [
                    {"key": one.get("key", ""), "value": one.get("value", ""), "effect": one.get("effect", "")}
                    for one in machine.taints
                ]
                for machine in rows
            ],
            pa.list_(taint),
        ),
    }
    for name in sorted({name for machine in rows for name in machine.exact}):
        columns[f"exact.{name}"] = pa.array([machine.exact.get(name, -1) for machine in rows], pa.int64())
    return columns


def _tasks(tasks: list[Task], row_of: dict[str, int]) -> dict[str, Any]:
    import pyarrow as pa

    job_of: dict[tuple[str, ...], int] = {}
    numbers = [job_of.setdefault(task.job, len(job_of)) for task in tasks]
    order = sorted(range(len(tasks)), key=lambda at: numbers[at])
    tasks, numbers = [tasks[at] for at in order], [numbers[at] for at in order]
    ints = {
        "job": numbers,
        "spec": [task.spec for task in tasks],
        "arrival_ns": [task.arrival_ns for task in tasks],
        "started_ns": [NO_TIME if task.started_ns is None else task.started_ns for task in tasks],
        "duration_ns": [task.duration_ns for task in tasks],
        "machine": [row_of.get(task.machine, -1) for task in tasks],
        "ran_on": [row_of.get(task.ran_on or task.machine, -1) for task in tasks],
        "priority": [task.priority for task in tasks],
    }
    texts = {
        "name": [task.name for task in tasks],
        "queue": [task.queue for task in tasks],
        "owner": [task.kind for task in tasks],
        "controller": [task.controller for task in tasks],
        "nominated": [task.nominated for task in tasks],
    }
    flags = {
        "endless": [task.endless for task in tasks],
        "terminating": [task.terminating for task in tasks],
    }
    return {
        **{name: pa.array(values, pa.string()) for name, values in texts.items()},
        **{name: pa.array(values, pa.int64()) for name, values in ints.items()},
        **{name: pa.array(values, pa.bool_()) for name, values in flags.items()},
        "labels": _labels([task.labels for task in tasks]),
    }


def _specs(found: Inventory) -> dict[str, Any]:
    import pyarrow as pa

    names = sorted({"cpus", "memory_gb", *(name for spec in found.specs for name in spec.demand)})
    columns: dict[str, Any] = {
        f"demand.{name}": pa.array([spec.demand.get(name, 0) for spec in found.specs], pa.int64()) for name in names
    }
    columns["fields"] = pa.array([_json(spec.fields, ()) for spec in found.specs], pa.string())
    return columns


def _labels(rows: list[dict[str, str]]) -> Any:
    import pyarrow as pa

    # Filled by columns: pyarrow takes several times as long to take pairs apart.
    ends = np.cumsum([0, *(len(labels) for labels in rows)], dtype=np.int32)
    keys = pa.array([key for labels in rows for key in labels], pa.string())
    values = pa.array([value for labels in rows for value in labels.values()], pa.string())
    return pa.MapArray.from_arrays(pa.array(ends), keys, values)
