"""The title, sentence and picture that other sites show when a user shares a link."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

_QUESTION = (480, 252)


def card_of(
    request: HttpRequest,
    *,
    title: str,
    description: str,
    path: str = "",
    picture: str = "",
    size: tuple[int, int] = _QUESTION,
    alt: str = "",
) -> dict[str, Any]:
    """Describe a page; `path` is its address without what only arranges it, `picture` a path or an address."""
    return {
        "title": title,
        "description": description,
        "url": request.build_absolute_uri(path or request.path),
        "picture": request.build_absolute_uri(picture) if picture else "",
        "size": size,
        "alt": alt,
    }
