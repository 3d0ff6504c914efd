"""Which pages may write or listen: those of this server, and those that the settings name."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings


def is_our_origin(origin: str, host: str) -> bool:
    """Say whether a page at `origin` is ours, given the host that the request was sent to."""
    if origin in settings.TRUSTED_ORIGINS:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and parts.netloc.lower() == host.lower()
