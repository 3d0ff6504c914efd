"""Links, exports, traces and the list of experiments, in a real browser."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
import re
import zlib
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import (
    COMPUTED_MS,
    drop,
    exported,
    open_small_studio,
    pause,
    scrub,
    wait_for_other_picture,
    wait_until_computed,
)
from tests.tiers import journey, shares

pytestmark = [pytest.mark.browser, shares("playground")]

# Jobs of four tasks, one a second: 240 tasks that keep about eight CPUs busy.
TRACE = "".join(f"{second}.0 4 2.0 1.0 2.0 2.0 3.0\n" for second in range(60)).encode()


def choose_source(page: Page) -> str:
    return page.locator("[data-source]").input_value()


def test_a_dropped_trace_is_read_through_and_run_to_its_end(page: Page) -> None:
    open_small_studio(page)
    drop(page, "my work.tr.gz", gzip.compress(TRACE))
    expect(page.locator("[data-source]").locator("option:checked")).to_have_text("my work.tr.gz", timeout=COMPUTED_MS)
    expect(page.locator("[data-trace-words]")).to_contain_text("60 jobs, 240 tasks")
    wait_until_computed(page)
    experiment_id = page.url.split("?")[0].rsplit("/", 1)[1]
    stored = page.request.get(f"/api/v1/experiments/{experiment_id}").json()
    assert stored["experiment"]["workload"]["trace"] == choose_source(page)
    run = stored["runs"][-1]
    summary = page.request.get(f"/api/v1/runs/{run['id']}/summary").json()
    assert summary["tasks"] == {**summary["tasks"], "total": 240, "completed": 240}
    # What was drawn before comes back as it was.
    page.locator("[data-source]").select_option("")
    wait_until_computed(page)
    expect(page.locator(".knob[data-path='workload.arrivals.offered_load']")).to_be_visible()


def test_a_damaged_trace_is_told_by_its_line_and_changes_nothing(page: Page, complaints: Complaints) -> None:
    complaints.expected = ["status of 422"]
    open_small_studio(page)
    page.locator("[data-trace-file]").set_input_files(
        {"name": "broken.tr", "mimeType": "text/plain", "buffer": TRACE + b"61 4 2.0 1.0 soon 1 1\n"}
    )
    trouble = page.locator(".trace-trouble")
    expect(trouble).to_contain_text("line 61", timeout=COMPUTED_MS)
    expect(trouble).to_contain_text("'soon', not a finite number")
    assert choose_source(page) == ""
    wait_until_computed(page)


def test_a_bundled_trace_runs_and_fits_the_machines_to_itself(page: Page) -> None:
    open_small_studio(page)
    page.locator("[data-source]").select_option("synthetic-steady.tr.gz")
    words = page.locator("[data-trace-words]")
    expect(words).to_have_text(re.compile(r"449\D+80: 561"))  # a mean of 449 tasks at once, on 80 CPUs
    page.locator("[data-fit]").click()
    expect(page.locator("[data-fit]")).to_have_count(0)
    expect(words).to_have_text(re.compile(r"449\D+\d+\D+: 90"))
    wait_until_computed(page)
    experiment = json.loads(page.locator(".json-text").input_value())
    assert experiment["workload"] == {**experiment["workload"], "kind": "trace", "trace": "synthetic-steady.tr.gz"}
    assert 200 < experiment["topology"]["clusters"][0]["machines"][0]["count"] < 400


@journey
def test_a_link_that_holds_the_experiment_stores_nothing_until_it_runs(
    page: Page, context: BrowserContext, complaints: Complaints
) -> None:
    open_small_studio(page)
    page.locator("[data-share]").click()
    code = page.locator("[data-code]")
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=code.element_handle())
    assert "<iframe" in page.locator("[data-copied=embed]").input_value()
    link = page.locator("[data-copied=whole]").input_value()
    assert "/studio#x2." in link

    assert context.browser is not None
    other = context.browser.new_context()
    guest = other.new_page()
    complaints.watch(guest)
    asked: list[str] = []
    guest.on("request", lambda request: asked.append(request.method))
    guest.goto(link)
    expect(guest.locator("[data-name]")).to_have_value("A small one")
    expect(guest.locator("[data-offer]")).to_be_visible()
    assert set(asked) == {"GET"}
    guest.locator("[data-offer]").click()
    wait_for_other_picture(guest, None)
    wait_until_computed(guest)
    expect(guest).to_have_url(re.compile(r"/studio/[^#]+$"))
    other.close()


def test_a_link_of_before_keeps_its_rules_and_todays_stand_beside(page: Page) -> None:
    experiment = {
        "schema_version": 1,
        "topology": {"clusters": [{"machines": [{"count": 8}]}]},
        "workload": {
            "kind": "dag",
            "jobs": 40,
            "arrivals": {"kind": "poisson", "rate_per_s": 0.5},
            "duration_s": {"kind": "exponential", "mean": 4},
        },
        "scheduler": {"name": "carbyne", "params": {"altruism": 0.5}},
    }
    packed = zlib.compress(json.dumps(experiment).encode(), wbits=-15)
    page.goto(f"/studio#x1.{base64.urlsafe_b64encode(packed).decode().rstrip('=')}")
    note = page.locator("[data-former-rules]")
    expect(note).to_contain_text("0.1.0")
    params = json.loads(page.locator(".json-text").input_value())["scheduler"]["params"]
    assert (params["altruism"], params["drawn"], params["placement"]) == (0.5, "job", "first_fit")
    page.locator("[data-offer]").click()
    wait_until_computed(page)
    note.get_by_role("button").click()
    page.wait_for_url("**/compare?runs=*,*")
    expect(page.locator(".side-name")).to_have_text([re.compile("^Carbyne")] * 2)
    expect(page.locator("body")).to_have_attribute("data-run-state", "done", timeout=COMPUTED_MS)


@pytest.mark.parametrize(
    ("fragment", "told"),
    [
        pytest.param("x1.AAAA", r"\w", id="damaged"),
        pytest.param("x9.AAAA", r"\b9\b", id="later"),
    ],
)
def test_a_link_that_cannot_be_opened_says_why(page: Page, fragment: str, told: str) -> None:
    page.goto(f"/studio#{fragment}")
    expect(page.locator("[data-empty]")).to_contain_text(re.compile(told))
    expect(page.locator("body")).to_have_attribute("data-run-state", "badlink")
    page.locator("[data-empty]").get_by_role("link").click()
    expect(page.locator("body.has-picture")).to_be_attached(timeout=COMPUTED_MS)


def plays_from_disk(chromium: Browser, file: Path) -> None:
    """Open an exported run without a server and without the network, and play it."""
    context = chromium.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    before = page.locator("[data-play=clock]").text_content()
    page.locator("[data-play=toggle]").click()
    page.wait_for_function("now => document.querySelector('[data-play=clock]').textContent !== now", arg=before)
    expect(page.locator(".run-page-name")).to_have_text("A small one")
    assert {url for url in asked if not url.startswith(("data:", "blob:"))} == {file.as_uri()}
    context.close()


def test_each_entry_of_the_export_menu_gives_the_file_that_it_names(
    chromium: Browser, page: Page, tmp_path: Path
) -> None:
    open_small_studio(page)
    # In the midst of the run every master has machines that are idle and such that are full, and some are lent.
    pause(page)
    scrub(page, 0.5)
    summary = json.loads(exported(page, "summary"))
    assert summary["tasks"]["total"] == 1500
    rows = list(csv.reader(io.StringIO(exported(page, "tasks-csv").decode())))
    assert len(rows) == 1501
    assert exported(page, "tasks-parquet").startswith(b"PAR1")
    assert exported(page, "recording").startswith(b"PK")
    experiment = json.loads(exported(page, "experiment"))
    assert page.request.post("/api/v1/experiments", data=experiment).status == 201
    file = tmp_path / "run.html"
    file.write_bytes(exported(page, "page"))
    plays_from_disk(chromium, file)
    for kind in ("waits-svg", "timeline-svg"):
        svg = exported(page, kind).decode()
        assert svg.startswith("<svg")
        assert "A small one" in svg
        assert "<path" in svg
    for kind in ("map-png", "waits-png", "timeline-png"):
        image = Image.open(io.BytesIO(exported(page, kind))).convert("RGB")
        colors = image.getcolors(10_000_000)
        assert colors is not None
        assert len(colors) > 5, kind


def test_the_list_deletes_takes_back_and_forks(page: Page) -> None:
    page.goto("/experiments")
    expect(page.locator("[data-empty]")).to_be_visible()
    open_small_studio(page)
    page.goto("/experiments")
    row = page.locator("[data-experiment]")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("done")
    picture = row.locator("img:visible")
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())
    row.locator("[data-act=delete]").click()
    expect(row).to_be_hidden()
    expect(page.locator("[data-empty]")).to_be_visible()
    page.locator("[data-toast]").get_by_role("button").click()
    expect(row).to_be_visible()
    row.locator("[data-act=fork]").click()
    page.wait_for_url("**/studio/*")
    expect(page.locator("[data-name]")).to_have_value("A small one")


def test_the_list_and_the_dialog_fit_a_phone(context: BrowserContext, complaints: Complaints) -> None:
    page = context.new_page()
    complaints.watch(page)
    page.set_viewport_size({"width": 390, "height": 844})
    open_small_studio(page)
    page.locator("[data-share]").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    box = page.get_by_role("dialog").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.goto("/experiments")
    expect(page.locator(".row")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_the_api_page_lists_operations_without_another_server(page: Page) -> None:
    foreign: list[str] = []
    page.on("request", lambda request: foreign.append(request.url) if "127.0.0.1" not in request.url else None)
    page.goto("/api/v1/docs")
    expect(page.locator(".opblock").first).to_be_visible(timeout=30_000)  # describing all operations takes a while
    assert [url for url in foreign if not url.startswith("data:")] == []
