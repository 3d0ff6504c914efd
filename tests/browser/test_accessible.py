"""Every page, in both themes, has nothing that axe calls serious or critical; and what has the focus shows it."""

from __future__ import annotations

import hashlib
import re
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import COMPUTED_MS, begin_studio, first_cell, open_small_studio, wait_for_other_picture
from tests.support import PROJECT
from tests.tiers import journey, shares

pytestmark = [pytest.mark.browser, shares("playground")]

VENDOR = PROJECT / "tests" / "vendor"
SERIOUS = {"serious", "critical"}
# The page of the API is drawn by Swagger's own files.
PAGES = ("/", "/gallery", "/classes", "/join", "/lessons/edit", "/lessons", "/lessons/short-job?notes", "/arena",
         "/arena/old-news",
         "/arena/new?experiment={id}", "/experiments", "/studies", "/compare", "/e/{slug}", "/e/{slug}/forks",
         "/e/{slug}/embed?panels=map.legend.waits.counters.timeline.play", "/traces/synthetic-steady.tr.gz",
         "/studies/{study}", "/studies/{study}/figure", "/compare?runs={run},{run}", "/nothing-here")  # fmt: skip
# What has the focus, and whether it or what it fills has an outline.
_FOCUS = """() => {
  const at = document.activeElement;
  const style = (one) => getComputedStyle(one);
  const marked = (one) => style(one).outlineStyle !== 'none' && parseFloat(style(one).outlineWidth) > 0;
  return [at.outerHTML.slice(0, 200), marked(at) || marked(at.parentElement)];
}"""


def test_the_files_of_axe_have_the_listed_digests() -> None:
    listed = dict(re.findall(r"^\| (\S+) \| ([0-9a-f]{64}) \|$", (VENDOR / "README.md").read_text(), re.MULTILINE))
    for name, digest in listed.items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest


def found(page: Page, where: str) -> list[str]:
    """Return what axe calls serious on the page as it stands."""
    # Through the debugger: the page's own policy lets no foreign script in.
    page.evaluate((VENDOR / "axe-core" / "axe.min.js").read_text())
    told: dict[str, Any] = page.evaluate(
        "axe.run(document, {resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']})"
    )
    return [
        f"{where}: {item['id']}: {node['html'][:140]} {node['failureSummary'][:160]}"
        for item in told["violations"]
        if item["impact"] in SERIOUS
        for node in item["nodes"][:3]
    ]


def found_in_sheets(page: Page) -> list[str]:
    """Return what is serious in what opens over the studio's map, and in the composer."""
    page.locator("[data-compare]").click()
    page.wait_for_selector("dialog[open]")
    problems = found(page, "compare dialog")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    for tab, ready in (("topology", ".plan-cluster"), ("events", ".design-adds")):
        page.locator(f"[data-editor-tab={tab}]").click()
        page.locator(f".editor {ready}").first.wait_for()
        problems += found(page, f"sheet, {tab}")
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    page.mouse.click(*first_cell(page), button="right")
    page.locator("[data-does=why]").click()
    expect(page.locator("[data-answer]")).not_to_be_empty(timeout=COMPUTED_MS)
    problems += found(page, "why")
    begin_studio(page, scheduler={"name": "pipeline", "params": {"t2": "fifo"}})
    page.locator("#tab-stages").click(timeout=COMPUTED_MS)
    problems += found(page, "composer")
    begin_studio(page, scheduler={"name": "own", "params": {"policy": "score: machine.free_cpus"}})
    page.locator("[data-policy-editor] .cm-content").click(timeout=COMPUTED_MS)
    page.keyboard.press("Control+End")
    page.keyboard.type(" +")
    expect(page.locator(".policy-wrong")).to_be_visible()
    return problems + found(page, "policy with a problem")


@journey
def test_axe_finds_nothing_serious_where_a_newcomer_begins(page: Page) -> None:
    """The landing page and the studio with its dialog for sharing; the next test sees every page."""
    page.goto("/", wait_until="load")
    problems = found(page, "/")
    open_small_studio(page)
    wait_for_other_picture(page, None)
    page.locator("[data-share]").click()
    assert problems + found(page, "studio, share") == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(
    chromium: Browser, live_playground: str, complaints: Complaints, theme: Literal["light", "dark"]
) -> None:
    size: ViewportSize = {"width": 1280, "height": 800}
    context = chromium.new_context(base_url=live_playground, viewport=size, reduced_motion="reduce", color_scheme=theme)
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints.expected.append("404 (Not Found)")
    complaints.watch(page)
    open_small_studio(page)
    wait_for_other_picture(page, None)
    stored = page.request.get(f"/api/v1/experiments/{page.url.split('?')[0].rsplit('/', 1)[1]}").json()
    study = page.request.post(f"/api/v1/experiments/{stored['id']}/studies", data={"repeats": 2}).json()
    problems = found(page, "studio")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    problems += found(page, "keys")
    page.keyboard.press("Escape")
    page.locator("[data-share]").click()
    problems += found(page, "share")
    page.locator("[data-make-lesson]").click()
    problems += found(page, "lesson")
    page.keyboard.press("Escape")
    page.locator("[data-export]").click()
    problems += found(page, "export")
    page.keyboard.press("Escape")
    problems += found_in_sheets(page)
    ids = {"id": stored["id"], "slug": stored["slug"], "study": study["id"], "run": stored["runs"][-1]["id"]}
    for address in PAGES:
        page.goto(address.format(**ids), wait_until="load")
        page.wait_for_selector("h1, main")
        problems += found(page, address)
    assert problems == []
    context.close()


def test_the_studio_is_walked_by_keyboard_and_shows_where_one_is(page: Page) -> None:
    open_small_studio(page)
    seen, unmarked = [], []
    for _ in range(90):
        page.keyboard.press("Tab")
        what, marked = page.evaluate(_FOCUS)
        seen.append(what)
        if not marked and not what.startswith("<body"):
            unmarked.append(what)
    assert unmarked == []
    text = " ".join(seen)
    for part in ("data-share", "data-compare", "data-export", "data-play", "map-cells", "data-path"):
        assert part in text, part
