"""The arena in a browser: read a challenge, make an entry, see it ranked, fork it; a challenge of one's own."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import COMPUTED_MS, open_small_studio, wait_until_computed
from tests.tiers import journey, shares

pytestmark = [pytest.mark.browser, shares("playground")]


@journey
def test_an_entry_is_made_and_ranked(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("422")  # an entry beyond the bounds is refused on purpose
    page.goto("/")
    page.get_by_role("navigation").locator("a[href='/arena']").first.click()
    page.locator("[data-challenge='tame-the-tail'] a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Shorten the longest waits")
    expect(page.locator("[data-role='baseline']")).to_be_visible()
    page.locator("[data-enter]").click()
    form = page.locator("[data-form]")
    form.locator("[name='author']").fill("Teal Heron")
    form.locator("[name='scheduler']").select_option("sparrow")
    form.locator("[data-path='probe_ratio']").fill("9")
    form.locator("[data-path='probe_ratio']").evaluate("input => input.removeAttribute('max')")
    form.locator("[type=submit]").click()
    expect(page.get_by_role("alert")).to_contain_text("Probe ratio")
    form.locator("[data-path='probe_ratio']").fill("4")
    form.locator("[type=submit]").click()
    mine = page.locator(".board-row.is-mine")
    expect(mine).to_have_attribute("data-state", "ranked", timeout=COMPUTED_MS)
    expect(page.locator("[data-role='reference']")).to_have_attribute("data-place", "1", timeout=COMPUTED_MS)
    # The board is in the order of places, and more probes beat the baseline.
    expect(page.locator("[data-role='baseline']")).to_have_attribute("data-place", "3", timeout=COMPUTED_MS)
    expect(mine).to_have_attribute("data-place", "2")
    mine.locator("summary").click()
    expect(mine.locator("li")).to_have_count(1)
    mine.locator("[data-act='fork']").click()
    page.wait_for_url("**/studio/*")


def test_a_challenge_is_made_from_the_studio(page: Page) -> None:
    open_small_studio(page)
    wait_until_computed(page)
    page.locator("[data-share]").click()
    page.locator("[data-challenge-others]").click()
    form = page.locator("[data-form]")
    form.locator("[name='title']").fill("Beat me")
    form.locator("[name='seeds']").fill("4")
    form.locator("button[type='submit']").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Beat me")
    expect(page.locator("[data-role='baseline']")).to_have_attribute("data-state", "ranked", timeout=COMPUTED_MS)
    for _ in range(2):
        page.locator("[data-close]").click()
    expect(page.locator("[data-enter]")).to_be_hidden()


def test_a_changed_text_loses_the_marks_of_the_glossary(page: Page) -> None:
    page.goto("/arena/tame-the-tail")
    # A view changes the node that it made, which the first mark has shortened.
    page.evaluate(
        """async () => {
          const { html, render } = await import("/static/js/kit/view.js");
          const place = document.querySelector("main").appendChild(document.createElement("p"));
          place.id = "drawn";
          window.draw = (text) => render(html`${text}`, place);
          window.draw("No makespan and no preemption yet");
        }"""
    )
    drawn = page.locator("#drawn")
    expect(drawn.locator("dfn")).to_have_text(["makespan", "preemption"])
    page.evaluate("window.draw('One preemption')")
    expect(drawn).to_have_text("One preemption")
