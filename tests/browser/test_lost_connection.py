"""A page whose server goes away: it says so in words, and goes on by itself where it was."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from typing import Any

import msgpack
import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import COMPUTED_MS, wait_for_other_picture
from tests.support import Playground, answers, chatty_experiment, wait_until
from tests.support_api import Api

pytestmark = [pytest.mark.browser, pytest.mark.redis, pytest.mark.slow, pytest.mark.xdist_group("second playground")]

LOST = "Connection lost, trying again…"
BACK_MS = 30_000

# One run followed by the page's own module, beside the page's own use of it.
FOLLOW = """async (run) => {
  const { RunSession } = await import("/static/js/run/run_session.js");
  const session = new RunSession({}, "");
  window.followed = { session, states: [] };
  session.addEventListener("state", () => window.followed.states.push(session.state));
  session.follow(run);
}"""
COVERED = "() => window.followed.session.store.frames.map((frame) => [frame.from_seq ?? frame.seq, frame.seq])"


@pytest.fixture(scope="module")
def play(playground: Playground) -> Iterator[Playground]:
    """Give a playground whose parts may be killed."""
    yield playground
    wait_until(lambda: answers(playground.url + "/readyz"), seconds=60, what="what was killed is back")


@pytest.fixture
def run(play: Playground) -> dict[str, Any]:
    """Start a run of many seconds."""
    wait_until(lambda: answers(play.url + "/readyz"), seconds=60, what="what the test before killed is back")
    return Api(play.url).start(chatty_experiment())


class Received:
    """What all sockets of a page brought, as it came over the wire."""

    def __init__(self, page: Page, run_id: str) -> None:
        self.frames: list[list[dict[str, Any]]] = []
        self._run_id = run_id
        page.on("websocket", self._watch)

    def _watch(self, socket: WebSocket) -> None:
        if self._run_id not in socket.url:
            return
        mine: list[dict[str, Any]] = []
        self.frames.append(mine)
        socket.on("framereceived", lambda data: self._take(mine, data))

    @staticmethod
    def _take(mine: list[dict[str, Any]], data: str | bytes) -> None:
        message = msgpack.unpackb(data) if isinstance(data, bytes) else {}
        if "seq" in message:
            mine.append(message)


def kill_web(play: Playground) -> None:
    os.kill(play.children()["web"], signal.SIGKILL)


def kill_redis(play: Playground) -> None:
    os.kill(play.children()["redis"], signal.SIGKILL)


def test_the_page_says_that_it_is_alone_and_goes_on_when_the_server_is_back(
    play: Playground, page: Page, run: dict[str, Any], complaints: Complaints
) -> None:
    complaints.expected += ["WebSocket connection to", "Failed to load resource"]
    page.goto(run["live_url"])
    expect(page.locator("body.has-picture")).to_be_attached(timeout=COMPUTED_MS)
    kill_web(play)
    expect(page.locator("[data-state]")).to_have_text(LOST, timeout=BACK_MS)
    before = wait_for_other_picture(page, None)  # what came before goes on playing
    expect(page.locator("[data-state]")).not_to_have_text(LOST, timeout=BACK_MS)
    expect(page.locator("[data-state]")).to_have_text(re.compile("Comput"), timeout=COMPUTED_MS)
    wait_for_other_picture(page, before)
    expect(page.locator("[data-state]")).to_have_text("Computed", timeout=COMPUTED_MS)


@pytest.mark.parametrize("strike", [kill_web, kill_redis])
def test_a_session_covers_every_frame_once_across_a_restart(
    play: Playground, page: Page, run: dict[str, Any], complaints: Complaints, strike: Callable[[Playground], None]
) -> None:
    complaints.expected += ["WebSocket connection to", "Failed to load resource"]
    page.goto("/healthz")
    received = Received(page, run["id"])
    page.evaluate(FOLLOW, run)
    page.wait_for_function("() => window.followed.session.store.count > 30")
    assert page.evaluate("() => window.followed.session.store.complete") is False
    strike(play)
    page.wait_for_function("() => window.followed.session.store.complete", timeout=COMPUTED_MS)
    pairs = page.evaluate(COVERED)
    covered = [seq for first, last in pairs for seq in range(first, last + 1)]
    assert covered == list(range(covered[-1] + 1))
    # On the wire, too: no number came twice, whichever socket brought it.
    brought = [seq for frames in received.frames for got in frames for seq in range(got["from_seq"], got["seq"] + 1)]
    assert brought == covered
    states = page.evaluate("() => window.followed.states")
    assert states[-1] == "done"
    if strike is kill_web:
        assert "offline" in states
        assert len(received.frames) >= 2
