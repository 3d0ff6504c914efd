"""The headless Chromium that rows about pages are measured in: the one of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench.measured import Skipped

_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SIZE = {"width": 1280, "height": 800}


@contextmanager
def browsing() -> Iterator[Any]:
    """Start a headless Chromium, closed afterwards."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Skipped("no Playwright") from None
    from tests.chromium import executable

    found = executable()
    if found is None:
        raise Skipped("no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(args=_FLAGS, executable_path=str(found))
        try:
            yield browser
        finally:
            browser.close()
