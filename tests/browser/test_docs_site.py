"""The documentation in a browser: under the policy of all pages, in both themes, and searchable."""

from __future__ import annotations

import subprocess
import sys

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Complaints
from tests.browser.test_accessible import found
from tests.support import PROJECT

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second playground")]


def test_the_docs_are_found_by_search_and_accessible_in_both_themes(page: Page, complaints: Complaints) -> None:
    subprocess.run([sys.executable, "tools/docs/build.py", "--if-stale"], cwd=PROJECT, check=True)
    page.goto("/docs/explanation/what-to-believe/")
    assert found(page, "light") == []
    page.keyboard.press("/")
    page.keyboard.type("the heartbeat inter")
    expect(page.locator("[data-found-list] a").first).to_be_visible(timeout=20_000)
    page.keyboard.press("Escape")
    page.locator("[data-theme-toggle]").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert found(page, "dark") == []
    page.locator("#docs-query").fill("first experiment")
    page.locator("[data-found-list] a[href*='tutorials/first-experiment']").first.click()
    expect(page.locator("h1")).to_have_text("Your first experiment")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
