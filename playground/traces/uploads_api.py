"""Upload files in pieces: tus 1.0.0 (traces/uploads.py).

Its operations work by headers, so docs/reference/traces describes them and the API's own description leaves them out.
What follows an upload is in traces/api.py.
"""

from __future__ import annotations

from typing import IO, Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Router

from playground.errors import PlaygroundError, problem
from playground.traces import uploads
from playground.web.access import viewer_of

router = Router(tags=["uploads"])
_VERSION = "1.0.0"
_TYPE = "application/offset+octet-stream"


def _answer(status: int, body: str = "", **headers: object) -> HttpResponse:
    response = HttpResponse(body, status=status, content_type="application/json" if body else "text/plain")
    response["Tus-Resumable"] = _VERSION
    response["Cache-Control"] = "no-store"
    for name, value in headers.items():
        response[name.replace("_", "-")] = str(value)
    return response


def _whole(request: HttpRequest, header: str) -> int:
    text = request.headers.get(header, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        item = problem(header, "is missing, or not a whole number", allowed="a number of bytes")
        raise PlaygroundError(400, "bad-request", "The request cannot be understood", (item,))
    return int(text)


@router.api_operation(["OPTIONS"], "/uploads", include_in_schema=False)
def options(request: HttpRequest) -> Any:
    return _answer(
        204, Tus_Version=_VERSION, Tus_Extension="creation,termination,expiration",
        Tus_Max_Size=settings.LIMIT_UPLOAD_BYTES,
    )  # fmt: skip


@router.post("/uploads", include_in_schema=False)
def begin(request: HttpRequest) -> Any:
    name = uploads.name_in_metadata(request.headers.get("Upload-Metadata", ""))
    viewer = viewer_of(request, make_session=True)
    begun = uploads.begin_upload(length=_whole(request, "Upload-Length"), name=name, viewer=viewer)
    address = request.build_absolute_uri(f"/api/v1/uploads/{begun.upload.public_id}")
    return _answer(
        201,
        Location=address,
        Upload_Expires=uploads.expires_at(begun.upload),
        Upload_Offset=0,
        Owner_Token=begun.owner_token,
    )


@router.api_operation(["HEAD"], "/uploads/{upload_id}", include_in_schema=False)
def offset(request: HttpRequest, upload_id: str) -> Any:
    upload = uploads.find_upload(upload_id=upload_id, viewer=viewer_of(request))
    return _answer(
        200,
        Upload_Offset=uploads.offset_of(upload),
        Upload_Length=upload.bytes,
        Upload_Expires=uploads.expires_at(upload),
    )


@router.patch("/uploads/{upload_id}", include_in_schema=False)
def append(request: HttpRequest, upload_id: str) -> Any:
    upload = uploads.find_upload(upload_id=upload_id, viewer=viewer_of(request))
    if request.content_type != _TYPE:
        item = problem("", f"Content-Type is {(request.content_type or 'nothing')[:100]}", allowed=_TYPE)
        raise PlaygroundError(415, "not-a-piece", "This is not a piece of an upload", (item,))
    reached = uploads.append_to_upload(
        upload=upload, offset=_whole(request, "Upload-Offset"), source=cast("IO[bytes]", request)
    )
    return _answer(204, Upload_Offset=reached, Upload_Expires=uploads.expires_at(upload))


@router.delete("/uploads/{upload_id}", include_in_schema=False)
def delete(request: HttpRequest, upload_id: str) -> Any:
    uploads.delete_upload(uploads.find_upload(upload_id=upload_id, viewer=viewer_of(request)))
    return _answer(204)
