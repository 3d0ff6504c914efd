"""Networks of flow schedulers in the studio: rounds, hover and keyboard, ways of tasks, a race, a switch of policy."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Complaints
from tests.browser.test_graphs_in_the_studio import open_on, picture, shown
from tests.support import small_experiment

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second playground")]

FOUND_MS = 240_000  # a worker simulates again, and may have to compile first


def flowing(tasks: int = 24, **changes: Any) -> dict[str, Any]:
    """More work than five machines of two slots hold for a while."""
    made: dict[str, Any] = {
        "schema_version": 1, "name": "Flow", "seed": 3,
        "topology": {"clusters": [{"name": "c", "racks": 2, "machines": [{"count": 5, "cpus": 2, "memory_gb": 4}]}]},
        "queues": [{"name": "prod", "share": 0.7}, {"name": "batch", "share": 0.3}],
        "workload": {"kind": "synthetic", "tasks": tasks, "arrivals": {"kind": "poisson", "offered_load": 1.5},
                     "tasks_per_job": {"kind": "constant", "value": 4},
                     "duration_s": {"kind": "exponential", "mean": 8}},
        "scheduler": {"name": "sirius-mixed"},
    }  # fmt: skip
    return made | changes


def open_flow(page: Page) -> None:
    page.locator("#tab-flow").click()
    expect(page.locator(".flow-about")).to_contain_text("have a machine", timeout=FOUND_MS)


def round_shown(page: Page) -> int:
    found = re.match(r"Round (\d+)\b", page.locator(".flow-about").text_content() or "")
    assert found is not None
    return int(found[1])


def test_only_schedulers_that_solve_networks_show_them(page: Page) -> None:
    open_on(page, small_experiment())
    expect(page.locator(".picture-tabs [role=tab]")).to_have_text(["Machines", "Messages"])
    open_on(page, flowing(scheduler={"name": "quincy"}))
    expect(page.locator(".picture-tabs [role=tab]")).to_have_text(["Machines", "Flow", "Race", "Messages"])
    open_flow(page)
    expect(page.locator(".flow-policy")).to_be_hidden()  # it has one policy only
    page.locator("#tab-messages").click()
    expect(page.locator(".picture-messages .desk-empty")).to_contain_text("Quincy")


def test_rounds_are_stepped_through_and_explain_themselves(page: Page) -> None:
    open_on(page, flowing(), "?t=6&paused=1")
    open_flow(page)
    first = round_shown(page)
    before = shown(page)
    page.locator(".flow-rounds").get_by_role("button").last.click()
    expect(page.locator(".flow-about")).to_contain_text(f"Round {first + 1} at")
    after = shown(page, before)
    expect(page.locator("[data-follow]")).to_have_attribute("aria-pressed", "false")
    page.locator(".flow-rounds").get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".flow-about")).to_contain_text(f"Round {first} at")
    shown(page, after)
    picture(page).focus()
    page.keyboard.press("PageDown")
    expect(page.locator(".flow-about")).to_contain_text(f"Round {first + 1} at")
    # From node to arc to node, as the flow goes.
    tip = page.locator(".picture-flow .picture-tip")
    page.keyboard.press("ArrowRight")
    expect(tip).to_contain_text(re.compile(r"^Task \d+: gives 1 unit, \d+ arcs? out"))
    page.keyboard.press("ArrowRight")
    expect(tip).to_contain_text(re.compile(r"^task \d+ → .*: 1 unit of 0 to 1\. Cost [-\d.,]+, reduced cost [-\d.,]+"))
    box = picture(page).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 40, box["y"] + box["height"] / 2)
    expect(tip).to_contain_text(re.compile(r"^Sink: takes \d+ units, one per task"))
    page.locator("[data-follow]").click()
    expect(page.locator(".flow-about")).to_contain_text(f"Round {first} at")


def test_a_task_tells_its_way_and_the_next_best(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("404")  # a task that is not there is asked for
    open_on(page, flowing(), "?t=6&paused=1")
    open_flow(page)
    picture(page).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    told = page.locator(".way-told")
    expect(told).to_contain_text(re.compile(r"the unit of task \d+ flows through"), timeout=FOUND_MS)
    # It runs where it is; the round that put it there had a choice.
    page.locator("[data-placed]").click()
    expect(told).to_contain_text("By its next-best path", timeout=FOUND_MS)
    titles = page.locator(".flow-way .way-title")
    expect(titles.first).to_have_text(re.compile("^Its path"))
    expect(titles.last).to_have_text(re.compile("^Next best"))
    page.locator("[data-decisions]").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".reasons li").last).to_contain_text(re.compile(r"round \d+"), timeout=FOUND_MS)
    expect(dialog.locator(".way-told")).not_to_be_empty(timeout=FOUND_MS)
    dialog.locator("[data-close-dialog]").click()
    page.locator(".flow-ask").get_by_role("textbox").fill("9999")
    page.locator("[data-why-here]").click()
    expect(page.locator(".flow-way")).to_contain_text("there is no task 9,999")


def test_a_race_of_solvers_tells_their_times_and_affects_no_outcome(page: Page) -> None:
    open_on(page, flowing())
    page.locator("#tab-race").click()
    page.locator("[data-race]").click()
    expect(page.locator("[data-race]")).to_have_text("Race again", timeout=FOUND_MS)
    about = page.locator(".picture-race .desk-about")
    expect(about).to_contain_text(
        re.compile(r"^\d+ rounds: shortest paths take .* Cost scaling takes .* OR-tools from scratch .* All found")
    )
    expect(about).to_contain_text("affect no outcome")
    chart = page.locator(".race-place .u-over").bounding_box()
    assert chart is not None
    page.mouse.move(chart["x"] + chart["width"] / 2, chart["y"] + 40)
    expect(page.locator(".race-place")).to_have_attribute("data-tip", re.compile(r"^Round \d+: shortest paths "))


def test_a_policy_is_switched_and_the_network_before_and_after_compared(page: Page) -> None:
    address = open_on(page, flowing(), "?t=6&paused=1")
    open_flow(page)
    page.locator(".flow-policy").get_by_role("combobox").select_option("short")
    page.locator("[data-switch]").click()
    expect(page.locator("[data-side=after]")).to_be_visible(timeout=FOUND_MS)
    about = page.locator(".flow-about")
    expect(about).to_contain_text(
        re.compile(r"Compared with the previous run: .*arcs? with another cost"), timeout=FOUND_MS
    )
    assert address not in page.url  # a run of its own, with a link of its own
    after, number = shown(page), round_shown(page)
    page.locator("[data-side=before]").click()
    expect(about).not_to_contain_text("Compared with the previous run")
    expect(about).to_contain_text(f"Round {number} at")
    shown(page, after)
    page.locator("[data-end-comparison]").click()
    expect(page.locator("[data-side=before]")).to_be_hidden()
    page.locator("[data-follow]").click()
    expect(about).to_contain_text("Since the previous round")


def test_the_picture_of_a_network_fits_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_on(page, flowing(), "?t=6&paused=1&picture=flow")
    expect(page.locator(".flow-about")).to_contain_text("have a machine", timeout=FOUND_MS)
    shown(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    for name in (".flow-rounds", ".flow-policy", ".flow-about", ".picture-flow .picture-place"):
        box = page.locator(name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
