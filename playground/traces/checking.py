"""Read a stored file through in a worker and write it again in columnar form, before any run uses it."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from playground.questions.answering import Asking
from playground.questions.asking import Told, ask, wait_for_answer
from playground.questions.kinds import Kind
from playground.storage import files
from playground.traces.reading import convert, share_read
from scheduler_core import Reading, watched

FOLDER = "traces"
#: How long a request waits for a worker that reads a trace.
WAIT_S = 90.0


def ask_to_check(stored: str) -> Told:
    """Ask a worker to read a stored file through. Raises PlaygroundError."""
    return ask(KIND, stored, {})


async def wait_for_check(told: Told) -> dict[str, Any]:
    """Return what a trace's row says of the file. Raises PlaygroundError with what is wrong in which line."""
    return await wait_for_answer(
        told, WAIT_S, kind="invalid-trace", title="The trace cannot be used", busy="The trace was not read"
    )


def check_stored_trace(*, stored: str) -> dict[str, Any]:
    """Read a stored file through and convert it; return what its row says, `file` included. Raises ExperimentError."""
    if Path(stored).parent != Path(FOLDER):
        raise ValueError(stored)
    with files.borrowed(stored) as path, files.scratch() as target:
        found = convert(path, target, {})
        return {**found, "file": files.keep(target, f"{FOLDER}/{secrets.token_hex(16)}")}


def _answer(asking: Asking) -> dict[str, Any]:
    def on_reading(reading: Reading) -> None:
        asking.look(share_read(reading))

    with watched(on_reading):
        return check_stored_trace(stored=asking.key)


KIND = Kind("trace-check", _answer, about_run=False, limit_s=80, kept_s=120, too_long="cut the file")
