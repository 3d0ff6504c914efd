"""Each number beside a picture names what it counts, and is what the recording says of the frame that is drawn."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from playground.gallery.service import gallery
from tests.browser.bare import STUDIO, bare_numbers
from tests.browser.conftest import Complaints
from tests.recorded import Recorded
from tests.support import PROJECT

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.redis, pytest.mark.xdist_group("service")]

SIZES: list[ViewportSize] = [
    {"width": 1920, "height": 1080},
    {"width": 1440, "height": 900},
    {"width": 390, "height": 844},
]
SEED, INSTANTS = 7, 5
_SAID = """() => [...document.querySelectorAll('[data-says]')]
  .filter(each => each.checkVisibility() && !each.hidden && each.textContent)
  .map(each => ({says: each.dataset.says, text: each.textContent, squares: each.dataset.squares,
    room: each.dataset.room}))"""
_UNITS_NS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "h": 3600e9}


def counts(text: str) -> list[int]:
    """The whole numbers of a text."""
    return [int(found.replace(",", "")) for found in re.findall(r"\d[\d,]*", text)]


def check(page: Page, recorded: Recorded, where: tuple[Any, ...]) -> set[str]:
    """Hold what the page says now against the frame that it draws; return what it says."""
    said = page.evaluate(_SAID)
    frame = int(page.locator("[data-map]").first.get_attribute("data-frame") or -1)
    at = next(place for place, each in enumerate(recorded.frames) if each["seq"] == frame)
    counters, load = next(found for place, found in enumerate(recorded.pictures()) if place == at)
    busy = None if load is None else int((load > 0).sum())
    for one in said:
        sort, _, of = str(one["says"]).partition(":")
        here = (*where, one)
        if sort == "counter" and counters[of] < 1e8:
            assert counts(one["text"]) == [counters[of]], here
        elif sort == "now":
            waits = counters["tasks_waiting"]
            assert counts(one["text"]) == [busy, recorded.meta["machines"], *([waits] if waits else [])], here
        elif sort == "waiting" and counters["tasks_waiting"]:
            assert counts(one["text"])[0] == counters["tasks_waiting"], here
        elif sort == "queue":
            assert int(one["squares"]) == min(counts(one["text"])[0], int(one["room"])), here
    boxes = [counts(one["text"])[0] for one in said if one["says"].startswith("queue:")]
    assert sum(boxes) <= counters["tasks_waiting"], (*where, boxes)
    assert bare_numbers(page, STUDIO) == [], where
    return {one["says"] for one in said}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
@pytest.mark.parametrize("level", ["watch", "play", "lab"])
@pytest.mark.parametrize(
    "name",
    [entry.name for entry in gallery() if (PROJECT / "fixtures" / "known" / f"gallery-{entry.name}.zip").exists()],
)
def test_numbers_are_of_the_frame_that_is_drawn(
    chromium: Browser, live_playground: str, complaints: Complaints, name: str, level: str, size: ViewportSize
) -> None:
    recorded = Recorded(PROJECT / "fixtures" / "known" / f"gallery-{name}.zip")
    context = chromium.new_context(base_url=live_playground, viewport=size, reduced_motion="reduce")
    page = context.new_page()
    complaints.watch(page)
    end_s = int(recorded.frames[-1]["t_ns"]) / 1e9
    rng = random.Random(SEED)
    said: set[str] = set()
    for t_s in sorted(rng.uniform(0, end_s / 2) for _ in range(INSTANTS)):
        page.goto(f"/studio?gallery={name}&level={level}&paused=1&t={t_s:.3f}")
        page.wait_for_selector("[data-map][data-frame]")
        page.locator("[data-tour-skip]").click()
        expect(page.locator("[data-play=toggle]")).to_have_attribute("aria-label", re.compile("Play"))
        page.wait_for_timeout(500)  # numbers are written eight times a second
        said |= check(page, recorded, (name, level, size["width"], t_s))
    assert any(each.startswith("queue:") for each in said)
    assert said & {"percentile:p99", "waiting"}
    context.close()
