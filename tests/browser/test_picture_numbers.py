"""Each number beside a picture names what it counts, and is what the recording says of the frame that is drawn."""

from __future__ import annotations

import random
import re
from http import HTTPStatus
from typing import Any

import msgpack
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from playground.catalogue.cards import signature_of
from playground.gallery.service import entry_of
from tests.browser.bare import STUDIO, bare_numbers
from tests.browser.conftest import Complaints
from tests.browser.said import said_of_frame, wrongs
from tests.recorded import Recorded
from tests.says.source import OfRun
from tests.says.waits import over
from tests.support import PROJECT, wait_until
from tests.tiers import spread

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.redis]

SIZES: list[ViewportSize] = [
    {"width": 1920, "height": 1080},
    {"width": 1440, "height": 900},
    {"width": 390, "height": 844},
]
SEED, INSTANTS = 7, 5
KNOWN = PROJECT / "fixtures" / "known"
#: Where numbers without a name stood in the recordings that were looked at so far.
MET: set[str] = set()
_IS_WHOLE = """([waits]) => document.querySelector('[data-bottleneck]').textContent
  && (!waits || document.querySelector(waits))
  && document.querySelector('[data-means-whole=true]')
  && document.querySelector('[data-signature-number]')?.textContent !== '–'"""
_OF_RUN = re.compile(r"/api/v1/runs/[\w-]+")
_LEVELS = ("watch", "play", "lab")


def run_of(name: str, recorded: Recorded, seq: int, *, slow: bool = False) -> OfRun:
    """A frame of a recording that comes along, with the texts of the page that opens it."""
    sort, _, of = name.partition("-")
    return OfRun(
        recorded,
        seq,
        slow,
        entry=entry_of(name=of) if sort == "gallery" else None,
        signature=signature_of(name=of) if sort == "signature" else None,
    )


def check(page: Page, name: str, recorded: Recorded, where: tuple[Any, ...], *, slow: bool = False) -> set[str]:
    """Hold what the page says now against the frame that it draws; return what it says.

    In slow motion (`slow`) movements are drawn late, so that boxes hold tasks whose launch is on its way.
    """
    frame, said = said_of_frame(page)
    assert wrongs(said, run_of(name, recorded, frame, slow=slow)) == [], where
    assert bare_numbers(page, STUDIO, MET) == [], where
    return {one["says"] for one in said}


def recordings() -> list[tuple[str, str]]:
    """Recordings with a level: each question of the gallery at all levels, the scheduler's examples at one in turn."""
    names = sorted(path.stem for path in KNOWN.glob("*-*.zip"))
    asked = [(name, level) for name in names if name.startswith("gallery-") for level in _LEVELS]
    examples = [name for name in names if name.startswith("signature-")]
    return asked + [(name, _LEVELS[at % 3]) for at, name in enumerate(examples)]


def opened(page: Page, recorded: Recorded, address: str) -> str:
    """Open a recording that comes along; return the element that shows its whole waits over time, empty without any.

    Where the track is too large for the recording, the page has it from the server: with a run that was computed there,
    or by asking for it.
    """
    if recorded.track is None and recorded.meta.get("work"):
        with page.expect_request(_OF_RUN) as asked:
            page.goto(address)
        run = _OF_RUN.search(asked.value.url)
        assert run is not None
        recorded.track = wait_until(lambda: whole_track(page, f"{run[0]}/track"), what="the track is whole")
    else:
        page.goto(address)
    waits = over(recorded)
    return f'[data-waits-over="{waits.of}"][data-waits-until="{waits.until_ns:.0f}"]' if waits is not None else ""


def whole_track(page: Page, address: str) -> Any:
    """The track of a run that is done; None before."""
    answer = page.request.get(address)
    track = msgpack.unpackb(answer.body(), strict_map_key=False) if answer.status == HTTPStatus.OK else {"from_ns": 0}
    return None if "from_ns" in track else track


def go_to(page: Page, share: float, address: str, waits_over: str) -> None:
    """Have the run stand at a share of its length: press the time line, or open the page there where it has none."""
    plot = page.locator(".timeline-plot .u-over")
    if plot.count():
        plot.evaluate("each => each.scrollIntoView({block: 'center'})")
        box = plot.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    else:
        page.goto(address)
        stands(page, address, waits_over)
    page.wait_for_timeout(500)  # numbers are written eight times a second


def stands(page: Page, address: str, waits_over: str) -> None:
    """Wait until a page has all of a run that stands; a tour ends."""
    # A run may open on a picture that takes the place of the map.
    page.wait_for_selector("[data-map][data-frame]", state="attached")
    if "gallery=" in address:
        page.locator("[data-tour-skip]").click()
    is_whole(page, waits_over)


def is_whole(page: Page, waits_over: str) -> None:
    """Wait until a page that stands has what comes after the frames: the summary, and where each task is."""
    page.wait_for_function(_IS_WHOLE, arg=[waits_over])
    expect(page.locator("[data-play=toggle]")).to_have_attribute("aria-label", re.compile("Play"))


@pytest.mark.parametrize(("name", "level"), spread(recordings(), "pictures", 3))
def test_numbers_are_of_the_frame_that_is_drawn(
    chromium: Browser, live_playground: str, complaints: Complaints, name: str, level: str
) -> None:
    recorded = Recorded.read(KNOWN / f"{name}.zip")
    context = chromium.new_context(base_url=live_playground, viewport=SIZES[0], reduced_motion="reduce")
    page = context.new_page()
    complaints.watch(page)
    sort, _, of = name.partition("-")
    address = f"/studio?{sort}={of}&level={level}&paused=1&t="
    waits_over = opened(page, recorded, f"{address}0")
    stands(page, address, waits_over)
    if level != "watch":
        page.wait_for_selector(".timeline-plot .u-over", state="attached")
    end_s = int(recorded.frames[-1]["t_ns"]) / 1e9
    said: set[str] = set()
    for size in SIZES:
        page.set_viewport_size(size)
        rng = random.Random(SEED)
        for share in [*sorted(rng.uniform(0.02, 0.85) for _ in range(INSTANTS)), 1.0]:
            go_to(page, share, f"{address}{share * end_s:.3f}", waits_over)
            said |= check(page, name, recorded, (name, level, size["width"], share))
    assert any(each.startswith("queue:") for each in said) or sort == "signature"
    # Under *Watch*, an example tells what it is about in place of the waits.
    instead = {"run:signature"} if (sort, level) == ("signature", "watch") else set()
    assert said & ({"percentile:p99", "waiting", "now"} | instead)
    context.close()
