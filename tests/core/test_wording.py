"""Words that people read in the product follow the glossary: none of its forbidden wordings, and terms that explain."""

from __future__ import annotations

import json

import pytest

from tests import texts

GLOSSARY = json.loads(texts.GLOSSARY.read_text(encoding="utf-8"))
TITLES = {  # of papers, as they were printed
    "Mesos: a platform for fine-grained resource sharing in the data center",
    "Hydra: a federated resource manager for data-center scale analytics",
}


def test_no_text_has_a_forbidden_wording() -> None:
    rules = texts.forbidden()
    found = [
        f"{text.place}: “{hit[0]}”, better: {better}"
        for text in texts.texts()
        if text.text not in TITLES
        for rule, better in rules
        for hit in rule.finditer(text.text)
    ]
    assert not found, "\n".join(found)


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
