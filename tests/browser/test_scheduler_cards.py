"""The studio's choice of a scheduler: cards in a dialog, a search, and a choice that keeps the workload."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect


def test_a_scheduler_is_chosen_from_cards_and_the_work_stays(page: Page) -> None:
    page.goto("/studio")
    pick = page.locator(".scheduler-pick")
    expect(pick).to_have_text("Megha")
    before = json.loads(page.locator(".json-text").input_value())["workload"]
    pick.click()
    dialog = page.get_by_role("dialog", name="Choose a scheduler")
    dialog.get_by_label("Search").fill("sparrow 2013")
    expect(dialog.locator("[data-scheduler]:visible")).to_have_count(2)
    dialog.locator("[data-choose=sparrow]").click()
    expect(dialog).to_have_count(0)
    expect(pick).to_have_text("Sparrow")
    assert json.loads(page.locator(".json-text").input_value())["workload"] == before
    expect(page.locator(".signature-link")).to_have_attribute("href", "/studio?signature=sparrow&layer=queue")
