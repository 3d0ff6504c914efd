"""Every page keeps to the content security policy, as a real browser sees it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import COMPUTED_MS, drop, exported, open_small_studio, scrub, wait_until_computed

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second playground")]

COLLECT = """
window.violations = [];
document.addEventListener('securitypolicyviolation',
  (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));
"""


def assert_kept(page: Page) -> None:
    assert page.evaluate("window.violations") == [], page.url


@pytest.fixture
def watched(page: Page) -> Iterator[Page]:
    """Give a page that notes violations; the console must have told of none at the end."""
    page.add_init_script(COLLECT)
    said: list[str] = []
    page.on("console", lambda line: said.append(line.text) if "Content Security Policy" in line.text else None)
    yield page
    assert said == []


def test_no_page_breaks_the_policy(watched: Page, complaints: Complaints) -> None:
    complaints.expected.append("404 (Not Found)")  # two pages that are not there
    page = watched
    open_small_studio(page)
    experiment_id = page.url.split("?")[0].rsplit("/", 1)[1]
    slug = page.request.get(f"/api/v1/experiments/{experiment_id}").json()["slug"]
    trace = "/traces/synthetic-steady.tr.gz"
    for path in ("/", "/experiments", f"/e/{slug}", f"/e/{slug}/embed", "/e/none", "/nothing-here", trace):
        page.goto(path, wait_until="networkidle")
        assert_kept(page)
    page.goto("/api/v1/docs")
    expect(page.locator("#swagger-ui .opblock").first).to_be_visible(timeout=30_000)  # a second of work to describe
    page.locator("#swagger-ui .opblock-summary-control").first.click()
    expect(page.locator("#swagger-ui .opblock.is-open").first).to_be_visible()
    assert_kept(page)


def test_nothing_that_the_studio_does_breaks_the_policy(watched: Page) -> None:
    page = watched
    open_small_studio(page)
    page.locator("[data-share]").click()
    code = page.locator("[data-code]")
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=code.element_handle())
    page.keyboard.press("Escape")
    for kind in ("map-png", "waits-svg", "waits-png", "timeline-png", "experiment"):
        assert exported(page, kind)
    scrub(page, 0.3)
    page.locator(".map-cells").click(position={"x": 40, "y": 40})
    page.locator("[data-tab=json]").click()
    expect(page.locator(".json-text")).to_be_visible()
    page.locator("[data-tab=knobs]").click()
    drop(page, "work.tr.gz", gzip.compress(b"0.0 2 1.0 1.0 1.0\n1.5 1 3.0 3.0\n"))
    expect(page.locator("[data-trace-words]")).to_contain_text("2 jobs, 3 tasks", timeout=COMPUTED_MS)
    wait_until_computed(page)
    assert_kept(page)


def test_the_policy_stops_inline_code(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("Content Security Policy")
    page.add_init_script(COLLECT)
    page.goto("/experiments")
    page.evaluate("""() => {
      const script = document.createElement('script');
      script.textContent = 'window.broken = true';
      document.body.append(script);
    }""")
    page.wait_for_function("window.violations.length > 0")
    assert page.evaluate("window.broken") is None
