from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.looking import (
    map_print,
    open_small_studio,
    pause,
    wait_for_other_picture,
    wait_for_picture,
    wait_until_computed,
)

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second playground")]

ZOOM = "output.zoom-value"


def _paused_studio(page: Page) -> Locator:
    open_small_studio(page)
    pause(page)
    page.keyboard.press("Home")
    page.locator(".map-cells").focus()
    return page.locator(".map-cells")


def _middle(page: Page) -> tuple[float, float]:
    box = page.locator(".map-cells").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 4, box["y"] + box["height"] / 3


def test_wheel_keys_buttons_and_double_click_zoom_and_zero_shows_everything(page: Page) -> None:
    _paused_studio(page)
    minimap = page.locator(".minimap")
    expect(minimap).to_be_hidden()
    page.mouse.move(*_middle(page))
    seen = map_print(page)
    for act in (
        lambda: page.mouse.wheel(0, -300),
        lambda: page.keyboard.press("+"),
        lambda: page.locator("[data-zooms=in]").click(),
        lambda: page.mouse.dblclick(*_middle(page)),
    ):
        act()
        seen = wait_for_other_picture(page, seen)
        expect(page.locator(ZOOM)).not_to_have_text("1×")
        expect(minimap).to_be_visible()
        page.locator(".map-cells").focus()
        page.keyboard.press("0")
        expect(page.locator(ZOOM)).to_have_text("1×")
        expect(minimap).to_be_hidden()
        seen = map_print(page)


def test_the_address_keeps_zoom_centre_and_filter_over_a_reload(page: Page) -> None:
    _paused_studio(page)
    page.mouse.move(*_middle(page))
    page.mouse.wheel(0, -400)
    page.locator("[data-legend] [data-owner='1']").click()
    expect(page).to_have_url(re.compile(r"zoom=.*&centre=\d+.*&owners=1"))
    zoomed, address = page.locator(ZOOM).text_content(), page.url
    page.reload()
    wait_until_computed(page)
    expect(page.locator(ZOOM)).to_have_text(zoomed or "")
    expect(page.locator(".legend-owner[aria-pressed=true]")).to_have_text("Master 1")
    page.keyboard.press("l")  # the page writes the address anew, with the layer: the rest must stay
    expect(page).to_have_url(re.compile("layer="))
    for part in re.findall(r"(?:zoom|centre|owners)=[\d.]+", address):
        assert part in page.url


def test_a_drag_moves_the_map_and_pins_nothing(page: Page) -> None:
    _paused_studio(page)
    x, y = _middle(page)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -500)
    before = wait_for_other_picture(page, None)
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=4)
    page.mouse.up()
    wait_for_other_picture(page, before)
    expect(page.locator(".inspector-sentence")).to_have_text("")


def test_arrows_lead_from_machine_to_machine_and_enter_pins(page: Page) -> None:
    _paused_studio(page)
    said = page.locator("[data-live]")
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("Machine ")
    first = said.text_content() or ""
    page.keyboard.press("ArrowRight")
    expect(said).not_to_have_text(first)
    expect(page.locator("[data-play=clock]")).to_have_text("00:00:00.000")
    page.keyboard.press("Enter")
    expect(page.locator(".inspector-sentence")).to_have_text(said.text_content() or "")
    page.keyboard.press("d")
    expect(said).to_contain_text("Cluster 0:")
    expect(said).to_contain_text("Cluster 1:")
    expect(page.locator("[data-describe]")).to_have_attribute("aria-pressed", "true")
    # Words follow the clock where it stands.
    at_first = said.text_content() or ""
    page.keyboard.press("End")
    expect(said).not_to_have_text(at_first)
    expect(said).to_contain_text((page.locator("[data-play=clock]").text_content() or "").strip())
    expect(said).to_contain_text("Cluster 1:")


def test_an_owner_is_filtered_by_keyboard(page: Page) -> None:
    _paused_studio(page)
    before = map_print(page)
    owner = page.locator("[data-legend] [data-owner='0']")
    owner.focus()
    page.keyboard.press("Enter")
    expect(owner).to_have_attribute("aria-pressed", "true")
    expect(owner).to_be_focused()
    wait_for_other_picture(page, before)
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.legend-owner[aria-pressed=true]') === null")
    wait_for_picture(page, before)


def test_a_failed_cluster_shows_from_the_viewers_instant_with_the_old_curve_as_ghost(page: Page) -> None:
    open_small_studio(page)
    pause(page)
    plot = page.locator(".timeline-plot .u-over").bounding_box()
    assert plot is not None
    before = page.locator("[data-play=clock]").text_content()
    page.mouse.click(plot["x"] + plot["width"] * 0.4, plot["y"] + 20)
    expect(page.locator("[data-play=clock]")).not_to_have_text(before or "")  # it is written with the next picture
    clock, address = page.locator("[data-play=clock]").text_content(), page.url.split("?")[0]
    page.locator(".map-cells").focus()
    page.keyboard.press("ContextMenu")
    page.locator("[data-does=cluster]").click()
    page.locator("[data-does=fail]").first.click()
    page.wait_for_function("address => !location.href.startsWith(address)", arg=address)
    expect(page.locator(".ghost-note")).to_be_visible(timeout=60_000)
    wait_until_computed(page)
    expect(page.locator("[data-play=clock]")).to_have_text(clock or "")
    page.keyboard.press("End")  # a frame that shows the fault, not only the instant of it
    expect(page.locator("[data-play=clock]")).not_to_have_text(clock or "")  # and the menu is of that picture
    # What has failed can recover, and nothing else.
    page.locator(".map-cells").focus()
    page.keyboard.press("ContextMenu")
    expect(page.locator("[data-does=recover]").first).to_be_visible()
    expect(page.locator("[data-does^=fail]")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".cmenu")).to_have_count(0)


def test_the_menu_says_it_when_a_scheduler_simulates_no_faults(page: Page) -> None:
    open_small_studio(page, scheduler={"name": "sparrow", "params": {"profile": "public-simulator"}})
    page.locator(".map-cells").focus()
    page.keyboard.press("ContextMenu")
    expect(page.locator(".cmenu")).to_contain_text("Sparrow does not simulate faults here")
    expect(page.locator("[data-does^=fail]")).to_have_count(0)
