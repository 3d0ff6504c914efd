"""From nothing but the address to a link to one moment: design, measure, compare, explain, pass on."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import COMPUTED_MS, clock_seconds, pause, wait_until_computed
from tests.browser.test_design import clusters, item, write
from tests.tiers import journey, shares

pytestmark = [pytest.mark.browser, pytest.mark.redis, shares("playground")]

HEARTBEATS = (0.05, 0.2, 1, 5)
P99 = "allocation_delay_s.p99"
WORK: dict[str, Any] = {
    "kind": "synthetic",
    "tasks": 1500,
    "arrivals": {"kind": "poisson", "offered_load": 0.6},
    "tasks_per_job": {"kind": "constant", "value": 10},
    "duration_s": {"kind": "exponential", "mean": 4},
}
"""Jobs of ten tasks on a datacenter with room: what waits, waits because a master's view was old."""


def design_three_clusters_and_two_queues(page: Page) -> None:
    """Lay the federation out by keys and numbers, on the sheet over the map."""
    text = page.locator(".json-text")
    given = json.loads(text.input_value()) | {"workload": WORK}
    page.locator("[data-tab=json]").click()
    text.fill(json.dumps(given))
    page.locator("[data-apply]").click()
    page.locator("[data-tab=knobs]").click()
    page.locator("body").press("e")
    expect(item(page, "cluster:0")).to_be_visible(timeout=COMPUTED_MS)
    item(page, "cluster:0").click(position={"x": 20, "y": 10})
    write(page, "repeat", "1")
    write(page, "name", "north")
    item(page, "group:0:0").click()
    write(page, "count", "40")
    write(page, "cpus", "1")
    item(page, "cluster:0").focus()
    page.keyboard.press("Control+c")
    page.keyboard.press("Control+v")
    page.keyboard.press("Control+v")
    assert [machines for _, machines in clusters(page)] == [40, 40, 40]
    item(page, "master:3").focus()
    page.keyboard.press("Delete")
    page.keyboard.press("Delete")
    expect(page.locator(".plan-queue")).to_have_count(2)
    item(page, "queue:0").focus()
    write(page, "share", "70")
    page.keyboard.press("Escape")


def sweep_the_heartbeat(page: Page) -> None:
    """Sweep Megha's heartbeat from the studio: the page says whether p99 doubles, as the figures that it gives do."""
    page.locator("[data-compare]").click()
    page.locator("[data-vary=parameter]").first.select_option("scheduler.params.heartbeat_s")
    page.locator("[data-vary=values]").first.fill(", ".join(map(str, HEARTBEATS)))
    page.locator("[data-repeats]").fill("1")
    page.locator("[data-compares=study]").click()
    page.wait_for_url("**/studies/*")
    expect(page.locator("[data-state]")).to_have_text("Done: 4 runs", timeout=COMPUTED_MS)
    page.locator("[data-metric]").select_option(P99)
    with page.expect_download() as download:
        page.locator("[download='study.csv']").click()
    rows = csv.DictReader(io.StringIO(Path(download.value.path()).read_text()))
    p99 = {float(row["scheduler.params.heartbeat_s"]): float(row[P99]) for row in rows}
    ratios = [p99[heartbeat] / p99[HEARTBEATS[0]] for heartbeat in HEARTBEATS]
    far = max(abs(ratio - 1) for ratio in ratios)
    said = "times its value at" if max(ratios) >= 2 else "does not double"
    said = "is the same at all" if far == 0 else "hardly changes" if far < 0.02 else said
    expect(page.locator("[data-summary]")).to_contain_text(said)


@journey
def test_a_newcomer_designs_measures_compares_explains_and_passes_on(page: Page) -> None:
    page.goto("/studio?level=lab")
    design_three_clusters_and_two_queues(page)
    wait_until_computed(page)
    studio = page.url

    sweep_the_heartbeat(page)

    page.goto(studio)
    wait_until_computed(page)
    page.locator("[data-compare]").click()
    page.locator("dialog input[value=sparrow]").check()
    page.locator("dialog input[value=eagle]").check()
    page.locator("[data-compares=beside]").click()
    page.wait_for_url("**/compare?runs=*")
    expect(page.locator("body")).to_have_attribute("data-run-state", "done", timeout=COMPUTED_MS)
    expect(page.locator(".side-name")).to_have_text(["Megha", "Sparrow", "Eagle"])
    expect(page.locator("[data-measure='allocation_delay_s.p99']").locator("td")).to_have_count(3)

    page.goto(studio)
    wait_until_computed(page)
    pause(page)
    page.locator("body").press("Home")
    page.locator("[data-jump-to]").select_option("mark-preemption")
    page.locator("[data-jump-to]").evaluate("select => select.blur()")
    page.keyboard.press("]")
    sentence = page.locator(".inspector-sentence")
    expect(sentence).to_have_text(re.compile(r"^Task \d+ of job .* preempted"))
    page.locator("[data-why-task]").click()
    expect(page.locator("[data-answer]")).to_contain_text("preempted on machine", timeout=COMPUTED_MS)
    page.keyboard.press("Escape")
    moment, said = clock_seconds(page), sentence.inner_text()
    shown = page.locator("[data-play=clock]").inner_text()

    # Whoever opens the link is there at that moment, paused as it was shared, with that task in view.
    page.locator("[data-share]").click()
    link = page.locator("[data-copied=short]").input_value()
    assert float(parse_qs(urlsplit(link).query)["t"][0]) == pytest.approx(moment, abs=0.1)  # as the clock shows it
    assert page.context.browser is not None
    there = page.context.browser.new_context(base_url=page.url).new_page()
    there.goto(link)
    expect(there.locator(".inspector-sentence")).to_have_text(re.compile(f"^{said.split(' of ')[0]} of "))
    expect(there.locator("[data-play=clock]")).to_have_text(shown)
    expect(there.locator("[data-play=toggle]")).to_have_accessible_name("Play")
    there.context.close()
