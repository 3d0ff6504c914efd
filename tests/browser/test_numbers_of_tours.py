"""Beside each sentence of a tour and each cue of a presentation, all numbers are of the frame that is drawn."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from playground.gallery.service import Entry, gallery
from tests.browser.conftest import Complaints
from tests.browser.looking import clock_seconds, painted, pause
from tests.browser.said import said_of_frame
from tests.browser.test_picture_numbers import KNOWN, check, is_whole, opened, stands
from tests.browser.test_sentences_and_marks import SIZES, STILL
from tests.recorded import Recorded
from tests.tiers import shares

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.redis, shares("moments")]

#: The stage says the same, and its picture the same frame, many times in a row.
_HOLDS = """() => {
  const told = ['.stage-title', '.stage-text', '.stage-count', '[data-play=clock]']
    .map(each => document.querySelector(each)?.textContent);
  const now = JSON.stringify([told, document.querySelector('[data-map]').dataset.frame]);
  window.heldTimes = now === window.heldBefore ? (window.heldTimes ?? 0) + 1 : 0;
  window.heldBefore = now;
  return window.heldTimes > 40;
}"""


def stands_at(page: Page, recorded: Recorded, t_s: float) -> bool:
    """Whether the picture is of an instant: the frame before it, or the next one, which has the instant's event."""
    frame, _ = said_of_frame(page)
    place = recorded.between(round(t_s * 1e9), round(t_s * 1e9))[-1].place
    return frame in {each["seq"] for each in recorded.frames[place : place + 2]}


@pytest.mark.parametrize("level", ["watch", "lab"])
@pytest.mark.parametrize("entry", gallery(), ids=lambda entry: entry.name)
def test_numbers_beside_a_sentence_of_a_tour_are_of_the_frame_that_is_drawn(
    chromium: Browser, live_playground: str, complaints: Complaints, entry: Entry, level: str
) -> None:
    name = f"gallery-{entry.name}"
    recorded = Recorded.read(KNOWN / f"{name}.zip")
    context = chromium.new_context(base_url=live_playground, viewport=SIZES[0], reduced_motion="reduce")
    page = context.new_page()
    complaints.watch(page)
    waits_over = opened(page, recorded, f"/studio?gallery={entry.name}&level={level}&paused=1&t=0")
    page.wait_for_selector("[data-map][data-frame]", state="attached")
    is_whole(page, waits_over)
    for at, step in enumerate(entry.tour):
        for size in SIZES:
            page.set_viewport_size(size)
            where = (name, level, at, size["width"])
            expect(page.locator("[data-says='tour:step']")).to_have_text(f"{at + 1} of {len(entry.tour)}")
            page.wait_for_function(STILL)
            if step.t_s is not None:
                assert abs(clock_seconds(page) - step.t_s) < 1, where
                assert stands_at(page, recorded, step.t_s), where
            assert {"tour:step", "tour:title", "tour:text"} <= check(page, name, recorded, where), where
        page.locator("[data-tour-next]").click()
    page.wait_for_function(STILL)
    assert "tour:question" in check(page, name, recorded, (name, level, "what to try"))
    context.close()


@pytest.mark.parametrize("entry", gallery(), ids=lambda entry: entry.name)
def test_numbers_of_a_presentation_are_of_the_frame_that_is_drawn(
    chromium: Browser, live_playground: str, complaints: Complaints, entry: Entry
) -> None:
    name = f"gallery-{entry.name}"
    recorded = Recorded.read(KNOWN / f"{name}.zip")
    context = chromium.new_context(base_url=live_playground, viewport=SIZES[0], reduced_motion="reduce")
    page = context.new_page()
    complaints.watch(page)
    half_s = int(recorded.frames[-1]["t_ns"]) / 2e9
    address = f"/studio?gallery={entry.name}&level=play&paused=1&t={half_s:.3f}"
    stands(page, address, opened(page, recorded, address))
    page.keyboard.press("p")
    said: set[str] = set()
    cues = 1 + len(entry.tour) + len(recorded.moments)
    for at in range(cues):
        if at:
            page.keyboard.press("ArrowRight")
        expect(page.locator("[data-says='cue:count']")).to_have_text(f"{at + 1} / {cues}")
        painted(page)  # a cue without an instant plays on
        pause(page)
        page.wait_for_function(_HOLDS)
        step = entry.tour[at - 1] if 0 < at <= len(entry.tour) else None
        assert step is None or step.t_s is None or stands_at(page, recorded, step.t_s), (name, at)
        # In the slow motion of a moment, movements are drawn late.
        said |= check(page, name, recorded, (name, at), slow=at > len(entry.tour))
    assert {"cue:title", "cue:text", "cue:count", "hist:waits"} <= said
    context.close()
