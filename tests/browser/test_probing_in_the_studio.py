"""What a probing scheduler declares, on the map and in the answer to why: queues, long tasks, probes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import first_cell, open_small_studio, small_experiment, wait_until_computed

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second playground")]

# How often the color changes inside a cell, between cells being nothing: only patterns do that.
_CHANGES = """canvas => {
  const { width, height } = canvas, pixels = canvas.getContext('2d').getImageData(0, 0, width, height).data;
  const data = new Uint32Array(pixels.buffer);
  let changes = 0;
  for (let at = 1; at < data.length; at += 1)
    if (at % width && data[at] >>> 24 && data[at - 1] >>> 24 && data[at] !== data[at - 1]) changes += 1;
  return changes;
}"""


def test_long_tasks_are_striped_and_a_task_tells_its_probes(page: Page) -> None:
    """A run in which about half of the jobs are long, seen where it is busy, then at its end.

    On so many machines that tasks are not drawn: the cells tell it by their color.
    """
    open_small_studio(
        page,
        topology={"clusters": [{"name": "lm", "repeat": 2, "machines": [{"count": 500}]}]},
        workload=small_experiment()["workload"] | {"tasks": 20_000},
        scheduler={"name": "hawk", "params": {"short_cutoff_s": 4, "long_partition_share": 0.9}},
    )
    page.goto(f"{page.url.split('?')[0]}?t=60&paused=1")
    wait_until_computed(page)
    legend = page.locator("[data-legend]")
    for role in ("backlog", "pattern", "reserved"):
        expect(legend.locator(f"[data-role={role}]")).to_be_visible()
    for words in ("idle", "32+ waiting", "Long tasks", "Short tasks only", "Short jobs only", "Probes stolen"):
        expect(legend).to_contain_text(words)
    in_cells = f"() => ({_CHANGES})(document.querySelector('.map-cells'))"
    page.wait_for_function(f"() => ({in_cells})() > 100")
    page.locator("[data-layer=load]").click()
    expect(page.locator("[data-layer=load]")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function(f"() => ({in_cells})() === 0")

    page.keyboard.press("End")
    page.mouse.click(*first_cell(page), button="right")
    page.locator("[data-does=why]").click()
    probes = page.locator("[data-probes]")
    expect(probes).to_contain_text(re.compile(r"It was (number \d+ of|the only task)"))
    expect(probes.locator(".is-won")).to_have_count(1)
    expect(probes.locator(".is-won")).to_contain_text("← this one")
    assert probes.locator("tbody tr").count() >= 2
