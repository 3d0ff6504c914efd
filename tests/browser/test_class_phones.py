"""Phones of a class explore: one simulates its fork by itself, one without WebAssembly leaves it to the server."""

from __future__ import annotations

import functools
from contextlib import ExitStack
from typing import Any

import msgpack
import pytest
from playwright.sync_api import Browser, Page, Request, ViewportSize, WebSocket, expect

from tests.browser.conftest import DESKTOP, Complaints
from tests.support import small_experiment, wait_until
from tests.tiers import shares

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.redis, shares("playground")]

HEARTBEAT = "scheduler.params.heartbeat_s"
PHONE: ViewportSize = {"width": 390, "height": 844}


def joined(page: Page, room: dict[str, Any]) -> None:
    page.goto(f"/join/{room['code']}")
    page.locator("[data-enter]").click()
    expect(page.locator("[data-explore] input[type=range]")).to_be_visible()


def test_a_phone_simulates_its_fork_and_one_that_cannot_leaves_it_to_the_server(
    chromium: Browser, live_playground: str, complaints: Complaints
) -> None:
    with ExitStack() as until_over:
        pages: list[Page] = []
        for size in (DESKTOP, PHONE, PHONE):
            context = chromium.new_context(base_url=live_playground, viewport=size)
            until_over.callback(context.close)
            if len(pages) == 2:
                context.add_init_script("delete globalThis.WebAssembly")
            pages.append(context.new_page())
            complaints.watch(pages[-1])
        explored_by(*pages, address=live_playground)


def note_forks(heard: list[str], socket: WebSocket) -> None:
    """Note the digests of the forks that a page tells on a socket."""

    def note(message: str | bytes) -> None:
        if isinstance(message, bytes) and "fork" in (told := msgpack.unpackb(message)):
            heard.append(told["fork"]["digest"])

    socket.on("framesent", note)


def explored_by(teacher: Page, able: Page, unable: Page, *, address: str) -> None:
    made = teacher.request.post("/api/v1/experiments", data=small_experiment()).json()
    room = teacher.request.post("/api/v1/classes", data={"experiment": made["id"]}).json()
    path = f"/api/v1/classes/{room['id']}"
    asked = {"parameters": [{"path": HEARTBEAT, "least": 1, "most": 20}], "y": "makespan_s"}
    assert teacher.request.put(f"{path}/explore", data=asked).ok
    teacher.goto(f"/classes/{room['id']}/teach")
    start = wait_until(
        lambda: teacher.request.get(path).json()["news"]["explore"]["start"], what="the class has its start"
    )
    sent: list[Request] = []
    said: list[list[str]] = [[], []]
    for page, heard in zip((able, unable), said, strict=True):
        page.on("request", lambda request: sent.append(request))
        page.on("websocket", functools.partial(note_forks, heard))
    with able.expect_response(f"**{start['url']}") as fetched:
        joined(able, room)
    assert fetched.value.headers["cache-control"] == "public, max-age=31536000, immutable"
    joined(unable, room)
    for page, by in ((able, "phone"), (unable, "server")):
        page.locator("[data-explore] input[type=range]").press("PageUp")
        expect(page.locator(f"[data-tried=done][data-by={by}]")).to_have_count(1)
        expect(page.locator("[data-explore] [data-dot]")).to_have_count(1)
    for number, by in ((1, "phone"), (2, "server")):
        expect(teacher.locator(f"[data-fork='{number}'][data-by={by}][data-state=done]")).to_have_count(1)
    first, second = teacher.request.get(f"{path}/wall").json()["forks"]
    assert first["values"] == second["values"] != {HEARTBEAT: 5}
    assert first["digest"] == second["digest"] != ""
    assert (first["by_phone"], second["by_phone"]) == (True, False)
    assert first["figures"] == pytest.approx(second["figures"], rel=1e-9)
    told = [request.url.rpartition("/api/v1")[2] for request in sent if request.method == "PUT"]
    assert told == [f"/classes/{room['id']}/fork"], "a phone tells its own forks on the socket of the class"
    assert said == [[first["digest"]], []]
    assert [request.url for request in sent if start["url"] in request.url] == [address + start["url"]]
    able.reload()  # comes back with the own try
    expect(able.locator("[data-tried=done][data-by=phone]")).to_have_count(1)
