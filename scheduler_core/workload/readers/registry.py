"""The registry of trace formats: one file each, one line each."""

from __future__ import annotations

import zlib
from dataclasses import fields
from pathlib import Path

from scheduler_core.errors import Problem, TraceError, UnknownName, listed
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.workload.clusters import reader as clusters
from scheduler_core.workload.raw import Beside, RawWork, TraceReader
from scheduler_core.workload.readers import (
    alibaba2018,
    archives,
    columnar,
    generic,
    google2011,
    google2019,
    sparrow,
    wta,
)
from scheduler_core.workload.readers.packed import opened
from scheduler_core.workload.readers.watching import inside_guard

TRACE_READERS: tuple[TraceReader, ...] = (
    sparrow.READER,
    wta.READER,
    columnar.READER,
    clusters.READER,
    google2011.READER,
    google2019.READER,
    alibaba2018.TASKS_READER,
    alibaba2018.INSTANCES_READER,
    archives.SWF,
    archives.GWF,
    generic.READER,
)

NOTHING_BESIDE = Beside()
_HEAD = 4096


def reader_by_name(name: str) -> TraceReader:
    """Find a reader; raises UnknownName."""
    for reader in TRACE_READERS:
        if reader.name == name:
            return reader
    raise UnknownName("trace format", name, [reader.name for reader in TRACE_READERS])


def recognize(path: Path) -> TraceReader:
    """Find the reader whose format the file's content has; raises TraceError."""
    head = _head(path)
    for reader in TRACE_READERS:
        if reader.sniff(head) or (reader.sniff_file is not None and reader.sniff_file(path)):
            return reader
    raise TraceError(
        [
            Problem(
                "",
                "is not in a known format",
                listed(reader.name for reader in TRACE_READERS),
                "choose another file, or bring its first lines into one of these formats",
            )
        ]
    )


def read_trace(
    path: Path, format_name: str | None, limits: Limits = DEFAULT_LIMITS, *, beside: Beside = NOTHING_BESIDE
) -> RawWork:
    """Return the jobs and tasks in a trace file. Raises TraceError; its problems' paths are `line N` or empty.

    `format_name` names a format; None recognizes it. `beside` holds a column mapping, with which any table can be read,
    and further tables of the same trace.
    """
    if format_name is None and beside.columns is not None:
        format_name = generic.READER.name
    reader = recognize(path) if format_name is None else reader_by_name(format_name)
    _refuse_useless(reader, beside)
    try:
        with inside_guard():
            if beside != NOTHING_BESIDE and reader.read_beside is not None:
                return reader.read_beside(path, limits, beside)
            return reader.read(path, limits)
    except MemoryError:
        raise TraceError(
            [
                Problem(
                    "",
                    "needs more memory than the limit for reading a trace",
                    remedy="shorten it, or write it again: the sizes in its header may be wrong",
                )
            ]
        ) from None


def _refuse_useless(reader: TraceReader, beside: Beside) -> None:
    """Refuse what the format has no use for, rather than leave it out silently."""
    useless = [one.name for one in fields(beside) if getattr(beside, one.name) and one.name not in reader.beside]
    if useless:
        raise TraceError(
            Problem(name, f"is not used by the format '{reader.name}'", listed(reader.beside), "leave it out")
            for name in useless
        )


def _head(path: Path) -> bytes:
    try:
        with opened(path) as file:
            return file.read(_HEAD)
    except (OSError, EOFError, zlib.error) as error:
        raise TraceError(
            [Problem("", f"cannot be read: {error}", "a plain file, or a whole one in gzip or zstd")]
        ) from None
