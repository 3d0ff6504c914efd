"""Asking in a real browser: a promise, the search, its answer with everything that was tried."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.looking import COMPUTED_MS, open_small_studio, wait_until_computed
from tests.browser.test_content_policy import COLLECT

pytestmark = [pytest.mark.browser, pytest.mark.redis, pytest.mark.xdist_group("second playground")]


def test_a_search_finds_the_fewest_machines_that_keep_a_promise(page: Page) -> None:
    page.add_init_script(COLLECT)
    open_small_studio(page)
    page.locator("[data-ask-open]").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("[data-ask=bound]").fill("2")
    dialog.locator("[data-ask=seeds]").fill("2")
    page.keyboard.press("Enter")
    answer = dialog.locator("[data-ask-answer]")
    expect(answer).to_contain_text(
        re.compile(r"\d+ machines keep the promise .* With \d+ it breaks"), timeout=COMPUTED_MS
    )
    machines = int(re.findall(r"(\d+) machines keep", answer.inner_text())[0])
    assert f"With {machines - 1} it breaks" in answer.inner_text()
    dialog.locator(".ask-tried > summary").first.click()
    values = [int(text) for text in dialog.locator(".ask-table td:first-child").all_inner_texts()]
    assert {machines, machines - 1} <= set(values)
    assert dialog.locator(".ask-chart circle").count() == len(values)
    kept = dialog.locator(".ask-chart circle.ask-kept").count()
    assert kept == dialog.locator("[data-kept=yes]").count() > 0
    assert page.evaluate("window.violations") == []

    # The neighbor that breaks the promise is shown to break it: its run opens, and the answer is there on the way back.
    row = dialog.locator(".ask-table tr", has=page.locator(f"td:first-child:text-is('{machines - 1}')"))
    before = page.url.split("?")[0]
    row.locator("[data-open-tried]").click()
    page.wait_for_url(lambda url: url.split("?")[0] != before)
    made = page.request.get(f"/api/v1/experiments/{page.url.split('?')[0].rsplit('/', 1)[1]}").json()["experiment"]
    clusters = made["topology"]["clusters"]
    assert sum(each["count"] * (one["repeat"] or 1) for one in clusters for each in one["machines"]) == machines - 1
    assert str(machines - 1) in made["name"]
    wait_until_computed(page)
    page.go_back()
    page.locator("[data-ask-open]").click()
    expect(answer).to_contain_text(f"{machines} machines keep")
    expect(dialog.locator("[data-ask=bound]")).to_have_value("2")

    # A promise that no summary has is told where the form stands.
    dialog.locator("[data-ask=question]").select_option("failure")
    dialog.locator("[data-ask=target]").select_option("rack")
    dialog.locator("[data-ask=number]").fill("99")
    dialog.locator("[type=submit]").click()
    expect(dialog.get_by_role("alert")).to_contain_text("rack")


def test_a_canceled_search_ends_and_the_form_can_ask_again(page: Page) -> None:
    open_small_studio(page)
    page.locator("[data-ask-open]").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("[data-ask=question]").select_option("failure")
    dialog.locator("[data-ask=seeds]").fill("30")
    dialog.locator("[type=submit]").click()
    cancel = dialog.locator("[data-ask-cancel]")
    expect(dialog.get_by_role("progressbar")).to_be_visible()
    cancel.click()
    expect(cancel).to_have_count(0)
    expect(dialog.locator("[type=submit]")).to_be_enabled()


def test_a_question_on_its_way_is_told_and_can_be_canceled(page: Page) -> None:
    # A slow server once left the dialog unchanged for two minutes, and Cancel did nothing until it had answered.
    held: list[Route] = []
    open_small_studio(page)
    page.route(re.compile(r"/experiments/[^/]+/asks$"), lambda route: held.append(route))
    page.locator("[data-ask-open]").click()
    dialog = page.get_by_role("dialog")
    with page.expect_request(re.compile(r"/asks$")):
        dialog.locator("[type=submit]").click()
    expect(dialog.get_by_role("progressbar")).to_be_visible()
    dialog.locator("[data-ask-cancel]").click()
    expect(dialog.get_by_role("progressbar")).to_have_count(0)
    expect(dialog.locator("[type=submit]")).to_be_enabled()
    with page.expect_response(re.compile(r"/asks/[^/]+/cancel$")) as canceled:
        held.pop().continue_()
    assert canceled.value.json()["state"] == "cancelled"
