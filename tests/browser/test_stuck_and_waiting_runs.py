"""A run that is stuck opens on what waits for ever; an example that plays meanwhile covers no map on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.looking import COMPUTED_MS, begin_studio, wait_until_computed

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.redis, pytest.mark.xdist_group("service")]

#: Six jobs of two tasks that no machine can hold.
TOO_LARGE: dict[str, Any] = {
    "topology": {"clusters": [{"name": "c", "machines": [{"count": 20, "cpus": 4, "memory_gb": 4}]}]},
    "workload": {
        "kind": "inline",
        "jobs": [
            {"arrival_s": at, "durations_s": [5.0, 5.0], "demand": {"cpus": 8, "memory_gb": 1}} for at in range(6)
        ],
    },
    "scheduler": {"name": "kubernetes-papers"},
}


@pytest.mark.parametrize("level", ["watch", "play", "lab"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_stuck_run_opens_on_the_tasks_that_wait_for_ever_and_the_picture_counts_them(
    page: Page, width: int, level: str
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    begin_studio(page, **TOO_LARGE)
    page.goto(f"{page.url.split('?')[0]}?level={level}")
    wait_until_computed(page)
    told = page.locator("[data-stuck]:visible")
    expect(told).to_contain_text("This run is stuck: 12 tasks wait")
    expect(told).to_contain_text("Each needs 8 CPUs, 1 GB of memory.")
    expect(told).to_be_in_viewport()
    page.keyboard.press("End")
    box = page.locator("[data-says^='queue:']").first
    expect(box).to_have_text("12")
    expect(box).to_have_attribute("data-squares", "12")


@pytest.mark.parametrize("level", ["watch", "play", "lab"])
def test_on_a_phone_the_example_that_plays_meanwhile_covers_no_map(page: Page, level: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/studio?level={level}")
    page.wait_for_selector("body.has-picture")
    held: list[Route] = []
    # The network is slow: the server has not heard of the new run when its example is there.
    for address in ("**/api/v1/experiments**", "**/api/v1/runs**"):
        page.route(address, lambda route: held.append(route))
    page.locator(".scheduler-pick").click()
    page.get_by_role("dialog").locator("[data-choose=sparrow]").click()
    card = page.locator("[data-meanwhile=sparrow]")
    expect(card).to_contain_text("A recorded example run of Sparrow")
    card_box, map_box = card.bounding_box(), page.locator("[data-map]").bounding_box()
    assert card_box is not None
    assert map_box is not None
    assert card_box["height"] > 60
    assert card_box["y"] >= map_box["y"] + map_box["height"] - 1
    assert card_box["x"] >= 0
    assert card_box["x"] + card_box["width"] <= 390
    page.unroute_all(behavior="ignoreErrors")
    for route in held:
        route.continue_()
    expect(card).to_have_count(0, timeout=COMPUTED_MS)
