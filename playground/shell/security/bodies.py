"""Bound every request body before it is read into memory.

Daphne writes a body to a temporary file before the application sees the request, so a limit inside Django would come
too late to save the disk. Limits of what each address takes are smaller and kinder; this one is where patience ends.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from django.conf import settings

#: Room for the other parts of a form.
_SLACK_BYTES = 1_000_000


def most_body_bytes() -> int:
    return max(settings.LIMIT_UPLOAD_BYTES, settings.LIMIT_BODY_BYTES) + _SLACK_BYTES


def _answer(limit: int) -> bytes:
    item = {
        "path": "",
        "message": "the request is too large",
        "allowed": f"at most {limit:,} bytes (setting PLAYGROUND_LIMIT_UPLOAD_BYTES)",
        "remedy": "send less",
    }
    body = json.dumps(
        {"type": "too-large", "title": "The request is too large", "status": 413, "problems": [item]}
    ).encode()
    head = (
        "HTTP/1.1 413 Content Too Large\r\nContent-Type: application/problem+json\r\nConnection: close\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


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
            self.channel.transport.write(_answer(most_body_bytes()))
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
