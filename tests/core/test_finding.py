"""Browser tests find things by their role or a `data-*` attribute: a text that is reworded breaks none of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
BY_TEXT = {"get_by_text", "get_by_label", "get_by_placeholder", "get_by_title", "get_by_alt_text"}
"""Methods of Playwright that find by a text, whatever they are given."""
NAMED = {("get_by_role", "name"), ("select_option", "label")}
"""Methods that find by a text if they are given this argument."""
SELECTOR = re.compile(
    r":(?:has-)?text(?:-is|-matches)?\(|(?:^|>>)\s*text=|\[(?:aria-label|title|alt|placeholder|aria-description)[~|^$*]?="
)
"""Parts of a selector that find by a text."""


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
