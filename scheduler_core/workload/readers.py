"""The registry of trace formats: one file each, one line each."""

from __future__ import annotations

import zlib
from pathlib import Path

from scheduler_core.errors import Problem, TraceError, UnknownName, listed
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.workload import alibaba2018, archives, columnar, google2011, google2019, sparrow, wta
from scheduler_core.workload.packed import opened
from scheduler_core.workload.raw import RawWork, TraceReader

TRACE_READERS: tuple[TraceReader, ...] = (
    sparrow.READER,
    wta.READER,
    columnar.READER,
    google2011.READER,
    google2019.READER,
    alibaba2018.TASKS_READER,
    alibaba2018.INSTANCES_READER,
    archives.SWF,
    archives.GWF,
)

_HEAD = 4096


def reader_by_name(name: str) -> TraceReader:
    """Find a reader; raises UnknownName."""
    for reader in TRACE_READERS:
        if reader.name == name:
            return reader
    raise UnknownName("trace format", name, [reader.name for reader in TRACE_READERS])


def recognise(path: Path) -> TraceReader:
    """Find the reader whose format the file's content has; raises TraceError."""
    head = _head(path)
    for reader in TRACE_READERS:
        if reader.sniff(head) or (reader.sniff_file is not None and reader.sniff_file(path)):
            return reader
    raise TraceError(
        [
            Problem(
                "",
                "is in no format that is known here",
                listed(reader.name for reader in TRACE_READERS),
                "name the format to see what it misses",
            )
        ]
    )


def read_trace(path: Path, format_name: str | None, limits: Limits = DEFAULT_LIMITS) -> RawWork:
    """Read a trace file; raises TraceError whose problems' paths are `line N` or empty."""
    reader = recognise(path) if format_name is None else reader_by_name(format_name)
    return reader.read(path, limits)


def _head(path: Path) -> bytes:
    try:
        with opened(path) as file:
            return file.read(_HEAD)
    except (OSError, EOFError, zlib.error) as error:
        raise TraceError(
            [Problem("", f"cannot be read: {error}", "a plain file, or a whole one in gzip or zstd")]
        ) from None
