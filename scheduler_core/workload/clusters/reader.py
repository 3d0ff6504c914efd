"""Read the tasks of a cluster file as the workload of an experiment."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scheduler_core.errors import Problem, TraceError
from scheduler_core.limits import Limits
from scheduler_core.workload.clusters.file import ClusterFile, read_cluster_file, sniff, whole
from scheduler_core.workload.raw import Ints, RawWork, TraceReader
from scheduler_core.workload.raw.standing import OPEN, RawStanding

_DEMAND = "demand."


def read(path: Path, limits: Limits) -> RawWork:
    """Return the tasks of a cluster file; durations that the file does not know are 0 until a build fills them."""
    return work_of(read_cluster_file(path, limits), limits)


def work_of(content: ClusterFile, limits: Limits) -> RawWork:
    """Return the tasks in a cluster file's tables. Raises TraceError."""
    table = content.tasks
    if not table.num_rows:
        raise TraceError([Problem("", "holds no pods and no jobs", "a cluster with work", "use its machines alone")])
    job = whole(table, "job")
    first = np.concatenate([[0], np.flatnonzero(job[1:] != job[:-1]) + 1]).astype(np.int64)
    tasks = np.diff(np.concatenate([first, [len(job)]])).astype(np.int64)
    if (problem := limits.exceeded("jobs", len(first), "")) is not None:
        raise TraceError([problem])
    duration, spec = whole(table, "duration_ns"), whole(table, "spec")
    queue, named = _codes(table, "queue")
    queue_of = content.head.get("queue_of", {})
    owner, owners = _codes(table, "owner")
    standing = RawStanding(
        place=_places(content, whole(table, "machine")),
        row=np.arange(len(job), dtype=np.int64),
        open_=np.where(duration == OPEN, owner, -1),
        owners=owners,
        endless=np.asarray(table.column("endless").to_numpy(zero_copy_only=False), bool) & (duration == OPEN),
        content=content,
    )
    known = np.maximum(duration, 0)
    names = [name for name in content.specs.column_names if name.startswith(_DEMAND)]
    amounts = np.stack([whole(content.specs, name) for name in names], axis=1)
    _, priority = np.unique(whole(table, "priority"), return_inverse=True)
    return RawWork(
        whole(table, "arrival_ns")[first],
        tasks,
        np.add.reduceat(known, first) // tasks,
        known,
        queue_names=tuple(str(queue_of.get(name, name)) for name in named),
        queue=queue[first],
        demands=tuple(
            {name.removeprefix(_DEMAND): int(amount) for name, amount in zip(names, row, strict=True)}
            for row in amounts
        ),
        demand=spec,
        notes=tuple(str(note) for note in content.head.get("notes", ())),
        # Ranks: schedulers compare priorities and do not count with them.
        priority=priority.astype(np.int64).ravel(),
        standing=standing,
    )


def _codes(table: object, name: str) -> tuple[Ints, tuple[str, ...]]:
    import pyarrow as pa

    column = table.column(name).cast(pa.string()).combine_chunks().dictionary_encode()  # type: ignore[attr-defined]
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    return column.indices.to_numpy().astype(np.int64), tuple(column.dictionary.to_pylist())


def _places(content: ClusterFile, machine: Ints) -> Ints:
    """Return where each task runs: int64 (tasks, 3), cluster, kind and place of its machine; -1 for nowhere."""
    rows = np.stack([whole(content.machines, name) for name in ("cluster", "kind", "place")], axis=1)
    rows = np.concatenate([rows, np.full((1, 3), -1, np.int64)])
    found: Ints = rows[machine]
    return found


READER = TraceReader(
    name="cluster",
    label="A cluster of one's own (import-cluster)",
    help="Machines and tasks from Kubernetes or Slurm, with what runs at time 0, as `import-cluster` writes them.",
    suffixes=(".cluster",),
    has_queues=True,
    sniff=sniff,
    read=read,
)
