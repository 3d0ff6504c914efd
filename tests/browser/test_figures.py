"""Figures in a real browser: drawn under the content policy, zoomed, read, toggled, saved."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.looking import COMPUTED_MS
from tests.browser.test_content_policy import COLLECT
from tests.support import PROJECT, small_experiment
from tests.tiers import journey, shares

pytestmark = [pytest.mark.browser, pytest.mark.redis, shares("playground")]

TRACE = "/traces/synthetic-steady.tr.gz"
VENDOR = PROJECT / "static" / "vendor" / "plotly"
BUNDLE = "plotly-cartesian.min.js"

# Requests for the figure wait until the test lets them go.
HOLD_FIGURES = """() => {
  const real = window.fetch;
  window.held = [];
  window.fetch = async (...asked) => {
    await new Promise(go => window.held.push(go));
    return real(...asked);
  };
}"""
OF_SIZE = """sizes => {
  const box = document.querySelector('.print-place img')?.getBoundingClientRect();
  return box && [box.width, box.height].every((px, at) => Math.abs(px - sizes[at] * 96 / 25.4) < 1);
}"""


@pytest.fixture
def watched(page: Page) -> Iterator[Page]:
    """Give a page that has kept to the content policy when the test ends."""
    page.add_init_script(COLLECT)
    yield page
    assert page.evaluate("window.violations") == [], page.url


def drawn(figure: Locator) -> Locator:
    """Wait until a figure is drawn."""
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-drawn", re.compile(r"\d+"), timeout=COMPUTED_MS)
    return figure


def in_figure(figure: Locator, path: str) -> Any:
    """Read of plotly's own record of a figure, such as `layout.xaxis.range`."""
    return figure.locator(".figure-plot").evaluate(f"plot => plot._fullLayout && plot.{path}")


def finished_study(page: Page) -> str:
    made = page.request.post("/api/v1/experiments", data=small_experiment()).json()
    plan = {
        "axes": [{"path": "scheduler.params.heartbeat_s", "values": [1, 20]}],
        "schedulers": [{"name": "megha"}, {"name": "sparrow"}],
        "repeats": 3,
    }
    study: str = page.request.post(f"/api/v1/experiments/{made['id']}/studies", data=plan).json()["id"]
    page.goto(f"/studies/{study}")
    expect(page.locator("body")).to_have_attribute("data-study-state", "done", timeout=COMPUTED_MS)
    return study


def test_a_figure_is_loaded_when_it_is_near_and_not_on_other_pages(watched: Page) -> None:
    asked: list[str] = []
    watched.on("request", lambda request: asked.append(request.url))
    watched.goto("/experiments", wait_until="networkidle")
    assert not [url for url in asked if "plotly" in url]
    watched.goto(TRACE)
    drawn(watched.locator("[data-figure=duration_s]"))
    assert len([url for url in asked if url.endswith(BUNDLE)]) == 1
    arrivals = watched.locator("[data-figure=tasks]")
    drawn(arrivals)
    assert len([url for url in asked if url.endswith(BUNDLE)]) == 1


def test_zoom_has_ticks_for_what_is_in_sight_and_a_way_back(watched: Page) -> None:
    watched.goto(TRACE)
    figure = drawn(watched.locator("[data-figure=running]"))
    whole, ticks = in_figure(figure, "_fullLayout.xaxis.range"), in_figure(figure, "_fullLayout.xaxis.tickvals")
    reset = figure.locator("[data-does=reset]")
    expect(reset).to_be_hidden()
    box = figure.locator(".nsewdrag").bounding_box()
    assert box is not None
    watched.mouse.move(box["x"] + 200, box["y"] + 30)
    watched.mouse.down()
    watched.mouse.move(box["x"] + 320, box["y"] + 35, steps=5)
    watched.mouse.up()
    expect(reset).to_be_visible()
    low, high = in_figure(figure, "_fullLayout.xaxis.range")
    assert whole[0] < low < high < whole[1]
    nearer = [value for value in in_figure(figure, "_fullLayout.xaxis.tickvals") if low <= value <= high]
    assert len(nearer) >= 2
    assert nearer[1] - nearer[0] < ticks[1] - ticks[0]
    reset.click()
    expect(reset).to_be_hidden()
    assert in_figure(figure, "_fullLayout.xaxis.range") == pytest.approx(whole)


def test_a_fit_is_laid_over_a_trace_and_the_legend_toggles_it(watched: Page) -> None:
    watched.goto(TRACE)
    figure = drawn(watched.locator("[data-figure=duration_s]"))
    assert in_figure(figure, "data.length") == 1
    before = figure.get_attribute("data-drawn")
    watched.locator("[data-fit]").click()
    expect(figure).not_to_have_attribute("data-drawn", before or "", timeout=COMPUTED_MS)
    legend = figure.locator(".legend .traces")
    expect(legend).to_have_count(2)
    expect(figure.locator(".legendtext")).to_have_text(["the trace", "one draw of the fit"])
    legend.nth(1).locator(".legendtoggle").click()
    expect(figure.locator(".scatterlayer .trace")).to_have_count(1)


@journey
def test_a_studys_figure_is_read_by_pointer_and_keyboard_and_saved(watched: Page) -> None:
    page = watched
    finished_study(page)
    figure = drawn(page.locator("main .figure"))
    expect(figure.locator(".figure-title")).to_have_text(re.compile("p99 by .*: Megha, Sparrow"))
    expect(figure.locator(".legendtext")).to_have_text(["Megha", "Sparrow"])
    expect(figure.locator(".figure-caption")).to_contain_text(
        re.compile(r"n = 3 runs per point, \d+ runs in all\. 3 seeds \(1 to 3\)\.")
    )

    # The pointer, then the keyboard; what is read aloud is what is shown.
    figure.locator(".scatterlayer .point").first.hover(force=True)
    expect(figure.locator(".hoverlayer .hovertext")).to_contain_text(re.compile(r"Megha, .* 1\u202fs"))
    plot = figure.locator(".figure-plot")
    plot.focus()
    plot.press("ArrowRight")
    plot.press("ArrowRight")
    expect(figure.locator("[aria-live]")).to_contain_text(re.compile(r"Megha, .* 20\u202fs"))
    expect(figure.locator("[aria-live]")).to_contain_text("3 runs")
    plot.press("ArrowUp")
    expect(figure.locator("[aria-live]")).to_contain_text("Sparrow")

    # The file holds what is drawn.
    with page.expect_download() as download:
        figure.locator("[data-csv]").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
    lines = plot.evaluate("plot => plot.data.map(({name, x, y}) => ({name, x: [...x], y: [...y]}))")
    measure = next(name for name in rows[0] if name.startswith("Queueing delay, p99"))
    across = next(name for name in rows[0] if name.startswith("Heartbeat"))
    assert [(row["series"], float(row[across]), float(row[measure])) for row in rows] == [
        (line["name"], x, y) for line in lines for x, y in zip(line["x"], line["y"], strict=True)
    ]

    with page.expect_download() as saved:
        figure.locator("[data-does=svg]").click()
    svg = Path(saved.value.path()).read_text()
    assert re.search(r'<svg[^>]* width="170mm"', svg)
    assert "Sparrow" in svg
    with page.expect_download() as picture:
        figure.locator("[data-does=png]").click()
    assert Path(picture.value.path()).read_bytes().startswith(b"\x89PNG")

    # A chosen unit is that of the picture and of the files.
    page.locator("[data-unit]").select_option("ms")
    page.locator("[data-x_unit]").select_option("min")
    expect(figure.locator(".ytitle")).to_contain_text("Queueing delay, p99 (ms)")
    expect(figure.locator(".xtitle")).to_contain_text("(min)")
    expect(page).to_have_url(re.compile("unit=ms&x_unit=min"))
    with page.expect_download() as download:
        figure.locator("[data-csv]").click()
    others = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
    assert float(others[0]["Queueing delay, p99 (ms)"]) == pytest.approx(1000 * float(rows[0][measure]))
    with page.expect_download() as saved:
        figure.locator("[data-does=svg]").click()
    assert "Queueing delay, p99 (ms)" in Path(saved.value.path()).read_text()

    # Differences and single seeds are drawn, and stand in the address.
    page.locator("[data-seeds]").check()
    expect(figure.locator(".scatterlayer .trace")).to_have_count(2 + 2 * 3)
    page.locator("[data-show]").select_option("difference")
    expect(figure.locator(".figure-title")).to_contain_text("Difference in queueing delay, p99, against Megha")
    expect(page).to_have_url(re.compile("show=difference.*seeds=true"))

    # A click on a point opens one of its runs.
    page.locator("[data-show]").select_option("values")
    expect(figure.locator(".scatterlayer .trace")).to_have_count(2 + 2 * 3)
    page.locator("[data-seeds]").uncheck()
    expect(figure.locator(".scatterlayer .trace")).to_have_count(2)
    figure.locator(".scatterlayer .point").nth(1).click(force=True)
    page.wait_for_url("**/studio/*")
    made = page.request.get(f"/api/v1/experiments/{page.url.rsplit('/', 1)[1].split('?')[0]}").json()
    assert made["experiment"]["scheduler"]["params"]["heartbeat_s"] == 20


def test_a_figure_is_prepared_for_print(watched: Page) -> None:
    page = watched
    study = finished_study(page)
    page.goto(f"/studies/{study}/figure")
    image = page.locator(".print-place img")
    expect(image).to_be_visible(timeout=COMPUTED_MS)
    expect(page.locator("[data-caption]")).to_contain_text("experiment digest")
    expect(page.locator("[data-bibtex]")).to_contain_text("@misc{scheduler-playground-")
    page.locator("[data-width]").select_option("85")
    # Saved while the drawing of the fields is under way, the file is of the fields.
    page.evaluate(HOLD_FIGURES)
    page.locator("[data-height]").fill("60")
    page.locator("[data-height]").press("Enter")
    page.wait_for_function("() => window.held.length")
    with page.expect_download() as saved:
        page.locator("[data-svg]").click()
        page.evaluate("window.held.splice(0).forEach(go => go())")
    svg = Path(saved.value.path()).read_text()
    assert 'width="85mm" height="60mm"' in svg
    page.wait_for_function(OF_SIZE, arg=[85, 60])
    # On paper the figure and its caption alone.
    page.emulate_media(media="print")
    expect(image).to_be_visible()
    expect(page.locator("[data-caption]")).to_be_visible()
    for part in ("header", "[data-fields]", ".print-acts", ".print-cite"):
        expect(page.locator(part)).to_be_hidden()
    page.emulate_media(media="screen")


def test_the_static_sheet_has_the_rules_that_the_bundle_would_write(chromium: Browser) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.goto("about:blank")
    page.add_script_tag(path=VENDOR / BUNDLE)
    written = page.evaluate(
        "[...document.getElementById('plotly.js-style-global').sheet.cssRules].map(rule => rule.cssText)"
    )
    assert len(written) > 50
    assert (VENDOR / "plotly.css").read_text().splitlines() == written[::-1]
    context.close()


def test_a_paper_s_claim_is_run_again_over_the_saved_figures_and_opens_side_by_side(watched: Page) -> None:
    watched.goto("/papers/carbyne")
    claim = watched.locator("#carbyne-f2-toy")
    drawn(claim.locator(".figure"))
    claim.locator("[data-run-again]").click()
    expect(claim.locator("[data-run-again]")).to_be_enabled(timeout=COMPUTED_MS)
    names = "plot => plot._fullData.map(each => each.name).includes('Run again here') && plot._fullData.length >= 4"
    watched.wait_for_function(f"() => ({names})(document.querySelector('#carbyne-f2-toy .figure-plot'))")
    form = claim.locator("[data-other-seeds]")
    form.locator("[name=seeds]").fill("3")
    form.locator("[name=from]").fill("500")
    form.locator("button").click()
    expect(claim.locator("[data-again]")).to_contain_text("holds under 3 of 3 seeds", timeout=COMPUTED_MS)
    claim.locator('[data-setups="drf,carbyne"]').click()
    expect(watched).to_have_url(re.compile(r"/compare\?runs=[\w-]+,[\w-]+$"), timeout=COMPUTED_MS)
    expect(watched.locator("[data-sides] .side")).to_have_count(2)


def test_a_claim_is_saved_as_a_sheet_that_opens_from_disk_without_the_network(
    chromium: Browser, watched: Page, tmp_path: Path
) -> None:
    watched.goto("/papers/megha")
    with watched.expect_download() as saving:
        watched.locator("#megha-f3-4-tail [data-sheet]").click()
    file = tmp_path / "claim.html"
    saving.value.save_as(file)
    context = chromium.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    expect(page.locator(".verdict[data-standing='at the edge']")).to_be_visible()
    assert page.locator("figure svg").evaluate("picture => picture.getBBox().width > 400 && picture.isConnected")
    with page.expect_download() as again:
        page.locator("a[download='megha-f3-4-tail.csv']").click()
    again.value.save_as(tmp_path / "claim.csv")
    rows = list(csv.reader((tmp_path / "claim.csv").read_text(encoding="utf-8").splitlines()))
    names = {row[0].partition(", seed ")[0] for row in rows[1:]}
    assert names == {f"{system}, {whose}" for system in ("Megha", "Sparrow") for whose in ("ours", "published")}
    assert {url for url in asked if not url.startswith("data:")} == {file.as_uri()}
    context.close()
