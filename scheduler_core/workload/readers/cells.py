"""Read the cells of a text table as numbers, times and durations, and tell each cell that is none."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from scheduler_core.errors import Problem, TraceError, shown
from scheduler_core.experiment.fields import LONGEST_S
from scheduler_core.experiment.workloads import LONGEST_TASK_S
from scheduler_core.workload.readers.gathering import LATEST_S

if TYPE_CHECKING:
    from scheduler_core.workload.readers.table import Rows

MOST = 50
"""The most wrong cells that one error lists."""
Kind = Literal["amount", "count", "time", "date", "duration"]
LONGEST_RUN_S = min(LONGEST_TASK_S, LONGEST_S)
_NAMES: dict[Kind, str] = {"amount": "number", "count": "number"}
MOST_AMOUNT, MOST_TASKS = 10**6, 10**7
ALLOWED: dict[Kind, str] = {
    "amount": f"a number from 0 to {MOST_AMOUNT:,}",
    "count": f"a number from 1 to {MOST_TASKS:,}",
    "time": "a number of at least 0, or a time such as 01:00:00",
    "date": "a date and time since 1970 such as 2024-05-01 12:30:00",
    "duration": "a number of at least 0, or a duration such as 01:00:00 (hours, minutes, seconds)",
}
_BOUNDS_S: dict[Kind, tuple[float, float]] = {
    "amount": (0, MOST_AMOUNT),
    "count": (1, MOST_TASKS),
    "time": (0, LATEST_S),
    "date": (0, LATEST_S),
    "duration": (0, LONGEST_RUN_S),
}
REMEDY = "correct the lines, choose another column, or import without these lines"
_CLOCK = re.compile(r"(-?)(?:(\d+)-)?(?:(\d+):)?(\d+):(\d\d(?:\.\d+)?)")


def clock_seconds(text: str) -> float | None:
    """Return the seconds of a duration such as 01:00:00, 02:30 or 1-00:00:00 (days); None for another text.

    Only the first part may exceed its clock: 90:00 is an hour and a half, 1:99:00 is no duration.
    """
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        return None
    sign, days, hours, minutes, seconds = found.groups()
    if float(seconds) >= 60 or (hours and int(minutes) >= 60) or (days and int(hours or 0) >= 24):
        return None
    total = int(days or 0) * 86_400 + int(hours or 0) * 3_600 + int(minutes) * 60 + float(seconds)
    return -total if sign else total


@dataclass
class Wrong:
    """The cells of a table that are not what their column says: the first ones by line, and how many."""

    leave_out: bool
    found: list[tuple[int, Problem]] = field(default_factory=list)
    cells: int = 0

    def refuse(self) -> None:
        """Raise TraceError if there are any and they are not to be left out."""
        if not self.cells or self.leave_out:
            return
        more = self.cells - len(self.found)
        last = [Problem("", f"has {more:,} more such values", remedy=REMEDY)] if more > 0 else []
        raise TraceError([*(problem for _, problem in self.found), *last])

    def note(self, rows: Rows, name: str, bad: NDArray[np.bool_], what: Callable[[str], str], allowed: str) -> None:
        """Note the wrong cells of a column; `what` says of a cell's text what is wrong with it."""
        places = np.flatnonzero(bad)
        self.cells += len(places)
        column = rows.column(name)
        for row in places[:MOST].tolist():
            line, text = rows.table.line_of(rows.first + row), str(column[row].as_py())
            said = f"'{name}' is {shown(text)}, which {what(text)}"
            self.found.append((line, Problem(f"line {line:,}", said, allowed, REMEDY)))
        # Columns are read one after the other; a file is corrected from its first line to its last.
        self.found = sorted(self.found, key=lambda one: one[0])[:MOST]


def _what(kind: Kind, unit_s: float) -> Callable[[str], str]:
    low, high = _bounds(kind, unit_s)

    def what(text: str) -> str:
        value = _value(text, kind, unit_s)
        if value is None:
            return f"is no {_NAMES.get(kind, kind)}"
        if value < 0:
            return "is negative"
        return f"is below {low:,g}" if value < low else f"is above {high:,.12g}"

    return what


def _bounds(kind: Kind, unit_s: float) -> tuple[float, float]:
    """Return the lowest and the highest value of a column, in its unit."""
    low, high = _BOUNDS_S[kind]
    return low / unit_s, high / unit_s


def numbers(rows: Rows, name: str, kind: Kind, unit_s: float, wrong: Wrong) -> tuple[NDArray[np.float64], Any]:
    """Return (a column's values in its unit, whether each cell is wrong); NaN for empty and for wrong cells.

    `unit_s` is the column's unit in seconds: 01:00:00 is as many units as it lasts. Dates count in microseconds.
    """
    import pyarrow as pa

    column = rows.column(name)
    none = np.zeros(len(rows), np.bool_)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        if pa.types.is_timestamp(column.type):
            column = column.cast(pa.int64())
        found = column.cast(pa.float64()).fill_null(np.nan).to_numpy(zero_copy_only=False)
    else:
        try:
            target = pa.timestamp("us") if kind == "date" else pa.float64()
            cast = column.cast(target)
            cast = cast.cast(pa.int64()) if kind == "date" else cast
            found = cast.cast(pa.float64()).fill_null(np.nan).to_numpy(zero_copy_only=False)
        except pa.ArrowInvalid:
            texts = column.to_pylist()
            read = [None if text is None else _value(text, kind, unit_s) for text in texts]
            found = np.array([np.nan if value is None else value for value in read])
            none = np.array([value is None and text is not None for value, text in zip(read, texts, strict=True)])
    low, high = _bounds(kind, unit_s)
    none = none | (found < low) | (found > high)
    if none.any():
        wrong.note(rows, name, none, _what(kind, unit_s), ALLOWED[kind])
    return np.where(none, np.nan, found), none


def read_date(text: str) -> float | None:
    """Return the microseconds of a date since 1970; None for another text."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1e6


def _value(text: str, kind: Kind, unit_s: float) -> float | None:
    if kind == "date":
        return read_date(text)
    try:
        return float(text)
    except ValueError:
        seconds = clock_seconds(text) if kind in ("time", "duration") else None
        return None if seconds is None else seconds / unit_s
