"""Show the first rows of a table without a description, and guess the meaning of its columns."""

from __future__ import annotations

import csv
import itertools
import re
import zlib
from pathlib import Path
from typing import Any

from scheduler_core.errors import Problem, TraceError
from scheduler_core.workload.readers import columnar
from scheduler_core.workload.readers.cells import clock_seconds, read_date
from scheduler_core.workload.readers.generic import READER
from scheduler_core.workload.readers.packed import opened
from scheduler_core.workload.readers.parquet_rows import MAGIC
from scheduler_core.workload.readers.registry import recognize
from scheduler_core.workload.readers.watching import inside_guard

ROWS = 12
_HEAD_BYTES, _MOST_COLUMNS, _LONGEST_CELL = 1 << 17, 200, 80
_DELIMITERS = ",;\t|"
# Possible names of a column, without case and signs; an earlier word is a better one.
_WORDS: dict[str, tuple[str, ...]] = {
    "arrival": (
        "arrival",
        "arrivaltime",
        "submittime",
        "submit",
        "submitted",
        "submissiontime",
        "submissiondate",
        "tssubmit",
        "createtime",
        "createdat",
        "created",
        "queuedat",
        "timestamp",
        "time",
        "ts",
        "arrive",
    ),
    "duration": (
        "duration",
        "runtime",
        "dur",
        "run",
        "taskduration",
        "elapsed",
        "elapsedtime",
        "walltime",
        "exectime",
        "executiontime",
        "servicetime",
        "length",
    ),
    "start": ("start", "starttime", "started", "startedat", "begin", "begintime"),
    "end": ("end", "endtime", "finish", "finishtime", "finished", "ended", "completiontime", "completed", "stoptime"),
    "job": ("jobid", "job", "jobname", "workflowid", "appid", "applicationid", "app", "dagid", "batchid", "groupid"),
    "tasks": ("tasks", "numtasks", "ntasks", "taskcount", "instances", "instancenum", "count", "nprocs"),
    "cpus": ("cpus", "cpu", "cores", "numcpus", "ncpus", "cpurequest", "vcpus", "reqcpus", "plancpu"),
    "memory_gb": ("memorygb", "memgb", "ramgb", "memory", "mem", "ram", "memoryrequest"),
    "queue": ("queue", "queuename", "partition", "pool", "user", "tenant", "team", "group", "account", "project"),
}
_UNITS = {"ns": "ns", "nanoseconds": "ns", "us": "us", "usec": "us", "microseconds": "us", "ms": "ms", "msec": "ms",
          "millis": "ms", "milliseconds": "ms", "s": "s", "sec": "s", "secs": "s", "seconds": "s", "min": "min",
          "minutes": "min", "h": "h", "hours": "h"}  # fmt: skip
_DATE = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")


def first_rows(path: Path) -> dict[str, Any]:
    """Return the known format of a file, or else its columns, its first rows and a guess at a mapping.

    Raises TraceError if the file is not a table either.
    """
    try:
        name = recognize(path).name
        if name != columnar.READER.name or columnar.is_own(path):
            return {"format": name, "columns": [], "rows": [], "guess": None}
        unknown = TraceError([Problem("", "is Parquet that cannot be read", "whole Parquet")])
    except TraceError as error:
        unknown = error
    with inside_guard():
        found = _parquet(path) if _is_parquet(path) else _text(path)
    if found is None:
        raise unknown
    return {"format": None, "reader": READER.name, **found}


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == MAGIC


def _parquet(path: Path) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            flat = [field for field in file.schema_arrow if not pa.types.is_nested(field.type)][:_MOST_COLUMNS]
            names = [field.name for field in flat]
            batch = next(file.iter_batches(batch_size=ROWS, columns=names), None)
            dates = {field.name for field in flat if pa.types.is_timestamp(field.type)}
    except (OSError, pa.ArrowException) as error:
        reason = (str(error).splitlines() or ["it is damaged"])[0][:200]
        raise TraceError([Problem("line 1", f"cannot be read: {reason}", "whole Parquet")]) from None
    rows = [] if batch is None else [[_cell(value) for value in row.values()] for row in batch.to_pylist()]
    return {"columns": names, "rows": rows, "guess": guess(names, rows, dates) | {"header": True, "delimiter": ","}}


def _cell(value: object) -> str:
    return "" if value is None else str(value)[:_LONGEST_CELL]


def _text(path: Path) -> dict[str, Any] | None:
    """Read a text's head as a table; None where it is none."""
    try:
        with opened(path) as file:
            data = file.read(_HEAD_BYTES).removeprefix(b"\xef\xbb\xbf")
    except (OSError, EOFError, zlib.error):
        return None
    if b"\x00" in data or data.lstrip()[:1] in (b"{", b"[", b"<"):
        return None
    lines = [line for line in data.decode("utf-8", "replace").splitlines()[: ROWS + 1] if line.strip()]
    best = max(_DELIMITERS, key=lambda mark: _width(lines, mark))
    if not lines or _width(lines, best) < 2:
        return None
    rows = [[cell[:_LONGEST_CELL] for cell in row] for row in csv.reader(lines, delimiter=best)]
    header = not any(_is_value(cell) for cell in rows[0])
    names = rows[0] if header else [str(number + 1) for number in range(len(rows[0]))]
    body = (rows[1:] if header else rows)[:ROWS]
    if len(names) > _MOST_COLUMNS or len(set(names)) < len(names):
        return None
    return {"columns": names, "rows": body, "guess": guess(names, body) | {"header": header, "delimiter": best}}


def _width(lines: list[str], mark: str) -> int:
    """Return the number of columns by a separator, if every line has as many; else 0."""
    widths = {len(row) for row in csv.reader(lines, delimiter=mark)}
    return widths.pop() if len(widths) == 1 else 0


def _is_value(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return bool(_DATE.match(text)) or clock_seconds(text) is not None
    return True


def guess(names: list[str], rows: list[list[str]], dates: set[str] | frozenset[str] = frozenset()) -> dict[str, Any]:
    """Guess a mapping from the columns' names, and units from names and values; leave out the rest."""
    plain = {name: _split(name) for name in names}
    found: dict[str, Any] = {}
    for role, words in _WORDS.items():
        ranked = sorted(
            (words.index(word), place)
            for place, name in enumerate(names)
            for word in {plain[name][0], re.sub(r"[^a-z0-9]", "", name.lower())}
            if word in words and name not in found.values()
        )
        if ranked:
            found[role] = names[ranked[0][1]]
    if "arrival" not in found and "start" in found:
        found["arrival"] = found.pop("start")
    _by_values(found, names, rows)
    if "duration" in found or "end" not in found:
        found.pop("end", None)
        found.pop("start", None)
    if (arrival := found.get("arrival")) is not None:
        cells = [row[names.index(arrival)] for row in rows if row]
        date = arrival in dates or any(_DATE.match(cell) for cell in cells)
        found["time_unit"] = "datetime" if date else plain[arrival][1] or _unit_of(cells)
    if (duration := found.get("duration")) is not None:
        found["duration_unit"] = plain[duration][1] or ("s" if found.get("time_unit", "s") == "datetime" else None)
        if found["duration_unit"] is None:
            found.pop("duration_unit")
    return found


def _by_values(found: dict[str, Any], names: list[str], rows: list[list[str]]) -> None:
    """Guess arrival and duration from values where no name told them: times that never fall, and durations."""
    for role in ("duration", "arrival"):
        if role in found or (role == "duration" and "end" in found):
            continue
        for place, name in enumerate(names):
            cells = [row[place] for row in rows if place < len(row) and row[place]]
            if name in found.values() or not cells or not all(_is_value(cell) for cell in cells):
                continue
            clocks = all(clock_seconds(cell) is not None for cell in cells)
            values = [] if clocks else [_number(cell) for cell in cells]
            falls = any(later < earlier for earlier, later in itertools.pairwise(values))
            if (role == "duration" and (clocks or (falls and min(values) >= 0))) or (
                role == "arrival" and not clocks and not falls
            ):
                found[role] = name
                break


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0 if (moment := read_date(text)) is None else moment


def _split(name: str) -> tuple[str, str | None]:
    """Split a name and a unit at its end: submit_ms, duration (s)."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
    if len(words) > 1 and words[-1] in _UNITS:
        return "".join(words[:-1]), _UNITS[words[-1]]
    return "".join(words), None


def _unit_of(cells: list[str]) -> str:
    """Return the unit of dates counted since 1970, by their size."""
    try:
        largest = max(abs(float(cell)) for cell in cells if cell)
    except ValueError:
        return "s"
    for unit, least in (("ns", 1e17), ("us", 1e14), ("ms", 1e11)):
        if largest >= least:
            return unit
    return "s"
