"""Static files by WhiteNoise, in a middleware that holds no thread while a view awaits.

WhiteNoise's own is for threads only: it would turn the whole stack around an awaiting view into one waiting thread.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from csp.constants import NONE, SELF
from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

_SIMULATES = re.compile(r"/(?:js/pages|built)/engine_worker(?:-\w+)?\.js$")
# A thread has the policy of its own script, not that of its page. This one alone compiles modules; it asks for nothing.
_POLICY = {"default-src": [NONE], "script-src": [SELF, "'wasm-unsafe-eval'"]}


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Answer for a static file if the address is one's, else pass the request on: in a thread or awaited."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Any) -> None:
        super().__init__(get_response)
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if iscoroutinefunction(self):
            return self._answer(request)
        answer: HttpResponseBase = super().__call__(request)
        return _with_policy(request, answer)

    async def _answer(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        file = self.find_file(path) if self.autorefresh else self.files.get(path)
        answer: HttpResponseBase = await self.get_response(request) if file is None else self.serve(file, request)
        return _with_policy(request, answer)


def _with_policy(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    """Give the script of the thread that simulates its own content security policy."""
    if _SIMULATES.search(request.path_info):
        answer._csp_replace = _POLICY  # type: ignore[attr-defined]  # django-csp reads it
    return answer
