"""A pipeline composed in the studio, the matrix of published schedulers, and a study of what open stages can do."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import COMPUTED_MS, begin_studio, wait_until_computed

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second playground")]

PIPELINE = {
    "topology": {"global_masters": 1, "clusters": [{"name": "lm", "machines": [{"count": 20, "cpus": 2}]}]},
    "scheduler": {"name": "pipeline", "params": {"t2": "fifo"}},
}


def open_composer(page: Page, **changes: Any) -> None:
    begin_studio(page, **{**PIPELINE, **changes})
    page.locator("#tab-stages").click(timeout=COMPUTED_MS)
    expect(page.locator(".stage")).to_have_count(33)
    wait_until_computed(page)


def params(page: Page) -> dict[str, Any]:
    """Read the pipeline off the JSON that the studio holds."""
    return dict(json.loads(page.locator(".json-text").input_value())["scheduler"]["params"])


def test_a_pipeline_is_composed_runs_and_lights_up(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("422")  # a pipeline that misses an input is refused
    open_composer(page)
    expect(page.locator("[data-stage=T3]")).to_have_attribute("data-is", "always")
    expect(page.locator("[data-stage=J3]")).to_have_attribute("data-is", "open")
    page.locator("[data-stage-policy=T2]").select_option("srtf")
    page.locator("[data-specifies=J3]").check()
    expect(page.locator("[data-stage=J3]")).to_have_attribute("data-is", "chosen")
    page.locator("[data-policy='R5:best_fit']").drag_to(page.locator("[data-stage=R5]"))
    page.locator("[data-policy='R5:worst_fit']").drag_to(page.locator("[data-stage=T2]"))  # it does not belong there
    assert {"t2": "srtf", "j3": "fifo", "r5": "best_fit"}.items() <= params(page).items()
    wait_until_computed(page)

    page.locator("[data-specifies=R4]").uncheck()
    expect(page.locator("[data-stage=R5] .stage-problem")).to_contain_text("R4 would give it")
    expect(page.locator("[data-stage=T2] .stage-problem")).to_be_hidden()
    page.keyboard.press("Control+z")
    expect(page.locator("[data-stage=R5]")).not_to_have_class(re.compile("has-problem"))
    wait_until_computed(page)

    page.keyboard.press("Home")
    expect(page.locator(".stage.is-lit").first).to_be_visible()
    expect(page.locator(".time-part:not([hidden])").first).to_be_visible()
    measured = page.locator(".stage-time .time-bar").last
    expect(measured.locator("[data-time-of=engine]")).to_be_visible()
    page.locator("[data-stage-head=R5]").click()
    expect(page.locator(".stage-decisions li").nth(1)).to_contain_text(
        re.compile(r"task [\d,]+: In iteration"), timeout=COMPUTED_MS
    )
    page.locator("[data-stage-head=R5]").press("ArrowUp")
    expect(page.locator("[data-stage-head=R4]")).to_be_focused()

    page.keyboard.press("End")  # from here on another order, as an event of a fork
    page.locator("[data-from-now]").check()
    expect(page.locator("[data-stage-policy=T1]")).to_be_disabled()
    page.locator("[data-stage-policy=T2]").select_option("heft")
    expect(page.locator(".json-text")).to_have_value(re.compile(r'"t2": "heft"'), timeout=COMPUTED_MS)
    wait_until_computed(page)
    (event,) = json.loads(page.locator(".json-text").input_value())["events"]
    assert (event["kind"], event["value"], params(page)["t2"]) == ("set", {"t2": "heft"}, "srtf")


def test_the_matrix_says_what_is_open_and_loads_a_row(page: Page) -> None:
    open_composer(page)
    page.locator("[data-opens=matrix]").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("[data-kind]").and_(dialog.locator("td"))).to_have_count(14 * 33)
    dialog.locator("[data-system=Borg] [data-kind=open]").first.hover()
    expect(dialog.get_by_role("tooltip")).to_contain_text("not recoverable from what is published: not mentioned or")
    dialog.locator("[data-filter-name]").fill("sparrow")
    dialog.locator("[data-filter-group=R]").click()
    expect(dialog.locator("td[data-kind]")).to_have_count(7)
    dialog.locator("[data-matrix-tab=table-VIII]").click()
    expect(dialog.locator("tbody tr")).to_have_count(10)
    dialog.locator("[data-matrix-tab=matrix]").click()
    dialog.locator("[data-filter-name]").fill("")
    dialog.locator("[data-load=Apollo]").click()
    expect(dialog).to_be_hidden()
    apollo = {"m2": "hierarchy", "m5": "least_loaded", "t2": "critical_path", "r5": "earliest_finish"}
    assert apollo.items() <= params(page).items()
    expect(page.locator("[data-stage=M5]")).to_have_attribute("data-is", "chosen")
    wait_until_computed(page)
    expect(page.locator("#tab-stages")).to_have_attribute("aria-selected", "true")
    page.locator("[data-stage-head=T12]").click()
    expect(page.locator(".stage-preset")).to_contain_text("Apollo's row: not recoverable from what is published.")
    page.keyboard.press("Control+z")
    expect(page.locator("[data-stage=M5]")).to_have_attribute("data-is", "open")


def test_open_stages_are_tried_in_all_combinations(page: Page) -> None:
    open_composer(page)
    page.locator("[data-opens=open_stages]").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".open-sum")).to_contain_text("combinations (at most 96)")
    ticked = dialog.locator(".open-stage input:checked:enabled")
    while ticked.count():
        ticked.first.uncheck()
    for stage, names in (("T2", ("fifo", "srtf")), ("R5", ("first_fit", "worst_fit"))):
        for name in names:
            dialog.locator(f"[data-open-stage={stage}] input[value={name}]").check()
    dialog.locator("[data-repeats]").fill("2")
    expect(dialog.locator(".open-sum")).to_contain_text("4 combinations (at most 96) × 2 seeds = 8 runs")
    dialog.locator("[data-start-study]").click()
    expect(dialog.locator(".open-told")).to_have_text("8 of 8 runs are done.", timeout=COMPUTED_MS)
    for metric in ("TRT", "JMS", "NJSL", "JWT"):
        expect(dialog.locator(f"[data-metric={metric}] .strip-dot")).to_have_count(4)
    dot = dialog.locator("[data-metric=TRT] .strip-dot").first
    words = re.compile(r"^T2 .+, R5 .+: TRT [\d.]+ s, 95 % interval .+ \(2 runs\)\.$")
    expect(dot).to_have_attribute("aria-label", words)
    dot.hover()
    expect(dialog.locator(".strip-dot.is-marked")).to_have_count(4)
