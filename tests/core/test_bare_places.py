"""The places for numbers without a name: each has its reason, stands in the page's sources, and none is added."""

from __future__ import annotations

import json
import re

import pytest

from tests.support import PROJECT

PLACES = json.loads((PROJECT / "tests" / "browser" / "bare.json").read_text(encoding="utf-8"))
#: How many places each view has. A new number names what it counts (`data-says`); these numbers only become smaller.
MOST = {"studio": 30, "class": 9, "desk": 2}


def test_no_place_for_numbers_without_a_name_is_added() -> None:
    assert {view: len(places) for view, places in PLACES.items()} == MOST
    assert all(reason for places in PLACES.values() for reason in places.values())


@pytest.mark.parametrize("view", sorted(MOST))
def test_every_place_is_in_the_pages_sources(view: str) -> None:
    files = [*(PROJECT / "static" / "js").rglob("*.js"), *(PROJECT / "templates").rglob("*.html")]
    sources = "\n".join(file.read_text(encoding="utf-8") for file in files)
    given = [
        *re.findall(r"class(?:Name)?[\"']?\s*[=:]\s*[\"'`{$]+([^\"'`]*)", sources),
        *re.findall(r"(?:element|h)\(\s*\"[a-z]+\",\s*\"([^\"]*)\"", sources),
    ]
    classes = {name for text in given for name in re.findall(r"[a-z][a-z-]*", text)}
    classes |= {f"{of}-{name}" for of in ("panel", "picture") for name in re.findall(r'\bid: "([a-z-]+)"', sources)}
    named = {name for place in PLACES[view] for name in re.findall(r"\.([a-z-]+)", place)}
    assert named - classes == set(), "take it off the list"
