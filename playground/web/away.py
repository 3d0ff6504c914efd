"""The page shown while Redis is unavailable: it reloads itself instead of showing an error."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
RETRY_S = 5
P = ParamSpec("P")


def waits_for_redis(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Answer 503 with a page that loads itself again when the view cannot do without Redis."""

    @functools.wraps(view)
    def answer(request: HttpRequest, /, *given: P.args, **named: P.kwargs) -> HttpResponse:
        try:
            return view(request, *given, **named)
        except RedisError as error:
            logger.error("Redis: %s", error)
        response = render(request, "away.html", status=503)
        response["Retry-After"] = response["Refresh"] = str(RETRY_S)
        return response

    return answer
