"""The results of a study as a table: a row for each finished run, with its values and every measured number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

from scheduler_core.spreadsheet import safe_table
from scheduler_core.studies.grid import Grid
from scheduler_core.studies.results import measured_numbers

if TYPE_CHECKING:
    import pyarrow as pa

_FIRST = ("run", "scheduler", "label", "seed")


def study_table(grid: Grid, summaries: Iterable[tuple[int, Mapping[str, Any]]]) -> pa.Table:
    """Return the table of runs (number, summary), ordered by number.

    Columns of axes, and of what changes along with them, are named by their paths.
    """
    import pyarrow as pa

    labels = grid.labels()
    paths = [one.path for axis in grid.plan.axes for one in axis.parts]
    columns: dict[str, list[Any]] = {name: [] for name in (*_FIRST, *paths, "outcome_digest")}
    rows = [_row(grid, labels, number, summary) for number, summary in sorted(summaries, key=lambda each: each[0])]
    for row in rows:
        columns |= {name: [] for name in row if name not in columns}
    for name, column in columns.items():
        column.extend(row.get(name) for row in rows)
    return pa.table({name: _array(column) for name, column in columns.items()})


def _row(grid: Grid, labels: tuple[str, ...], number: int, summary: Mapping[str, Any]) -> dict[str, Any]:
    cell, seed = grid.run(number)
    first = (number, grid.schedulers[cell.scheduler]["name"], labels[cell.scheduler], seed)
    axes = {path: value for _, path, value in grid.changes_of(cell)}
    return {
        **dict(zip(_FIRST, first, strict=True)),
        **axes,
        "outcome_digest": summary.get("outcome_digest"),
        **measured_numbers(summary),
    }


def _array(values: list[Any]) -> pa.Array:
    import pyarrow as pa

    given = [value for value in values if value is not None]
    if not given:
        return pa.array(values, pa.float64())
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in given)
    if numbers and any(isinstance(value, float) for value in given):
        values = [None if value is None else float(value) for value in values]
    elif len({type(value) for value in given}) > 1:
        values = [None if value is None else str(value) for value in values]
    return pa.array(values)


def write_study(table: pa.Table, target: BinaryIO, kind: str) -> None:
    """Write the table as "csv" or "parquet"."""
    import pyarrow.csv as pa_csv
    import pyarrow.parquet as pq

    if kind == "csv":
        pa_csv.write_csv(safe_table(table), target)
    else:
        pq.write_table(table, target, compression="zstd")
