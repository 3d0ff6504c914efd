"""Run Django's middlewares around an asynchronous view without a thread for each of them.

Django moves what its own middlewares do before and after a view to a thread: some fifteen moves a request. These
middlewares only read and write headers, so they work where they are called. Saving a session uses the database, and
is left to a thread. At 300 requests at once the threads' changes cost more than the answers.
"""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.common import CommonMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.locale import LocaleMiddleware
from django.middleware.security import SecurityMiddleware
from django.utils.deprecation import MiddlewareMixin

_MIDDLEWARES: tuple[type[MiddlewareMixin], ...] = (
    SecurityMiddleware, CSPMiddleware, SessionMiddleware, LocaleMiddleware, CommonMiddleware, CsrfViewMiddleware,
    XFrameOptionsMiddleware,
)  # fmt: skip


def work_inline() -> None:
    """Make Django's middlewares work without threads in this process; called before Django builds its stack.

    The settings keep Django's own names, which its deployment check looks for.
    """
    for middleware in _MIDDLEWARES:
        middleware.__acall__ = _answer  # type: ignore[assignment, method-assign]


async def _answer(middleware: Any, request: HttpRequest) -> HttpResponseBase:
    """Do what `MiddlewareMixin.__acall__` does, in the event loop."""
    before, after = getattr(middleware, "process_request", None), getattr(middleware, "process_response", None)
    answer: HttpResponseBase | None = before(request) if before is not None else None
    if answer is None:
        answer = await middleware.get_response(request)
    if after is None:
        return answer
    if isinstance(middleware, SessionMiddleware) and _is_to_be_saved(request):
        return await sync_to_async(after)(request, answer)  # type: ignore[no-any-return]
    return after(request, answer)  # type: ignore[no-any-return]


def _is_to_be_saved(request: HttpRequest) -> bool:
    return settings.SESSION_SAVE_EVERY_REQUEST or request.session.modified
