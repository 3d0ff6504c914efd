"""The gallery: every question can be run, and so can everything that it says to try next."""

from __future__ import annotations

import re
from typing import Any

import pytest

from playground.services.core import parse_experiment, refuse_unsupported
from playground.services.gallery import Entry, gallery
from tests.support import PROJECT
from tests.web.conftest import JsonClient


def changed(experiment: dict[str, Any], path: str, value: Any) -> None:
    """Put a value where a path of the experiment's JSON says."""
    target: Any = experiment
    parts = [int(part) if part.isdigit() else part for part in re.findall(r"[^.\[\]]+", path)]
    for part in parts[:-1]:
        target = target[part]
    target[parts[-1]] = value


@pytest.mark.parametrize("entry", gallery(), ids=lambda entry: entry.name)
def test_a_question_and_what_to_try_next_can_be_run(entry: Entry) -> None:
    first = parse_experiment(entry.experiment)
    refuse_unsupported(first)
    for each in entry.next:
        after = first.to_dict()
        for path, value in (each.change or {}).items():
            changed(after, path, value)
        made = parse_experiment(after)
        refuse_unsupported(made)
        assert each.change is None or made != first, each.text
    for theme in ("light", "dark"):
        card = PROJECT / "static" / "img" / "gallery" / f"{entry.name}-{theme}.png"
        assert card.is_file(), "manage.py record_gallery"


def test_tours_point_at_parts_that_the_page_has() -> None:
    text = (PROJECT / "static" / "js" / "views" / "tour.js").read_text()
    known = set(re.findall(r"(\w+): \"", text.partition("ANCHORS = {")[2].partition("};")[0]))
    assert {step.at for entry in gallery() for step in entry.tour} <= known


@pytest.mark.django_db
def test_the_page_lists_the_questions_and_the_studio_takes_one(browser: JsonClient) -> None:
    page = browser.get("/gallery").content.decode()
    entry = gallery()[0]
    assert all(f"/studio?gallery={each.name}" in page for each in gallery())
    studio = browser.get(f"/studio?gallery={entry.name}").content.decode()
    assert entry.question in studio
    assert browser.get("/studio?gallery=none").status_code == 200
