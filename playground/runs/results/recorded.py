"""The starts of a run's jobs beside the starts that the workload's source has recorded, such as those of `sacct`."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from playground.errors import PlaygroundError, problem
from playground.models import Run
from playground.runs.results.files import open_tasks_table
from scheduler_core.run.results import START_COLUMNS, Table

if TYPE_CHECKING:
    from scheduler_core import RunResult

COLUMN = "recorded_start_ns"
"""The column of the task table with the recorded start of the task's job in ns; -1 for none."""
Order = Literal["job", "difference"]
_Ints = npt.NDArray[np.int64]


def with_recorded(result: RunResult) -> Table:
    """Return the table of tasks; with the recorded start of each task's job where the workload records starts."""
    tasks, starts = result.tasks, result.starts
    if starts is None:
        return tasks
    of_job = np.full(len(result.jobs), -1, np.int64)
    of_job[starts["job"]] = starts["recorded_start_ns"]
    wider = np.zeros(len(tasks), np.dtype([*tasks.dtype.descr, (COLUMN, "i8")])).view(Table)
    for name in tasks.dtype.names or ():
        wider[name] = tasks[name]
    wider[COLUMN] = of_job[tasks["job"]]
    return wider


def recorded_starts(*, run: Run, order: Order, first: int, count: int) -> dict[str, Any]:
    """Return some jobs with their starts, in seconds. The largest difference comes first under `difference`."""
    found: npt.NDArray[Any] = starts_of(run=run)
    if order == "difference":
        found = found[np.argsort(-np.abs(found["shift_ns"]), kind="stable")]
    rows, end = found[first : first + count], first + count
    return {
        "total": len(found),
        "first": first,
        "next": end if end < len(found) else None,
        "job": rows["job"].tolist(),
        "start_s": (rows["start_ns"] / 1e9).tolist(),
        "recorded_start_s": (rows["recorded_start_ns"] / 1e9).tolist(),
        "shift_s": (rows["shift_ns"] / 1e9).tolist(),
    }


def starts_parquet(*, run: Run) -> bytes:
    """Return the table that `run --out` writes as starts.parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.table(_columns(starts_of(run=run))), out, compression="zstd")
    return out.getvalue()


def starts_csv(*, run: Run) -> bytes:
    """Return the same table as CSV."""
    import pyarrow as pa
    import pyarrow.csv as pa_csv

    from scheduler_core.spreadsheet import safe_table

    out = io.BytesIO()
    pa_csv.write_csv(safe_table(pa.table(_columns(starts_of(run=run)))), out)
    return out.getvalue()


def starts_of(*, run: Run) -> Table:
    """Return a row for each job that started and has a recorded start. Raises PlaygroundError.

    The columns are those of `RunResult.starts`. A job starts with its first task.
    """
    import pyarrow.parquet as pq

    with open_tasks_table(run=run) as file:
        table = pq.ParquetFile(file)
        if COLUMN not in table.schema_arrow.names:
            raise _none(run)
        rows = table.read(["job", "first_start_ns", COLUMN])
    job, start, recorded = (np.asarray(column.to_numpy(), np.int64) for column in rows.columns)
    return _by_job(job, start, recorded)


def _by_job(job: _Ints, start: _Ints, recorded: _Ints) -> Table:
    """Return the rows of jobs from those of their tasks, which lie job by job."""
    used = (start >= 0) & (recorded >= 0)
    job, start, recorded = job[used], start[used], recorded[used]
    first = np.flatnonzero(np.diff(job, prepend=-1))
    found = np.zeros(len(first), START_COLUMNS).view(Table)
    if len(first):
        found["job"], found["recorded_start_ns"] = job[first], recorded[first]
        found["start_ns"] = np.minimum.reduceat(start, first)
        found["shift_ns"] = found["start_ns"] - found["recorded_start_ns"]
    return found


def _columns(table: Table) -> dict[str, _Ints]:
    return {name: np.ascontiguousarray(table[name]) for name in table.dtype.names or ()}


def _none(run: Run) -> PlaygroundError:
    """Return the error for a run whose table has no recorded starts."""
    if (run.summary or {}).get("recorded_starts"):
        item = problem("", "an earlier version stored this run", remedy="run the experiment again")
        return PlaygroundError(410, "gone", "This run's recorded starts were not stored", (item,))
    item = problem("", "its workload records no start", allowed="a run of an imported cluster with recorded starts")
    return PlaygroundError(404, "no-recorded-starts", "This run has no recorded starts", (item,))
