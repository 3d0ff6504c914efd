"""The tokens keep what they promise: contrast AA in both themes, four sizes of type, and no size elsewhere."""

from __future__ import annotations

import re
from itertools import product

import pytest
from django.test import Client
from pytest_django import Settings

from tests.support import PROJECT

CSS = PROJECT / "static" / "css"
TOKENS = (CSS / "tokens.css").read_text(encoding="utf-8")
THEMES = ("light", "dark")
GROUNDS = ("ground", "surface", "raised")
TEXTS = ("ink", "muted", "accent", "alarm", "data", "second", "good", "word")
# What is drawn and read without words, and the borders of what can be operated.
MARKS = ("edge", "ghost", "cell-busy", "cell-edge", "task", "task-second", "task-third", "task-fourth")
SIZES = {"t-axis": 12, "t1": 14, "t2": 16, "t3": 20, "t4": 32, "t-stage": 24, "t-stage-number": 64}


def color(name: str, theme: str) -> str:
    found = re.search(rf"--{name}: light-dark\((#\w{{6}}), (#\w{{6}})\)", TOKENS)
    assert found is not None, name
    return found[1 + THEMES.index(theme)]


def luminance(color: str) -> float:
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_of_contrast_is_the_one_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
def test_texts_have_four_and_a_half_to_one_and_marks_three_to_one(theme: str) -> None:
    low = {
        (what, ground): round(found, 2)
        for names, least in ((TEXTS, 4.5), (MARKS, 3))
        for what, ground in product(names, GROUNDS)
        if (found := contrast(color(what, theme), color(ground, theme))) < least
    }
    assert low == {}
    assert contrast(color("heavy", theme), color("on-heavy", theme)) >= 4.5
    assert contrast(color("ink", theme), color("alarm-soft", theme)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_machines_are_neutral_and_differ_by_how_busy_they_are(theme: str) -> None:
    for name in ("cell-free", "cell-busy"):
        channels = [int(color(name, theme)[at : at + 2], 16) for at in (1, 3, 5)]
        assert max(channels) - min(channels) <= 32, "gray, with a hint of blue"
    assert contrast(color("cell-free", theme), color("cell-busy", theme)) >= 3


def test_there_are_four_sizes_of_type_one_for_ticks_and_two_for_projectors() -> None:
    found = {name: int(size) for name, size in re.findall(r"--(t-axis|t-stage|t-stage-number|t\d): (\d+)px", TOKENS)}
    assert found == SIZES


def test_no_rule_takes_type_from_elsewhere() -> None:
    """Sixteen is written out in fields on a phone, which else would zoom in; none is where words have no room."""
    sizes = re.compile(r"(?<![\w-])font-size:\s*([^;}]+)|(?<![\w-])font:\s*([^;}]+)")
    allowed = re.compile(r"var\(--t(?:\d|-axis|-stage(?:-number)?)\)|^(?:inherit|0|16px)$")
    for path in sorted(CSS.glob("*.css")):
        for found in sizes.findall(path.read_text(encoding="utf-8")):
            value = (found[0] or found[1]).strip()
            assert allowed.search(value), f"{path.name}: {value}"


def test_what_scripts_paint_has_the_pages_typeface() -> None:
    """A picture that leaves the page as SVG names a family that every reader has."""
    names = re.compile(r"\dpx (?:system-ui|sans-serif|\"Source)|\}px (?:system-ui|sans-serif|\"Source)")
    scripts = [path for path in (PROJECT / "static" / "js").rglob("*.js") if names.search(path.read_text())]
    assert scripts == []


def test_what_scripts_paint_has_the_sizes_of_type() -> None:
    """Ticks say `AXIS_SIZE` (12) and other texts `TEXT_SIZE` (14) or more: no number below 14 stands in a script."""
    type_js = (PROJECT / "static" / "js" / "kit" / "type.js").read_text(encoding="utf-8")
    named = dict(re.findall(r"export const (\w+_SIZE) = (\d+);", type_js))
    assert named == {"AXIS_SIZE": "12", "TEXT_SIZE": "14"}
    written = re.compile(r"\bsize(?:: | = )(1\d)\b|\$\{(\d+)(?: \* \w+)*\}px|(?<![-\w])(\d+)px \$\{FONT\}")
    wrong = [
        f"{path.relative_to(PROJECT)}: {found[0]}"
        for path in sorted((PROJECT / "static" / "js").rglob("*.js"))
        for found in written.finditer(path.read_text(encoding="utf-8"))
        if int(next(filter(None, found.groups()))) not in (14, 16, 20, 32)
    ]
    assert wrong == []


def test_the_page_of_components_is_for_development(client: Client, settings: Settings) -> None:
    settings.DEBUG = False
    assert client.get("/dev/components", headers={"host": "localhost"}).status_code == 404
    settings.DEBUG = True
    page = client.get("/dev/components", headers={"host": "localhost"})
    assert page.status_code == 200
    assert page.content.count(b"data-theme-shown") == 2
