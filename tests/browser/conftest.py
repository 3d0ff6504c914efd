"""A real Chromium for these tests, closed when none of them is next.

Not the session-wide browser of pytest-playwright: its event loop would stay running beside asynchronous tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests.chromium import MISSING, executable
from tests.tiers import wide

_CHROMIUM = executable()
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
# What a page shows may wait for a worker that several tests share.
expect.set_options(timeout=60_000)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known where xdist is switched off, too."""
    config.addinivalue_line("markers", "xdist_group(name): tests that one process runs, since they share a playground")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what needs a browser to `make test-all`, but for the journeys."""
    for item in items:
        in_a_browser = isinstance(item, pytest.Function) and "chromium" in item.fixturenames
        if in_a_browser and item.path.is_relative_to(Path(__file__).parent) and not item.get_closest_marker("journey"):
            item.add_marker(wide)


def _launch(playwright: Playwright) -> Browser:
    if _CHROMIUM is None:
        pytest.fail(MISSING, pytrace=False)
    return playwright.chromium.launch(executable_path=str(_CHROMIUM), args=FLAGS)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = _launch(playwright)
        yield browser
        browser.close()


def _asks_again(message: ConsoleMessage) -> bool:
    """Tell what is no complaint: a preview that a starting server put off, which the editor asks for again.

    Chromium writes each answer of 4xx and 5xx as an error; only whoever reads its code knows that it is no end.
    """
    put_off = "status of 503" in message.text and message.location["url"].endswith("-previews")
    return message.type != "error" or put_off


def _told(message: ConsoleMessage) -> str:
    """Return a message with the address that it is about: Chromium's text leaves it out."""
    return f"{message.text} {message.location.get('url', '')}".rstrip()


class Complaints:
    """What the pages of a test complained about: console errors, exceptions, requests of our own that failed."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.expected: list[str] = []

    def watch(self, page: Page) -> None:
        page.on("console", lambda message: None if _asks_again(message) else self._add(_told(message)))
        page.on("pageerror", lambda error: self._add(str(error)))

    def _add(self, text: str) -> None:
        if not any(part in text for part in self.expected):
            self.found.append(text)


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """Fail the test if a page complained."""
    complaints = Complaints()
    yield complaints
    assert complaints.found == []


KEPT_ON_SITES = "local_storage,indexeddb,cache_storage,service_workers"


def forget(context: BrowserContext, origin: str) -> None:
    """Make the next one in a context a new visitor, but for the files of pages that its cache has."""
    for page in context.pages:
        page.close()
    context.unroute_all()
    context.set_offline(False)
    context.clear_cookies()
    page = context.new_page()
    wanted = {"origin": origin, "storageTypes": KEPT_ON_SITES}
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", wanted)
    page.close()


@pytest.fixture(scope="package")
def visits(chromium: Browser, live_playground: str) -> Iterator[BrowserContext]:
    """Give the context that all visitors have one after the other.

    In one of its own each would fetch and compile all modules of a page anew, which takes longer than many a test.
    """
    context = chromium.new_context(base_url=live_playground, viewport=DESKTOP)
    yield context
    context.close()


@pytest.fixture
def context(visits: BrowserContext, live_playground: str) -> Iterator[BrowserContext]:
    visits.set_default_timeout(60_000)
    yield visits
    forget(visits, live_playground)


@pytest.fixture
def page(context: BrowserContext, complaints: Complaints) -> Page:
    page = context.new_page()
    complaints.watch(page)
    return page
