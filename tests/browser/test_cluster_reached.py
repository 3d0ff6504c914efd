"""The pages of one's own cluster and the dialog that asks: by axe in both themes, on a phone, and by keyboard."""

from __future__ import annotations

import json
import re
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from scheduler_core import Experiment, ask_question
from tests.browser.conftest import Complaints
from tests.browser.looking import COMPUTED_MS, open_small_studio, small_experiment, wait_until_computed
from tests.browser.test_accessible import found
from tests.browser.test_components import MEASURED
from tests.browser.test_own_cluster import SLURM, give

pytestmark = [pytest.mark.browser, pytest.mark.redis, pytest.mark.xdist_group("second playground")]

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}


def imported(page: Page, names: list[str]) -> None:
    """Give sample files to the studio and wait for the page of what was found."""
    open_small_studio(page)
    give(page, names)
    page.wait_for_url(re.compile("/traces/"))
    expect(page.locator(".cluster-charts")).to_be_visible()


def asked(page: Page, question: str, bound: str) -> Locator:
    """Ask a question with two seeds in the studio; return the dialog with its answer, all parts open."""
    page.locator("[data-ask-open]").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("[data-ask=question]").select_option(question)
    dialog.locator("[data-ask=bound]").fill(bound)
    dialog.locator("[data-ask=seeds]").fill("2")
    dialog.locator("[type=submit]").click()
    expect(dialog.locator("[data-ask-answer]")).to_be_visible(timeout=COMPUTED_MS)
    closed = dialog.locator("details:not([open]) > summary")
    while closed.count():
        closed.first.click()
    return dialog


def widths(page: Page) -> list[int]:
    return list(page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]"))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("names", [SLURM, ["kubernetes.json"]], ids=["slurm", "kubernetes"])
def test_axe_finds_nothing_serious_from_what_was_found_to_the_answer(
    chromium: Browser,
    live_playground: str,
    complaints: Complaints,
    theme: Literal["light", "dark"],
    names: list[str],
) -> None:
    context = chromium.new_context(
        base_url=live_playground, viewport=DESKTOP, reduced_motion="reduce", color_scheme=theme
    )
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints.watch(page)
    imported(page, names)
    page.locator(".names-part summary").click()
    problems = found(page, "what was found")
    page.locator("[data-run]").click()
    page.wait_for_url(re.compile("/studio/"))
    wait_until_computed(page)
    problems += found(page, "studio with a cluster")
    if names == SLURM:
        page.locator("[data-open-starts]").click()
        expect(page.locator("dialog [data-job]").first).to_be_visible()
        problems += found(page, "recorded starts")
        page.locator("[data-close-dialog]").click()
    asked(page, "off", "7200")
    problems += found(page, "answer of off")
    assert problems == []
    context.close()


def test_a_cluster_its_run_and_an_answer_fit_a_phone(
    chromium: Browser, live_playground: str, complaints: Complaints
) -> None:
    context = chromium.new_context(base_url=live_playground, viewport=PHONE, has_touch=True, is_mobile=True)
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints.watch(page)
    imported(page, SLURM)
    page.locator(".names-part summary").click()
    assert widths(page) == [390, 390]
    assert page.evaluate(MEASURED, 40)[1] == []
    page.locator("[data-run]").click()
    page.wait_for_url(re.compile("/studio/"))
    wait_until_computed(page)
    assert widths(page) == [390, 390]
    page.locator("[data-open-starts]").click()
    expect(page.locator("dialog [data-job]").first).to_be_visible()
    assert widths(page) == [390, 390]
    page.locator("[data-close-dialog]").click()
    dialog = asked(page, "machines", "7200")
    assert widths(page) == [390, 390]
    # The dialog itself has no part to the side either; tables scroll in their own frame.
    assert dialog.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    context.close()


def test_a_cluster_is_run_asked_about_and_deleted_by_keyboard(page: Page) -> None:
    imported(page, ["kubernetes.json"])
    trace = page.url.rsplit("/", 1)[1].split("?")[0]
    page.locator("[data-run]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/studio/"))
    wait_until_computed(page)
    page.locator("[data-ask-open]").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(":focus")).to_have_count(1)
    dialog.locator("[data-ask=question]").focus()
    reached = []
    for _ in range(6):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.dataset.ask ?? document.activeElement.type"))
    assert {"measure", "bound", "seeds", "submit"} <= set(reached)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.goto(f"/traces/{trace}")
    expect(page.locator(".cluster-charts")).to_be_visible()
    page.locator("[data-delete-cluster]").focus()
    page.once("dialog", lambda question: question.accept())
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/experiments"))
    assert page.request.get(f"/api/v1/traces/{trace}").status == 404


def test_the_jobs_of_a_history_are_listed_with_their_recorded_starts(page: Page) -> None:
    imported(page, SLURM)
    page.locator("[data-run]").click()
    page.wait_for_url(re.compile("/studio/"))
    wait_until_computed(page)
    stored = page.request.get(f"/api/v1/experiments/{page.url.split('?')[0].rsplit('/', 1)[1]}").json()
    run = stored["runs"][-1]["id"]
    told = page.request.get(f"/api/v1/runs/{run}/recorded-starts?order=difference&count=20000").json()
    summary = page.request.get(f"/api/v1/runs/{run}/summary").json()["recorded_starts"]
    assert (told["total"], len(told["job"])) == (summary["jobs"], summary["jobs"])
    page.locator("[data-open-starts]").click()
    dialog = page.get_by_role("dialog")
    rows = dialog.locator("[data-job]")
    expect(rows).to_have_count(min(200, summary["jobs"]))
    shown = rows.evaluate_all("all => all.map((one) => [Number(one.dataset.job), Number(one.dataset.shift)])")
    assert shown == [list(row) for row in zip(told["job"], told["shift_s"], strict=True)][:200]
    dialog.locator("[data-starts-order]").select_option("job")
    expect(rows.first).to_have_attribute("data-job", str(min(told["job"])))
    with page.expect_download() as saved:
        dialog.locator("[data-starts-file='starts.csv']").click()
    assert saved.value.path().read_text().count("\n") == summary["jobs"] + 1


def test_the_page_shows_the_answer_of_the_command_line(page: Page) -> None:
    """The numbers of one question, both ways: `ask … --json` prints what `ask_question` returns."""
    open_small_studio(page)
    dialog = asked(page, "machines", "2")
    ours = ask_question(
        Experiment.parse(json.loads(json.dumps(small_experiment()))), "machines", "allocation_delay_s.p99 <= 2", seeds=2
    )
    rows = dialog.locator("[data-tried]")
    shown = rows.evaluate_all(
        "all => all.map((one) => [Number(one.dataset.tried), one.querySelector('[data-kept]').dataset.kept])"
    )
    assert shown == [[one["value"], "yes" if one["kept"] else "no"] for one in ours["tried"]]
    asks = page.evaluate(
        "performance.getEntriesByType('resource').map((one) => one.name).filter((one) => one.includes('/asks/'))"
    )
    theirs = page.request.get(asks[-1]).json()["answer"]
    same = ("answer", "low", "high", "fails_at", "monotone", "measure", "seeds", "runs", "tried", "now", "notes")
    assert {name: theirs[name] for name in same} == {name: ours[name] for name in same}
    words = re.sub(r"[,\u202f\u00a0]", "", dialog.locator("[data-ask-answer]").inner_text())
    for number in (ours["answer"], ours["fails_at"], ours["now"]["value"]):
        assert re.search(rf"\b{number}\b", words), (number, words)
