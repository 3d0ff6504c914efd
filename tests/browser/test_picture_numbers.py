"""Each number beside a picture names what it counts, and is what the recording says of the frame that is drawn."""

from __future__ import annotations

import math
import random
import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

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
SAID = """() => [...document.querySelectorAll('[data-says]')]
  .filter(each => each.checkVisibility() && !each.hidden && each.textContent)
  .map(each => ({says: each.dataset.says, text: each.textContent, squares: each.dataset.squares,
    room: each.dataset.room}))"""
_UNITS_NS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "h": 3600e9}
PERCENTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}
KNOWN = PROJECT / "fixtures" / "known"
#: Where numbers without a name stood in the recordings that were looked at so far.
MET: set[str] = set()
_LEVELS = ("watch", "play", "lab")


def counts(text: str) -> list[int]:
    """The whole numbers of a text."""
    return [int(found.replace(",", "")) for found in re.findall(r"\d[\d,]*", text)]


def length_ns(text: str) -> float | None:
    """A length of time in nanoseconds, as texts write it; None for a text that says none."""
    found = re.fullmatch(r"([\d.,]+)\s*(ns|µs|ms|s|min|h)", text.replace("\u202f", " ").strip())
    return float(found[1].replace(",", "")) * _UNITS_NS[found[2]] if found else None


def bounds_ns(edges: Any, bins: Any, share: float) -> tuple[float, float]:
    """The bounds of the bin in which a percentile of the waits lies, by nearest rank."""
    rank = max(1, math.ceil(share * int(bins.sum())))
    place = int(np.searchsorted(np.cumsum(bins), rank))
    return float(edges[place]), float(edges[min(place + 1, len(edges) - 1)])


def check(page: Page, recorded: Recorded, where: tuple[Any, ...], *, slow: bool = False) -> set[str]:
    """Hold what the page says now against the frame that it draws; return what it says.

    In slow motion (`slow`) movements are drawn late, so that boxes hold tasks whose launch is on its way.
    """
    said = page.evaluate(SAID)
    frame = int(page.locator("[data-map]").first.get_attribute("data-frame") or -1)
    hold(said, frame, recorded, where, slow=slow)
    assert bare_numbers(page, STUDIO, MET) == [], where
    return {one["says"] for one in said}


def hold(
    said: list[dict[str, str]], frame: int, recorded: Recorded, where: tuple[Any, ...], *, slow: bool = False
) -> None:
    """Hold numbers and what they count against a frame of a recording."""
    at = next(place for place, each in enumerate(recorded.frames) if each["seq"] == frame)
    counters, load = next(found for place, found in enumerate(recorded.pictures()) if place == at)
    waits_then = next(found for place, found in enumerate(recorded.waits()) if place == at)
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
        elif sort == "percentile" and (found := length_ns(one["text"])) is not None:
            low, high = bounds_ns(*waits_then, PERCENTILES[of])
            assert 0.99 * low <= found <= 1.01 * high, (*here, low, high)
        elif sort == "queue":
            assert int(one["squares"]) == min(counts(one["text"])[0], int(one["room"])), here
    boxes = [counts(one["text"])[0] for one in said if one["says"].startswith("queue:")]
    assert slow or sum(boxes) <= counters["tasks_waiting"], (*where, boxes)


def recordings() -> list[tuple[str, str]]:
    """Recordings with a level: each question of the gallery at all levels, the scheduler's examples at one in turn."""
    names = sorted(path.stem for path in KNOWN.glob("*-*.zip"))
    asked = [(name, level) for name in names if name.startswith("gallery-") for level in _LEVELS]
    examples = [name for name in names if name.startswith("signature-")]
    return asked + [(name, _LEVELS[at % 3]) for at, name in enumerate(examples)]


def go_to(page: Page, share: float, address: str) -> None:
    """Have the run stand at a share of its length: press the time line, or open the page there where it has none."""
    plot = page.locator(".timeline-plot .u-over")
    if plot.count():
        plot.evaluate("each => each.scrollIntoView({block: 'center'})")
        box = plot.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    else:
        open_standing(page, address)
    page.wait_for_timeout(500)  # numbers are written eight times a second


def open_standing(page: Page, address: str) -> None:
    """Open a run that stands, and wait for its picture; a tour ends."""
    page.goto(address)
    # A run may open on a picture that takes the place of the map.
    page.wait_for_selector("[data-map][data-frame]", state="attached")
    if "gallery=" in address:
        page.locator("[data-tour-skip]").click()
    expect(page.locator("[data-play=toggle]")).to_have_attribute("aria-label", re.compile("Play"))


@pytest.mark.parametrize(("name", "level"), recordings())
def test_numbers_are_of_the_frame_that_is_drawn(
    chromium: Browser, live_playground: str, complaints: Complaints, name: str, level: str
) -> None:
    recorded = Recorded(KNOWN / f"{name}.zip")
    context = chromium.new_context(base_url=live_playground, viewport=SIZES[0], reduced_motion="reduce")
    page = context.new_page()
    complaints.watch(page)
    sort, _, of = name.partition("-")
    address = f"/studio?{sort}={of}&level={level}&paused=1&t="
    open_standing(page, f"{address}0")
    if level != "watch":
        page.wait_for_selector(".timeline-plot .u-over", state="attached")
    end_s = int(recorded.frames[-1]["t_ns"]) / 1e9
    said: set[str] = set()
    for size in SIZES:
        page.set_viewport_size(size)
        rng = random.Random(SEED)
        for share in sorted(rng.uniform(0.02, 0.85) for _ in range(INSTANTS)):
            go_to(page, share, f"{address}{share * end_s:.3f}")
            said |= check(page, recorded, (name, level, size["width"], share))
    assert any(each.startswith("queue:") for each in said) or sort == "signature"
    assert said & {"percentile:p99", "waiting", "now"}
    context.close()
