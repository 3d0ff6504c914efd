"""A stored file is read through and written anew as a columnar file, in a worker, before anybody believes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.files.storage import default_storage

from playground.questions.answering import Asking
from playground.questions.asking import Told, ask, wait_for_answer
from playground.questions.kinds import Kind
from playground.traces.reading import convert, share_read
from scheduler_core import Reading, watched

FOLDER = "traces"
#: How long a request waits for a worker that reads a trace.
WAIT_S = 90.0


def converted(path: Path) -> Path:
    """Return where the columnar file is written that a file becomes."""
    return path.with_name(path.name + ".columnar")


def ask_to_check(stored: str) -> Told:
    """Ask a worker to read a stored file through. Raises PlaygroundError."""
    return ask(KIND, stored, {})


async def wait_for_check(told: Told) -> dict[str, Any]:
    """Return what a trace's row says of the file. Raises PlaygroundError with what is wrong in which line."""
    return await wait_for_answer(
        told, WAIT_S, kind="invalid-trace", title="The trace cannot be used", busy="The trace was not read"
    )


def check_stored_trace(*, stored: str) -> dict[str, Any]:
    """Read a stored file through and convert it; return what its row says. Raises ExperimentError."""
    if Path(stored).parent != Path(FOLDER):
        raise ValueError(stored)
    path = Path(default_storage.path(stored))
    return convert(path, converted(path), {})


def _answer(asking: Asking) -> dict[str, Any]:
    def on_reading(reading: Reading) -> None:
        asking.look(share_read(reading))

    with watched(on_reading):
        return check_stored_trace(stored=asking.key)


KIND = Kind("trace-check", _answer, about_run=False, limit_s=80, kept_s=120, too_long="cut the file")
