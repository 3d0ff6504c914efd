"""The first rows of an upload, and a guess at the meaning of its columns, read by a worker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playground.ground.viewers import Viewer
from playground.questions.answering import Asking
from playground.questions.asking import Told, ask, wait_for_answer
from playground.questions.kinds import Kind
from playground.traces import uploads
from playground.traces.checking import WAIT_S
from scheduler_core import first_rows, is_cluster_export


def ask_for_rows(*, upload_id: str, viewer: Viewer) -> Told:
    """Ask a worker to look at a finished upload. Raises PlaygroundError."""
    upload = uploads.finished_upload(upload_id=upload_id, viewer=viewer, field="upload")
    return ask(KIND, f"{uploads.FOLDER}/{upload.public_id}", {})


async def wait_for_rows(told: Told) -> dict[str, Any]:
    """Return the format of the upload, or its columns, first rows and a guess. Raises PlaygroundError."""
    answer = await wait_for_answer(
        told, WAIT_S, kind="invalid-trace", title="The trace cannot be used", busy="The file was not looked at"
    )
    return {"format": None, "columns": [], "rows": [], "guess": None, **answer}


def look_at_upload(*, stored: str) -> dict[str, Any]:
    """Read the first rows of a stored file. Raises ExperimentError."""
    if Path(stored).parent != Path(uploads.FOLDER):
        raise ValueError(stored)
    with uploads.whole_file(Path(stored).name) as path:
        if is_cluster_export(path):
            return {"format": "cluster"}
        found: dict[str, Any] = json.loads(json.dumps(first_rows(path)))
    return found


def _answer(asking: Asking) -> dict[str, Any]:
    return look_at_upload(stored=asking.key)


KIND = Kind("first-rows", _answer, about_run=False, alone=False, limit_s=30, kept_s=60, too_long="cut the file")
