"""Each lesson that comes along, from end to end: a teacher, a projector and three phones."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from playground.classes.lessons import ready_lessons
from tests.browser.bare import CLASS, bare_numbers
from tests.browser.conftest import Complaints
from tests.browser.lesson_walk import Walk, pages

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.redis, pytest.mark.xdist_group("service")]


SAYS = """() => [...document.querySelectorAll('[data-says]')].filter(each => each.checkVisibility())
  .map(each => each.dataset.says)"""
ANSWERS = """() => [...document.querySelectorAll('[data-says^="answers:"]')].filter(each => each.checkVisibility())
  .map(each => Number(each.textContent.match(/\\d+/)[0]))"""
#: Where numbers without a name stood in the lessons that were taught so far.
MET: dict[str, set[str]] = {}


class Numbers:
    """What the projector and the phones say while a lesson is taught, held against what was answered and measured."""

    def __init__(self, walk: Walk, lesson: str) -> None:
        self.walk = walk
        self.met = MET.setdefault(lesson, set())
        self.told: set[str] = set()

    def look(self, name: str) -> None:
        for page in (self.walk.screen, *self.walk.phones):
            assert bare_numbers(page, CLASS, self.met) == [], name
        self.told |= set(self.walk.screen.evaluate(SAYS))
        if not name.endswith("-over"):
            return
        for page in (self.walk.screen, *self.walk.phones):
            answers = page.evaluate(ANSWERS)
            assert not answers or sum(answers) == len(self.walk.phones), name


@pytest.mark.parametrize("name", sorted(ready_lessons()))
def test_a_lesson_is_taught_to_its_end(
    chromium: Browser, live_playground: str, complaints: Complaints, name: str
) -> None:
    walk = pages(chromium, live_playground)
    for page in (walk.teacher, walk.screen, *walk.phones):
        complaints.watch(page)
    numbers = Numbers(walk, name)
    walk.seen = numbers.look
    lesson = walk.begin(name)
    walk.all_steps(lesson)
    assert {"lesson:text", "lesson:question", "class:answered", "answers:0"} <= numbers.told
    asked = sum(step["kind"] == "question" for step in lesson["steps"])
    assert sum(walk.played.values()) == asked
    for page in (walk.teacher, *walk.phones):
        page.context.close()


def test_every_place_for_numbers_without_a_name_is_used_by_a_lesson() -> None:
    if MET.keys() == ready_lessons().keys():
        met = {place for places in MET.values() for place in places}
        assert set(CLASS) - met == set(), "take it off the list"
