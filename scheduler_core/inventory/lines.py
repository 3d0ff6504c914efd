"""Yield the lines of a text file, within limits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scheduler_core.errors import Problem, TraceError
from scheduler_core.limits import Limits
from scheduler_core.workload.readers.packed import opened

_MOST_LINE = 1 << 20


def lines(path: Path, limits: Limits) -> Iterator[str]:
    """Yield the lines of a text, without blanks around them. Raises TraceError beyond the limits."""
    rest, size, number = b"", 0, 0
    with opened(path) as file:
        while block := file.read(1 << 20):
            size += len(block)
            if (problem := limits.exceeded("inventory_bytes", size, "")) is not None:
                raise TraceError([problem])
            *whole, rest = (rest + block).split(b"\n")
            if len(rest) > _MOST_LINE:
                raise TraceError([Problem(f"line {number + 1}", "is longer than 1,048,576 bytes", "shorter lines")])
            for line in whole:
                number += 1
                yield line.decode("utf-8", "replace").strip()
    if rest.strip():
        yield rest.decode("utf-8", "replace").strip()
