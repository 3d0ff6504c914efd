"""Traces: uploaded files, files in PLAYGROUND_TRACE_DIR, and shipped files.

An upload becomes a trace only after a worker has read it completely and rewritten it as the project's own columnar
file, which runs read. Until then, and if the worker refuses it, it is a file under a random name that nobody can
request.
"""

from __future__ import annotations

import functools
import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models import Q, QuerySet, Sum
from django.db.models.fields.json import KeyTransform

from playground.errors import PlaygroundError, ProblemItem, not_found, not_yours, problem
from playground.ground.quotas import Quota, quota_of, refuse_full_disk, refuse_more
from playground.ground.simulator import is_trace_id, problems_in, uploaded_trace
from playground.ground.viewers import Viewer, hash_token, new_owner_token
from playground.models import Trace, Upload
from playground.questions.asking import Told
from playground.storage import files
from playground.traces import clusters
from playground.traces.checking import FOLDER, ask_to_check
from scheduler_core import TraceError, is_cluster_export, recognize_trace

UNCHECKED = ".unchecked"
_BLOCK_BYTES = 1 << 18
_MOST_LISTED = 500
_MEASURED = ("graphs", "at_once")
_LONGEST_NAME = 120


@dataclass(frozen=True)
class Uploaded:
    """A trace that was accepted, and its owner's token."""

    trace: Trace
    owner_token: str


@dataclass(frozen=True)
class Received:
    """An uploaded file that a worker must read completely before it becomes a trace."""

    stored: str
    name: str
    size: int
    viewer: Viewer
    told: Told

    def forget(self) -> None:
        """Delete the file as it was sent; a trace that was kept lies elsewhere."""
        default_storage.delete(self.stored)


def receive_trace(*, source: IO[bytes], name: str, viewer: Viewer) -> Received:
    """Write an upload to a file and ask a worker to read it completely. Raises PlaygroundError."""
    refuse_too_many(viewer)
    stored = f"{FOLDER}/{secrets.token_hex(16)}{UNCHECKED}"
    with files.scratch() as path:
        size = _copy_bounded(source, path)
        _recognize(path)
        stored = files.keep(clusters.storable(path), stored)
    try:
        # Readers need compiling, and a web process compiles nothing.
        return Received(stored, name, size, viewer, ask_to_check(stored))
    except BaseException:
        default_storage.delete(stored)
        raise


def keep_received(received: Received, found: dict[str, Any]) -> Uploaded:
    """Create a trace from an upload that a worker has read completely."""
    viewer = received.viewer
    token = viewer.token or new_owner_token()
    owner = {"session": viewer.session_key, "token_hash": hash_token(token), "counts_under": quota_of(viewer).key}
    return Uploaded(keep_trace(found, name=received.name, size=received.size, **owner), token)


def keep_trace(
    found: dict[str, Any], *, name: str, size: int, session: str, token_hash: str, counts_under: str = ""
) -> Trace:
    """Create a trace of the columnar file `found["file"]`, which a worker stored."""
    return Trace.objects.create(
        name=clean_name(name),
        bytes=size,
        owner_session=session,
        owner_token_hash=token_hash,
        counts_under=counts_under,
        **found,
    )


def _copy_bounded(source: IO[bytes], path: Path) -> int:
    """Write an upload to a file, up to the limit; return its number of bytes."""
    limit, size = settings.LIMIT_UPLOAD_BYTES, 0
    with path.open("wb") as file:
        while block := source.read(_BLOCK_BYTES):
            size += len(block)
            if size > limit:
                raise too_many_bytes()
            file.write(block)
    if not size:
        item = problem("", "the file is empty", remedy="send the trace as the body, or as a form's field `file`")
        raise PlaygroundError(422, "invalid-trace", "The trace cannot be used", (item,))
    return size


def too_many_bytes() -> PlaygroundError:
    allowed = f"at most {settings.LIMIT_UPLOAD_BYTES:,} bytes as sent (setting PLAYGROUND_LIMIT_UPLOAD_BYTES)"
    remedy = "compress it with gzip, shorten it, or put it into PLAYGROUND_TRACE_DIR on a server of your own"
    item = problem("", "the file is too large", allowed=allowed, remedy=remedy)
    return PlaygroundError(413, "too-large", "The trace is too large", (item,))


def refuse_too_many(viewer: Viewer, further_bytes: int = 0) -> None:
    """Refuse another trace of an owner, an address or a class that has as many, or as many bytes, as it may."""
    refuse_shared(quota_of(viewer), further_bytes)
    have = traces_of(viewer).count()
    if have >= settings.LIMIT_TRACES:
        allowed = f"at most {settings.LIMIT_TRACES} (setting PLAYGROUND_LIMIT_TRACES)"
        item = problem("", f"you have uploaded {have} traces", allowed=allowed, remedy="delete one of them")
        raise PlaygroundError(429, "too-many-traces", "Too many traces", (item,))


def refuse_shared(quota: Quota, further_bytes: int) -> None:
    """Refuse bytes beyond what an address or a class may store. Raises PlaygroundError."""
    mine = Trace.objects.filter(counts_under=quota.key)
    refuse_more(
        quota, mine, setting="LIMIT_TRACES_PER_ADDRESS", what="traces", kind="too-many-traces",
        remedy="delete one of them",
    )  # fmt: skip
    refuse_full_disk(further_bytes)
    if not quota.key:
        return
    announced = Upload.objects.filter(counts_under=quota.key)
    have = sum(rows.aggregate(total=Sum("bytes"))["total"] or 0 for rows in (mine, announced))
    most = settings.LIMIT_TRACE_BYTES_PER_ADDRESS
    if have + further_bytes > most:
        allowed = f"at most {most:,} bytes (setting PLAYGROUND_LIMIT_TRACE_BYTES_PER_ADDRESS)"
        said = f"traces and uploads of {quota.name} take {have:,} bytes"
        raise PlaygroundError(
            429,
            "too-many-traces",
            "Too many traces",
            (problem("", said, allowed=allowed, remedy="delete one of them"),),
        )


def _recognize(path: Path) -> None:
    """Refuse at once a file that no reader recognizes, whatever its name."""
    if is_cluster_export(path):
        return
    try:
        recognize_trace(path)
    except TraceError as error:
        raise _refused(problems_in(error)) from None


def _refused(items: list[ProblemItem]) -> PlaygroundError:
    return PlaygroundError(422, "invalid-trace", "The trace cannot be used", tuple(items))


def clean_name(name: str) -> str:
    """Return the last part of a file's name, in printable characters and at a limited length."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    kept = "".join(letter for letter in last if letter.isprintable() and not "\ud800" <= letter <= "\udfff").strip()
    return kept[:_LONGEST_NAME] or "trace"


def traces_of(viewer: Viewer) -> QuerySet[Trace]:
    """Return a viewer's uploads, from this browser or with this token."""
    owner = Q(pk__in=[])
    if viewer.session_key:
        owner |= Q(owner_session=viewer.session_key)
    if viewer.token:
        owner |= Q(owner_token_hash=hash_token(viewer.token))
    return Trace.objects.filter(owner)


def delete_trace(*, trace_id: str, viewer: Viewer) -> None:
    """Delete an upload. Experiments that name it stay readable but cannot run any more."""
    trace = uploaded_trace(trace_id)
    if trace is None:
        raise not_found("uploaded trace")
    if not viewer.owns(trace):
        raise not_yours("trace")
    stored = trace.file.name
    trace.delete()
    if stored:
        default_storage.delete(stored)


def list_traces(*, viewer: Viewer) -> list[dict[str, Any]]:
    """Return the traces that an experiment may name: the viewer's uploads, the server's folder, the bundled ones."""
    return [*(trace_payload(trace) for trace in _listed(viewer)), *in_folders()]


def _listed(viewer: Viewer) -> Iterator[Trace]:
    """Yield a viewer's traces with the details that a list shows: those of a cluster may take megabytes."""
    shown = {f"shown_{name}": KeyTransform(name, "details") for name in ("constraints", "left_out", "queues")}
    measured = {f"shown_{name}": KeyTransform(name, KeyTransform("statistics", "details")) for name in _MEASURED}
    for trace in traces_of(viewer).defer("details").annotate(**shown, **measured)[:_MOST_LISTED]:
        found: Any = trace
        trace.details = {
            "constraints": found.shown_constraints or [],
            "left_out": found.shown_left_out or [],
            "queues": found.shown_queues or [],
            "statistics": {name: told for name in _MEASURED if (told := getattr(found, f"shown_{name}"))},
        }
        yield trace


def in_folders() -> list[dict[str, Any]]:
    """Return the traces in the server's folder and the bundled ones."""
    return [*_in_folder(Path(settings.TRACE_DIR)), *bundled()]


def report_of(trace: Trace) -> dict[str, Any]:
    """Return what else the reading of a trace reported."""
    return {"notes": trace.details.get("notes", []), "cluster": trace.details.get("cluster")}


def trace_payload(trace: Trace) -> dict[str, Any]:
    return {
        "id": trace.public_id,
        "name": trace.name,
        "source": "upload",
        "format": trace.format,
        "bytes": trace.bytes,
        "jobs": trace.jobs,
        "tasks": trace.tasks,
        "span_s": trace.span_s,
        "work_s": trace.work_s,
        "synthetic": None,
        "note": "",
        "constraints": trace.details.get("constraints", []),
        "left_out": trace.details.get("left_out", []),
        "graphs": graphs_of(trace),
        "at_once": trace.details.get("statistics", {}).get("at_once"),
        "queues": trace.details.get("queues", []),
    }


def graphs_of(trace: Trace) -> dict[str, int] | None:
    """Return the counts of a trace's graphs; None if no task waits for another."""
    measured = trace.details.get("statistics", {}).get("graphs")
    return None if measured is None else {name: measured[name] for name in ("jobs", "stages", "edges")}


def _in_folder(folder: Path) -> Iterator[dict[str, Any]]:
    """Return files by name and size; a file is read only when a run uses it."""
    try:
        paths = sorted(path for path in folder.iterdir() if is_trace_id(path.name) and path.is_file())
    except OSError:
        return
    for path in paths[:_MOST_LISTED]:
        size = path.stat().st_size
        unread: dict[str, Any] = dict.fromkeys(("format", "jobs", "tasks", "span_s", "work_s", "synthetic"))
        unread |= {"note": "", "constraints": [], "left_out": [], "graphs": None, "at_once": None, "queues": []}
        yield {"id": path.name, "name": path.name, "source": "server", "bytes": size, **unread}


@functools.cache
def bundled() -> tuple[dict[str, Any], ...]:
    """Return the bundled generated traces, as described by the command that made them."""
    described = settings.FIXTURES_DIR / "traces.json"
    if not described.is_file():
        return ()
    further: dict[str, Any] = {"source": "bundled", "constraints": [], "left_out": [], "graphs": None, "queues": []}
    return tuple({**item, **further} for item in json.loads(described.read_text(encoding="utf-8")))
