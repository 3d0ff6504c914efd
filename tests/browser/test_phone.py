from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import COMPUTED_MS, begin_studio, open_small_studio
from tests.browser.test_components import MEASURED
from tests.tiers import journey, shares

pytestmark = [pytest.mark.browser, shares("playground")]

PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL: ViewportSize = {"width": 360, "height": 740}
#: The parts of the studio's bar that cover each other or leave the screen, in words.
_HIDDEN_PARTS = """() => {
  const wide = document.documentElement.clientWidth;
  const parts = [...document.querySelectorAll('.bar :is(.brand, .levels, .bar-name, .bar-name-said), .bar-end > *')]
    .filter((each) => each.getClientRects().length)
    .map((each) => ({ name: each.className || each.tagName, box: each.getBoundingClientRect() }));
  const out = parts.filter(({ box }) => box.left < -0.5 || box.right > wide + 0.5).map(({ name }) => `${name} leaves`);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  const pairs = parts.flatMap((one, at) => parts.slice(at + 1).filter(({ box }) => over(one.box, box))
    .map((other) => `${one.name} and ${other.name}`));
  return [...out, ...pairs];
}"""


@pytest.fixture(scope="module")
def visits(chromium: Browser, live_playground: str) -> Iterator[BrowserContext]:
    context = chromium.new_context(base_url=live_playground, viewport=PHONE, has_touch=True, is_mobile=True)
    yield context
    context.close()


@pytest.fixture
def phone(page: Page) -> Page:
    return page


def _widths(page: Page) -> list[int]:
    return list(page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]"))


def test_the_landing_page_fits_a_phone(phone: Page) -> None:
    phone.goto("/")
    expect(phone.locator("[data-toy=masters] output").first).not_to_be_empty()
    assert _widths(phone) == [390, 390]


@journey
def test_the_studio_fits_a_phone_with_map_waits_play_and_share(phone: Page) -> None:
    open_small_studio(phone)
    assert _widths(phone) == [390, 390]
    for seen in (".map-cells", "[data-play=toggle]", "[data-share]"):
        expect(phone.locator(seen)).to_be_in_viewport()
    expect(phone.locator(".panel-waiting .percentiles")).to_be_visible()
    expect(phone.locator(".panel-datacenter .knob").first).to_be_hidden()
    phone.locator(".panel-datacenter > summary").click()
    expect(phone.locator(".panel-datacenter .knob").first).to_be_visible()
    assert phone.evaluate(MEASURED, 44)[1] == []


@pytest.mark.parametrize("spoken", ["en", "de"])
def test_nothing_in_the_studio_s_bar_covers_another_part_on_a_small_phone(
    phone: Page, chromium: Browser, live_playground: str, spoken: str
) -> None:
    """For the owner and for a visitor, who has a button more, at each level."""
    open_small_studio(phone)
    address = phone.url.split("?")[0]
    visitor = chromium.new_context(base_url=live_playground, viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    for page in (phone, visitor):
        page.goto(f"{address}?lang={spoken}")
        expect(page.locator("[data-map][data-frame]")).to_be_attached()
        for level in ("watch", "play", "lab"):
            page.locator(f"[data-choose-level={level}]").click()
            for size in (PHONE, SMALL):
                page.set_viewport_size(size)
                assert page.evaluate(_HIDDEN_PARTS) == [], (level, size, page is visitor)
                assert _widths(page) == [size["width"]] * 2
    expect(visitor.locator("[data-fork]")).to_be_visible()
    visitor.context.close()
    phone.set_viewport_size(PHONE)


def test_a_policy_is_written_on_a_phone(phone: Page) -> None:
    begin_studio(phone, scheduler={"name": "own", "params": {"policy": "score: machine.free_cpus"}})
    text = phone.locator("[data-policy-editor] .cm-content")
    if not text.is_visible():
        phone.locator(".panel-scheduler > summary").click(timeout=COMPUTED_MS)
    text.click(timeout=COMPUTED_MS)
    phone.keyboard.press("Control+End")
    phone.keyboard.type(" + machine.free_memory_g")
    expect(phone.locator("[data-policy-mend]")).to_be_visible()
    phone.locator("[data-policy-mend]").click()
    expect(phone.locator(".policy-wrong")).to_have_count(0)
    assert _widths(phone) == [390, 390]
    assert phone.evaluate(MEASURED, 44)[1] == []


def test_a_notice_covers_neither_the_state_nor_the_play_bar(phone: Page, complaints: Complaints) -> None:
    complaints.expected = ["Failed to load resource", "ERR_"]
    open_small_studio(phone)
    phone.context.set_offline(True)
    phone.locator(".panel-work > summary").click()
    phone.locator(".panel-work .knob input[type=range]").first.press("ArrowLeft")
    notice = phone.locator("[data-notice]")
    expect(notice).to_be_visible()
    # At one instant: a notice goes away by itself.
    box, state, play = phone.evaluate(
        "each => each.map((one) => document.querySelector(one).getBoundingClientRect().toJSON())",
        ["[data-notice]", ".state", "[data-play=toggle]"],
    )
    assert box["height"] > 0
    # The page was scrolled to the knob; the state line is where it is at the top.
    assert state["bottom"] + phone.evaluate("window.scrollY") < box["top"]
    assert box["bottom"] < play["top"]
    assert _widths(phone) == [390, 390]


def test_the_projectors_page_fits_a_phone_whatever_it_shows(phone: Page) -> None:
    made = phone.request.post("/api/v1/classes", data={"gallery": "short-job"}).json()
    address = f"/api/v1/classes/{made['id']}"
    phone.goto(f"/classes/{made['id']}/screen")
    expect(phone.locator("[data-people]")).not_to_be_empty()
    expect(phone.locator(".screen-letters")).to_be_in_viewport()
    assert _widths(phone) == [390, 390]
    phone.locator("[data-large]").click()
    expect(phone.locator("[data-map][data-frame]")).to_be_attached()
    assert _widths(phone) == [390, 390]
    scales = {"metric": "makespan_s", "low": 0, "high": 1000, "text": "How long is the makespan of this run?"}
    curve = {**scales, "kind": "curve", "path": "scheduler.params.probe_ratio", "values": [1, 2, 4]}
    for asked, seen in (
        ({"kind": "choice", "text": "Which is faster?", "schedulers": ["megha", "sparrow"]}, ".screen-options"),
        (curve, "[data-asked=curve]"),
    ):
        number = phone.request.post(f"{address}/questions", data=asked).json()["number"]
        phone.request.post(f"{address}/questions/{number}/open")
        expect(phone.locator(seen)).to_be_visible()
        assert _widths(phone) == [390, 390]
    phone.request.put(f"{address}/explore", data={"parameters": [{"path": "scheduler.params.probe_ratio"}]})
    expect(phone.locator("[data-wall] .dots")).to_be_visible()
    assert _widths(phone) == [390, 390]
    phone.request.patch(address, data={"challenge": "tame-the-tail"})
    expect(phone.locator("[data-board] [data-role=baseline]")).to_be_visible()
    assert _widths(phone) == [390, 390]
