"""A policy of one's own in the studio: an error while one types, its mend, knobs from lines, examples, and keys."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import (
    COMPUTED_MS,
    begin_studio,
    clock_seconds,
    pause,
    scrub,
    wait_until_computed,
)

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second playground")]

OWN = {
    "topology": {"global_masters": 1, "clusters": [{"name": "lm", "machines": [{"count": 20, "cpus": 2}]}]},
    "scheduler": {"name": "own", "params": {"policy": "score: machine.free_cpus"}},
}


def params(page: Page) -> dict[str, Any]:
    """Read the scheduler's parameters off the JSON that the studio holds."""
    return dict(json.loads(page.locator(".json-text").input_value())["scheduler"]["params"])


def test_a_policy_is_written_mended_and_run(page: Page) -> None:
    begin_studio(page, **OWN)
    text = page.locator("[data-policy-editor] .cm-content")
    expect(text).to_have_text("score: machine.free_cpus", timeout=COMPUTED_MS)
    said = page.locator(".policy-said")
    expect(said.locator("[data-decides]")).to_have_attribute("data-decides", "score")
    text.click()
    page.keyboard.press("Control+End")
    # Letters are keys of the studio elsewhere: here they are text.
    page.keyboard.type("\nparam w = 2 from 0 to 9\nfilter: machine.free_cpu > w - w")
    expect(said).to_contain_text("Line 3, column 9")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert params(page)["policy"] == "score: machine.free_cpus"
    page.locator("[data-policy-mend]").first.click()
    expect(said.locator("[data-decides]")).to_have_attribute("data-decides", "filter score")
    expect(page.locator(".knob[data-path='scheduler.params.w']")).to_be_visible()
    assert "machine.free_cpus > w" in params(page)["policy"]
    wait_until_computed(page)
    text.click()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('[data-policy-editor]')") is False
    page.locator(".policy-head select").select_option("shortest-job")
    expect(text).to_contain_text("order: job.longest_s")
    expect(page.locator(".knob[data-path='scheduler.params.w']")).to_have_count(0)
    page.locator("[data-policy-undo]").click()
    expect(text).to_contain_text("param w = 2")
    page.locator(".policy-seek").fill("free memory")
    expect(page.locator(".policy-word")).to_have_text(["machine.free_memory_gb"])
    page.locator("[data-against]").click()
    expect(page.locator("dialog[open] input[type=checkbox]:checked")).to_have_count(8)
    page.locator("[data-repeats]").fill("3")
    page.locator("[data-compares=study]").click()
    page.wait_for_url("**/studies/*")
    expect(page.locator("[data-state]")).to_have_text("Done: 24 runs", timeout=COMPUTED_MS)
    rows = page.locator(".study-table tbody tr")
    expect(rows).to_have_count(8)
    expect(rows.nth(7)).to_contain_text(re.compile("higher|lower|not distinguishable yet"))


def test_the_words_have_their_values_for_the_task_that_waits_longest(page: Page) -> None:
    begin_studio(page, **OWN)
    wait_until_computed(page)
    pause(page)
    scrub(page, 0.5)
    about = page.locator("[data-values-of]")
    expect(about).not_to_have_attribute("data-values-of", "", timeout=COMPUTED_MS)
    at_s = clock_seconds(page)
    now = page.locator("tr:has([data-word='now']) .policy-value")
    expect(now).to_contain_text(re.compile(r"\d"))
    shown = float(re.sub(r"[^0-9.]", "", now.inner_text()))
    assert shown == pytest.approx(at_s, rel=0.02, abs=0.2)
    expect(page.locator("tr:has([data-word='machine.cpus']) .policy-value")).to_have_text("2 CPUs")
    scrub(page, 0.25)
    expect(now).not_to_contain_text(str(shown), timeout=COMPUTED_MS)


def test_why_there_shows_the_machines_as_the_policy_judged_them(page: Page) -> None:
    begin_studio(page, **OWN)
    wait_until_computed(page)
    page.locator(".inspector-task").fill("0")
    page.locator("[data-explain-task]").click()
    told = page.locator("[data-policy-decision]")
    expect(told.locator("[data-won]")).to_have_count(1, timeout=COMPUTED_MS)
    got = told.get_attribute("data-policy-decision")
    expect(told.locator("[data-won] th")).to_have_text(str(got))
    expect(told.locator("tbody tr").first).to_have_attribute("data-won", "")


def test_compare_offers_the_previous_run_and_the_one_that_the_page_began_with(page: Page) -> None:
    begin_studio(page, **OWN, seed=1909)  # no other test has its runs
    wait_until_computed(page)
    shown = [str(page.evaluate("document.body.dataset.pictureOf"))]
    text = page.locator("[data-policy-editor] .cm-content")
    for policy in ("score: -machine.free_cpus", "order: job.tasks_left"):
        text.click()
        page.keyboard.press("Control+A")
        page.keyboard.type(policy)
        expect(page.locator("body")).not_to_have_attribute("data-picture-of", shown[-1], timeout=COMPUTED_MS)
        wait_until_computed(page)
        shown.append(str(page.evaluate("document.body.dataset.pictureOf")))
    page.locator("[data-compare]").click()
    page.locator("dialog [data-first-run] input").check()
    page.locator("[data-compares=beside]").click()
    page.wait_for_url("**/compare?runs=*")
    runs = re.findall(r"[0-9A-Za-z_-]{22}", page.url.split("runs=")[1])
    compared = [page.request.get(f"/api/v1/runs/{run}").json()["experiment_id"] for run in runs]
    assert compared == [shown[2], shown[0]]
