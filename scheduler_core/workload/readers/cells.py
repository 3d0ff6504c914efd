"""Read the cells of a text table as numbers, times and durations, and tell each cell that is none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from scheduler_core.errors import Problem, TraceError, shown

if TYPE_CHECKING:
    from scheduler_core.workload.readers.table import Rows

MOST = 50
"""The most wrong cells that one error lists."""
Kind = Literal["number", "time", "date", "duration"]
ALLOWED: dict[Kind, str] = {
    "number": "a number",
    "time": "a number, or a time such as 01:00:00",
    "date": "a date and time such as 2024-05-01 12:30:00",
    "duration": "a number of at least 0, or a duration such as 01:00:00 (hours, minutes, seconds)",
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
    """The cells of a table that are not what their column says: the first ones as problems, and how many."""

    leave_out: bool
    problems: list[Problem] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    cells: int = 0

    def refuse(self) -> None:
        """Raise TraceError if there are any and they are not to be left out."""
        if not self.cells or self.leave_out:
            return
        more = self.cells - len(self.problems)
        last = [Problem("", f"has {more:,} more such values", remedy=REMEDY)] if more > 0 else []
        # Columns are read one after the other; a file is corrected from its first line to its last.
        order = sorted(range(len(self.problems)), key=self.lines.__getitem__)
        raise TraceError([*(self.problems[place] for place in order), *last])

    def note(self, rows: Rows, name: str, kind: Kind, bad: dict[int, str]) -> None:
        """Note the cells of a column that are wrong: the row in the block, and the text."""
        for row, text in bad.items():
            self.cells += 1
            if len(self.problems) < MOST:
                line = rows.table.line_of(rows.first + row)
                what = "is negative" if _negative(kind, text) else f"is no {kind}"
                said = f"'{name}' is {shown(text)}, which {what}"
                self.lines.append(line)
                self.problems.append(Problem(f"line {line:,}", said, ALLOWED[kind], REMEDY))


def _negative(kind: Kind, text: str) -> bool:
    return kind == "duration" and _value(text, "duration", 1.0) is not None


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
    if kind == "duration":
        none = none | (found < 0)
    if none.any():
        texts = column.to_pylist()
        wrong.note(rows, name, kind, {int(row): str(texts[row]) for row in np.flatnonzero(none)})
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
