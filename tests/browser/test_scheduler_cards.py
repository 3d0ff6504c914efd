"""The studio's choice of a scheduler: cards in a dialog, a search, and a choice that keeps the workload."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second playground")]


def test_a_scheduler_is_chosen_from_cards_and_the_work_stays(page: Page) -> None:
    page.goto("/studio")
    pick = page.locator(".scheduler-pick")
    expect(pick).to_have_text("Megha")
    before = json.loads(page.locator(".json-text").input_value())["workload"]
    pick.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("searchbox").fill("sparrow 2013")
    expect(dialog.locator("[data-scheduler]:visible")).to_have_count(2)
    dialog.locator("[data-choose=sparrow]").click()
    expect(dialog).to_have_count(0)
    expect(pick).to_have_text("Sparrow")
    assert json.loads(page.locator(".json-text").input_value())["workload"] == before
    link = page.locator(".signature-link")
    expect(link).to_have_attribute("href", "/studio?signature=sparrow&level=play&layer=queue")
    link.click()
    panel = page.locator(".panel-signature")
    expect(panel.locator("[data-signature-number]")).to_have_text(re.compile(r"\d.s$"))
    expect(panel).to_contain_text("Sparrow")
    moment = panel.locator("[data-signature-moment]")
    moment.click()
    expect(page.locator(".moment-why")).not_to_be_empty()
    turn = panel.locator("[data-signature-turn]")
    expect(turn).to_have_text("Try: Probe ratio 2 → 4")
    turn.click()
    expect(turn).to_have_text("Back: Probe ratio 2")
