"""Comparing in a real browser: side by side from the studio, and a study from its question to an opened run."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from scheduler_core import Experiment
from tests.browser.conftest import Complaints
from tests.browser.looking import COMPUTED_MS, clock_seconds, open_small_studio, pause
from tests.browser.test_content_policy import COLLECT
from tests.support import small_experiment

pytestmark = [pytest.mark.browser, pytest.mark.redis, pytest.mark.xdist_group("second playground")]

_TWO_PRINTS = """() => [...document.querySelectorAll('.side-map .map-cells')].map(canvas => {
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let inked = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i]) inked += 1;
  return inked;
})"""


def open_dialog(page: Page) -> None:
    open_small_studio(page)
    page.locator("[data-compare]").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator("dialog input[value=megha]")).to_be_checked()


def test_two_schedulers_side_by_side_share_clock_zoom_table_and_figures(page: Page) -> None:
    page.add_init_script(COLLECT)
    open_dialog(page)
    beside = page.locator("[data-compares=beside]")
    expect(beside).to_be_disabled()
    page.locator("dialog input[value=sparrow]").check()
    beside.click()
    page.wait_for_url("**/compare?runs=*")
    expect(page.locator("body")).to_have_attribute("data-run-state", "done", timeout=COMPUTED_MS)
    expect(page.locator(".side-name")).to_have_text(["Megha", "Sparrow"])
    assert all(inked > 0 for inked in page.evaluate(_TWO_PRINTS))

    # The table: ratios to the reference, which can be another one.
    row = page.locator("[data-measure='allocation_delay_s.p99']")
    ratio = re.search(r"([\d.]+)\u202f×", row.locator("td").nth(1).inner_text())
    assert ratio is not None
    page.locator("[data-reference]").select_option("1")
    expect(row.locator("td").nth(1)).not_to_contain_text("×")
    back = re.search(r"([\d.]+)\u202f×", row.locator("td").nth(0).inner_text())
    assert back is not None
    assert float(ratio[1]) * float(back[1]) == pytest.approx(1, rel=0.02)
    expect(page.locator("[data-pairs-note]")).to_contain_text(re.compile(r"\d+ jobs\b.*\bSparrow\b"))

    # Figures of the whole runs, and of their jobs in pairs.
    whole = page.locator("[data-whole]")
    whole.scroll_into_view_if_needed()  # figures are fetched when they are near
    expect(whole.locator(".legendtext")).to_have_text(["Megha", "Sparrow"], timeout=COMPUTED_MS)
    for kind, title in (
        ("percentiles", "mean and percentiles"), ("jobs", "distribution over jobs"), ("timeline", "over time"),
    ):  # fmt: skip
        whole.locator("[data-kind]").select_option(kind)
        expect(whole.locator(".figure-title")).to_contain_text(title)
    scatter = page.locator("[data-scatter] .figure")
    scatter.scroll_into_view_if_needed()
    expect(scatter).to_have_attribute("data-drawn", re.compile(r"\d"), timeout=COMPUTED_MS)
    assert page.evaluate("window.violations") == []
    expect(page.locator("[data-other]")).to_have_value("0")

    # Time is one for all: a click on the line goes there in both, and the difference is of that instant.
    pause(page)
    clock = page.locator("[data-play=clock]")
    before = clock.inner_text()
    page.locator("[data-time] .picture-canvas").click(position={"x": 700, "y": 60})
    expect(clock).not_to_have_text(before)
    at, shown = clock_seconds(page), clock.inner_text()
    note = page.locator("[data-difference-note]")
    expect(note).to_have_text(re.compile(r"^(\d+ of 80 machines differ|All machines are equally busy)"))
    page.locator("[data-time] .picture-canvas").press("ArrowRight")
    expect(clock).not_to_have_text(shown)
    assert clock_seconds(page) > at

    # Zoom is one for all, and hovering one map tells of both runs.
    maps = page.locator(".side-map .map-cells")
    maps.nth(0).focus()
    maps.nth(0).press("+")
    expect(maps.nth(1)).to_have_class(re.compile("is-zoomed"))
    box = maps.nth(1).bounding_box()
    assert box is not None
    tip = page.locator("body > .tip")
    for step in range(8):  # past the gaps between machines
        page.mouse.move(box["x"] + box["width"] / 2 + 9 * step, box["y"] + box["height"] / 2 + 7 * step)
        if tip.is_visible():
            break
    expect(tip).to_contain_text("under Megha")
    expect(tip).to_contain_text("under Sparrow")


def test_six_runs_stand_in_two_rows_and_start_one_after_another(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("429")
    open_dialog(page)
    for name in ("sparrow", "hawk", "eagle", "pigeon", "fifo"):
        page.locator(f"dialog input[value={name}]").check()
    starts = iter(range(1_000))
    held = {"for": True}

    def limited(route: Route) -> None:
        # The server's limit of runs at once, as it refuses a run.
        if held["for"] and next(starts) >= 2:
            problem = {"type": "too-many-runs", "title": "Too many runs at once", "status": 429, "problems": []}
            route.fulfill(status=429, content_type="application/problem+json", body=json.dumps(problem))
        else:
            route.continue_()

    page.context.route(re.compile(r"/experiments/[^/]+/runs$"), limited)
    page.locator("[data-compares=beside]").click()
    page.wait_for_url("**/compare?runs=*&next=*")
    expect(page.locator(".side")).to_have_count(6)
    waiting = page.locator(".side", has=page.locator("a.link:not([href*='run='])"))
    expect(waiting).to_have_count(3)
    expect(waiting.first.locator(".map-empty")).not_to_be_empty()
    held["for"] = False
    expect(page.locator("body")).to_have_attribute("data-run-state", "done", timeout=COMPUTED_MS)
    expect(page.locator(".side-name")).to_have_text(["Megha", "Sparrow", "Hawk", "Eagle", "Pigeon", "FIFO"])
    assert all(inked > 0 for inked in page.evaluate(_TWO_PRINTS))
    assert "next" not in page.url
    assert len(page.url.split("runs=")[1].split(",")) == 6
    boxes = [one.bounding_box() for one in page.locator(".side").all()]
    assert len({round(box["y"]) for box in boxes if box}) == 2
    expect(page.locator("[data-measure='allocation_delay_s.p99'] td")).to_have_count(6)
    whole = page.locator("[data-whole]")
    whole.scroll_into_view_if_needed()
    expect(whole.locator(".legendtext")).to_have_count(6, timeout=COMPUTED_MS)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_study_is_asked_measured_and_its_opened_run_has_the_same_outcome(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("422")  # a value is refused on purpose
    open_dialog(page)
    page.locator("dialog input[value=sparrow]").check()
    page.locator("[data-vary=parameter]").first.select_option("scheduler.params.heartbeat_s")
    values = page.locator("[data-vary=values]").first
    expect(values).not_to_have_value("")
    values.fill("-1, 20")
    page.locator("[data-repeats]").fill("6")
    expect(page.locator("[data-plan]")).to_contain_text("18")
    start = page.locator("[data-compares=study]")
    with page.expect_response("**/studies") as refused:
        start.click()
    assert refused.value.status == 422
    expect(page.locator(".dialog-trouble")).to_contain_text("First parameter, value 1")
    values.fill("1, 20")
    start.click()
    page.wait_for_url("**/studies/*")
    expect(page.locator("[data-state]")).to_have_text("Done: 18 runs", timeout=COMPUTED_MS)
    rows = page.locator(".study-table tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text(" to ")
    expect(rows.nth(2)).to_contain_text(re.compile("higher|lower|not distinguishable yet"))
    caption = page.locator(".figure-caption")
    expect(caption).to_contain_text("Student's t", timeout=COMPUTED_MS)

    # By keyboard: the picture tells each point, with its interval called what it is.
    picture = page.locator(".figure-plot")
    picture.focus()
    picture.press("ArrowRight")
    expect(page.locator(".figure [aria-live]")).to_contain_text("95 % interval")
    page.locator("[data-statistic]").select_option("median")
    expect(caption).to_contain_text("order statistics")
    page.locator("[data-metric]").select_option("job_completion_s.mean")
    expect(page.locator(".study-table thead")).to_contain_text("Job completion time")
    expect(page).to_have_url(re.compile("metric=job_completion_s.mean&statistic=median"))
    # The last column is whole in a narrow window, too: it was cut where the comparisons were long.
    for width in (1280, 800):
        page.set_viewport_size({"width": width, "height": 800})
        assert rows.nth(2).evaluate(
            """row => row.querySelector("[data-open-run]").getBoundingClientRect().right <=
            row.closest(".trace-table-place").getBoundingClientRect().right"""
        ), width
    page.set_viewport_size({"width": 1280, "height": 800})

    with page.expect_download() as download:
        page.locator("[download='study.csv']").click()
    table = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
    assert len(table) == 18
    assert {row["scheduler.params.heartbeat_s"] for row in table} == {"1", "20", ""}
    with page.expect_download() as drawn:
        page.locator(".figure").locator("[data-does=svg]").click()
    assert "Job completion time" in Path(drawn.value.path()).read_text()

    # A run of it, in the studio, comes to what the study found.
    rows.nth(1).locator("[data-open-run]").click()
    page.wait_for_url("**/studio/*")
    made = page.request.get(f"/api/v1/experiments/{page.url.rsplit('/', 1)[1].split('?')[0]}").json()
    assert made["experiment"]["scheduler"]["params"]["heartbeat_s"] == 20
    expect(page.locator("[data-state]")).to_have_text("Computed", timeout=COMPUTED_MS)
    run = page.request.get(f"/api/v1/experiments/{made['id']}").json()["runs"][-1]
    found = next(row for row in table if row["scheduler.params.heartbeat_s"] == "20" and row["seed"] == "5")
    assert run["outcome_digest"] == found["outcome_digest"]


def test_each_scheduler_has_its_parameters_in_the_dialog_and_shared_ones_stand_once(page: Page) -> None:
    short = small_experiment() | {"scheduler": {"name": "eagle", "params": {"short_cutoff_s": 20}}}
    made = page.request.post("/api/v1/experiments", data=short).json()
    page.goto(f"/studio/{made['id']}")
    page.locator("[data-compare]").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[value=hawk]").check()
    dialog.locator("input[value=sparrow]").check()
    parameters = dialog.locator(".compare-params")
    expect(parameters.locator("summary")).to_have_text(["Shared parameters", "Eagle", "Sparrow", "Hawk"])
    parts = {name: parameters.locator(f"[data-params={name}]") for name in ("shared", "eagle", "hawk", "sparrow")}
    for each in parts.values():
        each.locator("summary").click()
    cutoff = parameters.locator("[data-path$=short_cutoff_s].knob")
    expect(cutoff).to_have_count(1)
    typed = parts["shared"].locator("[data-path$=short_cutoff_s].knob .knob-value")
    expect(typed).to_have_value("20\u202fs")  # as the experiment has it
    typed.fill("30")
    typed.press("Enter")
    ratio = parts["sparrow"].locator("[data-path$=probe_ratio].knob .knob-value")
    ratio.fill("4")
    ratio.press("Enter")
    expect(parameters.locator("summary")).to_have_text(
        ["Shared parameters", "Eagle (changed)", "Sparrow (changed)", "Hawk (changed)"]
    )
    dialog.locator("[data-repeats]").fill("1")
    with page.expect_request("**/studies") as asked:
        dialog.locator("[data-compares=study]").click()
    eagle, sparrow, hawk = asked.value.post_data_json["schedulers"]
    assert eagle["params"]["short_cutoff_s"] == hawk["params"]["short_cutoff_s"] == 30
    assert sparrow == {"name": "sparrow", "params": {"probe_ratio": 4}}
    page.wait_for_url("**/studies/*")


def test_an_open_cutoff_in_the_dialog_is_the_number_that_the_run_uses(page: Page) -> None:
    """It showed the Yahoo trace's number while the runs took the boundary of the work's two classes."""
    short = {"name": "short", "weight": 90, "duration_s": {"kind": "constant", "value": 2}}
    long = {"name": "long", "weight": 10, "duration_s": {"kind": "constant", "value": 50}}
    asked = small_experiment() | {"scheduler": {"name": "sparrow"}}
    asked["workload"] |= {"classes": [short, long]}
    eagle = Experiment.parse(asked | {"scheduler": {"name": "eagle"}}).scheduler.params["short_cutoff_s"]
    assert 2 < eagle < 50
    open_small_studio(page, scheduler=asked["scheduler"], workload=asked["workload"])
    page.locator("[data-compare]").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[value=eagle]").check()
    dialog.locator("[data-params=eagle] summary").click()
    cutoff = dialog.locator("[data-params=eagle] [data-path$=short_cutoff_s].knob .knob-value")
    expect(cutoff).to_have_value(re.compile(rf"^{eagle:.3g}"))


def test_a_cutoff_that_separates_nothing_is_told_before_and_after_a_comparison(page: Page) -> None:
    """Hawk and Sparrow had the same numbers, and nothing said that to Hawk every job was short."""
    short = {"name": "short", "weight": 90, "duration_s": {"kind": "constant", "value": 2}}
    long = {"name": "long", "weight": 10, "duration_s": {"kind": "constant", "value": 50}}
    asked = small_experiment() | {"scheduler": {"name": "hawk"}}
    asked["workload"] |= {"classes": [short, long]}
    boundary = Experiment.parse(asked).scheduler.params["short_cutoff_s"]
    hawk = {"name": "hawk", "params": {"short_cutoff_s": 500}}
    open_small_studio(page, topology=asked["topology"], scheduler=hawk, workload=asked["workload"])
    expect(page.locator("[data-says='run:cutoff']")).to_contain_text(re.compile(rf"\b300\b.*\b{boundary:.3g}\b"))

    page.locator("[data-compare]").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[value=sparrow]").check()
    far = dialog.locator("[data-cutoff]")
    expect(far).to_contain_text("Hawk")
    dialog.locator("[data-params=hawk] summary").click()
    cutoff = dialog.locator("[data-params=hawk] [data-path$=short_cutoff_s].knob .knob-value")
    for value, warns in ((boundary, 0), (500, 1)):
        cutoff.fill(str(value))
        cutoff.press("Enter")
        expect(far).to_have_count(warns)

    dialog.locator("[data-compares=beside]").click()
    page.wait_for_url("**/compare?runs=*")
    expect(page.locator("body")).to_have_attribute("data-run-state", "done", timeout=COMPUTED_MS)
    of_hawk, of_sparrow = page.locator("[data-cutoff]").all()
    expect(of_hawk).to_contain_text(re.compile(r"\b300\b"))
    expect(of_sparrow).to_be_hidden()


def test_a_study_of_somebody_else_is_read_only_and_an_empty_comparison_says_what_to_do(page: Page) -> None:
    made = page.request.post(
        "/api/v1/experiments",
        data=json.dumps(
            {
                "schema_version": 1,
                "topology": {"clusters": [{"machines": [{"count": 4}]}]},
                "workload": {"kind": "inline", "jobs": [{"arrival_s": 0, "durations_s": [1]}]},
                "scheduler": {"name": "megha"},
            }
        ),
        headers={"Content-Type": "application/json"},
    ).json()
    study = page.request.post(f"/api/v1/experiments/{made['id']}/studies", data={"repeats": 2}).json()
    page.context.clear_cookies()
    page.goto(f"/studies/{study['id']}")
    expect(page.locator("[data-state]")).to_have_text("Done: 2 runs", timeout=COMPUTED_MS)
    expect(page.locator("[data-cancel]")).to_be_hidden()
    expect(page.locator(".study-table tbody tr")).to_have_count(1)
    page.goto("/compare")
    expect(page.locator(".listing-empty h2")).to_be_visible()
