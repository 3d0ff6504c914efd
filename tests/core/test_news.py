"""The page about what it costs a policy to know less: its numbers, pictures and sentences are those of runs."""

from __future__ import annotations

import re

import pytest

from scheduler_core import simulate
from tests.core import news
from tests.support import PROJECT
from tests.tiers import sampled

PAGE = (PROJECT / "docs" / "explanation" / "policy-and-information.md").read_text(encoding="utf-8")
WRITE = "run `python -m tests.core.news`"


@pytest.mark.slow
@pytest.mark.parametrize("point", sampled(news.points(), 12), ids=lambda point: point.key)
def test_the_stored_numbers_of_a_setting_are_those_of_its_runs(point: news.Point) -> None:
    assert point.measured() == news.stored()[point.key], WRITE


def test_every_setting_of_the_page_is_stored_and_no_other() -> None:
    assert set(news.stored()) == {point.key for point in news.points()}, WRITE


def test_the_pictures_are_drawn_from_the_stored_numbers() -> None:
    assert {path.name: path.read_text() for path in news.FOLDER.iterdir()} == news.pictures(), WRITE


@pytest.mark.parametrize(
    ("words", "points"),
    [
        ("goes to any machine waits {} s on average. With the truth it waits {} s", (news.nothing(), news.truth())),
        ("renewed every 10 s leaves {} s, and even a renewal every 0.1 s leaves {} s", (news.stale(), news.stale(0.1))),
        ("Asking two machines about each task leaves {} s", (news.sample(),)),
        ("renewed every second, {} s", (news.stale(1),)),
        (
            "at a load of 50 %, a copy that is renewed every second leaves {} s, and any machine {} s",
            (news.stale(1, load=0.5), news.nothing(0.5)),
        ),
        ("than asking two machines: {} s, not {} s", (news.stale(1, load=0.95), news.sample(load=0.95))),
        (
            "does well with a stale view: {} s with a copy renewed every 10 s, {} s with one renewed every second",
            (news.stale(10, 1), news.stale(1, 1)),
        ),
        ("With twenty schedulers, the 10 s cost {} s", (news.stale(10, 20),)),
        ("waits are shorter: {} s with the copy renewed every 10 s", (news.held(news.stale()),)),
        ("{} s if two machines are asked", (news.held(news.sample()),)),
        *[(f"| {size} | {{}} s |", (news.sample(size),)) for size in news.SAMPLES],
    ],
)
def test_a_sentence_has_the_number_of_its_runs(words: str, points: tuple[news.Point, ...]) -> None:
    numbers = [f"{news.mean(point):.3g}" for point in points]
    assert words.format(*numbers) in re.sub(r"\s+", " ", PAGE)


def test_more_requests_are_refused_than_there_are_tasks_where_they_wait_at_their_scheduler() -> None:
    summary = simulate(news.held(news.stale()).experiment(1)).summary
    assert summary["counters"]["conflicts"] > summary["tasks"]["total"]


def test_the_orders_that_the_page_names() -> None:
    asked = [news.mean(news.sample(size)) for size in news.SAMPLES]
    assert asked[0] - asked[1] > asked[1] - asked[-1]  # the second machine brings more than all others
    assert news.mean(news.sample()) < news.mean(news.stale(1))
    old = [news.mean(news.stale(age)) for age in news.AGES_S if age >= 1]
    assert round(max(old) / old[0], 2) <= 1.25
    assert news.mean(news.stale(1, load=0.5)) > news.mean(news.nothing(0.5))
    assert news.mean(news.stale(1, load=0.95)) < news.mean(news.sample(load=0.95))
    assert news.mean(news.stale(10, 20)) > news.mean(news.nothing())
