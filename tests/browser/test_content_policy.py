"""Every page keeps to the content security policy, as a real browser sees it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Complaints
from tests.browser.looking import open_small_studio, wait_until_computed

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("playground")]

COLLECT = """
window.violations = [];
document.addEventListener('securitypolicyviolation',
  (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));
"""


def assert_kept(page: Page) -> None:
    assert page.evaluate("window.violations") == [], page.url


def test_no_page_breaks_the_policy(page: Page, complaints: Complaints) -> None:
    complaints.expected.append("404 (Not Found)")  # two pages that are not there
    page.add_init_script(COLLECT)
    said: list[str] = []
    page.on("console", lambda line: said.append(line.text) if "Content Security Policy" in line.text else None)
    open_small_studio(page)
    wait_until_computed(page)
    assert_kept(page)
    experiment_id = page.url.split("?")[0].rsplit("/", 1)[1]
    slug = page.request.get(f"/api/v1/experiments/{experiment_id}").json()["slug"]
    for path in ("/", "/experiments", f"/e/{slug}", f"/e/{slug}/embed", "/e/none", "/nothing-here"):
        page.goto(path, wait_until="networkidle")
        assert_kept(page)
    page.goto("/api/v1/docs")
    expect(page.locator("#swagger-ui .opblock").first).to_be_visible()
    assert_kept(page)
    assert said == []


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
