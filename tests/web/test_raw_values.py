"""No raw value reaches a page: identifiers, backticks, unfilled places, instants and numbers as programs write them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import ClassVar

import pytest
from django.test import Client

from tests import declared
from tests.support import PROJECT
from tests.tiers import sampled

pytestmark = [pytest.mark.django_db, pytest.mark.redis]

RAW = {
    "an identifier": re.compile(r"(?<![\w./@-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w/]|\.\w| = )"),
    "a backtick": re.compile("`"),
    "a value of a program": re.compile(r"\b(?:undefined|NaN|null|True|False)\b"),
    "a place that was not filled": re.compile(r"\{\w*\}"),
    "an instant": re.compile(r"\d{4}-\d\d-\d\dT\d\d"),
    "nanoseconds": re.compile(r"(?<![\w,.])\d{10,}(?![\w,.])"),
    "(s)": re.compile(r"\(s\)"),
    "two spaces": re.compile(r"\w  +\w"),
}
PAGES = (
    "/", "/gallery", "/schedulers", "/papers", "/papers/megha", "/papers/carbyne", "/papers/refarch", "/glossary",
    "/arena", "/arena/tame-the-tail", "/classes", "/join", "/screen", "/studies", "/compare", "/experiments",
    "/lessons/edit", "/studio", "/no-such-page",
)  # fmt: skip


class Shown(HTMLParser):
    """Collects the texts and labels of a page that a person reads; code and scripts are no prose."""

    _LEFT_OUT: ClassVar = {"script", "style", "code", "pre", "kbd", "template", "title"}
    _SHOWN: ClassVar = {"title", "alt", "aria-label", "placeholder", "data-tip", "aria-description"}

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._inside = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside += tag in self._LEFT_OUT
        self.texts += [value for name, value in attrs if name in self._SHOWN and value]

    def handle_endtag(self, tag: str) -> None:
        self._inside -= tag in self._LEFT_OUT

    def handle_data(self, data: str) -> None:
        if not self._inside and data.strip():
            self.texts.append(re.sub(r"\s*\n\s*", " ", data.strip()))


def raw_in(texts: Iterator[str] | list[str]) -> list[tuple[str, str]]:
    return [(kind, text) for text in texts for kind, pattern in RAW.items() if pattern.search(text)]


def test_the_patterns_find_what_they_name() -> None:
    raw = [
        "drf_vector",
        "Give `none`",
        "NaN s",
        "Hello {name}",
        "2026-01-01T10:00",
        "41800000000",
        "run(s)",
        "two  words",
    ]
    assert [len(raw_in([text])) for text in raw] == [1] * len(raw)
    assert raw_in(["None of these", "1,234,567,890 tasks", "a.b_c/d", "p99"]) == []


@pytest.mark.parametrize(
    ("path", "language"), [*((path, "en") for path in sampled(PAGES, 2)), ("/", "de"), ("/gallery", "de")]
)
def test_no_page_shows_raw_values(client: Client, path: str, language: str) -> None:
    page = Shown()
    page.feed(client.get(path, headers={"accept-language": language}).content.decode())
    assert page.texts
    assert raw_in(page.texts) == []


def test_what_the_library_declares_has_no_raw_values() -> None:
    """Places of reasons and moments are filled later; each text without them must read as prose."""
    texts = [text for part in declared.declared_texts().values() for text in part]
    assert raw_in([re.sub(r"\{\w+\}", "x", text) for text in texts]) == []


def test_no_text_of_the_scripts_and_templates_has_raw_values() -> None:
    catalogue = json.loads((PROJECT / "playground" / "locale" / "en.json").read_text(encoding="utf-8"))
    texts = [text for part in catalogue.values() for text in part]
    assert raw_in([re.sub(r"\{\w+\}", "x", text) for text in texts]) == []


@pytest.mark.parametrize("path", ["/", "/gallery"])
def test_no_english_sentence_is_left_on_a_german_page(client: Client, path: str) -> None:
    shown = {}
    for language in ("en", "de"):
        page = Shown()
        page.feed(client.get(path, headers={"accept-language": language}).content.decode())
        shown[language] = page.texts
    words = re.compile(r"[a-z]{3,} [a-z]{2,}")
    assert len(shown["en"]) == len(shown["de"])
    assert [text for text in shown["de"] if text in set(shown["en"]) and words.search(text)] == []
