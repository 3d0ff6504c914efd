"""Shapes of the API's answers about previews."""

from __future__ import annotations

from ninja import Schema


class PreviewOut(Schema):
    preview: int
    socket_url: str
