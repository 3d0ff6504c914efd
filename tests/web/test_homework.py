"""Homework: a link admits until the end, students go at their own pace, and results come when they may be seen."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from playground.classes import homework
from playground.classes.rooms import remove_old_classes
from playground.classes.teaching import prepared_steps
from playground.ground.quotas import key_of_class, quota_of
from playground.ground.viewers import Viewer
from playground.models import Classroom, Experiment, RunState, Study, StudyRun
from playground.studies.service import grid_of
from tests.web.conftest import JsonClient
from tests.web.test_classes import done, new_browser

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db(transaction=True)]

LESSON = """
title: A lesson
guesses: [They guess wrong]
steps:
  - show: {gallery: short-job}
    text: Look at this
    notes: a note for the teacher
    minutes: 2
  - question: {kind: choice, text: Which is shorter?, schedulers: [hawk, sparrow], repeats: 3}
    minutes: 3
  - text: What did you learn?
"""


def later(**span: float) -> str:
    return (timezone.now() + timedelta(**span)).isoformat(timespec="seconds")


def ask_for(browser: JsonClient, method: str, path: str, data: Any = None) -> Any:
    body = b"" if data is None else json.dumps(data).encode()
    return browser.generic(method, f"/api/v1{path}", body, content_type="application/json")


class Given:
    """A homework with its teacher's browser."""

    def __init__(self, **asked: Any) -> None:
        self.teacher = new_browser()
        told = {"file": LESSON, "ends_at": later(days=7)} | asked
        self.made = done(ask_for(self.teacher, "POST", "/homework", told), 201)
        self.path = f"/homework/{self.made['id']}"

    @property
    def row(self) -> Classroom:
        return Classroom.objects.get(public_id=self.made["id"])

    def join(self, name: str = "") -> JsonClient:
        browser = new_browser()
        done(ask_for(browser, "POST", f"{self.path}/join", {"name": name}))
        return browser

    def read(self, browser: JsonClient) -> Any:
        return done(ask_for(browser, "GET", self.path))

    def answer(self, browser: JsonClient, value: Any) -> Any:
        return ask_for(browser, "PUT", f"/classes/{self.made['id']}/questions/1/answer", {"value": value})

    def compute(self) -> None:
        """Write the rows of the study as workers do: the second option is shorter under each seed."""
        study = Study.objects.get()
        grid = grid_of(study)
        for number in range(study.rows.count()):
            value = 2.0 - grid.run(number)[0].scheduler
            told = {"summary": {"allocation_delay_s": {"p99": value}}, "grown": [[0, None], [8, value]]}
            StudyRun.objects.filter(study=study, number=number).update(state=RunState.DONE, **told)
        Study.objects.filter(pk=study.pk).update(state=RunState.DONE)

    def end(self) -> None:
        Classroom.objects.filter(pk=self.row.pk).update(due_at=timezone.now() - timedelta(seconds=1))


def test_whoever_has_the_link_joins_until_the_end_and_sees_steps_without_notes() -> None:
    given = Given()
    assert given.made["url"].endswith(f"/homework/{given.made['id']}")
    stranger = given.read(new_browser())
    assert (stranger["title"], stranger["questions"], stranger["minutes"]) == ("A lesson", 1, 6)
    assert (stranger["steps"], stranger["student"], stranger["teacher"]) == (None, None, None)
    student = given.join("Ada")
    told = given.read(student)
    assert (told["student"]["name"], told["teacher"]) == ("Ada", None)
    assert [step["kind"] for step in told["steps"]] == ["show", "question", "text"]
    assert told["steps"][0]["shown"]["run"]
    assert told["steps"][1]["question"]["options"] == ["Hawk", "Sparrow"]
    assert given.read(given.join("Ada"))["student"]["name"] == "Ada 2", "namesakes are told apart"
    said = json.dumps(told) + student.get(given.path).content.decode()
    assert "note for the teacher" not in said
    assert "guess wrong" not in said
    given.end()
    late = ask_for(new_browser(), "POST", f"{given.path}/join", {"name": "Late"})
    assert (late.status_code, late.json()["type"]) == (409, "homework-over")
    assert given.read(student)["student"]["name"] == "Ada", "who is in it comes back"


def test_answers_change_until_the_end_and_results_come_after_it() -> None:
    given = Given()
    student, other = given.join("Ada"), given.join("Bob")
    given.compute()
    assert done(given.answer(student, 0))["score"] is None
    assert done(given.answer(student, 1))["value"] == 1
    assert given.answer(other, 2).status_code == 422
    assert given.answer(new_browser(), 1).status_code == 403
    told = given.read(student)
    assert (told["steps"][1]["question"]["result"], told["student"]["answers"][0]["score"]) == (None, None)
    results = given.read(given.teacher)["teacher"]
    assert [(one["name"], one["answered"]) for one in results["students"]] == [("Ada", 1), ("Bob", 0)]
    question = results["questions"][0]
    assert {name: question[name] for name in ("tied", "spread", "flat")} == {"tied": [], "spread": None, "flat": False}
    given.end()
    assert given.answer(other, 1).json()["type"] == "homework-over"
    told = given.read(student)
    assert told["over"]
    assert told["steps"][1]["question"]["result"]["right"] == [1]
    assert told["student"]["answers"] == [{"question": 1, "value": 1, "score": 1.0}]
    table = ask_for(given.teacher, "GET", f"/classes/{given.made['id']}/answers.csv").content.decode("utf-8-sig")
    [row] = csv.DictReader(io.StringIO(table))
    assert [row[name] for name in ("name", "answer", "correct", "score")] == ["Ada", "Sparrow", "Sparrow", "1.0"]
    assert ask_for(student, "GET", f"/classes/{given.made['id']}/answers.csv").status_code == 403


def test_a_result_at_once_makes_the_own_answer_final_and_is_nobody_elses() -> None:
    given = Given(at_once=True)
    student, other = given.join(), given.join()
    done(given.answer(student, 1))
    assert given.read(student)["steps"][1]["question"]["result"] is None, "not computed yet"
    done(given.answer(student, 0))
    given.compute()
    told = given.read(student)
    assert (told["steps"][1]["question"]["result"]["right"], told["student"]["answers"][0]["score"]) == ([1], 0.0)
    assert given.answer(student, 1).json()["type"] == "answer-final"
    assert given.read(other)["steps"][1]["question"]["result"] is None
    done(given.answer(other, 1))
    assert given.read(other)["student"]["answers"][0]["score"] == 1.0
    assert given.read(given.teacher)["teacher"]["questions"][0]["score"] == 0.5


@pytest.mark.parametrize(
    "ends_at",
    ["tomorrow", "2027-02-30T12:00:00Z", "2020-01-01T12:00:00Z", later(days=121), later(days=1)[:19]],
    ids=["no time", "no day", "past", "too late", "without a zone"],
)
def test_an_odd_end_is_refused(ends_at: str) -> None:
    refused = ask_for(new_browser(), "POST", "/homework", {"name": "stale-view", "ends_at": ends_at})
    assert (refused.status_code, refused.json()["problems"][0]["path"]) == (422, "ends_at")
    assert not Classroom.objects.exists()


def test_only_the_teacher_moves_the_end_and_only_before_it() -> None:
    given = Given()
    student, to = given.join(), later(days=9)
    assert ask_for(student, "PATCH", given.path, {"ends_at": to}).status_code == 403
    assert done(ask_for(given.teacher, "PATCH", given.path, {"ends_at": to}))["ends_at"] == to
    assert given.row.used_at == given.row.due_at
    given.end()
    assert ask_for(given.teacher, "PATCH", given.path, {"ends_at": later(days=9)}).json()["type"] == "homework-over"
    assert student.get(f"{given.path}/teach").status_code == 302
    assert given.teacher.get(f"{given.path}/teach").status_code == 200
    assert given.teacher.get(f"/classes/{given.made['id']}/teach")["Location"] == f"{given.path}/teach"
    assert student.get(f"/classes/{given.made['id']}")["Location"] == given.path
    assert given.made["id"] in given.teacher.get("/classes").content.decode()


def test_a_homework_is_kept_30_days_after_its_end_with_what_it_shows(settings: Settings) -> None:
    given = Given()
    student = given.join()
    kept = Experiment.objects.filter(counts_under=key_of_class(given.row.pk))
    assert kept.count() == 2, "the run that is shown, and the copy that computes the answer"
    ended = timezone.now() - timedelta(days=29)
    Classroom.objects.update(due_at=ended, used_at=ended)
    given.read(student), given.read(given.teacher)
    done(ask_for(given.teacher, "GET", f"/classes/{given.made['id']}"))
    remove_old_classes()
    assert given.row.used_at == ended, "who reads it does not keep it longer"
    Classroom.objects.update(used_at=ended - timedelta(days=2))
    remove_old_classes()
    assert not Classroom.objects.exists()
    assert not Study.objects.filter(experiment__deleted_at=None).exists()


def test_a_homework_counts_among_the_classes_of_an_address_and_lends_its_people_no_quota(settings: Settings) -> None:
    settings.LIMIT_CLASSES_PER_ADDRESS = 1
    given = Given()
    student = given.join()
    asked = {"file": LESSON, "ends_at": later(days=7)}
    refused = ask_for(new_browser(), "POST", "/homework", asked)
    assert (refused.status_code, refused.json()["type"]) == (429, "too-many-classes")
    for browser in (given.teacher, student):
        viewer = Viewer(session_key=browser.session.session_key, counts_under="a-network")
        assert quota_of(viewer).key == "a-network"


def test_a_homework_that_is_deleted_leaves_no_work_and_no_quota_behind(settings: Settings) -> None:
    given = Given()
    key = key_of_class(given.row.pk)
    stored = Experiment.objects.filter(counts_under=key)
    size = sum(stored.values_list("stored_bytes", flat=True))
    assert Study.objects.filter(state=RunState.RUNNING).count() == 1
    done(ask_for(given.teacher, "DELETE", f"/classes/{given.made['id']}"), 204)
    assert not Study.objects.exclude(state=RunState.CANCELLED).exists(), "nobody can read its answers any more"
    assert not StudyRun.objects.exclude(state=RunState.CANCELLED).exists()
    assert not stored.exists()
    settings.LIMIT_STORED_BYTES_PER_ADDRESS = size
    refused = ask_for(new_browser(), "POST", "/homework", {"file": LESSON, "ends_at": later(days=1)})
    assert (refused.status_code, refused.json()["type"]) == (429, "too-much-stored"), "it counts on, together"


def test_a_homework_that_is_being_prepared_has_a_title(monkeypatch: pytest.MonkeyPatch) -> None:
    teacher, seen = new_browser(), []

    def looking(*args: Any) -> Any:
        seen.append(teacher.get("/classes").status_code)
        made = Classroom.objects.get()
        seen.extend(new_browser().get(path).status_code for path in (f"/homework/{made.public_id}",))
        return prepared_steps(*args)

    monkeypatch.setattr(homework, "prepared_steps", looking)
    done(ask_for(teacher, "POST", "/homework", {"file": LESSON, "ends_at": later(days=1)}), 201)
    assert seen == [200, 200]


def test_a_lesson_that_cannot_be_taught_leaves_nothing_behind() -> None:
    wrong = "title: A lesson\nsteps: [{question: {kind: number, text: How long?}}]"
    refused = ask_for(new_browser(), "POST", "/homework", {"file": wrong, "ends_at": later(days=1)})
    assert (refused.status_code, refused.json()["type"]) == (422, "invalid-lesson")
    assert not Classroom.objects.exists()
