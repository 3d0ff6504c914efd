from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import (
    COMPUTED_MS,
    begin_studio,
    map_print,
    open_small_studio,
    painted,
    pause,
    scrub,
    the_left_column_is_one_screen,
    wait_for_clock,
    wait_for_other_picture,
    wait_until_computed,
)
from tests.tiers import journey, shares

STORING = re.compile(r"/api/v1/experiments(\?|$)")
pytestmark = [pytest.mark.browser, shares("playground")]

LONG_WORK = {
    "kind": "synthetic",
    "tasks": 1_500_000,
    "arrivals": {"kind": "poisson", "offered_load": 0.7},
    "duration_s": {"kind": "exponential", "mean": 4},
}
BUSY_HEART = {
    "name": "megha",
    "params": {"heartbeat_s": 0.002, "request_us": 0, "send_ns": 0, "update_us": 0, "apply_ns": 0},
}
"""Heartbeats that cost nothing but the computer's time: more than some seconds are left when a button is pressed."""


def test_the_studio_runs_by_itself_and_shows_waits(page: Page) -> None:
    page.goto("/studio?level=lab")
    expect(page.locator("body.has-picture")).to_be_attached(timeout=COMPUTED_MS)
    first = wait_for_other_picture(page, None)
    wait_for_other_picture(page, first)
    expect(page.locator("[data-percentile=p99]")).not_to_have_text("–")
    expect(page).to_have_url(re.compile("/studio/.+"))


def test_page_and_controls_do_not_scroll_at_the_size_they_were_designed_for(page: Page) -> None:
    open_small_studio(page)
    size = page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
    assert size == [800, 1280]
    # The right column scrolls in itself: the bottleneck came to it, and every run has one.
    the_left_column_is_one_screen(page)
    box = page.locator(".centre").bounding_box()
    assert box is not None
    assert box["width"] > 640


_COVERED_OR_CUT = """words => {
  const shown = [...document.querySelectorAll('.panel-datacenter :is(.knob-value, .knob-select)')]
    .filter(each => each.checkVisibility());
  const select = document.querySelector('.panel-datacenter .keeps .knob-select');
  for (const option of select.options) if (words) option.textContent = words;
  const boxes = shown.map(each => each.getBoundingClientRect());
  const covers = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = getComputedStyle(select).font;
  const text = pen.measureText(select.selectedOptions[0].textContent).width;
  const mine = shown.indexOf(select);
  return [mine >= 0, boxes.filter((box, at) => at !== mine && covers(box, boxes[mine])).length,
    text <= select.clientWidth - 16];
}"""


def test_the_choice_of_what_stays_covers_nothing_and_is_not_cut(page: Page) -> None:
    open_small_studio(page)
    page.locator(".panel-datacenter .more > summary").click()
    for words in ("", "gleiche Arbeit"):  # in the language with the longest texts
        assert page.evaluate(_COVERED_OR_CUT, words) == [True, 0, True], words


def test_the_task_on_screen_is_explained_without_its_number(page: Page) -> None:
    open_small_studio(page)
    page.locator(".inspector-task").fill("7")
    page.locator("[data-show-task]").click()
    expect(page.locator(".inspector-sentence")).to_contain_text("7")
    page.locator(".inspector-task").fill("")
    page.locator("[data-explain-task]").click()
    expect(page.locator(".dialog[open], dialog[open]").first).to_contain_text("7")


@journey
def test_a_knob_makes_a_new_run_and_leaves_a_ghost(page: Page) -> None:
    open_small_studio(page)
    before, address = map_print(page), page.url.split("?")[0]
    knob = page.locator(".knob[data-path='workload.arrivals.offered_load'] .knob-value")
    knob.fill("0.3")
    knob.press("Enter")
    page.wait_for_function("address => !location.href.startsWith(address)", arg=address)
    expect(page.locator(".ghost-note")).to_be_visible(timeout=COMPUTED_MS)
    wait_until_computed(page)
    wait_for_other_picture(page, before)
    page.keyboard.press("End")
    expect(page.locator("[data-play=toggle]")).to_have_attribute("aria-label", re.compile("again"))
    painted(page)
    now, before_it = (page.locator(f".percentile:nth-child(3) dd:nth-of-type({n})").text_content() for n in (1, 2))
    assert now != before_it
    page.locator("[data-tab=json]").click()
    assert '"offered_load": 0.3' in page.locator(".json-text").input_value()


def test_scrubbing_back_changes_the_clock_and_the_picture(page: Page) -> None:
    open_small_studio(page)
    late = scrub(page, 0.5)
    picture = map_print(page)
    early = scrub(page, 0.2)
    assert 0 < early < late
    assert map_print(page) != picture
    assert scrub(page, 0.5) == late
    assert map_print(page) == picture


@journey
def test_keys_play_step_and_change_the_layer(page: Page) -> None:
    open_small_studio(page)
    pause(page)
    page.keyboard.press("Home")
    expect(page.locator("[data-play=clock]")).to_have_text("00:00:00.000")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-play=clock]")).not_to_have_text("00:00:00.000")
    page.keyboard.press("l")
    pressed = page.locator(".layer[aria-pressed=true]")
    expect(pressed).to_have_count(1)
    expect(pressed).not_to_have_text("Everything")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog").locator(".keys").first).to_be_visible()


def test_a_cell_explains_itself_and_is_pinned(page: Page) -> None:
    open_small_studio(page)
    pause(page)
    # The map takes its last size when the run's tasks have come: their legend leaves less room for it.
    expect(page.locator("[data-legend] .of-tasks").first).to_be_visible(timeout=COMPUTED_MS)
    painted(page)
    # The first machine of the first block, found by its ink.
    spot = page.locator(".map-cells").evaluate("""canvas => {
      const pen = canvas.getContext('2d'), box = canvas.getBoundingClientRect();
      for (let y = 0; y < canvas.height; y += 2) for (let x = 0; x < canvas.width; x += 2)
        if (pen.getImageData(x, y, 1, 1).data[3])
          return [box.x + (x + 3) * box.width / canvas.width, box.y + (y + 3) * box.height / canvas.height];
    }""")
    page.mouse.move(*spot)
    expect(page.locator(".tip")).to_contain_text("Machine 0 of Cluster 0, owned by Master 0")
    page.mouse.click(*spot)
    expect(page.locator(".inspector-sentence")).to_contain_text("Machine 0 of Cluster 0")
    page.keyboard.press("Escape")
    expect(page.locator(".inspector-sentence")).to_have_text("")


def test_a_problem_is_shown_at_its_field_and_beside_its_knob(page: Page, complaints: Complaints) -> None:
    complaints.expected = ["status of 422"]
    open_small_studio(page)
    page.locator("[data-tab=json]").click()
    text = page.locator(".json-text")
    text.fill(text.input_value().replace('"heartbeat_s": 5', '"heartbeat_s": -5').replace('"seed": 5', '"sede": 5'))
    page.locator("[data-apply]").click()
    expect(page.locator(".json-problem[data-path='scheduler.params.heartbeat_s']")).to_be_visible()
    expect(page.locator(".json-problem[data-path=sede]")).to_be_visible()
    page.locator("[data-tab=knobs]").click()
    beside = page.locator(".knob[data-path='scheduler.params.heartbeat_s'] .knob-problem")
    expect(beside).to_be_visible()
    expect(page.locator("[data-state]")).to_contain_text("Not run: a setting is invalid")
    page.locator("[data-tab=json]").click()
    page.locator("[data-undo]").click()
    wait_until_computed(page)
    expect(page.locator(".json-problem")).to_have_count(0)
    assert '"heartbeat_s": 5' in text.input_value()


def test_text_that_is_not_json_is_refused_in_words(page: Page) -> None:
    begin_studio(page)
    page.locator("[data-tab=json]").click()
    page.locator(".json-text").fill("{ not json")
    page.locator("[data-apply]").click()
    expect(page.locator(".json-problem")).to_contain_text("not JSON yet")


def test_a_share_link_opens_elsewhere_at_the_same_instant_and_forks(
    page: Page, context: BrowserContext, complaints: Complaints
) -> None:
    open_small_studio(page)
    shared_at = scrub(page, 0.4)
    page.locator(".layer[data-layer=load]").click()
    page.locator("[data-share]").click()
    link = page.locator("[data-copied=short]").input_value()
    assert "/e/" in link
    assert "layer=load" in link

    assert context.browser is not None
    other = context.browser.new_context(viewport={"width": 1280, "height": 800})
    guest = other.new_page()
    complaints.watch(guest)
    guest.goto(link)
    wait_for_other_picture(guest, None)
    expect(guest.locator(".layer[data-layer=load]")).to_have_attribute("aria-pressed", "true")
    wait_for_clock(guest, shared_at)
    expect(guest.locator("[data-fork]")).to_be_visible()
    guest.locator("input[type=range][data-path$=repeat]").press("ArrowRight")
    guest.wait_for_url("**/studio/*")
    expect(guest.locator("[data-fork]")).to_be_hidden()
    expect(guest.get_by_role("alert")).not_to_be_empty()
    other.close()


def test_an_embedded_run_is_map_and_play_bar(page: Page) -> None:
    open_small_studio(page)
    page.locator("[data-share]").click()
    link = page.locator("[data-copied=short]").input_value()
    page.goto(link.split("?")[0] + "/embed")
    wait_for_other_picture(page, map_print(page))
    expect(page.locator("[data-play=toggle]")).to_be_visible()
    expect(page.locator(".left")).to_have_count(0)


def test_a_wrong_link_says_that_the_page_is_missing_and_offers_ways_on(page: Page, complaints: Complaints) -> None:
    complaints.expected = ["status of 404"]
    ways_on = {
        "/e/nothing-here": ["/studio", "/experiments"],
        "/nothing/here": ["/", "/experiments", "/studio", "/docs/"],
    }
    for address, links in ways_on.items():
        page.goto(address)
        expect(page.locator("main.missing-main h1")).to_be_visible()
        acts = page.locator("main .missing-acts a:visible")
        assert [act.get_attribute("href") for act in acts.all()] == links
        expect(page.locator("main .missing-acts a.button-heavy")).to_have_attribute("href", links[0])


def test_the_computing_of_a_long_run_is_paused_and_goes_on(page: Page) -> None:
    begin_studio(page, workload=LONG_WORK, scheduler=BUSY_HEART)
    page.locator("[data-pause]").click(timeout=COMPUTED_MS)
    expect(page.locator("[data-state]")).to_contain_text("Computation paused", timeout=COMPUTED_MS)
    page.reload()
    expect(page.locator("[data-state]")).to_contain_text("Computation paused")
    page.locator("[data-pause]").click()
    expect(page.locator("[data-state]")).to_contain_text("Computing", timeout=COMPUTED_MS)
    page.locator("[data-cancel]").click()
    expect(page.locator("[data-state]")).to_have_text("Cancelled")


def test_a_cancelled_run_stays_cancelled_until_it_is_run_again(page: Page) -> None:
    begin_studio(page, workload=LONG_WORK, scheduler=BUSY_HEART)
    expect(page.locator("body.has-picture")).to_be_attached(timeout=COMPUTED_MS)
    address = page.url.split("?")[0]
    page.locator("[data-cancel]").click()
    expect(page.locator("[data-state]")).to_have_text("Cancelled")
    page.reload()
    expect(page.locator("[data-state]")).to_have_text("Cancelled")
    page.locator("[data-again]").click()
    expect(page.locator("[data-state]")).to_contain_text("Computing", timeout=COMPUTED_MS)
    assert page.url.startswith(address)
    page.locator("[data-cancel]").click()
    expect(page.locator("[data-state]")).to_have_text("Cancelled")


def test_a_change_made_without_a_connection_is_sent_when_there_is_one(page: Page, complaints: Complaints) -> None:
    complaints.expected = ["ERR_FAILED"]
    open_small_studio(page)
    address = page.url.split("?")[0]
    page.route(STORING, lambda route: route.abort())
    knob = page.locator(".knob[data-path='workload.arrivals.offered_load'] .knob-value")
    knob.fill("0.4")
    knob.press("Enter")
    expect(page.locator("[data-state]")).to_contain_text("trying again")
    page.unroute(STORING)
    page.wait_for_function("address => !location.href.startsWith(address)", arg=address)
    wait_until_computed(page)
    expect(page.locator("[data-notice]")).to_be_hidden()


def test_knobs_explain_themselves_and_those_without_effect_go(page: Page) -> None:
    begin_studio(page)
    page.locator(".panel-work .more > summary").click()
    page.locator(".knob[data-path='workload.duration_s'] .knob-label").hover()
    expect(page.locator(".help-tip")).not_to_be_empty()
    expect(page.locator(".queues-note")).to_be_visible()
    page.locator("[data-by-share]").click()
    expect(page.locator(".queues-note")).to_be_hidden()
    masters = page.locator(".knob[data-path='topology.global_masters']")
    expect(masters).to_be_visible()
    page.locator(".scheduler-pick").click()
    page.locator("[data-choose=sparrow]").click()
    expect(masters).to_be_hidden()
    expect(page.locator(".queues-note")).to_contain_text("queues have no effect")
