"""Take still pictures of the page: the landing page's toys for readers without a script, and the gallery's cards.

python -m tests.browser.stills            all of them
python -m tests.browser.stills gallery    the cards alone, after a change of their experiments or of the map
python -m tests.browser.stills gallery two-choices    the cards of these questions
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, FloatRect, sync_playwright

from tests.browser.conftest import FLAGS
from tests.chromium import executable
from tests.support import PROJECT, running_playground

FOLDER = PROJECT / "static" / "img" / "toys"
CARDS = PROJECT / "static" / "img" / "gallery"
CARD = {"width": 480, "height": 252}
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")


def take_toys(browser: Browser, url: str, theme: Theme) -> None:
    """Write a picture of each toy."""
    context = browser.new_context(
        base_url=url, viewport={"width": 1280, "height": 800}, color_scheme=theme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto("/", wait_until="networkidle")
    for panel in page.locator("[data-toy]").all():
        name = panel.get_attribute("data-toy")
        panel.locator(".toy-picture").screenshot(path=FOLDER / f"{name}-{theme}.png")
    context.close()


def take_cards(browser: Browser, url: str, theme: Theme, names: list[str]) -> None:
    """Write a picture of the map of each question of the gallery, as its link opens it."""
    context = browser.new_context(base_url=url, viewport={"width": 1440, "height": 900}, color_scheme=theme)
    page = context.new_page()
    for entry in sorted((PROJECT / "fixtures" / "gallery").glob("*.json")):
        if names and entry.stem not in names:
            continue
        page.goto(f"/studio?gallery={entry.stem}&level=watch")
        page.locator("[data-tour-skip]").click(timeout=120_000)
        page.wait_for_selector("body.has-picture", timeout=600_000)
        page.wait_for_timeout(4_000)  # tasks and messages are under way
        box = page.locator("[data-map] canvas").first.bounding_box()
        assert box is not None
        height = min(box["height"], box["width"] * CARD["height"] / CARD["width"])
        clip: FloatRect = {
            "x": box["x"],
            "y": box["y"],
            "width": height * CARD["width"] / CARD["height"],
            "height": height,
        }
        with Image.open(io.BytesIO(page.screenshot(clip=clip))) as shot:
            card = shot.convert("RGB").resize((2 * CARD["width"], 2 * CARD["height"])).quantize(48)
            card.save(CARDS / f"{entry.stem}-{theme}.png", optimize=True)
    context.close()


def take(url: str, *, cards_alone: bool, names: list[str]) -> None:
    """Write all pictures in each theme."""
    for folder in (FOLDER, CARDS):
        folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(executable()), args=FLAGS)
        for theme in THEMES:
            take_cards(browser, url, theme, names)
            if not cards_alone:
                take_toys(browser, url, theme)
        browser.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, running_playground(Path(folder) / "var") as playground:
        take(playground.url, cards_alone=sys.argv[1:2] == ["gallery"], names=sys.argv[2:])
