from __future__ import annotations

from typing import IO, Any, cast

from django.core.exceptions import BadRequest
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError
from ninja import Router, Schema, Status

from playground.api.access import viewer_of
from playground.api.schemas import Problem
from playground.errors import PlaygroundError, problem
from playground.services import traces

router = Router(tags=["traces"])
_ERRORS = {
    400: Problem, 403: Problem, 404: Problem, 413: Problem, 415: Problem, 422: Problem, 429: Problem, 503: Problem,
}  # fmt: skip
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


class TraceOut(Schema):
    id: str
    name: str
    source: str
    format: str | None
    bytes: int
    jobs: int | None
    tasks: int | None
    span_s: float | None
    work_s: float | None
    synthetic: bool | None
    note: str


class UploadedOut(TraceOut):
    owner_token: str


@router.get("/traces", response=list[TraceOut])
def list_all(request: HttpRequest) -> Any:
    """List the traces that an experiment may name by id: your uploads, the server's folder, the bundled ones."""
    return traces.list_traces(viewer=viewer_of(request))


@router.post("/traces", response={201: UploadedOut, **_ERRORS}, openapi_extra=_UPLOAD_BODY)
def upload(request: HttpRequest, name: str = "trace") -> Any:
    """Keep a trace, plain or in gzip, after reading it through: as a form's field `file`, or as the whole body."""
    source, given = _file_of(request, name)
    viewer = viewer_of(request, make_session=True)
    made = traces.upload_trace(source=source, name=given, viewer=viewer)
    return Status(201, {**traces.trace_payload(made.trace), "owner_token": made.owner_token})


@router.delete("/traces/{trace_id}", response={204: None, **_ERRORS})
def delete(request: HttpRequest, trace_id: str) -> Any:
    """Delete an upload of yours; experiments that name it can no longer run."""
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
