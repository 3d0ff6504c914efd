"""The editors of constraints and of drawn work, as a person uses them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import (
    COMPUTED_MS,
    open_small_studio,
    the_left_column_is_one_screen,
    wait_until_computed,
)

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second playground")]

TOPOLOGY = {
    "global_masters": 2,
    "clusters": [
        {"name": "old", "repeat": 2, "constraint_mix": "google-a", "machines": [{"count": 400}]},
        {"name": "new", "constraint_mix": "google-b", "machines": [{"count": 200, "attributes": {"clock_ghz": 3.1}}]},
    ],
}
CONSTRAINTS = {"catalogue": "megha-21", "task_share": 0.5}


def experiment(page: Page) -> dict[str, Any]:
    """Return the experiment as the page has it."""
    found: dict[str, Any] = json.loads(page.locator(".json-text").input_value())
    return found


def open_editor(page: Page, name: str, **changes: Any) -> None:
    """Open a small studio and one of its editors, and wait until it shows what the server drew."""
    open_small_studio(page, **changes)
    page.locator(f"[data-edit={name}]").click()
    expect(page.locator(".editor:not([hidden])[data-shown]")).to_be_visible(timeout=COMPUTED_MS)


def shown(page: Page) -> int:
    """Return how many answers the editor has drawn."""
    return int(page.locator(".editor").get_attribute("data-shown") or 0)


def wait_for_another(page: Page, before: int) -> None:
    page.wait_for_function("n => Number(document.querySelector('.editor').dataset.shown) > n", arg=before)


def row(page: Page, name: str) -> Locator:
    return page.locator(f".offer-row[data-constraint={name}]")


def bar(page: Page, name: str, kind: str) -> Locator:
    return row(page, name).locator(f".offer-bar-{kind}")


def test_a_dragged_bar_changes_the_experiment_the_preview_and_the_run(page: Page) -> None:
    open_editor(page, "constraints", topology=TOPOLOGY, constraints=CONSTRAINTS)
    address, before = page.url.split("?")[0], shown(page)
    machines_left = page.locator("[data-eligible]").text_content()
    bar(page, "c20", "offer").scroll_into_view_if_needed()
    box = bar(page, "c20", "offer").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.9, y)
    page.mouse.down()
    for step in range(8, 1, -1):
        page.mouse.move(box["x"] + box["width"] * step / 10, y)
    page.mouse.up()
    expect(bar(page, "c20", "offer")).to_have_attribute("aria-valuenow", "20")
    expect(row(page, "c20").locator("[data-evidence=yours]")).to_be_visible()
    wait_for_another(page, before)
    expect(page.locator("[data-eligible]")).not_to_have_text(machines_left or "")
    shares = [each["constraint_shares"] for each in experiment(page)["topology"]["clusters"]]
    assert shares == [{"c20": 0.2}, {"c20": 0.2}]
    page.wait_for_function("address => !location.href.startsWith(address)", arg=address)
    expect(page.locator(".ghost-note")).to_be_visible(timeout=COMPUTED_MS)
    # One gesture is one step back, however many values it passed.
    page.locator("[data-editor-undo]").click()
    expect(bar(page, "c20", "offer")).to_have_attribute("aria-valuenow", "100")
    expect(page.locator("[data-editor-undo]")).to_be_disabled()


def test_bars_obey_the_keyboard_and_undo_reaches_over_both_editors(page: Page) -> None:
    open_editor(page, "constraints", topology=TOPOLOGY, constraints=CONSTRAINTS)
    ask = bar(page, "c05", "ask")
    ask.focus()
    steps = {"Home": "0", "ArrowRight": "1", "Shift+ArrowRight": "11", "ArrowLeft": "10", "End": "86.2"}
    for key, value in steps.items():
        page.keyboard.press(key)
        expect(ask).to_have_attribute("aria-valuenow", value)
    expect(ask).to_have_attribute("aria-valuemax", "86.2")  # the classes' factors keep the other tasks from it
    share = page.locator(".editor .knob[data-path='constraints.task_share'] .knob-value")
    expect(share).to_have_value(re.compile("^9"))
    page.locator("[data-editor-tab=workload]").click()
    mean = page.locator(".editor .knob[data-path='workload.duration_s.mean'] .knob-value")
    mean.fill("40")
    mean.press("Enter")
    assert experiment(page)["workload"]["duration_s"]["mean"] == 40
    page.keyboard.press("Control+z")
    expect(mean).to_have_value(re.compile("^4\\D"))
    page.locator("[data-editor-tab=constraints]").click()
    page.keyboard.press("Control+z")
    expect(ask).not_to_have_attribute("aria-valuenow", "86.2")
    page.keyboard.press("Control+Shift+z")
    expect(ask).to_have_attribute("aria-valuenow", "86.2")
    page.keyboard.press("Escape")
    expect(page.locator(".editor")).to_be_hidden()
    expect(page.locator("[data-edit=constraints]")).to_be_focused()


def test_a_column_of_a_spreadsheet_is_pasted_downwards_and_nonsense_is_refused(page: Page) -> None:
    open_editor(page, "constraints", topology=TOPOLOGY, constraints=CONSTRAINTS)
    cell = row(page, "c03").locator(".entry-share").first
    cell.evaluate(
        """(cell, text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        "12,5 %\t40 %\n60 %\t5 %",
    )
    expect(bar(page, "c03", "offer")).to_have_attribute("aria-valuenow", "12.5")
    expect(bar(page, "c04", "offer")).to_have_attribute("aria-valuenow", "60")
    expect(bar(page, "c03", "ask")).to_have_attribute("aria-valuenow", "40")
    expect(row(page, "c03").locator(".offer-ratio")).to_have_text("▲ 3.20")
    page.locator("[data-paste]").click()
    dialog = page.locator("dialog[open]")
    dialog.locator("textarea").fill("50\nmany\n20")
    dialog.locator("[data-apply-column]").click()
    expect(dialog.get_by_role("alert")).to_have_text("Line 2: many")
    dialog.locator("textarea").fill("50\n\n20")
    dialog.locator("[data-apply-column]").click()
    expect(bar(page, "c00", "offer")).to_have_attribute("aria-valuenow", "50")
    expect(bar(page, "c02", "offer")).to_have_attribute("aria-valuenow", "20")


def test_ones_own_constraints_compare_attributes_and_problems_stand_at_their_row(
    page: Page, complaints: Complaints
) -> None:
    complaints.expected.append("status of 422")
    open_editor(page, "constraints", topology=TOPOLOGY, constraints=CONSTRAINTS)
    page.locator(".editor [data-path='constraints.catalogue']").select_option("")
    page.locator(".editor [data-path='constraints.catalogue']").select_option("custom")
    expect(row(page, "fast")).to_be_visible()
    row(page, "fast").get_by_role("combobox").first.select_option("attribute")
    expect(bar(page, "fast", "offer")).to_have_attribute("aria-valuenow", "20")
    expect(bar(page, "fast", "offer")).to_have_attribute("aria-disabled", "true")
    attribute = row(page, "fast").locator(".offer-extra").get_by_role("textbox").first
    attribute.fill("clock_hz")
    attribute.press("Enter")
    expect(row(page, "fast").get_by_role("alert")).to_contain_text("clock_ghz")
    page.keyboard.press("Control+z")
    expect(row(page, "fast").get_by_role("alert")).to_be_hidden()
    page.locator("[data-add-constraint]").click()
    name = row(page, "property_1").locator(".entry-wide").first
    name.fill("gpu")
    name.press("Enter")
    expect(row(page, "gpu")).to_be_visible()
    row(page, "gpu").locator(".offer-soft").click()
    row(page, "gpu").locator("[data-remove]").click()
    expect(row(page, "gpu")).to_have_count(0)
    assert not experiment(page)["constraints"].get("soft")
    wait_until_computed(page)


def test_what_is_no_number_is_marked_at_its_field_and_taken_back(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("status of 422")
    open_editor(page, "constraints", topology=TOPOLOGY, constraints=CONSTRAINTS)
    page.locator(".editor-constraints .fold > summary").nth(1).click()
    weight = page.locator("input[data-path$='classes[1].weight']")
    before = weight.input_value()
    weight.fill("many")
    weight.press("Enter")
    expect(weight).to_have_attribute("aria-invalid", "true")
    expect(weight).to_have_attribute("title", re.compile("not a number"))
    page.keyboard.press("Control+z")
    expect(weight).to_have_value(before)
    expect(weight).to_have_attribute("aria-invalid", "false")
    wait_until_computed(page)


def test_tasks_that_nothing_can_hold_are_told(page: Page) -> None:
    open_editor(page, "constraints", topology=TOPOLOGY, constraints=CONSTRAINTS)
    expect(page.locator(".editor-constraints .editor-warning")).to_be_hidden()
    bar(page, "c06", "offer").focus()
    page.keyboard.press("Home")
    expect(page.locator(".editor-constraints .editor-warning")).to_contain_text("fit no machine")
    expect(row(page, "c06").locator(".offer-ratio")).to_have_text("none offer")


def test_the_workload_editor_warns_of_work_that_cannot_be_kept_up_with(page: Page) -> None:
    open_editor(page, "workload")
    load = page.locator(".editor .knob[data-path='workload.arrivals.offered_load'] .knob-value")
    load.fill("1.4")
    load.press("Enter")
    expect(page.locator(".editor-workload .editor-warning")).to_contain_text("cannot keep up")
    page.locator("[data-path='workload.arrivals.kind']").select_option("markov_modulated")
    expect(page.locator(".editor .knob[data-path='workload.arrivals.busy_factor']")).to_be_visible()
    assert experiment(page)["workload"]["arrivals"]["offered_load"] == 1.4


def test_a_preset_says_how_it_was_fitted_and_what_came_of_it(page: Page) -> None:
    open_editor(page, "workload", scheduler={"name": "megha", "params": {}})
    before = shown(page)
    page.locator("[data-presets]").get_by_role("combobox").select_option("nyh")
    wait_for_another(page, before)
    expect(page.locator(".editor-workload [data-evidence=measured]")).to_be_visible()
    fit = page.locator(".fit-table")
    off = fit.locator("[data-fitted='duration_s.p50']").get_by_role("cell").nth(2).text_content() or ""
    assert abs(float(off.replace("−", "-").replace("+", "").split("\u202f")[0])) <= 5
    page.locator("[data-add-job-class]").click()
    expect(page.locator(".editor-workload [data-evidence=yours]")).to_be_visible()
    expect(fit).to_be_hidden()


def test_graphs_like_published_ones_are_a_preset_too(page: Page, complaints: Complaints) -> None:
    """Megha runs no graphs, so this draft is refused until another scheduler is chosen; the way back stays open."""
    complaints.expected = ["422"]
    open_editor(page, "workload", scheduler={"name": "megha", "params": {}})
    page.locator("[data-presets]").get_by_role("combobox").select_option("tpc-ds")
    expect(page.locator("[data-known]")).to_contain_text(re.compile(r"barriers, p50 1, 1"))
    expect(page.locator(".editor-workload [data-evidence=published]")).to_be_visible()
    assert experiment(page)["workload"]["arrivals"] == {"kind": "poisson", "rate_per_s": 0.05}
    page.locator("[data-presets]").get_by_role("combobox").select_option("yh")
    expect(page.locator("[data-known]")).to_be_hidden()
    assert experiment(page)["workload"]["kind"] == "synthetic"


def test_curves_follow_a_knob_before_any_server_answers(page: Page, context: BrowserContext) -> None:
    open_editor(page, "workload")
    context.route("**/api/v1/workload-previews", lambda route: None)
    curve = page.locator(".editor-workload .plot-line").first
    line = curve.get_attribute("d")
    page.locator(".editor [data-path='workload.duration_s.kind']").select_option("bounded_pareto")
    expect(curve).not_to_have_attribute("d", line or "")
    context.unroute("**/api/v1/workload-previews")


def test_kinds_of_demands_are_edited_in_a_table(page: Page, complaints: Complaints) -> None:
    complaints.expected = ["422"]
    open_editor(page, "workload")
    page.locator(".fold:has([data-demands]) > summary").click()
    page.locator("[data-demands]").get_by_role("combobox").select_option("kinds")
    kinds = page.locator(".editor").get_by_role("table").filter(has=page.locator("[data-remove-kind]"))
    expect(kinds.get_by_role("rowheader")).to_have_text(["1, 75 % of the jobs", "2, 25 % of the jobs"])
    for key, value in (("cpus", "0.25"), ("memory_gb", "2")):
        field = page.locator(f"[data-path='workload.demands[1].demand.{key}']")
        field.fill(value)
        field.press("Enter")
    page.locator("[data-add-kind]").click()
    expect(kinds.get_by_role("rowheader")).to_have_count(3)
    listed = experiment(page)["workload"]["demands"]
    made = [(each["weight"], each["demand"]["cpus"], each["demand"]["memory_gb"]) for each in listed]
    assert made[1:] == [(1, 0.25, 2)] * 2
    weight = page.locator("[data-path='workload.demands[2].weight']")
    weight.fill("no")
    weight.press("Enter")
    expect(weight).to_have_attribute("aria-invalid", "true")
    page.locator("[data-remove-kind='2']").click()
    page.locator("[data-demands]").get_by_role("combobox").select_option("alike")
    workload = experiment(page)["workload"]
    assert ("demands" in workload, workload["demand"]["cpus"]) == (False, 1)


def test_a_class_of_tasks_gets_a_table_of_its_own(page: Page) -> None:
    open_editor(page, "constraints", topology=TOPOLOGY, constraints=CONSTRAINTS)
    page.locator(".fold:has([data-own-table]) > summary").click()
    page.locator("[data-own-table='1']").click()
    table = page.locator("[data-asks-of='1']")
    field = table.locator("[data-path$='.c03']")
    before = shown(page)
    field.fill("12.5")
    field.press("Enter")
    wait_for_another(page, before)
    assert experiment(page)["constraints"]["asks"]["classes"][0]["probabilities"]["c03"] == 0.125
    page.locator("[data-own-table='1']").click()
    expect(table).to_have_count(0)
    # Lists are drawn anew, and the focus stays where it was: on the button of that class.
    expect(page.locator("[data-own-table='1']")).to_be_focused()
    assert "probabilities" not in experiment(page)["constraints"]["asks"]["classes"][0]
    page.keyboard.press("Escape")
    expect(page.locator(".editor")).to_be_hidden()


def test_the_editors_work_on_a_phone_and_nothing_overflows(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_small_studio(page, topology=TOPOLOGY, constraints=CONSTRAINTS)
    page.locator(".panel-constraints > summary").click()
    page.locator("[data-edit=constraints]").click()
    expect(page.locator(".editor[data-shown]")).to_be_visible()
    for tab in ("constraints", "workload"):
        page.locator(f"[data-editor-tab={tab}]").click()
        width, wide = page.locator(".editor-body").evaluate("e => [e.clientWidth, e.scrollWidth]")
        assert wide <= width == 390
    page.locator("[data-editor-close]").click()
    expect(page.locator(".editor")).to_be_hidden()


def test_every_field_of_the_editors_has_a_name(page: Page) -> None:
    open_editor(page, "constraints", topology=TOPOLOGY, constraints=CONSTRAINTS)
    page.locator("[data-editor-tab=workload]").click()
    for fold in page.locator(".editor .fold > summary").all():
        fold.evaluate("e => { e.parentElement.open = true; }")
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('.editor :is(input, select, button, [role=slider], [role=img])')]
          .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))
          .map(e => e.outerHTML.slice(0, 120))"""
    )
    assert nameless == []


def test_the_studio_with_constraints_is_still_one_screen(page: Page) -> None:
    open_small_studio(page, topology=TOPOLOGY, constraints=CONSTRAINTS)
    the_left_column_is_one_screen(page)
    expect(page.locator(".panel-constraints .thumb svg")).to_be_visible()
    before = page.url.split("?")[0]
    page.locator(".panel-constraints").get_by_role("combobox").first.select_option("")
    page.wait_for_function("address => !location.href.startsWith(address)", arg=before)
    assert "constraints" not in experiment(page)


@pytest.mark.parametrize("height", [800, 900])
def test_the_sum_of_a_folded_part_stays_on_its_line_and_is_read_whole(page: Page, height: int) -> None:
    """A longer one once ran over the heading of the next panel on a screen of 900 px."""
    page.set_viewport_size({"width": 1280, "height": height})
    open_small_studio(page, topology=TOPOLOGY, constraints=CONSTRAINTS)
    total = page.locator(".panel-datacenter .more > summary .section-sum")
    expect(total).to_contain_text(re.compile(r"\b1,000\b"))
    over, cut = total.evaluate(
        """e => [e.getBoundingClientRect().bottom - e.parentElement.getBoundingClientRect().bottom,
                 e.scrollWidth - e.clientWidth]"""
    )
    assert over <= 1
    assert cut <= 0
