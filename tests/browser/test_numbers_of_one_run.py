"""While another run is computed, all numbers on the page are those of the run that is drawn."""

from __future__ import annotations

import re
from typing import Any

import msgpack
import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.looking import begin_studio, scrub, wait_until_computed
from tests.browser.said import LOOK, sort_of, wrongs
from tests.recorded import Recorded
from tests.says.source import OfRun
from tests.support import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("playground")]

#: Looks at the page in each animation frame, after the page has drawn: whose picture it is, of which frame, and what
#: the numbers are. A callback that is asked for between two frames comes after those that the page asks for in a frame.
_WATCH = f"""() => {{
  const told = {LOOK}, {{seen = window.seen = []}} = {{}}, channel = new MessageChannel();
  const look = () => {{
    window.looks = (window.looks ?? 0) + 1;
    const frame = document.querySelector('[data-map]').dataset.frame;
    const shown = [document.body.dataset.pictureOf, frame, document.querySelector('[data-play=clock]').textContent];
    const [of, at] = seen.at(-1)?.[0] ?? [];
    if (shown[0] !== of || frame !== at) seen.push([shown, told()]);
    channel.port2.postMessage(0);
  }};
  channel.port1.onmessage = () => requestAnimationFrame(look);
  channel.port2.postMessage(0);
}}"""


#: What the frames alone tell.
OF_A_FRAME = ("counter", "now", "percentile", "before", "hist:waits", "hist:within")
#: What a finished run says of all of it.
OF_A_WHOLE_RUN = ("hist:jobs", "run:bottleneck", "run:wait-shares", "run:wait-means")
_ASKED = re.compile(r"/api/v1/runs/[^/?]+$")


class Gate:
    """The way from the server to the page for the frames of runs: open, or held back after some messages."""

    def __init__(self, page: Page) -> None:
        self.passes: int | None = None
        self.frames: dict[str, list[Any]] = {}
        self.held: list[tuple[WebSocketRoute, str | bytes]] = []
        page.route_web_socket("**/ws/runs/**", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        frames = self.frames.setdefault(socket.url.split("?")[0].rsplit("/", 1)[1], [])
        socket.connect_to_server().on_message(lambda message: self._came(socket, frames, message))

    def _came(self, socket: WebSocketRoute, frames: list[Any], message: str | bytes) -> None:
        told = msgpack.unpackb(message, strict_map_key=False)
        frames += [told] if "seq" in told else []
        self.held.append((socket, message))
        self.let(0)

    def let(self, more: int) -> None:
        """Let some more messages through; all of them while the gate is open."""
        if self.passes is not None:
            self.passes += more
        while self.held and self.passes != 0:
            socket, message = self.held.pop(0)
            self.passes = None if self.passes is None else self.passes - 1
            socket.send(message)


def streamed(page: Page, run: str, frames: list[Any]) -> Recorded:
    """The frames that a page got, as those of a recording."""
    meta = page.request.get(f"/api/v1/runs/{run}/meta").json()
    return Recorded(meta, frames, frames[-1].get("end"))


def look_on(page: Page, frames: int) -> None:
    """Let the page draw some more frames, and look at each."""
    already = page.evaluate("window.looks")
    page.wait_for_function("most => window.looks >= most", arg=already + frames)


def refusal(numbers: list[dict[str, Any]], frame: int, recorded: Recorded, before: Recorded | None) -> str:
    """Why numbers are not those of a frame; empty if they are."""
    if all(each["seq"] != frame for each in recorded.frames):
        return f"the run has no frame {frame}"
    # A page that is being filled learns late that a frame is the last one.
    found = wrongs([one | {"whole": False} for one in numbers], OfRun(recorded, frame, slow=True, before=before))
    return "; ".join(f"{name}: {why}" for name, why in found)


def test_no_number_of_one_run_stands_beside_the_picture_of_another(page: Page) -> None:
    gate = Gate(page)
    # A page that waits for frames asks for the run, and would load it as a whole: the answer waits for the gate.
    asked: list[Route] = []
    page.route(_ASKED, lambda route: route.continue_() if gate.passes is None else asked.append(route))
    begin_studio(page, seed=4711)  # no other test has its runs, which would come without frames
    wait_until_computed(page)
    scrub(page, 0.2)
    old = page.evaluate("document.body.dataset.pictureOf")
    page.evaluate(_WATCH)
    gate.passes = 0
    knob = page.locator(".knob[data-path='workload.arrivals.offered_load'] .knob-value")
    knob.fill("0.4")
    knob.press("Enter")
    wait_until(lambda: page.evaluate("true") and len(gate.held) > 8, what="frames wait at the gate")
    assert page.evaluate("window.seen.at(-1)[0][0]") == old, "no frame of the new run has come"
    page.locator("[data-play=toggle]").click()
    for part in (6, 3, 3):
        gate.let(part)
        look_on(page, 20)
    gate.passes = None
    gate.let(0)
    for route in asked:
        route.continue_()
    wait_until_computed(page)
    expect(page.locator("body")).not_to_have_attribute("data-picture-of", old)
    look_on(page, 30)
    seen: list[Any] = page.evaluate("window.seen")
    runs = [streamed(page, run, frames) for run, frames in gate.frames.items()]
    former, new = runs[0], runs[-1]
    assert sum(look[0] != old for look, _ in seen) > 3, "the new run came in parts"
    for at, ((of, _frame, clock), said) in enumerate(seen):
        # While a run plays, numbers are written eight times a second, and boxes go on in between: numbers are of one
        # of the last frames, of the run that is drawn.
        numbers = [one for one in said if sort_of(one["says"]) in OF_A_FRAME]
        frames = [int(shown[1]) for shown, _ in seen[max(0, at - 8) : at + 1] if shown[0] == of]
        run, before = (former, None) if of == old else (new, former)
        refused = [why for frame in frames if (why := refusal(numbers, frame, run, before))]
        assert len(refused) < len(frames), (of == old, frames, clock, refused[-1])
    ended = {one["text"] for (of, *_), said in seen if of == old for one in said if one["says"] in OF_A_WHOLE_RUN}
    stale = [one for (of, *_), said in seen if of != old for one in said if one["text"] in ended]
    assert stale == [], "what was said of the whole run before stands beside another picture"
