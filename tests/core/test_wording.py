"""Words that people read in the product follow the glossary: none of its forbidden wordings, and terms that explain."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import pytest

from tests import texts

GLOSSARY = json.loads(texts.GLOSSARY.read_text(encoding="utf-8"))
NAMES = re.compile(r"`[^`]*`")  # of files, fields and programs
TITLES = {  # of papers, as they were printed
    "Mesos: a platform for fine-grained resource sharing in the data center",
    "Hydra: a federated resource manager for data-center scale analytics",
}


@pytest.mark.parametrize("kind", [texts.texts, texts.docstrings, texts.pages])
def test_no_text_has_a_forbidden_wording(kind: Callable[[], Iterator[texts.Text]]) -> None:
    rules = texts.forbidden()
    said = [(text, NAMES.sub("", text.text)) for text in kind() if not any(title in text.text for title in TITLES)]
    every = "\n".join(words for _, words in said).lower()
    # A rule's first letters are looked for in the whole first: few rules get further.
    broken = [(rule, better) for rule, better in rules if begin(rule) in every and rule.search(every)]
    found = [
        f"{text.place}: “{hit[0]}”, better: {better}"
        for rule, better in broken
        for text, words in said
        for hit in rule.finditer(words)
    ]
    assert not found, "\n".join(found)


def begin(rule: re.Pattern[str]) -> str:
    """Return the letters and blanks with which each wording of a rule begins."""
    found = re.match(r"[a-z ]+", rule.pattern.removeprefix(r"(?<![\w-])(?:"))
    return found[0][:-1] if found else ""


def test_the_rules_find_what_they_forbid() -> None:
    found = [better for rule, better in texts.forbidden() if rule.search("So many tasks act on old news.")]
    assert found == ["stale view", "the number"]


def test_terms_explain_themselves_once() -> None:
    words = [word for term in GLOSSARY["terms"] for word in (term["term"], *term.get("also", ()))]
    assert len(set(words)) == len(words)
    for term in GLOSSARY["terms"]:
        assert term["text"].endswith("."), term["term"]
        assert len(term["text"]) <= 240, term["term"]


@pytest.mark.parametrize("name", ["p99", "utilization", "queueing delay", "master", "probe", "stale view"])
def test_the_terms_that_a_newcomer_meets_first_are_there(name: str) -> None:
    assert any(name in (term["term"], *term.get("also", ())) for term in GLOSSARY["terms"])
