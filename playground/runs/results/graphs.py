"""A run's jobs as DAGs: pages of the tables in its recording."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from playground.errors import PlaygroundError, problem
from playground.models import Run
from playground.runs.results.files import open_recording
from scheduler_core import RecordingReader

if TYPE_CHECKING:
    import pyarrow as pa

GraphTable = Literal["jobs", "stages", "placements"]
MOST_ROWS = 20_000


def graph_rows(*, run: Run, table: GraphTable, first: int, count: int) -> dict[str, Any]:
    """Return some rows of a table by columns: times in microseconds (-1 for never), demands in units."""
    with open_recording(run=run) as file:
        reader = RecordingReader(file)  # type: ignore[arg-type]
        try:
            total, rows = reader.graph_rows(table, first, count)
        except KeyError:
            item = problem(
                "", "its recording holds no graphs", allowed="a run of a scheduler for jobs that are graphs of stages",
                remedy="choose such a scheduler, or fewer tasks; run an earlier version's run again",
            )  # fmt: skip
            raise PlaygroundError(404, "no-graphs", "This run has no graphs", (item,)) from None
    end = first + rows.num_rows
    return {
        "total": total, "first": first, "next": end if end < total and rows.num_rows else None,
        "columns": dict(_column(name, rows[name]) for name in rows.column_names),
    }  # fmt: skip


def _column(name: str, values: pa.ChunkedArray) -> tuple[str, list[Any]]:
    listed = values.to_pylist()
    if name.endswith("_ns"):
        return f"{name[:-3]}_us", [value // 1000 if value >= 0 else -1 for value in listed]
    if name == "demand":
        return name, [[amount / 1000 for amount in vector] for vector in listed]
    return name, listed
