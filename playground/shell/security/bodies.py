"""Bound every request before it is read into memory.

Daphne writes a body to a temporary file before the application sees the request, so a limit inside Django would come
too late to save the disk. Limits of what each address takes are smaller and kinder; this one is where patience ends.
Of a line that is too long, Twisted by itself ends the connection without an answer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from django.conf import settings

#: Room for the other parts of a form.
_SLACK_BYTES = 1_000_000
#: An address, or all headers, take at most so many bytes: a parameter of 4,000 characters may take 48,000.
_MOST_LINE_BYTES = 65_536


def most_body_bytes() -> int:
    return max(settings.LIMIT_UPLOAD_BYTES, settings.LIMIT_BODY_BYTES) + _SLACK_BYTES


def _answer(status: str, kind: str, title: str, item: dict[str, str]) -> bytes:
    problem = {"type": kind, "title": title, "status": int(status[:3]), "problems": [{"path": "", **item}]}
    body = json.dumps(problem).encode()
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: application/problem+json\r\nConnection: close\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _large_body(limit: int) -> bytes:
    item = {
        "message": "the request is too large",
        "allowed": f"at most {limit:,} bytes (setting PLAYGROUND_LIMIT_UPLOAD_BYTES)",
        "remedy": "send less",
    }
    return _answer("413 Content Too Large", "too-large", "The request is too large", item)


def _refuse_line(channel: Any, line: bytes) -> None:
    """Answer a line that is too long: most often it is the address, with a query."""
    item = {
        "message": "the address or a header is too long",
        "allowed": f"at most {_MOST_LINE_BYTES:,} bytes",
        "remedy": "send a shorter query",
    }
    channel.transport.write(_answer("414 URI Too Long", "too-long", "The address is too long", item))
    channel.loseConnection()


def bounded(request_class: type[Any]) -> type[Any]:
    """Make of a Twisted request one that refuses a body as soon as it is announced, or has grown, too large."""

    class BoundedRequest(request_class):  # type: ignore[misc]
        taken = 0
        refused = False
        kinds: Sequence[bytes] = ()

        def gotLength(self, length: int | None) -> None:
            too_long = length is not None and length > most_body_bytes()
            super().gotLength(0 if too_long else length)
            if too_long:
                self.refuse()

        def handleContentChunk(self, data: bytes) -> None:
            self.taken += len(data)
            if not self.refused and self.taken > most_body_bytes():
                self.refuse()
            if not self.refused:
                super().handleContentChunk(data)

        def refuse(self) -> None:
            self.refused = True
            self.channel.transport.write(_large_body(most_body_bytes()))
            self.channel.loseConnection()

        def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:
            # Twisted would read a whole form into memory, for nobody, and answer an odd one without a word. It does not
            # when it sees no type; Django, which reads forms piece by piece, gets it back.
            self.kinds = self.requestHeaders.getRawHeaders(b"content-type", [])
            self.requestHeaders.removeHeader(b"content-type")
            super().requestReceived(command, path, version)

        def process(self) -> Any:
            if self.kinds:
                self.requestHeaders.setRawHeaders(b"content-type", self.kinds)
            return None if self.refused else super().process()

    return BoundedRequest


def bound_daphne() -> None:
    """Bound what Daphne takes in, where Daphne is what serves."""
    protocol = sys.modules.get("daphne.http_protocol")
    if protocol is not None:
        vars(protocol)["WebRequest"] = bounded(protocol.WebRequest)
        channel = sys.modules["twisted.web.http"].HTTPChannel
        channel.MAX_LENGTH = channel.totalHeadersSize = _MOST_LINE_BYTES
        channel.lineLengthExceeded = _refuse_line
