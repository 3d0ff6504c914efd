"""Imports: an upload becomes a trace, or a part of a trace one of its own; in a worker, with progress and cancel."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.core.files.storage import default_storage
from kombu.exceptions import OperationalError

from playground.errors import PlaygroundError, ProblemItem, not_found, not_yours, problem
from playground.ground.simulator import problems_in, resolve_trace
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.models import Trace, Upload
from playground.traces import import_state, uploads
from playground.traces import service as traces
from playground.traces.reading import ASKED, convert
from scheduler_core import (
    TRACE_READERS,
    Cancelled,
    ExperimentError,
    Reading,
    first_rows,
    parse_columns,
    parse_cut,
    watched,
)

IMPORT_TASK = "playground.tasks.import_trace_task"
ROWS_TASK = "playground.tasks.first_rows_task"
_TELL_EVERY_S = 0.25
#: A worker that says nothing for so long is gone; converting the rows says nothing either, which takes less.
_SILENT_S = 60.0
_KEYS = ("upload", "trace", "name", *ASKED)
_OVER = ("done", "failed", "cancelled")


def start_import(*, asked: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    """Have a worker make a trace of what is asked. Raises PlaygroundError."""
    asked = {key: value for key, value in asked.items() if value is not None}
    _refuse_odd(asked)
    traces.refuse_too_many(viewer)
    name, size, source = _source(asked, viewer)
    token = viewer.token or new_owner_token()
    facts: dict[str, Any] = {
        "name": asked.get("name") or name, "bytes": size, "source": source, "session": viewer.session_key,
        "token_hash": hash_token(token), "uploads": [asked["upload"]] if "upload" in asked else [],
        "asked": {key: asked[key] for key in ("format", "columns", "cut") if key in asked},
    }  # fmt: skip
    for key in ("constraints", "machine_attributes"):
        if key in asked:
            beside = uploads.finished_upload(upload_id=asked[key], viewer=viewer, field=key)
            facts["asked"][key] = f"{uploads.FOLDER}/{beside.public_id}"
            facts["uploads"].append(beside.public_id)
    import_id = import_state.new_import(facts)
    try:
        current_app.send_task(IMPORT_TASK, args=[import_id], queue="previews", ignore_result=True)
    except OperationalError:
        raise PlaygroundError(503, "busy", "The workers cannot be told", retry_after_s=1) from None
    return {**read_import(import_id=import_id), "owner_token": token}


def _refuse_odd(asked: dict[str, Any]) -> None:
    """Check what was asked before anything waits for a worker."""
    unknown = [str(key)[:100] for key in asked if key not in _KEYS]
    items = [problem(key, "is not known here", allowed=", ".join(_KEYS)) for key in unknown]
    if ("upload" in asked) == ("trace" in asked):
        items.append(problem("upload", "needs one of `upload` and `trace`", allowed="exactly one of them"))
    texts = ("upload", "trace", "name", "format", "constraints", "machine_attributes")
    items += [
        problem(key, "is no text", allowed="a text of at most 200 characters")
        for key in texts
        if key in asked and not (isinstance(asked[key], str) and 0 < len(asked[key]) <= 200)
    ]
    formats = [reader.name for reader in TRACE_READERS]
    if isinstance(asked.get("format"), str) and asked["format"] not in formats:
        items.append(problem("format", "no reader has this name", allowed=", ".join(formats)))
    checks: tuple[tuple[str, Callable[[object], object]], ...] = (("columns", parse_columns), ("cut", parse_cut))
    for key, check in checks:
        try:
            if key in asked:
                check(asked[key])
        except ExperimentError as error:
            items += problems_in(error)
    if items:
        raise PlaygroundError(422, "invalid-import", "The import cannot begin", tuple(items))


def _source(asked: dict[str, Any], viewer: Viewer) -> tuple[str, int, dict[str, str]]:
    """Find what is to be read: its name, its size and where it lies."""
    if "upload" in asked:
        upload = uploads.finished_upload(upload_id=asked["upload"], viewer=viewer, field="upload")
        return upload.name, upload.bytes, {"stored": f"{uploads.FOLDER}/{upload.public_id}"}
    try:
        path = resolve_trace(asked["trace"])
    except LookupError:
        raise not_found("trace") from None
    known = Trace.objects.filter(public_id=asked["trace"]).first()
    name = known.name if known is not None else asked["trace"]
    return f"Part of {name}" if asked.get("cut") else name, path.stat().st_size, {"trace": asked["trace"]}


def read_import(*, import_id: str) -> dict[str, Any]:
    """Say how far an import is. Raises PlaygroundError."""
    facts = _find(import_id)
    state = facts["state"]
    problems: list[ProblemItem] = facts.get("problems", [])
    if state == "reading" and time.time() - facts["at"] > _SILENT_S:
        state, problems = "failed", [problem("", "the worker that read it is gone", remedy="start the import again")]
    trace = Trace.objects.filter(public_id=facts.get("trace", "")).first()
    return {
        "id": import_id, "state": state, "progress": facts["progress"], "rows": facts["rows"], "problems": problems,
        "trace": None if trace is None else traces.trace_payload(trace) | traces.report_of(trace),
    }  # fmt: skip


def cancel_import(*, import_id: str, viewer: Viewer) -> dict[str, Any]:
    """Ask an import to stop; its upload stays. Raises PlaygroundError."""
    facts = _find(import_id)
    if not (viewer.session_key and viewer.session_key == facts["session"]) and not (
        viewer.token and hash_token(viewer.token) == facts["token_hash"]
    ):
        raise not_yours("import")
    import_state.ask_to_stop(import_id)
    if facts["state"] == "waiting":
        import_state.put(import_id, {**facts, "state": "cancelled"})
    return read_import(import_id=import_id)


def _find(import_id: str) -> dict[str, Any]:
    facts = import_state.find(import_id) if import_id.startswith("i") and import_id.isalnum() else None
    if facts is None:
        raise not_found("import")
    return facts


def run_import(*, import_id: str) -> str:
    """Do an import (in a worker); return the state that it ends in."""
    facts = import_state.find(import_id)
    if facts is None or facts["state"] in _OVER:
        return "gone"
    telling = _Telling(import_id, facts)
    try:
        telling.tell(state="reading")
        with watched(telling.on_reading):
            trace = _import(facts)
        for upload in Upload.objects.filter(public_id__in=facts["uploads"]):
            uploads.delete_upload(upload)
        telling.tell(state="done", progress=1.0, trace=trace.public_id)
    except Cancelled:
        telling.tell(state="cancelled")
    except ExperimentError as error:
        telling.tell(state="failed", problems=problems_in(error))
    except LookupError:
        telling.tell(state="failed", problems=[problem("", "its source is gone", remedy="send it again")])
    except SoftTimeLimitExceeded:
        telling.tell(state="failed", problems=[problem("", "reading it took too long", remedy="cut the file")])
    except Exception:
        telling.tell(state="failed", problems=[problem("", "reading it broke; this was logged")])
        raise
    return str(telling.facts["state"])


def _import(facts: dict[str, Any]) -> Trace:
    source = facts["source"]
    path = resolve_trace(source["trace"]) if "trace" in source else Path(default_storage.path(source["stored"]))
    if not path.is_file():
        raise LookupError(path.name)
    target = Path(default_storage.path(f"{traces.FOLDER}/{secrets.token_hex(16)}{traces.UNCHECKED}"))
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        found = convert(path, target, facts["asked"])
        return traces.keep_trace(
            target, found, name=facts["name"], size=facts["bytes"], session=facts["session"],
            token_hash=facts["token_hash"],
        )  # fmt: skip
    finally:
        target.unlink(missing_ok=True)


class _Telling:
    """Writes down how far an import is, a few times a second, and stops it when asked to."""

    def __init__(self, import_id: str, facts: dict[str, Any]) -> None:
        self.import_id, self.facts, self.next = import_id, facts, 0.0

    def tell(self, **changes: Any) -> None:
        self.facts |= changes
        import_state.put(self.import_id, self.facts)

    def on_reading(self, reading: Reading) -> None:
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + _TELL_EVERY_S
        if import_state.is_to_stop(self.import_id):
            raise Cancelled
        self.tell(progress=min(reading.position / max(reading.size, 1), 0.99), rows=reading.rows)


def rows_of_upload(*, upload_id: str, viewer: Viewer) -> dict[str, Any]:
    """Return an upload's first rows and a guess at what its columns mean. Raises PlaygroundError."""
    upload = uploads.finished_upload(upload_id=upload_id, viewer=viewer, field="upload")
    answer = traces.ask_worker(ROWS_TASK, [f"{uploads.FOLDER}/{upload.public_id}"], "The file was not looked at")
    return {"format": None, "columns": [], "rows": [], "guess": None, **answer}


def look_at_upload(*, stored: str) -> dict[str, Any]:
    """Look at a stored file's first rows (in a worker), or return its problems."""
    if Path(stored).parent != Path(uploads.FOLDER):
        raise ValueError(stored)
    try:
        found: dict[str, Any] = json.loads(json.dumps(first_rows(Path(default_storage.path(stored)))))
    except ExperimentError as error:
        return {"problems": problems_in(error)}
    return found
