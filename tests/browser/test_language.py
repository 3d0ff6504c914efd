"""The product in a second language: chosen by the address, kept by the cookie, with its numbers, and back again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import COMPUTED_MS

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second playground")]


def test_german_goes_from_page_to_page_with_its_numbers_and_back(page: Page) -> None:
    html = page.locator("html")
    page.goto("/?lang=de")
    expect(html).to_have_attribute("lang", "de")
    expect(page.locator("[data-wait='0'] output").first).to_have_text(re.compile(r"^\d+,\d\d s$"))
    page.locator("a[href='/schedulers']:visible").first.click()
    expect(html).to_have_attribute("lang", "de")
    expect(page.locator("[data-scheduler=megha] .scheduler-says")).not_to_have_attribute("lang", "en")
    page.goto("/studio?level=play")
    expect(page.locator("body.has-picture")).to_be_attached(timeout=COMPUTED_MS)
    # What a run declares (the legend), what the scheduler declares (a control), what a script says (a curve's caption).
    for name in (".legend", ".left-knobs", "[data-story]"):
        expect(page.locator(name)).to_contain_text(re.compile("Verliehen|Kosten|wartet"))
    expect(page.locator("[data-play=clock]")).to_have_text(re.compile(r"^\d\d:\d\d:\d\d,\d$"))
    page.goto("/gallery?here=1")
    page.locator("[data-language=en]:visible").first.click()
    expect(html).to_have_attribute("lang", "en")
    expect(page).to_have_url(re.compile(r"/gallery\?here=1&lang=en$"))
    page.goto("/gallery")
    expect(html).to_have_attribute("lang", "en")
