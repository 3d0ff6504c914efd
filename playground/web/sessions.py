"""The browser session of a socket, which Django's middleware does not see."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.conf import settings
from django.http.cookie import parse_cookie


def cookie_of(scope: dict[str, Any]) -> str:
    """Return the session's cookie as it came with the handshake; it may name a session that we never stored."""
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
    return parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME, "")


def session_key_of(scope: dict[str, Any]) -> str:
    """Return the key of the session whose cookie came with the handshake; empty for one that we never stored."""
    key = cookie_of(scope)
    if not key:
        return ""
    session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    # Reading one that is not there empties it.
    session.get("since")
    return str(session.session_key or "")
