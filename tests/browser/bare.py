"""Numbers on the screen that name nothing they count: where they may stand, and a look for others.

A number names what it counts by `data-says` of an element around it. Few places need no name: axes, settings, the
clock, and names. `bare.json` lists them by view, each with its reason. The lists may only shrink: a new number gets a
name (`test_bare_places`), and a place where the tests of a view meet no number is an error, too.
"""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page

PLACES: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("bare.json").read_text(encoding="utf-8"))
#: The studio; pages of a class, projector and phone; the teacher's page of a class.
STUDIO, CLASS, DESK = (tuple(PLACES[view]) for view in ("studio", "class", "desk"))
_BARE = """allowed => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const [bare, used] = [[], new Set()];
  while (walker.nextNode()) {
    const {textContent: text, parentElement: at} = walker.currentNode;
    if (!/\\d/.test(text) || !at || at.closest('script, style, [data-says], [data-tour], .tour')) continue;
    if (!at.checkVisibility()) continue;
    const places = allowed.filter(each => at.closest(each));
    for (const each of places) used.add(each);
    if (!places.length) bare.push(`${at.tagName}.${at.className}: ${text.trim().slice(0, 60)}`);
  }
  return [bare, [...used]];
}"""


def bare_numbers(page: Page, allowed: tuple[str, ...], used: set[str] | None = None) -> list[str]:
    """Return the texts with digits of which no element around says what they count; add to `used` what allowed some."""
    bare, places = page.evaluate(_BARE, list(allowed))
    if used is not None:
        used.update(places)
    return list(bare)
