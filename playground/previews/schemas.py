"""HTTP schemas of responses about previews."""

from __future__ import annotations

from playground.web.schemas import PreviewNumber, PreviewSocket, Shape


class PreviewOut(Shape):
    """Where the answer to a draft will come."""

    preview: PreviewNumber
    socket_url: PreviewSocket
