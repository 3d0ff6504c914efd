"""Files are sent in blocks and in parts: never as a whole in memory."""

from __future__ import annotations

import asyncio
import io
import threading

import pytest
from django.http import StreamingHttpResponse
from django.test import AsyncRequestFactory, RequestFactory

from playground.web.downloads import download

DATA = bytes(range(256)) * 8_000


@pytest.mark.parametrize(
    ("asked", "status", "first", "end"),
    [
        ("", 200, 0, len(DATA)),
        ("bytes=0-0", 206, 0, 1),
        ("bytes=100-299", 206, 100, 300),
        ("bytes=2047990-", 206, 2_047_990, len(DATA)),
        ("bytes=-10", 206, len(DATA) - 10, len(DATA)),
        ("bytes=5-99999999", 206, 5, len(DATA)),
        ("bytes=0-", 200, 0, len(DATA)),
        # Several parts, another unit, or nothing that can be read: all of it, as the standard allows.
        ("bytes=0-1,4-5", 200, 0, len(DATA)),
        ("lines=1-2", 200, 0, len(DATA)),
        ("bytes=-", 200, 0, len(DATA)),
    ],
)
def test_a_part_is_what_was_asked_for(asked: str, status: int, first: int, end: int) -> None:
    request = RequestFactory().get("/", headers={"Range": asked} if asked else {})
    answer = download(request, io.BytesIO(DATA), name="run.zip", content_type="application/zip")
    assert isinstance(answer, StreamingHttpResponse)
    assert answer.status_code == status
    assert answer.getvalue() == DATA[first:end]
    assert answer["Content-Length"] == str(end - first)
    if status == 206:
        assert answer["Content-Range"] == f"bytes {first}-{end - 1}/{len(DATA)}"


@pytest.mark.parametrize("asked", ["bytes=2048000-", "bytes=10-9", "bytes=-0"])
def test_a_part_that_is_not_there_is_refused(asked: str) -> None:
    file = io.BytesIO(DATA)
    answer = download(RequestFactory().get("/", headers={"Range": asked}), file, name="a", content_type="b/c")
    assert (answer.status_code, answer["Content-Range"]) == (416, f"bytes */{len(DATA)}")
    assert file.closed


async def test_a_viewer_who_takes_one_block_makes_the_server_read_one() -> None:
    """Of an ASGI server's request. Django would read a synchronous iterator to its end first."""
    file = io.BytesIO(DATA)
    answer = download(AsyncRequestFactory().get("/"), file, name="run.zip", content_type="application/zip")
    assert isinstance(answer, StreamingHttpResponse)
    blocks = aiter(answer)
    assert DATA.startswith(await anext(blocks))
    assert file.tell() < len(DATA) / 4
    rest = [block async for block in blocks]
    assert file.closed
    assert len(rest) > 4


class SlowFile(io.BytesIO):
    """A file whose reading takes until it is let go on."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.begun, self.goes_on = threading.Event(), threading.Event()

    def read(self, size: int | None = -1) -> bytes:
        self.begun.set()
        self.goes_on.wait()
        return super().read(size)


async def test_a_viewer_may_leave_while_a_block_is_read() -> None:
    """The thread goes on reading: the file is closed after it, and nothing breaks."""
    file = SlowFile(DATA)
    answer = download(AsyncRequestFactory().get("/"), file, name="run.zip", content_type="application/zip")
    assert isinstance(answer, StreamingHttpResponse)
    taking = asyncio.ensure_future(anext(aiter(answer)))
    await asyncio.to_thread(file.begun.wait)
    taking.cancel()
    while not taking.cancelling():
        await asyncio.sleep(0)
    asyncio.get_running_loop().call_later(0.05, file.goes_on.set)
    with pytest.raises(asyncio.CancelledError):
        await taking
    assert file.closed
