"""Numbers on the screen that name nothing they count: where they may stand, and a look for others.

A number names what it counts by `data-says` of an element around it. The places below need no name: axes, settings, the
clock, and names. The list may only shrink: a place where a test of this kind meets no number is an error, too.
"""

from __future__ import annotations

from playwright.sync_api import Page

STUDIO = (
    "svg",
    ".u-axis",
    ".heat-key",
    ".chart",
    ".timeline-legend",
    ".timeline-plot",
    ".series-maps",
    "input",
    "select",
    "option",
    "button",
    "a",
    "label",
    ".knob",
    ".left-knobs .panel:not(.waits-brief)",
    ".bar",
    ".time",
    "[data-play=clock]",
    "[data-legend]",
    ".map-head",
    ".picture-tabs",
    ".panel-head",
    ".panel-question",
    ".panel-title",
    "dt",
    "[data-signature]",
    ".story-label",
    ".chart-title",
    ".zoom-bar",
    "[data-zoom]",
    ".skip",
    ".tip",
    ".visually-hidden",
    ".panel-constraints",
    ".panel-inspector",
    ".stage-grid",
    ".picture-stages",
    ".desk",
    ".site-foot",
    "dialog",
    "[hidden]",
    ".toast",
)
#: Pages of a class: projector and phone.
CLASS = (
    "svg, .dots-axis",  # axes
    "[data-clock]",
    "[data-code], .screen-code, .screen-letters, .screen-address",  # how to join
    ".class-me, .screen-names",  # names of people
    "[data-legend]",
    "[data-zoom]",
    ".option, .number-told, .number-ends, .curve",  # a scale or an answer that is being given
    "th",  # names of measures
    ".visually-hidden",
)
#: The teacher's page of a class.
DESK = (
    "svg, .dots-axis",  # axes
    "[data-code], .desk-address",  # how to join
)
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
