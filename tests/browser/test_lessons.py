"""Each lesson that comes along, from end to end: a teacher, a projector and three phones."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from playground.classes.lessons import ready_lessons
from tests.browser.conftest import Complaints
from tests.browser.lesson_walk import pages

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.redis, pytest.mark.xdist_group("service")]


@pytest.mark.parametrize("name", sorted(ready_lessons()))
def test_a_lesson_is_taught_to_its_end(
    chromium: Browser, live_playground: str, complaints: Complaints, name: str
) -> None:
    walk = pages(chromium, live_playground)
    for page in (walk.teacher, walk.screen, *walk.phones):
        complaints.watch(page)
    lesson = walk.begin(name)
    walk.all_steps(lesson)
    asked = sum(step["kind"] == "question" for step in lesson["steps"])
    assert sum(walk.played.values()) == asked
    for page in (walk.teacher, *walk.phones):
        page.context.close()
