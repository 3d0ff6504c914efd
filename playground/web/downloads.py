"""Send files in blocks, as fast as the viewer reads them, and in parts for Range requests.

Django reads a synchronous iterator to its end before an ASGI server sends its first byte: a recording of 500 MB would
lie in memory. So blocks are read in a thread, one at a time.
"""

from __future__ import annotations

import io
import re
import threading
from collections.abc import AsyncIterator, Iterator
from typing import IO

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header

_BLOCK_BYTES = 1 << 18
_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


def download(request: HttpRequest, file: IO[bytes], *, name: str, content_type: str) -> HttpResponseBase:
    """Send a file, or the part of it that the request names; the file is closed at the end."""
    size = file.seek(0, io.SEEK_END)
    part = _part(request.headers.get("Range", ""), size)
    if part is None:
        file.close()
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    first, end = part
    file.seek(first)
    response = stream(request, _blocks(file, end - first), name=name, content_type=content_type)
    response["Content-Length"], response["Accept-Ranges"] = str(end - first), "bytes"
    if "Range" in request.headers and (first, end) != (0, size):
        response.status_code = 206
        response["Content-Range"] = f"bytes {first}-{end - 1}/{size}"
    return response


def stream(request: HttpRequest, blocks: Iterator[bytes], *, name: str, content_type: str) -> StreamingHttpResponse:
    """Send what an iterator gives, as it is asked for."""
    content = _in_threads(blocks) if isinstance(request, ASGIRequest) else blocks
    response = StreamingHttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response


def _part(asked: str, size: int) -> tuple[int, int] | None:
    """Return the first byte and the end of what is asked for; None if there is no such part.

    Several parts at once are not known here: whoever asks for them is given all, as the standard allows.
    """
    found = _RANGE.fullmatch(asked.replace(" ", ""))
    if found is None or found[1] == found[2] == "":
        return 0, size  # an empty file, too, goes out as a whole
    if found[1] == "":
        first, end = max(0, size - int(found[2])), size
    else:
        first, end = int(found[1]), min(int(found[2] or size) + 1, size)
    return (first, end) if first < end else None


def _blocks(file: IO[bytes], count: int) -> Iterator[bytes]:
    with file:
        while count > 0 and (block := file.read(min(_BLOCK_BYTES, count))):
            count -= len(block)
            yield block


async def _in_threads(blocks: Iterator[bytes]) -> AsyncIterator[bytes]:
    # Whoever leaves while a thread still reads a block cancels the wait, not the thread: closing has to wait for it.
    reading = threading.Lock()

    def following() -> bytes | None:
        with reading:
            return next(blocks, None)

    def close() -> None:
        with reading:
            getattr(blocks, "close", lambda: None)()

    try:
        while (block := await sync_to_async(following, thread_sensitive=False)()) is not None:
            yield block
    finally:
        await sync_to_async(close, thread_sensitive=False)()
