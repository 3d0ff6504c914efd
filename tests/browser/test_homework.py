"""A homework from its link to its results: a teacher's browser and a student's phone, without anybody else."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import DESKTOP, Complaints

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.redis, pytest.mark.xdist_group("service")]

LESSON = """
title: A short homework
steps:
  - show: {gallery: short-job}
    text: Look at this run.
  - question: {kind: number, text: How long?, metric: allocation_delay_s.p90, low: 0.1, high: 1000, log: true}
  - question: {kind: point, text: Which machine?, reason: launched}
  - text: What did you learn?
"""


def test_a_homework_is_given_done_on_a_phone_and_read_by_its_teacher(
    chromium: Browser, live_playground: str, complaints: Complaints
) -> None:
    desk = chromium.new_context(base_url=live_playground, viewport=DESKTOP).new_page()
    phone = chromium.new_context(base_url=live_playground, viewport={"width": 390, "height": 844}).new_page()
    for page in (desk, phone):
        complaints.watch(page)
    desk.goto("/classes")
    lesson = {"name": "lesson.yaml", "mimeType": "application/yaml", "buffer": LESSON.encode()}
    desk.locator("[data-file]").set_input_files(lesson)
    desk.locator("[data-at-once]").check()
    desk.locator("[data-give]").click()
    expect(desk.locator("[data-question]")).to_have_count(2)

    phone.goto(desk.locator("[data-link]").input_value())
    phone.locator("[data-name]").fill("Ada")
    phone.locator("[data-enter]").click()
    expect(phone.frame_locator("iframe").locator(".map-cells")).to_be_visible()
    phone.locator("[data-next]").click()
    phone.locator("input[data-number]").fill("50")
    phone.locator("[data-send]").click()
    expect(phone.locator("[data-result=number]")).to_be_visible()
    expect(phone.locator("[data-score]")).to_be_visible()
    phone.locator("[data-next]").click()
    expect(phone.locator("[data-picture] .map-cells")).to_be_visible()
    phone.locator("input[data-machine]").fill("3")
    phone.locator("[data-send]").click()
    expect(phone.locator("[data-result=point]")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") == 390

    phone.reload()
    phone.locator("[data-next]").click()
    expect(phone.locator("[data-result=number]")).to_be_visible()
    for _ in range(3):
        phone.locator("[data-next]").click()
    expect(phone.locator("[data-summary] li")).to_have_count(2)
    expect(desk.locator("[data-students] li")).to_contain_text("Ada")
    expect(desk.locator("[data-students] li")).to_contain_text("2")
    for page in (desk, phone):
        page.context.close()
