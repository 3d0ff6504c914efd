from __future__ import annotations

from typing import IO, Any, cast

from asgiref.sync import sync_to_async
from django.core.exceptions import BadRequest
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError
from ninja import Router, Status

from playground.errors import PlaygroundError, problem
from playground.questions.asking import Told
from playground.traces import facts, imports
from playground.traces import service as traces
from playground.traces.checking import wait_for_check
from playground.traces.first_rows import ask_for_rows, wait_for_rows
from playground.traces.fitting import LONGEST_CUTOFF_S, fit_of
from playground.traces.schemas import BegunOut, FitOut, ImportOut, ReadOut, RowsOut, TraceOut, UploadedOut
from playground.traces.statistics import statistics_of
from playground.web.access import read_object, viewer_of
from playground.web.schemas import json_body
from scheduler_core.contract import HttpProblem

router = Router(tags=["traces"])
_ERRORS = dict.fromkeys((400, 403, 404, 413, 415, 422, 429, 503), HttpProblem)
_UPLOAD_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}},
                }
            },
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


_COLUMNS = {
    "type": "object",
    "description": "The column of each field: `arrival`, `duration` or `end`, `job`, `tasks` and others.",
}
_CUT = {
    "type": "object",
    "description": "The part to keep: `from_s`, `to_s`, `sample`, `sample_seed`, `rate_factor`, `tasks`.",
}
_ID = {"type": "string", "minLength": 1, "maxLength": 200}
_IMPORT_BODY = json_body(
    {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "upload": _ID, "trace": _ID, "name": _ID, "format": _ID, "columns": _COLUMNS, "cut": _CUT,
            "constraints": _ID, "machine_attributes": _ID,
        },
    },
    required=True,
)  # fmt: skip
_FIT_BODY = json_body(
    {
        "type": "object",
        "additionalProperties": False,
        "properties": {"cutoff_s": {"type": "number", "exclusiveMinimum": 0, "maximum": LONGEST_CUTOFF_S}},
    },
    required=False,
)


@router.get("/traces", response=list[TraceOut])
def list_all(request: HttpRequest) -> Any:
    """List the traces that an experiment may name: your uploads, the server's folder, and those of the product."""
    return traces.list_traces(viewer=viewer_of(request))


@router.post("/traces", response={201: UploadedOut, **_ERRORS}, openapi_extra=_UPLOAD_BODY)
async def upload(request: HttpRequest, name: str = "trace") -> Any:
    """Read a trace, plain or compressed, and store it. Send it as the form field `file` or as the whole body."""

    def receive() -> traces.Received:
        source, given = _file_of(request, name)
        return traces.receive_trace(source=source, name=given, viewer=viewer_of(request, make_session=True))

    def keep(found: dict[str, Any]) -> dict[str, Any]:
        made = traces.keep_received(received, found)
        payload = traces.trace_payload(made.trace) | traces.report_of(made.trace)
        return {**payload, "owner_token": made.owner_token}

    received = await sync_to_async(receive)()
    try:
        return Status(201, await sync_to_async(keep)(await wait_for_check(received.told)))
    finally:
        received.forget()


@router.get("/uploads/{upload_id}/rows", response={200: RowsOut, **_ERRORS, 409: HttpProblem})
async def rows(request: HttpRequest, upload_id: str) -> Any:
    """Describe an uploaded file: its format, or its columns, its first rows and a guessed mapping."""

    def ask() -> Told:
        return ask_for_rows(upload_id=upload_id, viewer=viewer_of(request))

    return await wait_for_rows(await sync_to_async(ask)())


@router.post("/traces/imports", response={202: BegunOut, **_ERRORS, 409: HttpProblem}, openapi_extra=_IMPORT_BODY)
def begin_import(request: HttpRequest) -> Any:
    """Make a trace from an upload (with a mapping of columns if its format is unknown) or from a part of a trace."""
    viewer = viewer_of(request, make_session=True)
    return Status(202, imports.start_import(asked=read_object(request), viewer=viewer))


@router.get("/traces/imports/{import_id}", response={200: ImportOut, **_ERRORS})
def follow_import(request: HttpRequest, import_id: str) -> Any:
    """Give the state of an import (waiting, reading, done, failed or cancelled) and its result."""
    return imports.read_import(import_id=import_id)


@router.post("/traces/imports/{import_id}/cancel", response={200: ImportOut, **_ERRORS})
def cancel_import(request: HttpRequest, import_id: str) -> Any:
    """Stop an import of yours. The upload stays and can be imported again."""
    return imports.cancel_import(import_id=import_id, viewer=viewer_of(request))


@router.get("/traces/{trace_id}", response={200: ReadOut, **_ERRORS})
def read(request: HttpRequest, trace_id: str) -> Any:
    """Describe a trace, with the report of the rows that were left out."""
    return facts.trace_of(trace_id=trace_id)


@router.get("/traces/{trace_id}/statistics", response={200: dict[str, Any], **_ERRORS})
async def statistics(request: HttpRequest, trace_id: str) -> Any:
    """Measure a trace: counts, distributions with percentiles, burstiness, and running tasks as a time series."""
    return await statistics_of(trace_id=trace_id)


@router.post("/traces/{trace_id}/fit", response={200: FitOut, **_ERRORS}, openapi_extra=_FIT_BODY)
async def fit(request: HttpRequest, trace_id: str) -> Any:
    """Fit a synthetic workload to a trace; return the workload with the statistics of both."""
    asked = await sync_to_async(read_object)(request)
    return await fit_of(trace_id=trace_id, asked=asked)


@router.delete("/traces/{trace_id}", response={204: None, **_ERRORS})
def delete(request: HttpRequest, trace_id: str) -> Any:
    """Delete an upload of yours. Experiments that name it can no longer run."""
    traces.delete_trace(trace_id=trace_id, viewer=viewer_of(request))
    return Status(204, None)


def _file_of(request: HttpRequest, name: str) -> tuple[IO[bytes], str]:
    """Find the file in a form, or take the body as it comes; its content decides the format, no header does."""
    if request.content_type != "multipart/form-data":
        return cast("IO[bytes]", request), name
    try:
        files = list(request.FILES.values())
    except (MultiPartParserError, BadRequest, ValueError, OSError):
        files = []
    if len(files) != 1:
        item = problem("file", f"the form has {len(files)} files", allowed="one file", remedy="name its field `file`")
        raise PlaygroundError(400, "no-file", "There is no trace in this form", (item,))
    file = cast("UploadedFile[Any]", files[0])
    return cast("IO[bytes]", file), file.name or name
