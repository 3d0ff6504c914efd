"""Name the file in the problems of reading it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scheduler_core.errors import ExperimentError, Problem, TraceError


@contextmanager
def in_file(path: Path) -> Iterator[None]:
    """Turn a TraceError inside the block into an ExperimentError whose problems' paths begin with the file."""
    try:
        yield
    except TraceError as error:
        raise ExperimentError(
            Problem(
                f"{path}: {problem.path}" if problem.path else str(path),
                problem.message,
                problem.allowed,
                problem.remedy,
            )
            for problem in error.problems
        ) from None
