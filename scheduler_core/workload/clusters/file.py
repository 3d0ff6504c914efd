"""The cluster file: a ZIP of `cluster.json` and Parquet tables, known by its hash like a trace.

`cluster.json` has the version, the source, the names of the clusters (zones) and queues, and what was not understood.

| table | a row for each | columns |
|---|---|---|
| `machines` | machine | name, cluster, kind, place (below), unschedulable, labels, taints, exact.NAME |
| `tasks` | task, job by job | job, name, queue, spec, owner, machine, priority, labels and (below) others |
| `specs` | distinct thing that tasks ask for | demand.NAME (thousandths), fields (JSON in Kubernetes' words) |
| `objects` | namespace, budget, service, partition, ... | kind, namespace, name, object (JSON) |

A machine is found in an experiment by `cluster` (an index), `kind` (which group of alike machines in that cluster) and
`place` (which one of them). So an experiment may add machines to a group or remove some, and the others stay who they
are. `exact.NAME` are amounts in the source's own whole units (millicores, bytes); -1 stands for none.

Times of tasks are `arrival_ns`, `started_ns` and `duration_ns`; flags are `endless`, `terminating` and `nominated`.
`duration_ns` is -1 for an end that is not known; `owner` says what the task is (`Job`, `ReplicaSet`). `machine` is a
row of `machines`, or -1: there the task runs at time 0. `started_ns` may be negative; the smallest int64 stands for
none. `ran_on` is the row of the machine on which the task started, at whatever time, or -1; files of earlier versions
lack it. `controller` is the pseudonym of the owner. Tasks are job by job.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from scheduler_core.errors import Problem, TraceError
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.workload.clusters.shape import check_shape

SCHEMA_VERSION = 1
_VERSION_KEY = "scheduler_core.cluster"
_MAGIC = b"PK\x03\x04"
_HEAD = "cluster.json"
_TABLES = ("machines", "tasks", "specs", "objects")
_WHEN = (1980, 1, 1, 0, 0, 0)
_MOST_HEAD = 4_000_000
NO_TIME = -(2**63)
#: What reading a damaged archive raises; an encrypted one is a RuntimeError.
_DAMAGED = (OSError, EOFError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error)


@dataclass
class ClusterFile:
    """The content of a cluster file: the head as JSON types, and the tables (pyarrow)."""

    head: dict[str, Any]
    machines: Any
    tasks: Any
    specs: Any
    objects: Any
    _specs: list[dict[str, Any]] = field(default_factory=list, repr=False)

    def nodes(self) -> Iterator[dict[str, Any]]:
        """Yield each machine as Kubernetes' scheduler sees it: name, labels, taints, allocatable, unschedulable."""
        names = [name for name in self.machines.column_names if name.startswith("exact.")]
        for batch in self.machines.to_batches():
            for row in batch.to_pylist():
                yield {
                    "name": row["name"],
                    "labels": dict(row["labels"]),
                    "taints": row["taints"],
                    "allocatable": {name[6:]: row[name] for name in names if row[name] >= 0},
                    "unschedulable": row["unschedulable"],
                }

    def spec_fields(self) -> list[dict[str, Any]]:
        """Return the fields of each row of `specs`: requests, affinity, tolerations and so on."""
        if not self._specs:
            self._specs = [json.loads(text) for text in self.specs.column("fields").to_pylist()]
        return self._specs

    def pods(self) -> Iterator[dict[str, Any]]:
        """Yield each task as Kubernetes' scheduler sees it, in the words of its API; `node` is where it runs."""
        specs, nodes = self.spec_fields(), self.machines.column("name").to_pylist()
        for batch in self.tasks.to_batches():
            for row in batch.to_pylist():
                pod = {
                    "name": row["name"],
                    "namespace": row["queue"],
                    "labels": dict(row["labels"]),
                    "priority": row["priority"],
                    **specs[row["spec"]],
                }
                if row["machine"] >= 0:
                    pod["node"] = nodes[row["machine"]]
                if row["started_ns"] != NO_TIME:
                    pod["start_time"] = row["started_ns"]
                if row["terminating"]:
                    pod["terminating"] = True
                if row["nominated"]:
                    pod["nominatedNodeName"] = row["nominated"]
                yield pod

    def further(self, kind: str) -> list[dict[str, Any]]:
        """Return the further objects of a kind, such as Namespace or PodDisruptionBudget."""
        rows = self.objects.to_pylist()
        return [
            {"namespace": row["namespace"], "name": row["name"], **json.loads(row["object"])}
            for row in rows
            if row["kind"] == kind
        ]


def sniff(head: bytes) -> bool:
    """Return True if a file begins like a cluster file."""
    return head.startswith(_MAGIC) and head[30 : 30 + len(_HEAD)] == _HEAD.encode()


def write_cluster_file(content: ClusterFile, path: Path) -> None:
    """Write a cluster file; equal content gives equal bytes. A file is replaced once the new one is complete."""
    import pyarrow.parquet as pq

    unfinished = path.with_name(path.name + ".part")
    head = {_VERSION_KEY: SCHEMA_VERSION, **content.head}
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_STORED) as file:
            file.writestr(zipfile.ZipInfo(_HEAD, _WHEN), json.dumps(head, indent=1, sort_keys=True))
            for name in _TABLES:
                buffer = io.BytesIO()
                pq.write_table(getattr(content, name), buffer, compression="zstd")
                file.writestr(zipfile.ZipInfo(f"{name}.parquet", _WHEN), buffer.getvalue())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def read_cluster_file(path: Path, limits: Limits = DEFAULT_LIMITS) -> ClusterFile:
    """Return the content of a cluster file. Raises TraceError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with zipfile.ZipFile(path) as file:
            head = _head(file)
            tables = {}
            for name in _TABLES:
                info = file.getinfo(f"{name}.parquet")
                if (problem := limits.exceeded("trace_bytes", info.file_size, "")) is not None:
                    raise TraceError([problem])
                parquet = pq.ParquetFile(pa.BufferReader(file.read(info)))
                _check_rows(name, parquet.metadata, limits)
                tables[name] = parquet.read()
    except (*_DAMAGED, pa.ArrowException) as error:
        reason = str(error).splitlines()[0][:200] if str(error) else "it is damaged"
        raise TraceError([Problem("", f"is not a whole cluster file: {reason}", "a file of import-cluster")]) from None
    check_shape(head, tables)
    content = ClusterFile(head, **tables)
    _check(content)
    return content


def _head(file: zipfile.ZipFile) -> dict[str, Any]:
    info = file.getinfo(_HEAD)
    if info.file_size > _MOST_HEAD:
        raise TraceError([Problem("", "has a head of more than 4,000,000 bytes", "a file of import-cluster")])
    try:
        head = json.loads(file.read(info))
        version = head.get(_VERSION_KEY)
    except (ValueError, AttributeError, RecursionError):
        version = None
    if version != SCHEMA_VERSION:
        raise TraceError(
            [
                Problem(
                    "",
                    "is no cluster file" if version is None else f"is a cluster file of version {str(version)[:20]}",
                    f"version {SCHEMA_VERSION}",
                    "import the cluster again, or use a newer version of this program",
                )
            ]
        )
    found: dict[str, Any] = head
    return found


def _check_rows(name: str, metadata: Any, limits: Limits) -> None:
    limit = {"machines": "inventory_machines", "tasks": "tasks"}.get(name, "inventory_objects")
    size = sum(int(metadata.row_group(group).total_byte_size) for group in range(metadata.num_row_groups))
    for bound, asked in ((limit, metadata.num_rows), ("trace_bytes", size)):
        if (problem := limits.exceeded(bound, asked, "")) is not None:
            raise TraceError([problem])


def _check(content: ClusterFile) -> None:
    """Check that rows name rows that exist, so that no reader needs to."""
    machines, specs = content.machines.num_rows, content.specs.num_rows
    bounds = {
        ("tasks", "machine"): (-1, machines),
        ("tasks", "spec"): (0, specs),
        ("tasks", "job"): (0, 2**62),
        ("tasks", "arrival_ns"): (0, 2**60),
        ("tasks", "duration_ns"): (-1, 10**17 + 1),
        ("machines", "cluster"): (0, len(content.head.get("clusters", ()))),
        ("machines", "kind"): (0, machines),
        ("machines", "place"): (0, machines),
    }
    if "ran_on" in content.tasks.column_names:
        bounds["tasks", "ran_on"] = (-1, machines)
    for (table, name), (low, high) in bounds.items():
        try:
            values = whole(getattr(content, table), name)
        except (KeyError, TypeError, ValueError):
            raise TraceError(
                [Problem("", f"table {table} lacks whole numbers `{name}`", "a file of import-cluster")]
            ) from None
        if len(values) and (values.min() < low or values.max() >= high):
            raise TraceError([Problem("", f"`{name}` of table {table} is out of bounds", "a file of import-cluster")])


def whole(table: Any, name: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return a column of whole numbers as int64. Raises KeyError, TypeError or ValueError for another."""
    column = table.column(name)
    if column.null_count:
        raise ValueError(f"{name} has gaps")
    return np.ascontiguousarray(column.to_numpy(), np.int64)
