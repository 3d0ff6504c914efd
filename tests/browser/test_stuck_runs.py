"""A run that is stuck opens on the tasks that wait for ever, and its picture counts them."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import begin_studio, wait_until_computed

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
    expect(told).to_contain_text("This run is stuck: at its end 12 tasks wait")
    expect(told).to_contain_text("Each needs 8 CPUs, 1 GB of memory.")
    expect(told).to_be_in_viewport()
    page.keyboard.press("End")
    box = page.locator("[data-says^='queue:']").first
    expect(box).to_have_text("12")
    expect(box).to_have_attribute("data-squares", "12")


_SPAN = """() => {
  const canvas = document.querySelector('canvas.tasks-over');
  const ratio = canvas.width / canvas.getBoundingClientRect().width;
  const wide = Math.round(150 * ratio);  // the strip with the boxes
  const { data } = canvas.getContext('2d').getImageData(0, 0, wide, canvas.height);
  const columns = new Set();
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue, solid] = data.subarray(at, at + 4);
    if (solid > 200 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) columns.add((at / 4) % wide);
  }
  return columns.size / ratio > 60;
}"""


def test_a_run_that_ends_when_it_begins_shows_its_tasks_in_their_box(page: Page) -> None:
    """No time passes, so no task is still on its way into the box: twelve squares stand side by side."""
    jobs = [{"arrival_s": 0, "durations_s": [5.0] * 12, "demand": {"cpus": 8, "memory_gb": 1}}]
    begin_studio(page, **TOO_LARGE | {"workload": {"kind": "inline", "jobs": jobs}})
    wait_until_computed(page)
    page.keyboard.press("End")
    expect(page.locator("[data-says^='queue:']").first).to_have_text("12")
    page.wait_for_function(_SPAN)
