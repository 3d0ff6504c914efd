"""The page of all components, photographed in both themes and measured; the same measures on pages of the product."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page
from pytest_django import Settings

from tests.browser.conftest import Complaints
from tests.browser.test_accessible import found

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("playground")]

# Texts that are too small, and what is operated and too low or too narrow: what can be hit counts, with the part
# around it (::after) or its label.
MEASURED = """(least) => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1;
  const small = [...document.querySelectorAll('body *')].filter((one) => shown(one)
      && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
      && !one.closest('noscript, .type-axis, .bottleneck-axis, .is-narrow, svg, .js-plotly-plot')
      && parseFloat(getComputedStyle(one).fontSize) < 14)
    .map((one) => `${getComputedStyle(one).fontSize} ${one.outerHTML.slice(0, 120)}`);
  const size = (one, side) => {
    const hit = one.matches('[type=checkbox], [type=radio]') ? (one.labels?.[0] ?? one) : one;
    const own = hit.getBoundingClientRect()[side], around = getComputedStyle(one, '::after');
    const more = around.content !== 'none' && around.position === 'absolute' ? parseFloat(around[side]) : 0;
    return Math.max(own, more || 0);
  };
  const low = [...document.querySelectorAll('button, select, summary, input:not([type=hidden])')]
    .map((one) => [one, Math.min(size(one, 'height'), size(one, 'width'))])
    .filter(([one, least_side]) => shown(one) && !one.closest('[inert]') && least_side < least - 0.5)
    .map(([one, least_side]) => `${least_side} px ${one.outerHTML.slice(0, 120)}`);
  return [small, low];
}"""


@pytest.fixture
def components(page: Page, settings: Settings, client: Any) -> Iterator[Page]:
    """Show the page as a developer's server renders it; its files come from the playground."""
    settings.DEBUG = True
    html = client.get("/dev/components", headers={"host": "localhost"}).content.decode()
    page.route("**/dev/components", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto("/dev/components")
    yield page
    page.unroute_all()


def test_components_have_the_colors_of_each_theme_and_cut_nothing_off(components: Page, tmp_path: Path) -> None:
    themes = {}
    for theme in ("light", "dark"):
        box = components.locator(f"[data-theme-shown={theme}]")
        photograph = Image.open(io.BytesIO(box.screenshot(path=tmp_path / f"components-{theme}.png"))).convert("L")
        themes[theme] = photograph.resize((1, 1)).getpixel((0, 0))
        cut = box.evaluate(
            """box => [...box.querySelectorAll('.component *')].filter(one => one.scrollWidth > one.clientWidth + 1
              && getComputedStyle(one).overflowX === 'hidden' && !one.matches('.visually-hidden, .knob-help'))
              .map(one => one.outerHTML.slice(0, 100))"""
        )
        assert cut == [], theme
    assert themes["light"] > 200 > 60 > themes["dark"], "each in its own colors, side by side on one page"
    faces = components.evaluate("[...document.fonts].filter(one => one.status === 'loaded').map(one => one.family)")
    assert any("Source Sans 3" in face for face in faces)


def test_components_keep_contrast_sizes_and_targets(components: Page) -> None:
    assert found(components, "components") == []
    assert components.evaluate(MEASURED, 28) == [[], []]


def test_a_phone_has_targets_for_thumbs(components: Page) -> None:
    before = components.viewport_size
    components.set_viewport_size({"width": 390, "height": 844})
    low = components.evaluate(MEASURED, 44)[1]
    if before is not None:
        components.set_viewport_size(before)
    assert not low, "; ".join(low)


@pytest.mark.parametrize("path", ["/", "/gallery", "/studies", "/compare"])
def test_pages_keep_sizes_and_targets(page: Page, complaints: Complaints, path: str) -> None:
    page.goto(path)
    page.locator("h1").wait_for()
    assert page.evaluate(MEASURED, 28) == [[], []]


@pytest.mark.parametrize("address", ["gallery=old-news", "signature=pipeline&level=lab&picture=stages"])
def test_the_studio_keeps_sizes_and_targets(page: Page, address: str) -> None:
    page.goto(f"/studio?{address}")
    page.locator(".panel-scheduler .knob").first.wait_for()
    if "stages" in address:
        page.locator(".stage-toggle").first.wait_for()
    small, low = page.evaluate(MEASURED, 28)
    assert small == []
    # On a desktop these are headings: sections fold on a phone alone.
    assert [each for each in low if "panel-head" not in each] == []
