"""The studio's three levels: how many controls each has on the screen, and how it is chosen and remembered."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import COMPUTED_MS, clock_seconds, open_small_studio, wait_until_computed
from tests.browser.test_components import MEASURED
from tests.tiers import shares

pytestmark = [pytest.mark.browser, shares("playground")]

MOST = {"watch": 14, "play": 30}
# What a hand can work: seen, not inert, not a part of something that is counted already.
_CONTROLS = """() => [...document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, canvas[tabindex="0"]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1
    && !one.closest('[inert], dialog, .tour') && !one.matches('.panel-head'))
  .map((one) => one.outerHTML.slice(0, 90))"""

# The sum of all shifts of the layout, whoever caused them, and what moved.
_SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const one of list.getEntries())
      window.shifts.push([one.value, ...one.sources.map(({ node }) => node?.className ?? String(node))]);
  }).observe({ type: "layout-shift", buffered: true });
}"""


FIRST_SENTENCE = re.compile(
    r"^Global Master \d saw no free machine .* machine \d+ of Cluster \d from Global Master \d\.$"
)


def level(page: Page) -> str | None:
    return page.locator("html").get_attribute("data-level")


def choose(page: Page, name: str) -> None:
    page.locator(f"[data-choose-level={name}]").click()


def test_levels_show_few_controls_and_are_remembered(page: Page) -> None:
    open_small_studio(page)
    assert level(page) == "lab", "links of before open as they did"
    address = page.url.split("?")[0]
    everything = len(page.evaluate(_CONTROLS))
    for name in ("play", "watch"):
        choose(page, name)
        expect(page.locator("[data-show-one]")).to_be_visible()
        found = page.evaluate(_CONTROLS)
        assert len(found) <= MOST[name] < everything, (name, found)
        small, low = page.evaluate(MEASURED, 28)
        # On a desktop heads of panels are headings: sections fold on a phone alone.
        assert (small, [each for each in low if "panel-head" not in each]) == ([], []), name
        expect(page).to_have_url(re.compile(rf"level={name}"))
    expect(page.locator(".left-knobs .knob:visible")).to_have_count(1)
    expect(page.locator("[data-story-number]")).to_have_text(re.compile(r"^[\d.]+\s(ns|µs|ms|s|min|h)$"))
    before = page.url.split("?")[0]
    # The slider of Watch makes a run, and the sentence compares its number with the one before.
    page.locator(".left-knobs .knob:visible input[type=range]").press("PageDown")
    wait_until_computed(page)
    page.locator("body").press("End")
    expect(page.locator("[data-story]")).to_contain_text(re.compile(r"\([\d.]+\s(ns|µs|ms|s|min|h)\)"))
    assert page.url.split("?")[0] != before
    # Chosen by hand, it holds for old links, too.
    page.goto(address)
    assert level(page) == "watch"
    page.goto(f"{address}?level=lab")
    assert level(page) == "lab"


def test_newcomers_get_watch_and_a_question_gets_play(page: Page) -> None:
    page.goto("/studio")
    assert level(page) == "watch"
    expect(page.locator("body.has-picture")).to_be_attached(timeout=COMPUTED_MS)
    # The first run opens on a moment that one sentence tells, with few enough machines to see its task.
    expect(page.locator(".moment-why")).to_have_text(FIRST_SENTENCE)
    expect(page.locator(".tasks-drawn")).to_be_attached()
    assert "task" in (page.locator(".moment-card[data-marks]").get_attribute("data-marks") or "")
    assert clock_seconds(page) > 0
    page.locator(".left-knobs .knob:visible input[type=range]").press("ArrowLeft")
    expect(page.locator(".moment-card")).to_be_hidden()
    page.goto("/gallery")
    page.locator("[data-question=old-news]").get_by_role("link").click()
    page.wait_for_url("**level=play**")
    assert level(page) == "play"
    expect(page.locator(".left-knobs .knob:visible").nth(3)).to_be_visible()
    assert len(page.evaluate(_CONTROLS)) <= MOST["play"]


def test_the_first_run_opens_at_the_instant_that_an_address_names(page: Page) -> None:
    page.goto("/studio?level=play&t=5&paused=1")
    expect(page.locator("[data-show-one]")).to_be_visible(timeout=COMPUTED_MS)
    expect(page.locator("[data-play=clock]")).to_have_text("00:00:05.000")
    expect(page.locator(".moment-card")).to_be_hidden()


def test_events_can_be_jumped_to_while_a_picture_covers_the_map(page: Page) -> None:
    for name in ("lab", "play"):
        page.goto(f"/studio?signature=quincy&level={name}&picture=flow")
        jump = page.locator("[data-show-one]")
        expect(jump).to_be_visible(timeout=COMPUTED_MS)
        expect(page.locator(".picture-flow canvas").first).to_be_visible()
        jump.click()  # nothing of the picture lies over it
        expect(page.locator(".moments-item").first).to_be_visible()
        page.locator(".moments-item").first.click()
        expect(page.locator(".moment-why")).not_to_be_empty()


def test_nothing_jumps_when_a_run_arrives(page: Page) -> None:
    page.add_init_script(f"({_SHIFTS})()")
    # Its picture opens below the map, and its moments bring buttons: both have their room from the start.
    page.goto("/studio?signature=drf&level=play")
    expect(page.locator("body.has-picture")).to_be_attached(timeout=COMPUTED_MS)
    expect(page.locator("[data-show-one]")).to_be_visible()
    expect(page.locator(".picture-turns canvas").first).to_be_visible()
    shifts = page.evaluate("() => window.shifts")
    assert sum(value for value, *_ in shifts) < 0.05, shifts


# How often drawn tasks come or go in some animation frames in which nobody does anything.
_FLICKERS = """() => new Promise((done) => {
  let [frames, times, was] = [0, 0, null];
  const look = () => {
    const drawn = Boolean(document.querySelector(".tasks-drawn"));
    if (was !== null && drawn !== was) times += 1;
    was = drawn;
    if (++frames < 40) requestAnimationFrame(look);
    else done(times);
  };
  requestAnimationFrame(look);
})"""


def test_drawn_tasks_do_not_come_and_go_with_the_length_of_the_legend(page: Page) -> None:
    """Drawn tasks have a longer legend, and the map that it leaves is lower: neither may undo the other."""
    drawn = []
    for height in range(550, 750, 25):  # a legend keeps its height, so each begins with a page of its own
        page.set_viewport_size({"width": 1280, "height": height})
        page.goto("/studio?gallery=short-job&level=lab")
        expect(page.locator("[data-map][data-frame]")).to_be_attached(timeout=COMPUTED_MS)
        expect(page.locator("[data-legend] .of-tasks")).not_to_have_count(0)
        assert page.evaluate(_FLICKERS) <= 2, height
        drawn.append(page.locator(".tasks-drawn").count())
    assert set(drawn) == {0, 1}, "the limit is between these heights"


def test_the_stage_shows_one_sentence_in_large_type_and_goes_from_cue_to_cue(page: Page) -> None:
    open_small_studio(page)
    # The stage has its chart at every level, also where Watch has none.
    choose(page, "watch")
    expect(page.locator("[data-show-one]")).to_be_visible()
    page.locator("body").press("p")
    stage = page.locator("[data-stage-bar]")
    expect(stage).to_contain_text(re.compile(r"\d\s(ns|µs|ms|s|min|h)"))
    for hidden in (".bar", ".left", ".time", ".map-foot"):
        expect(page.locator(hidden)).to_be_hidden()
    for seen in (".map-cells", "[data-story-number]", ".chart-cdf", ".stage-code"):
        expect(page.locator(seen)).to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    expect(stage.locator(".stage-count")).to_contain_text("2 /")
    expect(page).to_have_url(re.compile("moment="))
    sentence = page.locator(".moment-why").text_content() or ""
    assert sentence
    expect(stage).to_contain_text(sentence)
    small = stage.evaluate("""bar => [...bar.querySelectorAll('p')]
      .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 24).length""")
    assert small == 0
    expect(stage.locator("[data-play=toggle]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(stage).to_have_count(0)
    # The event and the play control are where they were.
    expect(page.locator(".bar [data-play=toggle]")).to_be_visible()
    expect(page.locator(".moment-why")).to_have_text(sentence)
    expect(page).to_have_url(re.compile("moment="))
    expect(page.locator(".bar")).to_be_visible()
