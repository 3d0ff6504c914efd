"""Going through a run by what happened, asking why, changing one thing from there, and the messages on a board."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import COMPUTED_MS, begin_studio, clock_seconds, pause, wait_for_clock, wait_until_computed

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second playground")]

CONTENDED: dict[str, Any] = {
    "topology": {"global_masters": 2, "clusters": [{"name": "lm", "repeat": 2, "machines": [{"count": 4, "cpus": 1}]}]},
    "queues": [{"name": "q0", "share": 0.8}, {"name": "q1", "share": 0.2}],
    "workload": {"kind": "inline", "jobs": [{"arrival_s": n / 10, "durations_s": [0.5, 1, 0.7]} for n in range(30)]},
    "network": {"message_delay_s": 0.05},
    "scheduler": {"name": "megha"},
}


def test_a_newcomer_explains_a_preempted_task_changes_one_thing_and_sees_where_the_runs_part(page: Page) -> None:
    begin_studio(page, **CONTENDED)
    wait_until_computed(page)
    pause(page)
    page.keyboard.press("Home")
    page.locator("[data-jump-to]").select_option("mark-preemption")
    page.locator("[data-jump-to]").blur()
    page.keyboard.press("]")
    expect(page.locator(".inspector-sentence")).to_have_text(re.compile(r"^Task \d+ of job .* arrived at .* preempted"))
    at_s = clock_seconds(page)
    expect(page).to_have_url(re.compile(r"show=task\.\d+"))
    page.keyboard.press("[")
    expect(page.locator("[data-notice]")).to_contain_text("No earlier")
    assert clock_seconds(page) == at_s
    expect(page.locator(".history")).to_contain_text("preempted on machine")
    fold = page.locator("[data-part-messages]")
    fold.locator("summary").click()
    expect(fold.locator("table")).to_contain_text("Request", timeout=COMPUTED_MS)
    expect(fold).to_contain_text(re.compile(r"\d+ messages"))
    fold.locator("summary").click()

    page.locator("[data-why-task]").click()
    expect(page.locator("[data-answer]")).to_contain_text("preempted on machine", timeout=COMPUTED_MS)
    expect(page.locator("[data-ruled-out] li").first).to_contain_text("Queue 0")
    page.locator("[data-smallest]").click()
    expect(page.locator(".change").first).to_contain_text("earlier", timeout=COMPUTED_MS)
    page.keyboard.press("Escape")

    page.locator("#tab-messages").click()
    expect(page.locator(".messages .message").first).to_be_attached(timeout=COMPUTED_MS)
    before = page.locator(".picture-messages .flow-where").text_content()
    page.locator(".message-place").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".picture-messages .flow-where")).not_to_have_text(before or "")
    page.locator(".message .message-reach").last.hover(force=True)
    expect(page.locator(".tip:visible")).to_contain_text("sent at")
    page.locator("#tab-machines").click()

    address = page.url.split("?")[0]
    page.keyboard.press("f")
    choice = page.locator(".what-if select").first
    for does in ("fail-cluster", "fail-local-master", "fail-global-master"):
        of = page.locator(f".what-if [data-change={does}]")
        if of.count():
            choice.select_option(of.get_attribute("value"))
            for asked in ("at_s", "duration_s"):
                expect(page.locator(f".what-if [data-typed={asked}]")).to_be_visible()
    fails = page.locator(".what-if [data-change=fail-machine]").get_attribute("value")
    page.locator(".what-if select").first.select_option(fails)
    page.locator("[data-fork-here]").click()
    page.wait_for_function("address => !location.href.startsWith(address)", arg=address)
    wait_until_computed(page)
    page.locator("[data-part]").click()
    expect(page.locator("[data-difference]")).to_contain_text("They diverge at", timeout=COMPUTED_MS)
    expect(page.locator(".dialog .why-part")).to_have_count(2)
    page.locator(".dialog .button-small").click()
    wait_for_clock(page, at_s)

    # The question is there after reopening, too, when the run before is not on the screen.
    page.reload()
    wait_until_computed(page)
    page.locator("[data-part]").click()
    expect(page.locator("[data-difference]")).to_contain_text("They diverge at", timeout=COMPUTED_MS)
