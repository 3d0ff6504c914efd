"""Classes over HTTP: who joins, who may do and read what, and that an answer is stored once and computed by runs."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import timedelta
from typing import Any

import msgpack
import pytest
from django.utils import timezone
from pytest_django import Settings

from playground.classes import live, names, scoring
from playground.classes.lessons import parse_lesson, ready_lessons
from playground.classes.names import CODE_LETTERS, drawn_name, typed_code, typed_name
from playground.classes.rooms import remove_old_classes
from playground.errors import PlaygroundError
from playground.models import ClassAnswer, Classroom, RunState, Student, Study, StudyRun
from tests.contracts import kept
from tests.support import PROJECT
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db(transaction=True)]

CHOICE = {"kind": "choice", "text": "Which has the shorter p99?", "schedulers": ["megha", "sparrow"]}
NUMBER = {"kind": "number", "text": "How long is the p99?", "low": 0.01, "high": 10, "log": True}
CURVE = {
    "kind": "curve", "text": "Draw it", "path": "scheduler.params.heartbeat_s", "values": [1, 10, 30], "low": 0,
    "high": 1,
}  # fmt: skip


def new_browser() -> JsonClient:
    return JsonClient(headers={"host": "localhost"}, raise_request_exception=False)


def ask_for(browser: JsonClient, method: str, path: str, data: Any = None) -> Any:
    body = b"" if data is None else json.dumps(data).encode()
    return browser.generic(method, f"/api/v1/classes{path}", body, content_type="application/json")


def done(answer: Any, status: int = 200) -> Any:
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


class Room:
    """A class with its teacher's browser and some students' ones."""

    def __init__(self, experiment: dict[str, Any] | None = None, students: int = 0) -> None:
        self.teacher = new_browser()
        asked = {"experiment": self.teacher.make(experiment)["id"]} if experiment else {}
        self.made = done(ask_for(self.teacher, "POST", "", asked), 201)
        self.path = f"/{self.made['id']}"
        self.students = [self.join() for _ in range(students)]

    def join(self, name: str = "", browser: JsonClient | None = None) -> JsonClient:
        browser = browser or new_browser()
        done(ask_for(browser, "POST", "/join", {"code": self.made["code"], "name": name}))
        return browser

    def ask(self, question: dict[str, Any]) -> int:
        return int(done(ask_for(self.teacher, "POST", f"{self.path}/questions", question), 201)["number"])

    def move(self, number: int, to: str, status: int = 200) -> Any:
        return done(ask_for(self.teacher, "POST", f"{self.path}/questions/{number}/{to}"), status)

    def answer(self, student: JsonClient, number: int, value: Any) -> Any:
        return ask_for(student, "PUT", f"{self.path}/questions/{number}/answer", {"value": value})

    def read(self, browser: JsonClient) -> dict[str, Any]:
        told: dict[str, Any] = done(ask_for(browser, "GET", self.path))
        kept("class-socket", told["news"])
        return told

    def compute(self, values: list[float]) -> None:
        """Write the rows of the newest study as workers do: a p99 for each of its runs."""
        study = Study.objects.order_by("-pk")[0]
        for number, value in enumerate(values):
            summary = {"allocation_delay_s": {"p99": value}}
            StudyRun.objects.filter(study=study, number=number).update(state=RunState.DONE, summary=summary)
        Study.objects.filter(pk=study.pk).update(state=RunState.DONE)


def test_one_browser_is_one_person_whatever_happens() -> None:
    room = Room()
    first = room.join("Ada")
    again = done(ask_for(first, "POST", "/join", {"code": room.made["code"].lower(), "name": "Somebody else"}))
    assert (again["number"], again["name"], again["token"]) == (1, "Ada", "")
    drawn = room.read(room.join())["student"]["name"]
    assert drawn.split()[0] in names._COLORS
    assert [one["name"] for one in room.read(room.teacher)["teacher"]["students"]] == ["Ada", drawn]
    assert room.read(first)["news"]["people"] == 2


def test_a_program_is_a_student_by_its_token() -> None:
    room = Room()
    joined = done(ask_for(new_browser(), "POST", "/join", {"code": room.made["code"]}))
    program = JsonClient(headers={"host": "localhost", "authorization": f"Bearer {joined['token']}"})
    assert room.read(program)["student"]["number"] == joined["number"]


def test_a_class_behind_one_address_joins_and_wrong_codes_count(settings: Settings) -> None:
    settings.LIMIT_WRONG_CODES = 5
    room = Room()
    for _ in range(30):
        room.join()
    assert Student.objects.count() == 30
    guesser = new_browser()
    found = [ask_for(guesser, "POST", "/join", {"code": "ZZZZZ"}).status_code for _ in range(8)]
    assert found == [404] * 5 + [429] * 3
    assert ask_for(guesser, "POST", "/join", {"code": room.made["code"]}).status_code == 429, "or guessing would go on"


@pytest.mark.wide
def test_300_join_from_one_address() -> None:
    room = Room()
    for _ in range(300):
        room.join()
    assert len(set(Student.objects.values_list("name", flat=True))) == 300


def test_the_teacher_locks_renames_and_removes() -> None:
    room = Room(students=2)
    done(ask_for(room.teacher, "PATCH", room.path, {"locked": True}))
    refused = ask_for(new_browser(), "POST", "/join", {"code": room.made["code"]})
    assert (refused.status_code, refused.json()["type"]) == (403, "class-locked")
    assert room.join(browser=room.students[0]) is room.students[0], "who is in comes back"
    done(ask_for(room.teacher, "PATCH", f"{room.path}/students/1", {"name": "Grace"}))
    assert room.read(room.students[0])["student"]["name"] == "Grace"
    done(ask_for(room.teacher, "DELETE", f"{room.path}/students/2"), 204)
    gone = ask_for(room.students[1], "GET", room.path)
    assert (gone.status_code, gone.json()["type"]) == (403, "removed")
    assert ask_for(room.students[1], "POST", "/join", {"code": room.made["code"]}).json()["type"] == "removed"
    assert room.read(room.teacher)["news"]["people"] == 1


def test_names_are_in_the_news_only_when_the_teacher_shows_them() -> None:
    room = Room(students=2)
    assert room.read(room.students[0])["news"]["names"] == []
    done(ask_for(room.teacher, "PATCH", room.path, {"anonymous": False}))
    assert len(room.read(room.students[0])["news"]["names"]) == 2


@pytest.mark.parametrize("odd", ["\u202eevil", "a\x00b", "tab\u0007", "x" * 25, "o\u0301\u0302\u0303\u0304", "\u200b"])
def test_a_name_that_would_disturb_a_page_is_refused(odd: str) -> None:
    with pytest.raises(PlaygroundError):
        typed_name(odd)


def test_markup_in_a_name_is_text() -> None:
    room = Room()
    student = room.join("<b>&amp;</b>")
    assert room.read(student)["student"]["name"] == "<b>&amp;</b>"


def test_codes_and_drawn_names() -> None:
    assert not set(CODE_LETTERS) & set("ILOQUV01")
    assert typed_code(" ab-c de ") == "ABCDE"
    assert [typed_code(text) for text in ("ABCD", "ABCDI", "", "ABCDEF")] == [""] * 4
    taken: set[str] = set()
    for _ in range(600):
        taken.add(drawn_name(taken))
    assert len(taken) == 600


def test_only_the_teacher_moves_a_class(small_experiment: dict[str, Any]) -> None:
    room = Room(small_experiment, students=1)
    number = room.ask(CHOICE)
    for who in (room.students[0], new_browser()):
        for method, path, data in [
            ("PATCH", "", {"mode": "ask"}), ("DELETE", "", None), ("POST", "/questions", CHOICE),
            ("POST", f"/questions/{number}/open", {}), ("POST", f"/questions/{number}/reveal", {}),
            ("PATCH", "/students/1", {"name": "X"}), ("DELETE", "/students/1", None), ("GET", "/answers.csv", None),
        ]:  # fmt: skip
            assert ask_for(who, method, room.path + path, data).status_code == 403, (method, path)
    assert ask_for(new_browser(), "GET", room.path).status_code == 403
    assert room.answer(new_browser(), number, 0).status_code == 403


def test_nobody_sees_an_answer_before_the_reveal(small_experiment: dict[str, Any]) -> None:
    room = Room(small_experiment, students=2)
    number = room.ask(CHOICE)
    room.compute([0.5, 0.25])
    room.move(number, "open")
    done(room.answer(room.students[0], number, 1))
    other = room.read(room.students[1])
    assert (other["news"]["question"]["answered"], other["news"]["question"]["result"]) == (1, None)
    assert (other["student"]["answers"], other["teacher"]) == ([], None)
    page = room.students[1].get(f"/classes/{room.made['id']}").content
    assert msgpack.unpackb(live._Room._load(_bare(room.made["id"]))[0])["question"]["result"] is None
    assert b"0.25" not in page
    assert "0.25" not in json.dumps(room.read(room.teacher)), "the teacher's page may be on the projector"
    shown = other["news"]["shown"]["experiment"]
    assert room.students[1].read(f"experiments/{shown}/studies").json() == [], "the study is of a copy"
    assert [node["id"] for node in room.students[1].read(f"experiments/{shown}/tree").json()["nodes"]] == [shown]
    room.move(number, "reveal")
    result = room.read(room.students[1])["news"]["question"]["result"]
    assert (result["answer"], result["counts"], result["values"]) == (1, [0, 1], [0.5, 0.25])


def _bare(class_id: str) -> Any:
    """Return a room that nobody is in, without its tasks."""
    room = object.__new__(live._Room)
    room._class_id = class_id
    return room


def test_an_answer_is_stored_once_and_can_be_changed_until_the_question_closes(
    small_experiment: dict[str, Any],
) -> None:
    room = Room(small_experiment, students=1)
    number, student = room.ask(CHOICE), room.students[0]
    assert room.answer(student, number, 0).status_code == 409, "not open yet"
    room.move(number, "open")
    for value in (0, 0, 1):
        assert done(room.answer(student, number, value))["value"] == value
    assert [one.value for one in ClassAnswer.objects.all()] == [1]
    for odd in (-1, 2, 1.5, [1], "1", True, None):
        assert room.answer(student, number, odd).status_code == 422, odd
    assert room.move(number, "reveal", 409)["type"] == "no-answer", "its runs are not done"
    room.move(number, "close")
    assert room.answer(student, number, 0).json()["type"] == "question-closed"


def test_numbers_and_curves_are_scored_by_distance(small_experiment: dict[str, Any]) -> None:
    room = Room(small_experiment, students=3)
    number = room.ask(NUMBER)
    room.move(number, "open")
    for student, value in zip(room.students, (0.1, 1, 10), strict=True):
        done(room.answer(student, number, value))
    room.compute([0.1])
    room.move(number, "reveal")
    # The scale has three powers of ten: one is a third of it.
    scores = [room.read(student)["student"]["answers"][0]["score"] for student in room.students]
    assert scores == pytest.approx([1, 1 / 3, 0])
    curve = room.ask(CURVE)
    room.move(curve, "open")
    done(room.answer(room.students[0], curve, [0.2, 0.4, 0.6]))
    done(room.answer(room.students[1], curve, [0.4, 0.4, 0.6]))
    assert room.answer(room.students[2], curve, [0.4, 0.4]).status_code == 422
    room.compute([0.2, 0.4, 0.5])
    room.move(curve, "reveal")
    told = room.read(room.students[1])
    assert told["news"]["question"]["result"]["answer"] == [0.2, 0.4, 0.5]
    assert told["news"]["question"]["result"]["band"][2] == pytest.approx([0.3, 0.4, 0.6])
    assert told["student"]["answers"][1]["score"] == pytest.approx((0.6 + 1 + 0.8) / 3)
    table = list(csv.reader(io.StringIO(ask_for(room.teacher, "GET", f"{room.path}/answers.csv").content.decode())))
    assert len(table) == 1 + 3 + 2
    assert dict(zip(table[0], table[-1], strict=True))["correct"] == "[0.2, 0.4, 0.5]"


@pytest.mark.parametrize(
    "odd",
    [
        {**CHOICE, "answer": 1}, {**CHOICE, "schedulers": ["megha"]}, {**CHOICE, "schedulers": ["megha", "nothing"]},
        {**NUMBER, "low": 10}, {**NUMBER, "low": 0}, {**CURVE, "values": [3, 1]}, {**CURVE, "path": "a.b"},
        {"kind": "point", "text": "Which?", "reason": "nothing"}, {"kind": "poem", "text": "?"},
        {**CHOICE, "text": "\u202e"},
    ],
)  # fmt: skip
def test_an_odd_question_is_refused(small_experiment: dict[str, Any], odd: dict[str, Any]) -> None:
    room = Room(small_experiment)
    assert ask_for(room.teacher, "POST", f"{room.path}/questions", odd).status_code == 422


def test_the_class_shows_a_copy_of_what_is_not_the_teachers(small_experiment: dict[str, Any]) -> None:
    theirs = new_browser().make(small_experiment)
    room = Room()
    shown = done(ask_for(room.teacher, "PATCH", room.path, {"experiment": theirs["id"]}))["news"]["shown"]
    assert shown["experiment"] != theirs["id"]
    assert room.teacher.read(f"experiments/{shown['experiment']}").json()["mine"] is True
    assert ask_for(room.teacher, "POST", f"{room.path}/questions", CHOICE).status_code == 201


def test_a_code_runs_out_and_a_class_is_deleted_with_its_names() -> None:
    room = Room(students=1)
    Classroom.objects.update(used_at=timezone.now() - timedelta(hours=25))
    assert ask_for(new_browser(), "POST", "/join", {"code": room.made["code"]}).status_code == 404
    remove_old_classes()
    assert Classroom.objects.get().code is None
    assert room.read(room.students[0])["student"]["number"] == 1, "its people still read it"
    Classroom.objects.update(used_at=timezone.now() - timedelta(days=31))
    remove_old_classes()
    assert (Classroom.objects.count(), Student.objects.count()) == (0, 0)


def test_pages_lead_to_where_one_belongs() -> None:
    room = Room(students=1)
    here = f"/classes{room.path}"
    for page in ("", "/teach", "/screen"):
        assert new_browser().get(here + page, follow=True).redirect_chain[-1][0] == "/join"
    assert room.students[0].get(here).status_code == 200
    assert room.students[0].get(f"{here}/teach").headers["Location"] == here
    for page in ("/teach", "/screen", "/qr.svg"):
        assert room.teacher.get(here + page).status_code == 200
    assert room.students[0].get(f"{here}/qr.svg").status_code == 403
    assert room.made["code"] in new_browser().get(f"/join/{room.made['code']}").content.decode()
    assert new_browser().get("/classes/nothing").status_code == 404


def test_a_scale() -> None:
    scale = scoring.Scale(1, 100, log=True)
    assert [scale.place(value) for value in (1, 10, 100)] == pytest.approx([0, 0.5, 1])
    assert scoring.score_of_number(10, 1000, scale) == pytest.approx(0), "an answer beyond the scale counts as its end"
    assert scoring.histogram([1, 100, 10], scale) == [1] + [0] * 9 + [1] + [0] * 8 + [1]
    assert scoring.band([[1, 2], [3, 4]])[2] == [2, 3]


LESSON = """
title: A lesson
aims: [To see]
steps:
  - show: {gallery: short-job}
    text: Look at this
    notes: only for the teacher
    minutes: 2
  - question: {kind: choice, text: "Which?", schedulers: [hawk, sparrow]}
    notes: they guess wrong
    minutes: 3
  - text: What did you learn?
"""


def test_a_lesson_leads_through_its_steps_and_students_see_no_notes() -> None:
    room = Room(students=1)
    begun = done(ask_for(room.teacher, "POST", f"{room.path}/lesson", {"file": LESSON}))
    assert [(step["kind"], step["minutes"]) for step in begun["steps"]] == [("show", 2), ("question", 3), ("text", 1)]
    student = room.students[0]
    told = room.read(student)["news"]
    assert (told["mode"], told["text"], told["shown"] is None) == ("follow", "Look at this", False)
    assert done(ask_for(room.teacher, "POST", f"{room.path}/lesson/steps/1"))["at"] == 1
    told = room.read(student)["news"]
    assert (told["question"]["state"], told["question"]["options"], told["text"]) == ("open", ["Hawk", "Sparrow"], "")
    done(room.answer(student, told["question"]["number"], 0))
    done(ask_for(room.teacher, "POST", f"{room.path}/lesson/steps/2"))
    assert room.read(student)["news"]["text"] == "What did you learn?"
    assert "guess wrong" not in json.dumps(room.read(student)) + student.get(f"/classes{room.path}").content.decode()
    assert "guess wrong" in json.dumps(room.read(room.teacher))
    assert ask_for(student, "POST", f"{room.path}/lesson/steps/0").status_code == 403
    assert ask_for(student, "GET", f"{room.path}/lesson.yaml").status_code == 403
    assert ask_for(room.teacher, "POST", f"{room.path}/lesson/steps/3").status_code == 404
    exported = ask_for(room.teacher, "GET", f"{room.path}/lesson.yaml").content.decode()
    assert parse_lesson(exported) == parse_lesson(LESSON)


def test_what_a_class_was_asked_becomes_a_lesson(small_experiment: dict[str, Any]) -> None:
    room = Room(small_experiment)
    assert ask_for(room.teacher, "GET", f"{room.path}/lesson.yaml").status_code == 409
    for question in (CHOICE, NUMBER):
        room.ask(question)
    recorded = ask_for(room.teacher, "GET", f"{room.path}/lesson.yaml").content.decode()
    assert [step.kind for step in parse_lesson(recorded).steps] == ["show", "question", "question"]
    again = Room()
    done(ask_for(again.teacher, "POST", f"{again.path}/lesson", {"file": recorded}))
    assert len(again.read(again.teacher)["teacher"]["questions"]) == 2


@pytest.mark.parametrize(
    "odd",
    [
        "", "[", "title: x", "a: &a [1]\nb: *a", "title: x\nsteps: []", "title: x\nsteps: [{}]",
        "title: x\nsteps: [{question: {kind: choice, text: q}}]", "title: x\nsteps: [{show: {}}]",
        "title: !!python/object/apply:os.system [ls]\nsteps: [{text: x}]", "title: x\nsteps: [{text: x, more: 1}]",
    ],
)  # fmt: skip
def test_an_odd_lesson_is_refused(odd: str) -> None:
    with pytest.raises(PlaygroundError) as refused:
        parse_lesson(odd)
    assert refused.value.status == 422


def test_the_ready_lessons_can_be_taught_and_claims_back_what_they_say() -> None:
    data = PROJECT / "scheduler_core" / "claims" / "data"
    claims = {found for path in data.rglob("*.toml") for found in re.findall(r'^id = "(.+)"$', path.read_text(), re.M)}
    assert len(ready_lessons()) == 3
    for name, lesson in ready_lessons().items():
        assert lesson.minutes == 15, name
        assert all(step.notes for step in lesson.steps), name
        assert {one for step in lesson.steps for one in step.checked} <= claims, name
        room = Room()
        begun = done(ask_for(room.teacher, "POST", f"{room.path}/lesson", {"name": name}))
        assert len(begun["steps"]) == len(lesson.steps)
