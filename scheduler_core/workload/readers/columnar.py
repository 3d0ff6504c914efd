"""The project's own trace file: Parquet, a row per task, job by job, with the schema version in the metadata.

Columns: job (int64, falls nowhere), arrival_ns, mean_ns, duration_ns (int64), queue (text, may be absent or null),
demand.NAME (int64 thousandths, one for each resource; may be absent) and, from version 2 on, asks (int64: bit i stands
for the i-th constraint that the metadata lists; may be absent), and from version 3 on stage and after (which stages
wait for what, see columnar_stages; may be absent). The metadata may hold notes about where it comes from.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.errors import Problem, TraceError, listed
from scheduler_core.experiment.fields import LONGEST_S
from scheduler_core.experiment.workloads import LONGEST_TASK_S
from scheduler_core.workload.raw import Asked, Ints, RawWork, TraceReader, in_arrival_order
from scheduler_core.workload.raw.seconds import NS
from scheduler_core.workload.readers.columnar_stages import AFTER, STAGE, StageRows, read_stages
from scheduler_core.workload.readers.watching import Reading, tell

if TYPE_CHECKING:
    from scheduler_core.limits import Limits

SCHEMA_VERSION = 3
_READABLE = (b"1", b"2", b"3")
VERSION_KEY, NOTES_KEY, ASKED_KEY = b"scheduler_core.trace", b"scheduler_core.notes", b"scheduler_core.asked"
_MOST_METADATA = 1_000_000
_GROUP_ROWS = 1 << 18
_MAGIC = b"PAR1"
_BOUNDS = {
    "job": 2**62,
    "arrival_ns": int(LONGEST_S) * NS,
    "mean_ns": int(LONGEST_TASK_S) * NS,
    "duration_ns": int(LONGEST_TASK_S) * NS,
}
_MOST_STAGE = 2**31
_DEMAND = "demand."
_ASKS, _MOST_ASKS = "asks", 2**62 - 1
_MOST_DEMAND = 10**9


def sniff(head: bytes) -> bool:
    """Return True if the file is Parquet."""
    return head.startswith(_MAGIC)


def is_own(path: Path) -> bool:
    """Return True if a Parquet file's metadata says that this project wrote it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return VERSION_KEY in (pq.read_schema(path).metadata or {})
    except (OSError, pa.ArrowException):
        return False


def write_trace(raw: RawWork, path: Path) -> None:
    """Write a trace in arrival order; replace the file only after the new one is complete."""
    import pyarrow.parquet as pq

    raw = in_arrival_order(raw)
    ends = np.cumsum(raw.tasks)
    queue_names = None if raw.queue is None else raw.queue_names
    amounts = (
        {}
        if raw.demand is None
        else {
            _DEMAND + name: np.array([demand.get(name, 0) for demand in raw.demands], np.int64)
            for name in sorted({name for demand in raw.demands for name in demand})
        }
    )
    stages = None if raw.stages is None else StageRows(raw.stages)
    unfinished, writer = path.with_name(path.name + ".part"), None
    try:
        # Group by group: columns that repeat a job's values for each of its tasks are never there as a whole.
        for first in range(0, len(raw.duration_ns), _GROUP_ROWS):
            table = _rows(raw, ends, slice(first, first + _GROUP_ROWS), queue_names, amounts, stages)
            if writer is None:
                writer = pq.ParquetWriter(unfinished, table.schema, compression="zstd")
            writer.write_table(table)
        if writer is not None:
            writer.close()
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _rows(
    raw: RawWork,
    ends: Ints,
    rows: slice,
    queue_names: tuple[str, ...] | None,
    amounts: dict[str, Ints],
    stages: StageRows | None,
) -> Any:
    """Make a table of some of the tasks."""
    import pyarrow as pa

    stop = min(rows.stop, len(raw.duration_ns))
    job = np.searchsorted(ends, np.arange(rows.start, stop), side="right").astype(np.int64)
    columns: dict[str, Any] = {
        "job": job,
        "arrival_ns": raw.arrival_ns[job],
        "mean_ns": raw.mean_ns[job],
        "duration_ns": raw.duration_ns[rows],
    }
    if raw.queue is not None:
        index = raw.queue[job]
        columns["queue"] = pa.DictionaryArray.from_arrays(
            pa.array(index, mask=index < 0, type=pa.int64()).cast(pa.int32()), pa.array(queue_names, pa.string())
        )
    if raw.demand is not None:
        columns |= {name: amount[raw.demand[rows]] for name, amount in amounts.items()}
    metadata = {VERSION_KEY: str(SCHEMA_VERSION), NOTES_KEY: json.dumps(raw.notes)}
    if raw.asks is not None:
        columns[_ASKS] = raw.asks[rows]
        metadata[ASKED_KEY] = json.dumps([asdict(one) for one in raw.asked])
    if stages is not None:
        columns |= stages.columns(rows.start, stop, job)
    return pa.table(columns).replace_schema_metadata(metadata)


def read(path: Path, limits: Limits) -> RawWork:
    """Return the content of a columnar trace. Raises TraceError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names = _checked_schema(file, limits, path)
            notes, asked = _said(file)
            batches, rows = [], 0
            for batch in file.iter_batches(columns=names, batch_size=_GROUP_ROWS):
                batches.append(batch)
                rows += batch.num_rows
                tell(Reading(rows, file.metadata.num_rows, 0, rows))
            table = pa.Table.from_batches(batches, file.schema_arrow.empty_table().select(names).schema)
    except pa.ArrowMemoryError:
        huge = "declares parts larger than the memory limit for reading"
        raise TraceError([Problem("", huge, remedy="write it again with import-trace, or shorten it")]) from None
    except (OSError, pa.ArrowException) as error:
        reason = str(error).splitlines()[0][:200] if str(error) else "it is damaged"
        raise TraceError([Problem("", f"is not a readable Parquet file: {reason}", "a file of import-trace")]) from None
    ints = {name: _whole(table, name) for name in names if name not in ("queue", AFTER)}
    work = _jobs(ints, _queues(table) if "queue" in names else None, limits)
    if AFTER in names:
        work = replace(
            work, stages=read_stages(table, ints[STAGE], np.cumsum(work.tasks) - work.tasks, work.demand, limits)
        )
    return replace(work, notes=notes, asks=ints.get(_ASKS), asked=asked if _ASKS in ints else ())


def _checked_schema(file: Any, limits: Limits, path: Path) -> list[str]:
    """Check version, columns and size before the first row; give the columns to read."""
    version = (file.schema_arrow.metadata or {}).get(VERSION_KEY)
    if version not in _READABLE:
        found = "no version of ours" if version is None else f"version {version.decode('latin-1')[:20]}"
        raise TraceError(
            [
                Problem(
                    "",
                    f"is a Parquet file with {found}",
                    "version 1, 2 or 3",
                    "convert the source with import-trace",
                )
            ]
        )
    have = list(file.schema_arrow.names)
    missing = [name for name in _BOUNDS if name not in have]
    sizes = [
        limits.exceeded("trace_bytes", max(path.stat().st_size, _unpacked_bytes(file)), ""),
        limits.exceeded("tasks", file.metadata.num_rows, ""),
    ]
    problems = [Problem("", f"has no column '{name}'", listed(_BOUNDS)) for name in missing]
    if problems := problems + [problem for problem in sizes if problem]:
        raise TraceError(problems)
    return [
        *_BOUNDS,
        *(["queue"] if "queue" in have else []),
        *([_ASKS] if _ASKS in have else []),
        *([STAGE, AFTER] if STAGE in have and AFTER in have else []),
        *(name for name in have if name.startswith(_DEMAND)),
    ]


def _said(file: Any) -> tuple[tuple[str, ...], tuple[Asked, ...]]:
    """Read notes and constraints out of the metadata; raises TraceError."""
    metadata = file.schema_arrow.metadata or {}
    try:
        notes, asked = (json.loads(metadata.get(key, b"[]")[:_MOST_METADATA]) for key in (NOTES_KEY, ASKED_KEY))
        return tuple(str(note) for note in notes), tuple(Asked(**one) for one in asked)
    except (ValueError, TypeError, RecursionError):
        raise TraceError(
            [Problem("", "has metadata that this project did not write", remedy="convert the source with import-trace")]
        ) from None


def _unpacked_bytes(file: Any) -> int:
    """Return the decompressed bytes of all columns: repeated text compresses to nearly nothing."""
    return sum(int(file.metadata.row_group(group).total_byte_size) for group in range(file.metadata.num_row_groups))


def _whole(table: Any, name: str) -> Ints:
    """Return a column as int64 within its bounds."""
    import pyarrow as pa

    column = table.column(name)
    if not pa.types.is_integer(column.type) or column.null_count:
        raise TraceError(
            [
                Problem(
                    "",
                    f"column '{name}' is {column.type}, {column.null_count:,} values absent",
                    "whole numbers, none absent",
                )
            ]
        )
    values = column.to_numpy().astype(np.int64)
    most = {_ASKS: _MOST_ASKS, STAGE: _MOST_STAGE, **_BOUNDS}.get(name, _MOST_DEMAND)
    wrong = np.flatnonzero((values < 0) | (values > most))
    if len(wrong):
        raise TraceError(
            [Problem(f"row {int(wrong[0]) + 1}", f"'{name}' is {int(values[wrong[0]]):,}", f"0 to {most:,}")]
        )
    return np.ascontiguousarray(values)


def _queues(table: Any) -> tuple[Ints, tuple[str, ...]]:
    """Return each task's queue as an index into the names, -1 for none."""
    import pyarrow as pa

    try:
        column = table.column("queue").cast(pa.string()).combine_chunks().dictionary_encode()
    except pa.ArrowException:
        raise TraceError([Problem("", "column 'queue' is not a text", "names of queues")]) from None
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    return column.indices.fill_null(-1).to_numpy().astype(np.int64), tuple(column.dictionary.to_pylist())


def _jobs(ints: dict[str, Ints], queues: tuple[Ints, tuple[str, ...]] | None, limits: Limits) -> RawWork:
    """Gather rows into jobs."""
    job = ints["job"]
    if not len(job):
        raise TraceError([Problem("", "holds no tasks", "at least one row")])
    steps = np.flatnonzero(job[1:] != job[:-1]) + 1
    if bool((job[1:] < job[:-1]).any()):
        raise TraceError(
            [
                Problem(
                    f"row {int(np.flatnonzero(job[1:] < job[:-1])[0]) + 2}",
                    "'job' falls",
                    "the rows of a job together, jobs in rising order",
                )
            ]
        )
    first = np.concatenate([[0], steps]).astype(np.int64)
    if (problem := limits.exceeded("jobs", len(first), "")) is not None:
        raise TraceError([problem])
    tasks = np.diff(np.concatenate([first, [len(job)]])).astype(np.int64)
    for name in ("arrival_ns", "mean_ns"):
        if bool((np.repeat(ints[name][first], tasks) != ints[name]).any()):
            raise TraceError([Problem("", f"'{name}' differs between rows of one job", "one value for each job")])
    demand, kinds = _demands({name: column for name, column in ints.items() if name.startswith(_DEMAND)})
    return RawWork(
        ints["arrival_ns"][first],
        tasks,
        ints["mean_ns"][first],
        ints["duration_ns"],
        queue_names=queues[1] if queues else (),
        queue=queues[0][first] if queues else None,
        demands=kinds,
        demand=demand,
    )


def _demands(columns: dict[str, Ints]) -> tuple[Ints | None, tuple[dict[str, int], ...]]:
    """Assign numbers to the distinct demands."""
    if not columns:
        return None, ()
    names = [name.removeprefix(_DEMAND) for name in columns]
    kinds, index = np.unique(np.stack(list(columns.values()), axis=1), axis=0, return_inverse=True)
    return index.reshape(-1).astype(np.int64), tuple(
        {name: int(amount) for name, amount in zip(names, kind, strict=True)} for kind in kinds
    )


READER = TraceReader(
    name="columnar",
    label="Scheduler Playground's columnar traces (.parquet)",
    help="Parquet, one row per task: job, arrival_ns, mean_ns, duration_ns, optional queue, demands, stages.",
    suffixes=(".parquet",),
    has_queues=True,
    sniff=sniff,
    read=read,
)
