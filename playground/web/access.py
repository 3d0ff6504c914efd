"""Identify the viewer of a request, and check that it may write: Origin, content type, size."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from playground.errors import PlaygroundError, problem
from playground.ground.values import values_in
from playground.ground.viewers import Viewer
from playground.web.origins import is_local, is_our_origin
from playground.web.rates import key_of_address

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_MOST_TOKEN_CHARACTERS = 200
#: A double holds 308 digits; comparing a longer number with one fails.
_MOST_DIGITS = 300
#: Values of a request that is no experiment: each may be wrong, and each wrong one is told.
_MOST_VALUES = 5_000
#: Databases store neither NUL nor half of a surrogate pair.
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
#: States of a session: its browser has not shown the cookie yet, or it has.
_NEW, _KNOWN = 2, 1
_REMEDY = "name other pages in PLAYGROUND_TRUSTED_ORIGINS; behind a proxy with https set PLAYGROUND_PROXIES"


def viewer_of(request: HttpRequest, *, make_session: bool = False) -> Viewer:
    """Return who asks; `make_session` starts a browser session for a visitor without one."""
    token = ""
    scheme, _, rest = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and len(rest) <= _MOST_TOKEN_CHARACTERS:
        token = rest.strip()
    session = request.session
    if make_session and not token and not _has_session(request):
        session["since"] = _NEW
        # A visitor who never shows the cookie leaves a session that nobody uses.
        session.set_expiry(settings.KEEP_NEW_SESSIONS_HOURS * 3600)
        session.save()
    elif _has_session(request) and session.get("since") == _NEW and settings.SESSION_COOKIE_NAME in request.COOKIES:
        session["since"] = _KNOWN
        session.set_expiry(None)
    key = (session.session_key or "") if _has_session(request) else ""
    # Browsers send the Origin of the page with everything that writes; programs send none.
    is_program = "Origin" not in request.headers
    return Viewer(session_key=key, token=token, is_program=is_program, counts_under=key_of_address(request))


def _has_session(request: HttpRequest) -> bool:
    # A key that the browser sends but that we never stored is nobody's: reading it empties the session.
    request.session.get("since")
    return request.session.session_key is not None


def refuse_foreign_origin(request: HttpRequest) -> None:
    """Refuse writing from pages that are not ours; programs send no Origin."""
    if request.method in _SAFE_METHODS:
        return
    origin = request.headers.get("Origin")
    if origin is not None and not is_our_origin(origin, scheme=request.scheme or "", host=request.get_host()):
        item = problem("", f"requests from {origin[:200]} are refused", remedy=_REMEDY)
        raise PlaygroundError(403, "foreign-origin", "The Origin of this request is not ours", (item,))


def read_body(request: HttpRequest) -> bytes:
    """Return the body of a JSON request, bounded; empty if there is none."""
    limit = settings.LIMIT_BODY_BYTES
    # One byte more than allowed tells that there is more, whatever the length announced.
    body = request.read(limit + 1)
    if len(body) > limit:
        allowed = f"at most {limit:,} bytes (setting PLAYGROUND_LIMIT_BODY_BYTES)"
        raise PlaygroundError(
            413, "too-large", "The request is too large", (problem("", "too large", allowed=allowed),)
        )
    if body and request.content_type != "application/json":
        sent = (request.content_type or "nothing")[:100]
        item = problem("", f"Content-Type is {sent}", allowed="application/json")
        raise PlaygroundError(415, "not-json", "Requests are JSON", (item,))
    return bytes(body)


def read_object(request: HttpRequest, *, values: int = _MOST_VALUES) -> dict[str, Any]:
    """Return the JSON object of a small request, which has at most `values` values; no body is an empty object.

    Its numbers are finite, and a database can store its texts. Raises PlaygroundError.
    """
    body = read_body(request)
    if not body:
        return {}
    try:
        data = json.loads(body, parse_int=_whole, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        item = problem("", "is not a JSON object", allowed='an object, such as {"seed": 1}, with finite numbers')
        raise PlaygroundError(400, "not-json", "The body is not a JSON object", (item,))
    _refuse_odd(data, values)
    return data


def _whole(digits: str) -> int:
    """Read a whole number that a double can hold. Raises ValueError for a longer one."""
    if len(digits) > _MOST_DIGITS:
        raise ValueError(digits[:_MOST_DIGITS])
    return int(digits)


def _finite(digits: str) -> float:
    """Read a number that a double can hold. Raises ValueError for another one, and for NaN."""
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(digits[:_MOST_DIGITS])
    return number


def _refuse_odd(data: dict[str, Any], most: int) -> None:
    """Refuse too many values, and texts that no database stores. Raises PlaygroundError."""
    if values_in(data, most=most) > most:
        item = problem("", "holds too many values", allowed=f"at most {most:,}", remedy="send less at once")
        raise PlaygroundError(413, "too-large", "The request is too large", (item,))
    left = list[tuple[str, Any]]([("", data)])
    while left:
        path, value = left.pop()
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            if any(isinstance(text, str) and _UNSTORABLE.search(text) for text in (key, each)):
                raise _unstorable(_place(path, key))
            if isinstance(each, dict | list):
                left.append((_place(path, key), each))


def _place(path: str, key: object) -> str:
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", f"{path}.{key}" if path else str(key))[:200]


def _unstorable(path: str) -> PlaygroundError:
    said = "has a character that text cannot hold (NUL or half of a surrogate pair)"
    return PlaygroundError(
        422, "invalid-request", "The request cannot be understood", (problem(path, said, remedy="remove it"),)
    )


def outside_url(request: HttpRequest) -> str:
    """Return the address by which other machines reach this server; empty if only this machine can.

    It is the address of the request, or that of the settings if the request came to a local address.
    """
    if is_local(request.get_host()):
        return str(settings.ADDRESS)
    return base_url(request)


def base_url(request: HttpRequest) -> str:
    """Return the scheme and host of a request, such as `https://example.org`, without a slash at the end."""
    return request.build_absolute_uri("/").rstrip("/")
