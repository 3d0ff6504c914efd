"""What a tour's sentence speaks of is on the screen while the sentence is: drawn, in view, not under the card."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from playground.gallery.service import Entry, gallery
from tests.browser.conftest import Complaints
from tests.browser.looking import clock_seconds
from tests.tiers import shares

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.redis, shares("pictures")]

SIZES: list[ViewportSize] = [
    {"width": 1920, "height": 1080},
    {"width": 1440, "height": 900},
    {"width": 390, "height": 844},
]
_PLACED = """() => {
  const card = document.querySelector('[data-tour]');
  const marks = JSON.parse(card.dataset.marks ?? 'null');
  return marks && {marks, card: card.getBoundingClientRect().toJSON(), text: card.textContent,
    width: innerWidth, height: innerHeight};
}"""

# The card has looked where its marks are, and nothing scrolls any more: many times in a row all are at one place.
STILL = (
    "() => { const told = (" + _PLACED + ")();"
    "const now = told && JSON.stringify([told.marks, told.card.x, told.card.y]);"
    "window.placedTimes = now && now === window.placedBefore ? (window.placedTimes ?? 0) + 1 : 0;"
    "window.placedBefore = now; return window.placedTimes > 40; }"
)


# Whether a counter that the card speaks of can be seen, as wanted: in the window and under nothing else.
_COUNTER = (
    "(wanted) => { const all = [...document.querySelectorAll('.panel-counters [data-counter=on_node]')];"
    "const it = all.find((each) => each.checkVisibility()); const box = it.getBoundingClientRect();"
    "const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
    "return Boolean(top && it.contains(top)) === wanted; }"
)
_AWAY = "() => document.querySelector('[data-map]').scrollIntoView({block: 'start', behavior: 'instant'})"


def inside(box: dict[str, float], window: dict[str, Any]) -> bool:
    """Whether at least a part of a box that a person can see is in the window."""
    wide = min(box["x"] + box["width"], window["width"]) - max(box["x"], 0)
    high = min(box["y"] + box["height"], window["height"]) - max(box["y"], 0)
    return wide >= min(8, box["width"] / 2) and high >= min(8, box["height"] / 2)


def under(box: dict[str, float], card: dict[str, float]) -> bool:
    """Whether the middle of a box is under the card."""
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return card["x"] < x < card["x"] + card["width"] and card["y"] < y < card["y"] + card["height"]


def check(page: Page, entry: Entry, at: int) -> None:
    """Hold the card that is shown against what it names."""
    step = entry.tour[at]
    expect(page.locator("[data-tour]")).to_contain_text(f"{at + 1} of {len(entry.tour)}")
    page.wait_for_function(STILL)
    told = page.evaluate(_PLACED)
    names = {mark["name"] for mark in told["marks"]}
    assert set(step.marks) <= names
    assert step.text in told["text"].replace("\u202f", " ")
    assert bool(step.there and step.there in told["text"]) == bool(set(step.there_marks) & names or _plain(step, told))
    for mark in told["marks"]:
        where = (entry.name, at, mark["name"], told["width"])
        assert mark["boxes"], (*where, "is not there")
        seen = [box for box in mark["boxes"] if inside(box, told)]
        assert seen, (*where, "is out of view", mark["boxes"][:2], told["card"])
        if not mark["name"].startswith("part:"):
            free = [box for box in seen if not under(box, told["card"])]
            assert len(free) >= min(len(seen), max(1, len(seen) // 2)), (*where, "is under the card")
    if step.t_s is not None:
        assert page.locator("[data-play=toggle]").get_attribute("aria-label") != "Pause", "playback stands"
        assert abs(clock_seconds(page) - step.t_s) < 1


def _plain(step: Any, told: dict[str, Any]) -> bool:
    """Whether words on a part that names no more marks are shown."""
    return bool(step.there) and not step.there_marks and step.there in told["text"]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
@pytest.mark.parametrize("level", ["watch", "lab"])
@pytest.mark.parametrize("entry", gallery(), ids=lambda entry: entry.name)
def test_what_a_tour_speaks_of_is_seen(
    chromium: Browser, live_playground: str, complaints: Complaints, entry: Entry, level: str, size: ViewportSize
) -> None:
    context = chromium.new_context(base_url=live_playground, viewport=size)
    page = context.new_page()
    complaints.watch(page)
    page.goto(f"/studio?gallery={entry.name}&level={level}")
    page.wait_for_selector("body.has-picture")
    expect(page.locator("[data-tour]")).to_be_visible()
    for at in range(len(entry.tour)):
        check(page, entry, at)
        page.locator("[data-tour-next]").click()
    context.close()


@pytest.mark.parametrize("size", [*SIZES, {"width": 1280, "height": 900}], ids=lambda size: str(size["width"]))
def test_counters_that_a_card_speaks_of_are_seen_while_they_count(
    chromium: Browser, live_playground: str, complaints: Complaints, size: ViewportSize
) -> None:
    """They were below the edge of their column, or under a phone's bar, where a box alone lies in the window."""
    context = chromium.new_context(base_url=live_playground, viewport=size)
    page = context.new_page()
    complaints.watch(page)
    page.goto("/studio?gallery=wait-for-data&level=lab")
    page.wait_for_selector("body.has-picture")
    page.locator("[data-tour-next]").click()
    page.wait_for_function(_COUNTER, arg=True)
    assert page.locator("[data-play=toggle]").get_attribute("aria-label") == "Pause", "the run is played"
    context.close()


def test_a_card_keeps_what_it_speaks_of_in_view_until_the_reader_scrolls(
    chromium: Browser, live_playground: str, complaints: Complaints
) -> None:
    """A panel that grows late, or a scroll that ends late, moves the page after the card has scrolled to its marks."""
    entry = next(one for one in gallery() if one.name == "wait-for-data")
    context = chromium.new_context(base_url=live_playground, viewport=SIZES[2])
    page = context.new_page()
    complaints.watch(page)
    page.goto(f"/studio?gallery={entry.name}&level=lab")
    page.wait_for_selector("body.has-picture")
    page.locator("[data-tour-next]").click()
    check(page, entry, 1)
    page.evaluate(_AWAY)
    assert page.evaluate(_COUNTER, False)
    page.wait_for_function(_COUNTER, arg=True)
    page.mouse.move(60, 120)
    page.mouse.wheel(0, -4000)
    page.wait_for_function(_COUNTER, arg=False)
    page.evaluate("window.placedTimes = 0")
    page.wait_for_function(STILL)
    assert page.evaluate(_COUNTER, False), "the page stays where the reader put it"
    context.close()
