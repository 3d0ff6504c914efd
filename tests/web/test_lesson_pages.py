"""Pages of lessons: whoever is curious reads one without a class, prints it, and only teachers see others' lessons."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from playground.classes.lessons import ready_lessons
from tests.web.test_homework import Given

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db(transaction=True)]


def page(browser: Any, path: str, language: str = "en") -> str:
    found = browser.get(path, headers={"accept-language": language})
    assert found.status_code == 200, (path, found.status_code)
    return str(found.content.decode())


@pytest.mark.parametrize("name", sorted(ready_lessons()))
def test_a_lesson_is_read_and_printed_without_a_class(name: str) -> None:
    browser, lesson = Client(headers={"host": "localhost"}), ready_lessons()[name]
    assert lesson.title in page(browser, "/lessons")
    plain, told = page(browser, f"/lessons/{name}"), page(browser, f"/lessons/{name}?notes")
    for step in lesson.steps:
        text = step.question["text"] if step.question else step.text
        assert page_text(text) in plain
        if step.notes:
            assert page_text(step.notes) in told
            assert page_text(step.notes) not in plain
    assert plain.count('class="handout-step"') == len(lesson.steps)
    assert browser.get("/lessons/none").status_code == 404


def page_text(text: str) -> str:
    """Return a text as a template writes it."""
    return text.replace("'", "&#x27;")


def test_only_its_teacher_reads_the_lesson_of_a_homework() -> None:
    given = Given()
    student = given.join()
    assert "a note for the teacher" in page(given.teacher, f"{given.path}/handout?notes")
    assert "a note for the teacher" not in page(given.teacher, f"{given.path}/handout")
    for path in (f"{given.path}/handout?notes", f"/classes/{given.made['id']}/handout?notes"):
        assert student.get(path).status_code == 404


def test_lessons_speak_the_readers_language() -> None:
    browser = Client(headers={"host": "localhost"})
    german = page(browser, "/lessons/stale-view?notes", "de")
    assert "Was kostet eine veraltete Sicht?" in german
    told = browser.get("/api/v1/lessons", headers={"accept-language": "de"}).json()
    assert "Was kostet eine veraltete Sicht?" in [one["title"] for one in told]
    english = page(Client(headers={"host": "localhost"}), "/lessons/stale-view?notes")
    assert ready_lessons()["stale-view"].title in english
    assert "veraltete" not in json.dumps(english)
