"""Read large text tables block by block with Arrow, in bounded memory, and count unusable rows."""

from __future__ import annotations

import codecs
import csv
import re
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.errors import Problem, TraceError, listed, shown
from scheduler_core.limits import Limits
from scheduler_core.workload.raw import LeftOut
from scheduler_core.workload.readers.packed import opened
from scheduler_core.workload.readers.watching import Reading, tell

BLOCK_BYTES = 1 << 20
_LONGEST_HEAD = 1 << 20
_MOST_MALFORMED = 1_000_000
_PLACE = re.compile(r"In CSV column #(\d+): (?:Row #(\d+): )?(.*)", re.DOTALL)


_ONE_FOR_ONE = "scheduler_core.question_mark"
codecs.register_error(_ONE_FOR_ONE, lambda error: ("?" * (_end(error) - _start(error)), _end(error)))


def _start(error: UnicodeError) -> int:
    return error.start if isinstance(error, UnicodeDecodeError) else 0


def _end(error: UnicodeError) -> int:
    return error.end if isinstance(error, UnicodeDecodeError) else 0


@dataclass
class Skipped:
    """Skipped parts, rows by default, each kind with its count and first line."""

    what: str = "rows skipped"
    kinds: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, kind: str, count: int, line: int) -> None:
        """Count rows of a kind, the first of them on `line`."""
        before, first = self.kinds.get(kind, (0, line))
        self.kinds[kind] = (before + count, min(first, line))

    @property
    def notes(self) -> tuple[str, ...]:
        """Return a sentence for each kind."""
        return tuple(
            f"{count:,} {self.what}: {kind}; the first is line {line:,}."
            for kind, (count, line) in sorted(self.kinds.items())
        )

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Return the kinds, counts and first lines as data."""
        return tuple(LeftOut(kind, count, line) for kind, (count, line) in sorted(self.kinds.items()))


@dataclass(frozen=True)
class Layout:
    """The layout of a text table: column names, Arrow types of the columns to read, and the separator.

    Without column names, the first line of the table holds them.
    """

    names: tuple[str, ...]
    types: dict[str, Any]
    delimiter: str = ","
    optional: tuple[str, ...] = ()


@dataclass
class Rows:
    """One block: columns by name, the number of its first row among the kept rows, and the line number of each row."""

    batch: Any
    first: int
    table: Table

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.batch.num_rows)

    def column(self, name: str) -> Any:
        """Return a column as an Arrow array."""
        return self.batch.column(self.batch.schema.get_field_index(name))

    def numbers(self, name: str, absent: float = -1) -> NDArray[Any]:
        """Return a column of numbers, with `absent` for empty fields."""
        column = self.column(name)
        filled: NDArray[Any] = (column.fill_null(absent) if column.null_count else column).to_numpy(
            zero_copy_only=False
        )
        return filled

    def keep(self, wrong: dict[str, NDArray[np.bool_]]) -> NDArray[np.bool_]:
        """Count the rows that are wrong, each by the first kind that fits; tell which ones are not."""
        good = np.ones(len(self), np.bool_)
        for kind, rows in wrong.items():
            rows = rows & good
            if count := int(np.count_nonzero(rows)):
                self.table.skipped.add(kind, count, self.table.line_of(self.first + int(np.argmax(rows))))
                good &= ~rows
        return good


class Counted:
    """A file that Arrow reads, with the bytes that it gave."""

    closed = False

    def __init__(self, file: Any) -> None:
        self.file, self.given, self.plain = file, 0, True
        self.decoder = codecs.getincrementaldecoder("utf-8")(_ONE_FOR_ONE)

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes of UTF-8."""
        # A decoder may hold three bytes back; Arrow must never get more than it asked for.
        block: bytes = self.file.read(max(size - 4, 1) if size >= 0 else size)
        self.given += len(block)
        if self.plain and block.isascii():
            return block
        # Arrow reports rows of another width as text, which what is no UTF-8 would break.
        self.plain = False
        text = self.decoder.decode(block, final=not block)
        while block and not text:
            block = self.file.read(1)
            text = self.decoder.decode(block, final=not block)
        return text.encode()

    def readable(self) -> bool:
        """Return True, for Arrow, which asks whether the stream is readable."""
        return True

    def close(self) -> None:
        """Leave the file to who opened it."""
        self.closed = True


@dataclass
class Table:
    """A text table during its reading, block by block."""

    path: Path
    layout: Layout
    limits: Limits
    skipped: Skipped = field(default_factory=Skipped)
    malformed: list[int] = field(default_factory=list)
    rows: int = 0

    @property
    def lines_before(self) -> int:
        """Return the number of header lines."""
        return 0 if self.layout.names else 1

    def line_of(self, row: int) -> int:
        """Return the line number of a kept row, counted from 1; skipped lines count."""
        line = row + 1 + self.lines_before
        while True:
            moved = row + 1 + self.lines_before + bisect_right(self.malformed, line)
            if moved == line:
                return line
            line = moved

    def blocks(self, opener: Callable[[Path], Any] = opened) -> Iterator[Rows]:
        """Yield the table block by block. Raises TraceError."""
        import pyarrow as pa

        try:
            with opener(self.path) as file:
                counted = Counted(file)
                for batch in self._reader(counted):
                    if (over := self.limits.exceeded("trace_bytes", counted.given, "")) is not None:
                        raise TraceError([over])
                    rows = Rows(batch, self.rows, self)
                    self.rows += len(rows)
                    tell(Reading(file.position, file.size, counted.given, self.rows))
                    yield rows
            pa.default_memory_pool().release_unused()
        except pa.ArrowInvalid as error:
            raise TraceError([self._problem(str(error))]) from None
        except KeyError as error:
            lacking = Problem("line 1", f"lacks a column: {error.args[0]}", listed(self.layout.types))
            raise TraceError([lacking]) from None
        except (OSError, EOFError, zlib.error) as error:
            line = f"line {self.line_of(self.rows):,}"
            raise TraceError([Problem(line, f"cannot be read on: {str(error)[:200]}", "a whole file")]) from None

    def _reader(self, source: Counted) -> Any:
        import pyarrow as pa
        from pyarrow import csv as pa_csv

        layout = self.layout
        return pa_csv.open_csv(
            pa.PythonFile(source, mode="r"),
            read_options=pa_csv.ReadOptions(
                use_threads=False, block_size=BLOCK_BYTES, column_names=list(layout.names) or None
            ),
            parse_options=pa_csv.ParseOptions(
                delimiter=layout.delimiter, ignore_empty_lines=False, invalid_row_handler=self._malformed
            ),
            convert_options=pa_csv.ConvertOptions(
                column_types=layout.types,
                include_columns=list(layout.types),
                null_values=["", "NULL", "null", "NaN"],
                strings_can_be_null=True,
                include_missing_columns=False,
            ),
        )

    def _malformed(self, row: Any) -> str:
        line = int(row.number or 0)
        if len(self.malformed) >= _MOST_MALFORMED:
            return "error"
        self.malformed.append(line)
        self.skipped.add(f"not {row.expected_columns} columns", 1, line)
        return "skip"

    def _header(self) -> list[str]:
        with opened(self.path) as file:
            head = first_line(file.read(_LONGEST_HEAD)).decode("utf-8", "replace")
        return next(csv.reader([head], delimiter=self.layout.delimiter), [])

    def _problem(self, text: str) -> Problem:
        """Return Arrow's error in the words of this project."""
        if text.startswith("Empty CSV file"):
            return Problem("", "is empty", "a table with rows")
        found = _PLACE.match(text)
        if found is None:
            reason = text.splitlines()[0][:200]
            return Problem(
                f"line {self.line_of(self.rows):,}",
                f"is not a row of this table: {reason}",
                "rows of one number of columns",
            )
        column, row, reason = found.groups()
        value = re.search(r"invalid value '(.*)'", reason, re.DOTALL)
        # Arrow counts the columns of the file, not those that are read.
        all_names = list(self.layout.names) or self._header()
        name = all_names[int(column)] if int(column) < len(all_names) else f"column {int(column) + 1}"
        said = f"'{name}' is {shown(value.group(1))}" if value else f"'{name}': {reason[:120]}"
        kind = self.layout.types.get(name)
        return Problem(
            f"line {row}" if row else f"after line {self.line_of(self.rows):,}",
            said,
            f"a value of type {kind}" if kind is not None else "",
        )


def first_line(head: bytes) -> bytes:
    """Return the first line of a file's head, without a byte-order mark."""
    return head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].rstrip(b"\r")
