"""Browser tests find things by their role or a `data-*` attribute: a text that is reworded breaks none of them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
BY_TEXT = {"get_by_text", "get_by_label", "get_by_placeholder", "get_by_title", "get_by_alt_text"}
"""Methods of Playwright that find by a text, whatever they are given."""
NAMED = {("get_by_role", "name"), ("select_option", "label")}
"""Methods that find by a text if they are given this argument."""
SELECTOR = re.compile(
    r":(?:has-)?text(?:-is|-matches)?\(|(?:^|>>)\s*text=|\[(?:aria-label|title|alt|placeholder|aria-description)[~|^$*]?="
)
"""Parts of a selector that find by a text."""
STILL_BY_TEXT: dict[str, int] = {}
"""How many places of each file still find by a text: only to shrink."""
STILL_BY_TIME = {"stills.py": 1, "test_picture_numbers.py": 1}
"""How many places of each file still wait for time, only to shrink: a picture of a run under way, and numbers that
hold still."""


def found_by_text(source: str) -> Iterator[int]:
    """Give the lines of a Python source that find something on a page by the text that a person reads."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            arguments = {each.arg or "" for each in node.keywords}
            named = any((name, argument) in NAMED for argument in arguments)
            if name in BY_TEXT or named or arguments & {"has_text", "has_not_text"}:
                yield node.end_lineno or node.lineno
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and SELECTOR.search(node.value):
            yield node.lineno


def waits_for_time(source: str) -> Iterator[int]:
    """Give the lines of a Python source that wait for time to pass."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in {"wait_for_timeout", "sleep"}:
            yield node.lineno


def counted(find: Callable[[str], Iterator[int]]) -> dict[str, int]:
    """Count the places of each file of the browser tests."""
    files = sorted((PROJECT / "tests" / "browser").glob("*.py"))
    found = Counter({path.name: len(list(find(path.read_text(encoding="utf-8")))) for path in files})
    return dict(+found)


def test_browser_tests_find_nothing_by_english_text() -> None:
    advice = "find it by its role or by a data-* attribute; give it one where it has none (CONTRIBUTING, The checks)"
    assert counted(found_by_text) == STILL_BY_TEXT, advice


def test_browser_tests_wait_for_no_time() -> None:
    assert counted(waits_for_time) == STILL_BY_TIME, "wait for what happens: expect(...), wait_for_function(...)"


@pytest.mark.parametrize(
    "line",
    [
        'page.get_by_text("Why?", exact=True).click()',
        'page.get_by_label("Seeds").fill("2")',
        'page.get_by_role("button", name="Compare")',
        'page.get_by_role("row").filter(has_text="p50")',
        'page.locator("li", has_text="Job 1")',
        'select.select_option(label="Carbyne")',
        'page.locator("text=Compare")',
        "page.locator(\"button:has-text('Compare')\")",
        "page.locator(\"[aria-label='Play']\")",
    ],
)
def test_the_rule_sees_what_finds_by_text(line: str) -> None:
    assert len(list(found_by_text(line))) == 1


@pytest.mark.parametrize(
    "line",
    [
        'page.get_by_role("button").click()',
        'page.locator("[data-compare]").click()',
        'expect(page.locator("[data-compare]")).to_have_text("Compare")',
        'page.locator("select").select_option("carbyne")',
        'form.locator("[name=title]").fill("Beat me")',
    ],
)
def test_the_rule_leaves_roles_attributes_and_what_is_asserted(line: str) -> None:
    assert not list(found_by_text(line))
