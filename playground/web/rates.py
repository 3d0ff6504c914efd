"""Rate limits of a viewer and of an address, counted in Redis for all web processes together."""

from __future__ import annotations

import hashlib
import logging
import math
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis.exceptions import RedisError

from playground.errors import PlaygroundError, problem

logger = logging.getLogger(__name__)

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
#: They answer and write nothing, but cost more than reading: a drag asks several times a second.
_DRAFTS = ("/constraint-previews", "/workload-previews", "/policy-checks")
_HOUSEHOLD_BITS = 64
#: People of one lecture hall mistype; this many times more wrong codes in a minute are a machine's.
_GUESSING = 4
_WRONG_CODES = "LIMIT_WRONG_CODES"
_PERIODS = {"second": RateLimitItemPerSecond, "minute": RateLimitItemPerMinute, "hour": RateLimitItemPerHour}


@lru_cache(maxsize=4)
def limiter_of(url: str) -> SlidingWindowCounterRateLimiter:
    storage = RedisStorage(url.replace("unix://", "redis+unix://", 1), key_prefix="playground-rates")
    return SlidingWindowCounterRateLimiter(storage)


def address_of(request: HttpRequest) -> str:
    """Return the client's address; behind PROXIES proxies, what the outermost of them saw."""
    return network_of(str(request.META.get("REMOTE_ADDR") or ""), request.headers.get("X-Forwarded-For", ""))


def network_of(direct: str, forwarded: str) -> str:
    """Return the network of one client: its IPv4 address, or the 64 bits of IPv6 that one household has.

    `direct` is the address of the connection, `forwarded` the header that PROXIES proxies extended.
    """
    seen = [part.strip() for part in forwarded.split(",") if part.strip()] if settings.PROXIES else []
    # The client wrote the entries further left.
    said = seen[-min(settings.PROXIES, len(seen))][:64] if seen else direct
    try:
        address = ip_address(said.strip("[]").partition("%")[0])
    except ValueError:
        return said or "unknown"
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, _HOUSEHOLD_BITS), strict=False))


def address_in(scope: Mapping[str, Any]) -> str:
    """Return the client's address of an ASGI connection, as `address_of` does for a request."""
    direct = (scope.get("client") or ("",))[0]
    seen = [value.decode("latin-1") for name, value in scope.get("headers", ()) if name == b"x-forwarded-for"]
    return network_of(direct, ",".join(seen))


def key_of_address(request: HttpRequest) -> str:
    """Return the key under which the things of an address are counted; it does not tell the address."""
    return "a" + _hidden(address_of(request))


def _hidden(name: str) -> str:
    return hashlib.sha256(f"{settings.SECRET_KEY}{name}".encode("utf-8", "replace")).hexdigest()[:32]


def _viewer_of(request: HttpRequest) -> str:
    # The browser first: it shows another token for each experiment of its own.
    return str(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "") or request.headers.get("Authorization", ""))


def _kind_of(request: HttpRequest) -> str:
    if request.path.endswith(_DRAFTS):
        return "DRAFTS"
    return "READS" if request.method in _SAFE_METHODS else "WRITES"


def refuse_too_often(request: HttpRequest) -> None:
    """Raise PlaygroundError (429, Retry-After) for a viewer or an address that asks more often than it may."""
    _refuse(_kind_of(request), address=address_of(request), viewer=_viewer_of(request))


def refuse_writing_too_often(*, address: str, viewer: str) -> None:
    """Raise PlaygroundError (429) for a socket's message that stores: it counts with the requests that write.

    `viewer` is the cookie of the session, or `Bearer TOKEN`, as requests show it.
    """
    _refuse("WRITES", address=address, viewer=viewer)


def _refuse(kind: str, *, address: str, viewer: str) -> None:
    # The address first: inventing a new cookie for each request must not fill Redis without bound.
    for who, name in (("ADDRESS", address), ("VIEWER", viewer)):
        if name:
            _count(f"LIMIT_{kind}_PER_{who}", name, f"requests in a minute than one {who.lower()} may send", "minute")


def refuse_entries_too_often(request: HttpRequest) -> None:
    """Raise PlaygroundError (429) for an address from which more entries to challenges come than may in an hour."""
    _count("LIMIT_ENTRIES_PER_ADDRESS", address_of(request), "entries in an hour than one address may send", "hour")


def refuse_previews_too_often(place: str) -> None:
    """Raise PlaygroundError (429, Retry-After) for a viewer who asks for more previews in a second than it may."""
    _count("LIMIT_PREVIEWS_PER_SECOND", place, "previews in a second than one viewer may ask for", "second")


def is_guessing(address: str) -> bool:
    """Return True if a machine guesses: the number of wrong codes from an address within a minute is far too high."""
    limit = _GUESSING * settings.LIMIT_WRONG_CODES
    try:
        return not limiter_of(settings.REDIS_URL).test(RateLimitItemPerMinute(limit), "GUESSING", _hidden(address))
    except RedisError:
        return False


def count_wrong_code(address: str) -> None:
    """Count a wrong code against an address. Raises PlaygroundError (429, Retry-After) for one that gave too many."""
    with suppress(RedisError):
        limit = _GUESSING * settings.LIMIT_WRONG_CODES
        limiter_of(settings.REDIS_URL).hit(RateLimitItemPerMinute(limit), "GUESSING", _hidden(address))
    _count(_WRONG_CODES, address, "wrong codes in a minute than one address may give", "minute")


def _count(setting: str, name: str, what: str, period: str) -> None:
    limit: int = getattr(settings, setting)
    item: RateLimitItem = _PERIODS[period](limit)
    # Store neither addresses nor tokens in plain text.
    key = _hidden(name)
    limiter = limiter_of(settings.REDIS_URL)
    try:
        if limiter.hit(item, setting, key):
            return
        wait = max(1, math.ceil(limiter.get_window_stats(item, setting, key).reset_time - time.time()))
    except RedisError:
        # Reading works without Redis, and those who need it say themselves that it is away.
        logger.debug("requests are not counted: Redis is unavailable")
        return
    said = problem(
        "",
        f"more {what}",
        allowed=f"at most {limit:,} a {period} (setting PLAYGROUND_{setting})",
        remedy=f"ask again in {wait} s",
    )
    raise PlaygroundError(429, "too-many-requests", "Too many requests", (said,), retry_after_s=wait)
