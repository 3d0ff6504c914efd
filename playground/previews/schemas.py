"""HTTP schemas of responses about previews."""

from __future__ import annotations

from playground.web.schemas import PreviewNumber, PreviewSocket, Shape


class PreviewOut(Shape):
    """The socket that will send the answer to a draft."""

    preview: PreviewNumber
    socket_url: PreviewSocket
