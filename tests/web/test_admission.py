"""Many requests at one instant: those for previews take turns, and Django's middlewares need no threads."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse, QueryDict
from django.middleware.common import CommonMiddleware

from playground.web import admission
from playground.web.inline import work_inline

FORK, PAGE = "/api/v1/classes/abc/fork", "/api/v1/classes/abc"


class Held:
    """An application whose requests stay until they are let go."""

    def __init__(self) -> None:
        self.here: list[str] = []
        self.go = asyncio.Event()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self.here.append(scope["path"])
        await self.go.wait()


async def _asked(held: Held, *paths: str) -> list[asyncio.Task[None]]:
    application = admission.in_turn(held)
    asked = [asyncio.create_task(application({"method": "PUT", "path": path}, None, None)) for path in paths]
    for _ in range(20):
        await asyncio.sleep(0)
    return asked


def test_requests_for_previews_take_turns_and_others_pass_them() -> None:
    async def ask() -> tuple[list[str], int]:
        held = Held()
        asked = await _asked(held, *[FORK] * 30, PAGE)
        during = list(held.here)
        held.go.set()
        await asyncio.gather(*asked)
        return during, len(held.here)

    during, all_in_the_end = asyncio.run(ask())
    assert (during.count(FORK), during.count(PAGE), all_in_the_end) == (4, 1, 31)


def test_a_request_does_not_wait_for_ever_behind_others_that_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> int:
        held = Held()
        asked = await _asked(held, *[FORK] * 6)
        async with asyncio.timeout(30):
            while len(held.here) < 6:
                await asyncio.sleep(0.01)
        held.go.set()
        await asyncio.gather(*asked)
        return len(held.here)

    monkeypatch.setattr(admission, "_MOST_S", 0.05)
    assert asyncio.run(ask()) == 6


def test_djangos_middlewares_work_where_they_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session that was changed is saved in a thread, for that uses the database."""
    work_inline()
    threads: dict[str, int] = {}

    def noting(name: str) -> Any:
        def note(*given: Any) -> Any:
            threads[name] = threading.get_ident()
            return given[-1] if len(given) > 2 else None

        return note

    monkeypatch.setattr(CommonMiddleware, "process_request", noting("common"))
    monkeypatch.setattr(SessionMiddleware, "process_response", noting("session"))

    async def answer(request: HttpRequest) -> HttpResponse:
        request.session["since"] = request.GET.get("since", "")
        request.session.modified = bool(request.GET)
        return HttpResponse("answer")

    async def ask(query: str) -> bytes:
        request = HttpRequest()
        request.GET = QueryDict(query)
        stack: Any = SessionMiddleware(CommonMiddleware(answer))
        found: HttpResponse = await stack(request)
        return found.content

    assert asyncio.run(ask("")) == b"answer"
    assert set(threads.values()) == {threading.get_ident()}
    assert asyncio.run(ask("since=now")) == b"answer"
    assert threads["common"] == threading.get_ident() != threads["session"]
