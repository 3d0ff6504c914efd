from __future__ import annotations

import gzip

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import map_print, wait_for_other_picture

pytestmark = pytest.mark.browser

MOST_GZIPPED_BYTES = 150_000


def test_something_moves_without_a_click(page: Page) -> None:
    page.goto("/")
    first = wait_for_other_picture(page, map_print(page))
    second = wait_for_other_picture(page, first)
    assert first != second
    expect(page.locator("[data-percentile=p50]")).not_to_have_text("–")
    assert page.locator(".note.placed").count() == 3


def test_the_heavy_button_leads_into_the_studio(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Open the studio").click()
    page.wait_for_url("**/studio**")
    expect(page.locator(".bar-name")).not_to_have_value("")


def test_the_page_is_light(chromium: Browser, live_playground: str) -> None:
    context = chromium.new_context(base_url=live_playground)
    sizes: dict[str, int] = {}
    page = context.new_page()
    page.on("response", lambda response: sizes.update({response.url: _gzipped(response.body())}))
    page.goto("/")
    page.wait_for_load_state("networkidle")
    context.close()
    recording = {url: size for url, size in sizes.items() if url.endswith("landing.zip")}
    assert len(recording) == 1
    assert sum(sizes.values()) - sum(recording.values()) <= MOST_GZIPPED_BYTES, sizes


def test_a_missing_recording_is_said_and_the_way_on_stays(context: BrowserContext, complaints: Complaints) -> None:
    complaints.expected = ["Failed to load resource"]
    page = context.new_page()
    complaints.watch(page)
    page.route("**/landing.zip", lambda route: route.fulfill(status=404))
    page.goto("/")
    expect(page.locator("[data-failure]")).to_be_visible()
    expect(page.get_by_role("link", name="Open the studio")).to_be_visible()


def _gzipped(body: bytes) -> int:
    return len(gzip.compress(body))
