"""What the sentence of a telling moment speaks of is on the screen: drawn, in view, not under the card."""

from __future__ import annotations

import json
import re
import zipfile
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Complaints
from tests.browser.test_picture_numbers import check as check_numbers
from tests.browser.test_picture_numbers import opened
from tests.browser.test_sentences_and_marks import SIZES, inside, under
from tests.recorded import Recorded
from tests.support import PROJECT
from tests.tiers import spread

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.redis]

KNOWN = PROJECT / "fixtures" / "known"
NAMES = sorted(path.stem for path in KNOWN.glob("*-*.zip"))
#: Movements are seen for so long after the instant at which they begin.
LINGERS_S = 0.2
_CARD = """() => {
  const card = document.querySelector('.moment-card');
  return {marks: JSON.parse(card.dataset.marks ?? 'null'), card: card.getBoundingClientRect().toJSON(),
    width: innerWidth, height: innerHeight};
}"""
_STILL = (
    "() => { const told = (" + _CARD + ")(); const now = told.marks && JSON.stringify([told.marks, told.card]);"
    "window.stillTimes = now && now === window.stillBefore ? (window.stillTimes ?? 0) + 1 : 0;"
    "window.stillBefore = now; return window.stillTimes > 40; }"
)


def moments_of(name: str) -> list[dict[str, Any]]:
    """The moments that a recording keeps."""
    with zipfile.ZipFile(KNOWN / f"{name}.zip") as file:
        return list(json.loads(file.read("moments.json"))["moments"])


def check(page: Page, moment: dict[str, Any], where: tuple[Any, ...]) -> None:
    """Hold the card of a moment against the picture beside it."""
    expect(page.locator(".moment-why")).to_have_text(moment["sentence"])
    expect(page.locator("[data-play=toggle]")).to_have_attribute("aria-label", re.compile("Play"))
    page.wait_for_function(_STILL)
    told = page.evaluate(_CARD)
    names = {mark["name"] for mark in told["marks"]}
    assert f"machine:{moment['machines'][0]}" in names or moment.get("probes"), where
    stands = float(parse_qs(urlsplit(page.url).query)["t"][0])
    assert 0 <= stands - moment["t_ns"] / 1e9 <= LINGERS_S, (*where, "stands elsewhere", stands)
    card = told["card"]
    assert inside(card, told), (*where, "the card is out of view")
    for mark in told["marks"]:
        assert mark["boxes"], (*where, mark["name"], "is not there")
        seen = [box for box in mark["boxes"] if inside(box, told)]
        assert seen, (*where, mark["name"], "is out of view", mark["boxes"][:2])
        assert not all(under(box, card) for box in seen), (*where, mark["name"], "is under the card")


@pytest.mark.parametrize("name", spread(NAMES, "moments", 3))
def test_what_a_telling_moment_speaks_of_is_seen_and_the_numbers_beside_it_are_of_its_frame(
    chromium: Browser, live_playground: str, complaints: Complaints, name: str
) -> None:
    recorded = Recorded.read(KNOWN / f"{name}.zip")
    context = chromium.new_context(base_url=live_playground, viewport=SIZES[0])
    page = context.new_page()
    complaints.watch(page)
    sort, _, of = name.partition("-")
    waits_over = opened(page, recorded, f"/studio?{sort}={of}&level=play")
    # A run may open on a picture that takes the place of the map.
    page.wait_for_selector("[data-map][data-frame]", state="attached")
    if sort == "gallery":
        page.locator("[data-tour-skip]").click()
    if waits_over:
        page.wait_for_selector(waits_over, state="attached")
    for at, moment in enumerate(moments_of(name)):
        page.set_viewport_size(SIZES[0])
        page.locator(".moments-open").click()
        page.locator(".moments-item").nth(at).click()
        for size in SIZES:
            page.set_viewport_size(size)
            where = (name, moment["kind"], size["width"])
            check(page, moment, where)
            check_numbers(page, name, recorded, where, slow=True)
    context.close()
