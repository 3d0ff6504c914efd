"""From a question of the gallery to people who follow, to a lesson, to a frame in somebody's page."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import clock_seconds, exported, open_small_studio, painted, pause, wait_until_computed

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second playground")]


def run_of(page: Page) -> str:
    boot = json.loads(page.locator("#boot").text_content() or "")
    run: str = boot["experiment"]["runs"][0]["id"]
    return run


def test_a_question_leads_through_its_run_and_to_what_to_try(
    page: Page, context: BrowserContext, complaints: Complaints
) -> None:
    page.goto("/gallery")
    page.locator("[data-question=old-news]").get_by_role("link").click()
    card = page.locator("[data-tour]")
    expect(card).to_contain_text("1 of 4")
    page.locator("[data-tour-next]").click()
    # The second card tells of a refusal, and stands where it is drawn.
    expect(page.locator("[data-map]")).to_have_class(re.compile("is-toured"))
    expect(card).to_have_attribute("data-marks", re.compile("mark:refusal"))
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(card).to_contain_text("What to try next")
    wait_until_computed(page)
    # Whoever comes later plays the recording and asks nobody to compute.
    visitor = context.browser.new_context(base_url=page.url.split("/studio")[0]).new_page()  # type: ignore[union-attr]
    complaints.watch(visitor)
    asked: list[str] = []
    visitor.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    visitor.goto("/studio?gallery=old-news")
    wait_until_computed(visitor)
    expect(visitor.locator("[data-tour]")).to_contain_text("1 of 4")
    assert (run_of(visitor), asked) == (run_of(page), [])
    visitor.context.close()
    # Trying something makes a copy of one's own.
    page.locator("[data-try='scheduler.params.heartbeat_s']").click()
    heartbeat = page.locator(".knob[data-path='scheduler.params.heartbeat_s'] .knob-value")
    expect(heartbeat).to_have_value(re.compile(r"^(60\ss|1\smin)$"))
    page.locator("[data-tour]").focus()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    wait_until_computed(page)
    page.locator("[data-share]").click()
    page.locator("[data-forks-link]").click()
    # Forks by other visitors of this playground stand in the list, too.
    expect(page.locator("[data-forks] .fork-row:not(.is-here)").first).to_be_visible()
    expect(page.locator("[data-forks] .fork-row.is-here")).to_contain_text("10.0 → 60")


def test_viewers_follow_a_lesson_holds_and_a_frame_shows_its_parts(
    page: Page, context: BrowserContext, complaints: Complaints
) -> None:
    open_small_studio(page)
    slug = page.request.get(f"/api/v1/experiments/{page.url.split('?')[0].rsplit('/', 1)[1]}").json()["slug"]
    assert b'"nbformat": 4' in exported(page, "notebook")
    pause(page)
    page.locator("[data-share]").click()
    page.locator("[data-embed-panel=waits]").check()
    assert "panels=map.legend.play.waits" in page.locator("[data-copied=embed]").input_value()
    page.locator("[data-present]").click()
    link = page.locator("[data-copied=viewer]").input_value()
    page.keyboard.press("Escape")
    viewer = context.browser.new_context(base_url=page.url.split("/studio")[0]).new_page()  # type: ignore[union-attr]
    complaints.watch(viewer)
    viewer.goto(link)
    follows, again = viewer.locator("body"), viewer.locator("[data-follow-again]")
    expect(follows).to_have_attribute("data-following", "yes")
    expect(viewer.locator("[data-strip-words]")).not_to_be_empty()
    page.locator(".map-cells").focus()
    page.keyboard.press("End")
    page.keyboard.press("+")
    painted(page)
    expect(viewer.locator("[data-play=clock]")).to_have_text(page.locator("[data-play=clock]").text_content() or "")
    viewer.wait_for_function("() => new URLSearchParams(location.search).has('zoom')")
    expect(page.locator("[data-strip-words]")).to_contain_text("1")
    # Who acts looks around alone, and may come back.
    viewer.locator("[data-play=back]").click()
    expect(follows).to_have_attribute("data-following", "no")
    ahead = page.locator("[data-play=clock]").text_content() or ""
    expect(viewer.locator("[data-play=clock]")).not_to_have_text(ahead)  # it is written with the next picture
    assert clock_seconds(viewer) < clock_seconds(page)
    again.click()
    expect(viewer.locator("[data-play=clock]")).to_have_text(page.locator("[data-play=clock]").text_content() or "")
    # A knob that the presenter turns is another run: viewers go along.
    load = ".knob[data-path='workload.arrivals.offered_load']"
    page.locator(f"{load} input[type=range]").press("ArrowLeft")
    changed = page.locator(f"{load} .knob-value").input_value()
    expect(viewer.locator(f"{load} .knob-value")).to_have_value(changed)
    page.locator("[data-present-stop]").click()
    expect(follows).to_have_attribute("data-following", "no")
    expect(again).to_be_hidden()
    # A lesson made in the dialog.
    page.locator("[data-share]").click()
    page.locator("[data-make-lesson]").click()
    page.locator("[data-lesson-control=compare]").select_option("hide")
    expect(page.locator("[data-lesson-control='scheduler.params.heartbeat_s']")).to_have_accessible_name(
        "Heartbeat interval"
    )
    page.locator("[data-lesson-control='scheduler.params.heartbeat_s']").select_option("fix")
    lesson = page.locator("[data-copied=guided]").input_value()
    viewer.goto(lesson)
    viewer.locator("[data-fork]").click()
    expect(viewer.locator(".knob[data-path='workload.arrivals.offered_load'] input").first).to_be_enabled()
    expect(viewer.locator(".knob[data-path='scheduler.params.heartbeat_s'] input").first).to_be_disabled()
    expect(viewer.locator("[data-compare]")).to_be_hidden()
    viewer.goto(f"/e/{slug}/embed?panels=waits.timeline")
    expect(viewer.locator("[data-percentile=p50]")).not_to_have_text("–")
    expect(viewer.locator(".timeline-plot canvas").first).to_be_visible()
    expect(viewer.locator("[data-play=toggle]")).to_have_count(0)
    viewer.context.close()
