"""Read any table, text or Parquet, with a column mapping from a person (columns.py)."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.errors import Problem, TraceError
from scheduler_core.workload.raw import Beside, Ints, RawWork, TraceReader
from scheduler_core.workload.raw.columns import Columns
from scheduler_core.workload.raw.seconds import NS
from scheduler_core.workload.readers.cells import LONGEST_RUN_S, Kind, Wrong, numbers
from scheduler_core.workload.readers.gathering import Tasks
from scheduler_core.workload.readers.packed import opened
from scheduler_core.workload.readers.parquet_rows import MAGIC, parquet_blocks
from scheduler_core.workload.readers.table import Layout, Rows, Table, first_line

if TYPE_CHECKING:
    from scheduler_core.limits import Limits

Floats = NDArray[np.float64]
NO_QUEUE = "none"
_LONGEST_HEAD = 1 << 20


def read(path: Path, limits: Limits) -> RawWork:
    """Refuse: without a mapping, the columns have no meaning."""
    raise TraceError(
        [
            Problem(
                "",
                "is a table without a mapping of its columns",
                "a mapping of columns",
                "import it with `columns`: import-trace --columns, or the dialog after an upload",
            )
        ]
    )


def read_beside(path: Path, limits: Limits, beside: Beside) -> RawWork:
    """Read a table by its mapping; raises TraceError."""
    if beside.columns is None:
        return read(path, limits)
    columns = beside.columns
    is_parquet = _starts(path)
    table = Table(path, _layout(path, columns, is_parquet), limits)
    tasks, queues = Tasks(limits), dict[str, int]()
    wrong = Wrong(columns.bad_lines == "leave_out")
    for rows in parquet_blocks(table) if is_parquet else table.blocks():
        _take(rows, columns, tasks, queues, limits, wrong)
    wrong.refuse()
    return _all_in_queues(tasks.work((), tuple(queues), table=table))


def _all_in_queues(work: RawWork) -> RawWork:
    """Put the jobs that name no queue, in a table with a column of queues, into a queue of their own."""
    if work.queue is None or not (none := work.queue < 0).any():
        return work
    names = work.queue_names if NO_QUEUE in work.queue_names else (*work.queue_names, NO_QUEUE)
    queue = np.where(none, names.index(NO_QUEUE), work.queue)
    note = f"{int(none.sum()):,} jobs name no queue; they are in the queue '{NO_QUEUE}'."
    return replace(work, queue_names=names, queue=queue, notes=(*work.notes, note))


def _starts(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == MAGIC


def _layout(path: Path, columns: Columns, is_parquet: bool) -> Layout:
    """Return the types of the used columns and, for a text without a header, all column names."""
    import pyarrow as pa

    time = pa.timestamp("us") if columns.time_unit == "datetime" else pa.float64()
    kinds = {"arrival": time, "start": time, "end": time, "job": pa.string(), "queue": pa.string()}
    types: dict[str, Any] = {}
    for role in ("arrival", "duration", "end", "start", "job", "tasks", "cpus", "memory_gb", "queue"):
        if (name := getattr(columns, role)) is not None:
            kind = kinds.get(role, pa.float64())
            if types.setdefault(name, kind) != kind:
                raise TraceError(
                    [
                        Problem(
                            f"columns.{role}",
                            f"names the column '{name}', which means something of another kind as well",
                            "a column for each meaning",
                        )
                    ]
                )
    if not is_parquet:
        # A text's cells are read as texts, so that each wrong one can be told with its line (readers.cells).
        types = dict.fromkeys(types, pa.string())
    if is_parquet or columns.header:
        return Layout((), types, columns.delimiter)
    with opened(path) as file:
        head = first_line(file.read(_LONGEST_HEAD)).decode("utf-8", "replace")
    width = len(next(csv.reader([head], delimiter=columns.delimiter), []))
    names = tuple(str(number + 1) for number in range(width))
    if missing := [name for name in types if name not in names]:
        raise TraceError([Problem("line 1", f"lacks a column: {missing[0]}", f"1 to {width}")])
    return Layout(names, types, columns.delimiter)


def _take(
    rows: Rows, columns: Columns, tasks: Tasks, queues: dict[str, int], limits: Limits, wrong_cells: Wrong
) -> None:
    """Add a block of rows to the tasks."""
    unit, of_duration = columns.ns_of_time / NS, columns.ns_of_duration / NS
    when: Kind = "date" if columns.time_unit == "datetime" else "time"
    bad = np.zeros(len(rows), np.bool_)

    def read(name: str | None, kind: Kind, unit_s: float = 1.0) -> Floats:
        assert name is not None
        found, none = numbers(rows, name, kind, unit_s, wrong_cells)
        np.logical_or(bad, none, out=bad)
        return found

    arrival = read(columns.arrival, when, unit) * unit
    if columns.duration is not None:
        ran = read(columns.duration, "duration", of_duration) * of_duration
    else:
        began = arrival if columns.start is None else read(columns.start, when, unit) * unit
        ran = read(columns.end, when, unit) * unit - began
        if (early := ran < 0).any():
            since = columns.start or columns.arrival
            allowed = f"a time from '{since}' on"
            wrong_cells.note(rows, columns.end or "", early, lambda _: f"is before '{since}'", allowed)
            bad |= early
    count = read(columns.tasks, "count") if columns.tasks is not None else None
    demand = {
        name: read(given, "amount")
        for name, given in (("cpus", columns.cpus), ("memory_gb", columns.memory_gb))
        if given is not None
    }
    job = rows.column(columns.job) if columns.job is not None else None
    wrong = {
        "a value that is not what its column says": bad,
        "no time of arrival": np.isnan(arrival),
        "no duration": ~(ran <= LONGEST_RUN_S),
    }
    if count is not None:
        wrong["no number of tasks"] = np.isnan(count)
    if job is not None:
        wrong["no name of a job"] = job.is_null().to_numpy(zero_copy_only=False)
    good = rows.keep(wrong)
    tasks.add(
        (np.arange(len(rows), dtype=np.int64) + rows.first)[good] if job is None else _job_numbers(job)[good],
        _ns(arrival[good]),
        _ns(ran[good]),
        count=None if count is None else np.rint(count[good]).astype(np.int64),
        demand={
            name: np.rint(np.where(np.isnan(it[good]), -1e-3, it[good]) * 1000).astype(np.int64)
            for name, it in demand.items()
        }
        or None,
        queue=None if columns.queue is None else _queue(rows.column(columns.queue), queues, limits)[good],
    )


def _ns(seconds: Floats) -> Ints:
    return np.rint(seconds * NS).astype(np.int64)


def _job_numbers(names: Any) -> Ints:
    """Return a number for each job from its name alone, so that no table of names stays in memory."""
    coded = names.dictionary_encode()
    numbers = np.fromiter((_number(name) for name in coded.dictionary.to_pylist()), np.int64, len(coded.dictionary))
    index: Ints = coded.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return numbers[index] if len(numbers) else np.zeros(len(index), np.int64)


def _number(name: str) -> int:
    """Return a whole number as itself, anything else as 62 bits of a hash (collisions are very unlikely)."""
    if name.isascii() and name.isdigit() and len(name) <= 18 and str(int(name)) == name:
        return int(name)
    return -1 - (int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest()) >> 2)


def _queue(names: Any, queues: dict[str, int], limits: Limits) -> Ints:
    coded = names.dictionary_encode()
    for name in coded.dictionary.to_pylist():
        queues.setdefault(name, len(queues))
    if (over := limits.exceeded("queues", len(queues), "columns.queue")) is not None:
        raise TraceError([over])
    number = np.array([queues[name] for name in coded.dictionary.to_pylist()] or [0], np.int64)
    index = coded.indices.fill_null(0).to_numpy(zero_copy_only=False)
    absent = names.is_null().to_numpy(zero_copy_only=False)
    return np.where(absent, -1, number[index])


READER = TraceReader(
    name="table",
    label="Any table, by a mapping of its columns (.csv, .parquet)",
    help="CSV or Parquet of your own; you choose the columns of arrivals, durations, jobs and demands.",
    suffixes=(".csv", ".csv.gz", ".csv.zst", ".parquet"),
    has_queues=True,
    sniff=lambda head: False,
    read=read,
    read_beside=read_beside,
    beside=("columns",),
)
