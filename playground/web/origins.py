"""Decide which pages may write or listen: this server's, and those that the settings name.

Programs send no Origin and pass; reading goes by unguessable ids, and writing by cookie or token.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host

_PORTS = {"http": 80, "https": 443}


def is_our_origin(origin: str, *, scheme: str, host: str) -> bool:
    """Return True if a page at `origin` is ours, given the scheme and host of the request."""
    if origin in settings.TRUSTED_ORIGINS:
        return True
    try:
        page, here = urlsplit(origin), urlsplit(f"{scheme}://{host}")
        return page.scheme in _PORTS and not _has_more(page) and _place(page) == _place(here)
    except ValueError:
        return False


def is_local(host: str) -> bool:
    """Return True if a host, with or without a port, names this machine only locally, such as localhost."""
    name = split_domain_port(host)[0].strip("[]")
    return name == "localhost" or name.endswith(".localhost") or name.startswith("127.") or name == "::1"


def _has_more(parts: SplitResult) -> bool:
    """Return True if an origin has more than scheme, host and port, which browsers never send."""
    return bool(parts.path or parts.query or parts.fragment or "@" in parts.netloc)


def _place(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port or _PORTS.get(parts.scheme)


def may_open_socket(scope: dict[str, Any]) -> bool:
    """Return True if a socket may open: the host is ours, and the page, if any, is one of ours."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    host = headers.get(b"host", "")
    # Without this, a page under a name that leads here would be its own origin.
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return False
    origin = headers.get(b"origin")
    return origin is None or is_our_origin(origin, scheme=_scheme_of(scope, headers), host=host)


def _scheme_of(scope: dict[str, Any], headers: dict[bytes, str]) -> str:
    """Give http or https, as Django does for requests: what our proxy says goes first."""
    said = headers.get(b"x-forwarded-proto", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    known = said.split(",")[0].strip().lower() or scope.get("scheme", "ws")
    return "https" if known in {"https", "wss"} else "http"
