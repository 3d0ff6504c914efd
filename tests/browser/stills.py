"""Take the still pictures of the landing page's toys for readers without a script: `python -m tests.browser.stills`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import sync_playwright

from tests.browser.conftest import FLAGS
from tests.chromium import executable
from tests.support import PROJECT, running_playground

FOLDER = PROJECT / "static" / "img" / "toys"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def take(url: str) -> None:
    """Write a picture of each toy in each theme."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(executable()), args=FLAGS)
        for theme in THEMES:
            context = browser.new_context(
                base_url=url, viewport={"width": 1280, "height": 800}, color_scheme=theme, reduced_motion="reduce"
            )
            page = context.new_page()
            page.goto("/", wait_until="networkidle")
            for panel in page.locator("[data-toy]").all():
                name = panel.get_attribute("data-toy")
                panel.locator(".toy-picture").screenshot(path=FOLDER / f"{name}-{theme}.png")
        browser.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, running_playground(Path(folder) / "var") as playground:
        take(playground.url)
