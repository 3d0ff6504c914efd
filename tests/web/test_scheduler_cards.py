"""The page of schedulers: a card for each, with figures of today's signature, and a link that opens it."""

from __future__ import annotations

import re

import pytest

from playground.catalogue.cards import families, stale
from playground.catalogue.stills import _COLORS
from scheduler_core import SCHEDULERS, signature_experiment
from tests.support import PROJECT
from tests.web.conftest import JsonClient

NAMES = [spec.name for spec in SCHEDULERS]


def test_colors_of_stills_are_those_of_the_pages_light_theme() -> None:
    tokens = (PROJECT / "static" / "css" / "tokens.css").read_text()
    tasks = re.findall(r"--task(?:-[a-z]+)?: light-dark\((#[0-9a-f]{6}),", tokens)
    assert list(_COLORS[: len(tasks)]) == tasks


def test_figures_and_stills_are_of_todays_signatures() -> None:
    assert stale() == [], "manage.py record_signatures"
    stills = {path.stem: path.read_text() for path in (PROJECT / "static" / "img" / "schedulers").glob("*.svg")}
    assert sorted(stills) == sorted(NAMES)
    without_hue = {re.sub("#[0-9a-f]{6}", "", picture) for picture in stills.values()}
    assert len(without_hue) == len(stills), "two stills differ by hue alone"
    for family in families():
        for card in family["cards"]:
            assert "–" not in (card["number_text"], card["neighbour_text"]), card["name"]


@pytest.mark.django_db
@pytest.mark.redis
def test_the_page_has_a_card_for_each_and_the_studio_opens_its_signature(browser: JsonClient) -> None:
    page = browser.get("/schedulers").content.decode()
    cards = [card["name"] for family in families() for card in family["cards"]]
    assert re.findall(r'data-scheduler="([^"]+)"', page) == ["own", *cards]
    assert sorted(re.findall(r'data-signature="([^"]+)"', page)) == sorted(NAMES)
    studio = browser.get("/studio?signature=hawk").content.decode()
    assert signature_experiment("hawk")["name"] in studio
    assert browser.get("/studio?signature=nobody").status_code == 200
