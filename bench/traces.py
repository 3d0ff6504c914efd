"""How fast the readers of public traces are, and how much memory a large file takes, on files made for the purpose."""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from bench.measured import Measured
from scheduler_core.limits import DEFAULT_LIMITS
from scheduler_core.workload.readers.columnar import write_trace
from scheduler_core.workload.readers.registry import read_trace

Measure = Callable[[int], Measured]
Lines = Callable[[int], Iterator[bytes]]
_TAIL = b"kM3JXKp2LdQ5oVqTnWzR8yBfHgUcXaEi7s9D4lPmN0o=,2,9,0.0625,0.07959,0.0004244,0\n"
_BATCH = 50_000
_NAMES = (b"M1", b"R2_1", b"M3", b"J4_2_3", b"R5_4")
_LIMITS = replace(DEFAULT_LIMITS, trace_bytes=10**11)


def google_2011(tasks: int) -> Iterator[bytes]:
    """Four events a task, twenty tasks a job, in the table's usual widths: about 110 bytes a row."""
    for first in range(0, tasks, _BATCH):
        rows = []
        for task in range(first, min(first + _BATCH, tasks)):
            at, who = 600_000_000 + 2_000 * task, b"%d,%d," % (3_418_309 + task // 20, task % 20)
            rows += [
                b"%d,,%s,0,%s" % (at, who, _TAIL),
                b"%d,,%s4155527081,1,%s" % (at + 1, who, _TAIL),
                b"%d,,%s4155527081,8,%s" % (at + 2, who, _TAIL),
                b"%d,,%s4155527081,4,%s" % (at + 90_000_000, who, _TAIL),
            ]
        yield b"".join(rows)


def alibaba_instances(rows: int) -> Iterator[bytes]:
    for first in range(0, rows, _BATCH):
        yield b"".join(
            b"ins_%d,M%d,j_%d,1,Terminated,%d,%d,m_%d,1,1,0.1,0.2,0.02,0.02\n"
            % (row, row % 5, row // 30, 86_400 + row // 50, 86_437 + row // 50, row % 4_000)
            for row in range(first, min(first + _BATCH, rows))
        )


def alibaba_tasks(rows: int) -> Iterator[bytes]:
    for first in range(0, rows, _BATCH):
        yield b"".join(
            b"%s,1,j_%d,1,Terminated,%d,%d,100.00,0.3\n"
            % (_NAMES[row % 5], row // 5, 86_400 + row // 9, 86_437 + row // 9)
            for row in range(first, min(first + _BATCH, rows))
        )


def _written(folder: str, lines: Lines, count: int) -> tuple[Path, int]:
    path, rows = Path(folder) / "generated.csv", 0
    with path.open("wb") as file:
        for block in lines(count):
            file.write(block)
            rows += block.count(b"\n")
    return path, rows


def reading_rows(lines: Lines, count: int) -> Measure:
    """Rows a second of one core, from text to jobs."""

    def measure(repeats: int) -> Measured:
        with tempfile.TemporaryDirectory() as folder:
            path, rows = _written(folder, lines, count)
            read_trace(path, None, _LIMITS)
            values = []
            for _ in range(repeats):
                began = time.process_time()
                read_trace(path, None, _LIMITS)
                values.append(rows / (time.process_time() - began))
            return Measured(tuple(values), f"{rows:,} rows, {path.stat().st_size / 1e6:.0f} MB, processor time")

    return measure


def memory_of_reading(lines: Lines = google_2011, tasks: int = 2_500_000) -> Measure:
    """Most memory of a process that reads a large table and writes it anew, in MB; once, whatever the repeats."""

    def measure(repeats: int) -> Measured:
        with tempfile.TemporaryDirectory() as folder:
            path, _ = _written(folder, lines, tasks)
            write_trace(read_trace(path, None, _LIMITS), Path(folder) / "out")
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            return Measured((most,), f"{path.stat().st_size / 1e9:.1f} GB, {tasks:,} tasks")

    return measure
