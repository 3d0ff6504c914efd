"""Imports: turn an upload, or part of a trace, into a trace; in a worker, with progress and cancellation."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playground.errors import PlaygroundError, not_found, not_yours, problem
from playground.ground.quotas import quota_of, quota_of_key
from playground.ground.simulator import problems_in, resolve_trace, uploaded_trace
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.models import Trace, Upload
from playground.questions import store
from playground.questions.answering import Asking
from playground.questions.asking import Told, ask, read
from playground.questions.kinds import Kind
from playground.questions.several import refuse_several
from playground.storage import files
from playground.traces import service as traces
from playground.traces import uploads
from playground.traces.checking import FOLDER
from playground.traces.facts import state_of_file
from playground.traces.reading import ASKED, convert, share_read
from scheduler_core import (
    TRACE_READERS,
    ExperimentError,
    Reading,
    parse_columns,
    parse_cut,
    watched,
)

_KEPT_S = 24 * 3600
#: What the API calls reading.
_READING = ("working", "compiling")
#: Tables that may come beside a trace, each an upload.
_BESIDE = {"constraints", "machine_attributes"}
_KEYS = ("upload", "trace", "name", *ASKED)


def start_import(*, asked: dict[str, Any], viewer: Viewer) -> dict[str, Any]:
    """Ask a worker to make a trace from a request. Raises PlaygroundError."""
    asked = {key: value for key, value in asked.items() if value is not None}
    _refuse_odd(asked)
    name, size, source = _source(asked, viewer)
    quota = quota_of(viewer)
    # An upload counts already: the trace takes its place.
    traces.refuse_too_many(viewer, 0 if "upload" in asked else size)
    token = viewer.token or new_owner_token()
    facts: dict[str, Any] = {
        "name": asked.get("name") or name, "bytes": size, "source": source, "session": viewer.session_key,
        "token_hash": hash_token(token), "counts_under": quota.key,
        "uploads": [asked["upload"]] if "upload" in asked else [],
        "asked": {key: asked[key] for key in ("format", "columns", "cut") if key in asked},
    }  # fmt: skip
    for key in sorted(_BESIDE & asked.keys()):
        beside = uploads.finished_upload(upload_id=asked[key], viewer=viewer, field=key)
        facts["asked"][key] = beside.public_id
        facts["uploads"].append(beside.public_id)
    import_id = "i" + secrets.token_hex(16)
    refuse_several(quota, import_id, setting="LIMIT_IMPORTS_PER_ADDRESS", what="imports")
    owner = {"owner_session": viewer.session_key, "owner_token_hash": hash_token(token), "rows": 0}
    ask(KIND, import_id, facts, name=import_id, facts=owner)
    return {**read_import(import_id=import_id), "owner_token": token}


def _refuse_odd(asked: dict[str, Any]) -> None:
    """Check what was asked before anything waits for a worker."""
    unknown = [str(key)[:100] for key in asked if key not in _KEYS]
    items = [problem(key, "is not a known key", allowed=", ".join(_KEYS)) for key in unknown]
    if ("upload" in asked) == ("trace" in asked):
        items.append(problem("upload", "needs one of `upload` and `trace`", allowed="exactly one of them"))
    texts = ("upload", "trace", "name", "format", "constraints", "machine_attributes")
    items += [
        problem(key, "is not a text", allowed="a text of at most 200 characters")
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
        return upload.name, upload.bytes, {"upload": upload.public_id}
    size = state_of_file(asked["trace"])["bytes"]
    known = uploaded_trace(asked["trace"])
    name = known.name if known is not None else asked["trace"]
    return f"Part of {name}" if asked.get("cut") else name, size, {"trace": asked["trace"]}


def read_import(*, import_id: str) -> dict[str, Any]:
    """Return the progress of an import. Raises PlaygroundError."""
    told = _find(import_id)
    trace = Trace.objects.filter(public_id=(told.answer or {}).get("trace", "")).first()
    return {
        "id": import_id, "state": "reading" if told.state in _READING else told.state, "progress": told.progress,
        "rows": told.facts["rows"], "problems": told.problems,
        "trace": None if trace is None else traces.trace_payload(trace) | traces.report_of(trace),
    }  # fmt: skip


def cancel_import(*, import_id: str, viewer: Viewer) -> dict[str, Any]:
    """Ask an import to stop; its upload stays. Raises PlaygroundError."""
    told = _find(import_id)
    if not viewer.owns(told):
        raise not_yours("import")
    store.stop(import_id)
    if told.state == "waiting":
        store.put(import_id, {**told.facts, "state": "cancelled"}, store.CANCELLED_KEPT_S)
    return read_import(import_id=import_id)


def _find(import_id: str) -> Told:
    told = read(import_id) if import_id.startswith("i") and import_id.isalnum() else None
    if told is None:
        raise not_found("import")
    return told


def _answer(asking: Asking) -> dict[str, Any]:
    """Do an import (in a worker)."""
    facts = asking.args

    def on_reading(reading: Reading) -> None:
        asking.look(share_read(reading), rows=reading.rows)

    try:
        with watched(on_reading):
            trace = _import(facts)
    except LookupError:
        gone = problem("", "its source is gone", remedy="send it again")
        raise PlaygroundError(422, "invalid-import", "The import cannot continue", (gone,)) from None
    for upload in Upload.objects.filter(public_id__in=facts["uploads"]):
        uploads.delete_upload(upload)
    return {"trace": trace.public_id}


def _import(facts: dict[str, Any]) -> Trace:
    owner = {name: facts.get(name, "") for name in ("session", "token_hash", "counts_under")}
    # Again: other imports of the same address may have stored meanwhile.
    traces.refuse_shared(quota_of_key(owner["counts_under"]), 0 if facts["uploads"] else facts["bytes"])
    with ExitStack() as borrowed:
        source, asked = facts["source"], dict(facts["asked"])
        path = resolve_trace(source["trace"]) if "trace" in source else _sent(borrowed, source["upload"])
        for key in _BESIDE & asked.keys():
            asked[key] = _sent(borrowed, asked[key])
        target = borrowed.enter_context(files.scratch())
        found = convert(path, target, asked)
        found["file"] = files.keep(target, f"{FOLDER}/{secrets.token_hex(16)}")
    return traces.keep_trace(found, name=facts["name"], size=facts["bytes"], **owner)


def _sent(borrowed: ExitStack, upload_id: str) -> Path:
    return borrowed.enter_context(uploads.whole_file(upload_id))


# A file of the largest size that may be sent takes less than a minute; one of PLAYGROUND_TRACE_DIR may be larger.
# Nobody has to wait for an import: it goes on after its page closes, and its result stays for a day.
KIND = Kind(
    "trace-import", _answer, about_run=False, wanted=False, limit_s=600, waits_s=_KEPT_S, kept_s=_KEPT_S,
    silent_s=60, too_long="cut the file",
)  # fmt: skip
