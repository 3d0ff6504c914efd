"""Classes over HTTP: who joins, who may do and read what, and that an answer is stored once and computed by runs."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import math
import re
from codecs import BOM_UTF8
from datetime import timedelta
from typing import Any

import msgpack
import pytest
from django.utils import timezone
from pytest_django import Settings

from playground.classes import forks, lesson_reader, live, names, noise, scoring, screens, separating, telling
from playground.classes.consumer import ClassConsumer
from playground.classes.growing import together
from playground.classes.lessons import bounds, parse_lesson, ready_lessons
from playground.classes.names import CODE_LETTERS, drawn_name, typed_code, typed_name
from playground.classes.rooms import remove_old_classes
from playground.errors import PlaygroundError
from playground.models import ClassAnswer, ClassFork, Classroom, RunState, Student, Study, StudyRun
from playground.previews import newest
from playground.storage import connections, presence, workers
from playground.storage.keys import class_told_key
from playground.studies.service import grid_of
from playground.web import words
from scheduler_core.experiment.labels import label_of
from tests.contracts import kept
from tests.support import PATIENCE_S, PROJECT
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db(transaction=True)]

CHOICE = {"kind": "choice", "text": "Which has the shorter p99?", "schedulers": ["megha", "sparrow"]}
NUMBER = {"kind": "number", "text": "How long is the p99?", "low": 0.01, "high": 10, "log": True}
HEARTBEAT = "scheduler.params.heartbeat_s"
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

    def table(self) -> list[dict[str, str]]:
        """Read the answers as a spreadsheet does: the byte order mark says that they are UTF-8."""
        answer = ask_for(self.teacher, "GET", f"{self.path}/answers.csv")
        assert answer.content.startswith(BOM_UTF8)
        return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))

    def compute(self, values: list[float], noise: tuple[float, ...] = (0.0,)) -> None:
        """Write the rows of the newest study as workers do: a p99 for each of its runs, and how it grew.

        `values` are of the options or places; each seed adds a number of `noise` to every other option, in turn.
        """
        study = Study.objects.order_by("-pk")[0]
        assert study.watched == "allocation_delay_s.p99"
        grid = grid_of(study)
        for number in range(study.rows.count()):
            cell, seed = grid.run(number)
            at = cell.scheduler if len(grid.schedulers) > 1 else next(iter(cell.at), 0) or 0
            value = values[at] + (noise[seed % len(noise)] if at % 2 else 0.0)
            done = {"summary": {"allocation_delay_s": {"p99": value}}, "grown": [[0, None], [4, 0], [8, value]]}
            StudyRun.objects.filter(study=study, number=number).update(state=RunState.DONE, **done)
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


def test_a_program_opens_a_class_with_its_own_experiment(small_experiment: dict[str, Any]) -> None:
    program = new_browser()
    made = program.make(small_experiment)
    token = {"headers": {"authorization": f"Bearer {made['owner_token']}"}}
    stranger = JsonClient(headers={"host": "localhost"})
    opened = stranger.post("/api/v1/classes", json.dumps({"experiment": made["id"]}), "application/json", **token)
    assert opened.status_code == 201, opened.content
    teacher = JsonClient(headers={"host": "localhost", "authorization": f"Bearer {opened.json()['owner_token']}"})
    path = f"/{opened.json()['id']}"
    assert done(ask_for(teacher, "GET", path))["news"]["shown"] is not None
    done(ask_for(teacher, "POST", f"{path}/questions", CHOICE), 201)


def test_a_class_behind_one_address_joins_and_wrong_codes_count(settings: Settings) -> None:
    settings.LIMIT_WRONG_CODES = 5
    room = Room()
    for _ in range(30):
        room.join()
    assert Student.objects.count() == 30
    guesser = new_browser()
    found = [ask_for(guesser, "POST", "/join", {"code": "ZZZZZ"}).status_code for _ in range(8)]
    assert found == [404] * 5 + [429] * 3
    late = ask_for(new_browser(), "POST", "/join", {"code": room.made["code"]})
    assert late.status_code == 200, "nobody's wrong codes keep the hall out"


def test_a_machine_that_guesses_gets_no_class_of_other_addresses_and_blocks_none_of_its_own(settings: Settings) -> None:
    settings.LIMIT_WRONG_CODES = 2

    def code_from(address: str, code: str) -> Any:
        body = json.dumps({"code": code}).encode()
        path = "/api/v1/classes/join"
        return new_browser().generic("POST", path, body, content_type="application/json", REMOTE_ADDR=address)

    hall, guesser = "192.0.2.1", "203.0.113.9"
    room, elsewhere = Room(), Room()
    assert code_from(hall, room.made["code"]).status_code == 200, "somebody of the hall is in"
    for address in (hall, guesser):
        assert [code_from(address, "ZZZZZ").status_code for _ in range(10)] == [404] * 2 + [429] * 8
    assert code_from(guesser, elsewhere.made["code"]).status_code == 429, "a guesser is not told that a code is right"
    assert code_from(hall, room.made["code"]).status_code == 200
    assert code_from("198.51.100.7", elsewhere.made["code"]).status_code == 200


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


def test_namesakes_are_told_apart() -> None:
    room = Room()
    students = [room.join("Ada") for _ in range(3)]
    assert [room.read(student)["student"]["name"] for student in students] == ["Ada", "Ada 2", "Ada 3"]
    long = names.told_apart("x" * 24, {"x" * 24})
    assert (len(long), long[-2:]) == (24, " 2")


def test_presence_counts_who_is_there_on_all_servers() -> None:
    room = Room(students=3)
    key = room.made["id"]
    assert room.read(room.teacher)["news"]["here"] == 0, "joined, but no browser holds a socket"
    assert presence.note_here(key, {1, 2}) == 2
    assert presence.note_here(key, {2, 3}) == 3, "another server; one student has a tab on each"
    assert room.read(room.teacher)["news"]["here"] == 3
    presence.note_left(key, 3)
    assert (room.read(room.teacher)["news"]["here"], room.read(room.teacher)["news"]["people"]) == (2, 3)


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
    assert _heard(room, "en")["question"]["result"] is None
    assert b"0.25" not in page
    assert "0.25" not in json.dumps(room.read(room.teacher)), "the teacher's page may be on the projector"
    shown = other["news"]["shown"]["experiment"]
    assert room.students[1].read(f"experiments/{shown}/studies").json() == [], "the study is of a copy"
    assert [node["id"] for node in room.students[1].read(f"experiments/{shown}/tree").json()["nodes"]] == [shown]
    room.move(number, "reveal")
    result = room.read(room.students[1])["news"]["question"]["result"]
    assert (result["answer"], result["counts"], result["values"]) == (1, [0, 1], [0.5, 0.25])
    assert [each[-1] for each in result["growth"]["values"]] == [0.5, 0.25], "what the reveal plays ends at the answer"


def _bare(class_id: str, *members: live.Member) -> Any:
    """Return a room that nobody else is in, without its tasks."""
    room = object.__new__(live._Room)
    room._class_id, room._next_collection, room.members = class_id, 0.0, set(members)
    room.told, room._news = {}, asyncio.Event()
    return room


def _heard(room: Room, spoken: str) -> Any:
    """Return the news as a socket of a language hears them."""
    return msgpack.unpackb(_bare(room.made["id"], live.Member(None, spoken))._load()[0][spoken])


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


def test_noise_is_never_graded(small_experiment: dict[str, Any]) -> None:
    """Megha 0.5; Sparrow 0.45 in the mean, above it under some seeds and below it under others."""
    room = Room(small_experiment, students=2)
    noisy = room.ask(CHOICE)
    room.compute([0.5, 0.45], noise=(-0.2, 0.2))
    told = {one["number"]: one for one in room.read(room.teacher)["teacher"]["questions"]}
    assert told[noisy]["tied"] == [0, 1], "the teacher is told before the question opens"
    room.move(noisy, "open")
    for student, option in zip(room.students, (0, 1), strict=True):
        done(room.answer(student, noisy, option))
    assert "tied" not in json.dumps(room.read(room.students[0])), "students are not"
    room.move(noisy, "reveal")
    assert [room.read(student)["student"]["answers"][0]["score"] for student in room.students] == [1, 1]
    result = room.read(room.students[0])["news"]["question"]["result"]
    assert result["right"] == [0, 1]
    assert result["intervals"][0] == [0.5, 0.5]
    assert result["intervals"][1][0] < 0.45 < result["intervals"][1][1]
    assert room.table()[0]["correct"] == "Megha / Sparrow"
    apart = room.ask(CHOICE)
    room.compute([0.5, 0.3], noise=(-0.01, 0.01))
    assert room.read(room.teacher)["teacher"]["questions"][-1]["tied"] == []
    room.move(apart, "open")
    for student, option in zip(room.students, (0, 1), strict=True):
        done(room.answer(student, apart, option))
    room.move(apart, "reveal")
    assert [room.read(student)["student"]["answers"][1]["score"] for student in room.students] == [0, 1]


def test_a_teacher_is_told_before_the_lesson_if_a_number_or_a_curve_separates_nothing(
    small_experiment: dict[str, Any],
) -> None:
    room = Room(small_experiment, students=1)

    def doubts() -> dict[str, Any]:
        told = room.read(room.teacher)["teacher"]["questions"][-1]
        return {name: told[name] for name in ("tied", "spread", "flat")}

    none = {"tied": [], "spread": None, "flat": False}
    room.ask(NUMBER)
    assert doubts() == none, "nothing is known before the runs are done"
    room.compute([0.1])
    assert doubts() == none
    room.ask(CURVE)
    # At the middle place, seeds lie far apart on both sides of what the other places have.
    room.compute([0.4, 0.4, 0.4], noise=(-0.3, 0.3))
    found = doubts()
    assert found["flat"]
    assert not found["tied"]
    assert "spread" not in json.dumps(room.read(room.students[0])), "students are not told"
    room.ask(CURVE)
    room.compute([0.2, 0.4, 0.9], noise=(-0.01, 0.01))
    assert doubts() == none
    wide = scoring.Scale(0, 10)
    assert separating.spread_of([(2.0, 6.0), None, (8.0, 20.0)], wide) == pytest.approx((0.4 + 0 + 0.2) / 3)


#: The median waits of the lesson on short jobs under two schedulers, in seconds: they vary by factors over the seeds.
SPARROW = dict(enumerate([53.8594, 9.8368, 44.5332, 0.0015, 6.5211]))
PIGEON = dict(enumerate([1.4605, 0.001, 0.671, 0.001, 0.001]))


def test_options_are_compared_by_their_ratio_seed_by_seed() -> None:
    assert separating.tied_with([SPARROW, PIGEON], 1, "least") == [1]
    assert separating.tied_with([SPARROW, PIGEON], 0, "most") == [0]
    # One seed with equal numbers decides nothing, and where a number is 0, differences are compared.
    assert separating.tied_with([SPARROW, {**SPARROW, 0: 60.0}], 0, "least") == [0, 1]
    assert separating.tied_with([{**SPARROW, 3: 0.0}, PIGEON], 1, "least") == [0, 1]
    # An option that is better seed by seed counts as right, although one seed makes its mean the worse one.
    often = {0: 90.0, 1: 1.0, 2: 1.0, 3: 1.0, 4: 1.0}
    assert separating.tied_with([dict.fromkeys(range(5), 9.0), often], 0, "least") == [0, 1]


def test_an_interval_of_waits_begins_at_nothing() -> None:
    low, high = separating.ends_of(SPARROW) or (1, 1)
    assert (low, high) == (0, pytest.approx(53.3, abs=0.1))
    assert (separating.ends_of({1: -1.0, 2: 3.0}) or (0, 0))[0] < -1


def test_runs_that_agree_have_an_interval_of_no_width() -> None:
    assert separating.ends_of({1: 0.1, 2: 0.1, 3: 0.1}) == (0.1, 0.1), "no double is a tenth, and sums of some are off"


def test_the_interval_of_what_is_never_negative_ends_at_zero() -> None:
    ends = separating.ends_of({1: 0.0, 2: 0.1, 3: 4.0})
    assert ends is not None
    assert (ends[0], ends[1] > 4) == (0, True)
    ends = separating.ends_of({1: -1.0, 2: 0.1, 3: 4.0})
    assert ends is not None
    assert ends[0] < -1


def test_a_number_within_the_interval_has_the_full_score() -> None:
    scale = scoring.Scale(0, 10)
    ends = (4.0, 6.0)
    assert [scoring.score_of_number(value, 5, scale, ends) for value in (4, 5, 6)] == [1, 1, 1]
    assert scoring.score_of_number(8, 5, scale, ends) == pytest.approx(0.6), "from the nearer end"
    assert scoring.score_of_curve([4, 9], [5, 9], scale, [ends, None]) == 1


def test_a_student_answers_for_nobody_else(small_experiment: dict[str, Any]) -> None:
    room = Room(small_experiment, students=2)
    number, (first, second) = room.ask(CHOICE), room.students
    room.move(number, "open")
    done(room.answer(first, number, 0))
    path = f"{room.path}/questions/{number}/answer"
    for odd in ({"student": 1}, {"number": 1}, {"token": "x"}):
        assert ask_for(second, "PUT", path, {"value": 1, **odd}).status_code == 422, odd
    done(room.answer(second, number, 1))
    assert [(one.student.number, one.value) for one in ClassAnswer.objects.order_by("pk")] == [(1, 0), (2, 1)]


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
    question = room.read(room.students[0])["news"]["question"]
    assert question["result"]["band"][2] == [1], "the class's numbers lie over the run"
    assert question["shown"]["run"], "the map plays this run"
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
    table = room.table()
    assert len(table) == 3 + 2
    assert (table[-1]["correct"], table[-1]["unit"]) == ("[0.2, 0.4, 0.5]", "s")
    room.move(number, "reveal")
    assert room.read(room.students[0])["news"]["question"]["number"] == number, "an earlier result is shown again"
    assert room.table() == table


def test_a_spreadsheet_names_options_and_students(small_experiment: dict[str, Any]) -> None:
    room = Room(small_experiment)
    student = room.join("=Jörg")
    number = room.ask(CHOICE)
    room.move(number, "open")
    done(room.answer(student, number, 0))
    room.compute([0.5, 0.1])
    room.move(number, "reveal")
    row = room.table()[0]
    assert [row[name] for name in ("name", "answer", "correct", "score")] == ["'=Jörg", "Megha", "Sparrow", "0.0"]


@pytest.mark.parametrize(
    "odd",
    [
        {**CHOICE, "answer": 1}, {**CHOICE, "schedulers": ["megha"]}, {**CHOICE, "schedulers": ["megha", "nothing"]},
        {**NUMBER, "low": 10}, {**NUMBER, "low": 0}, {**CURVE, "values": [3, 1]}, {**CURVE, "path": "a.b"},
        {"kind": "point", "text": "Which?", "reason": "nothing"}, {"kind": "poem", "text": "?"},
        {"kind": "point", "text": "Which?", "target": "task"},
        {**CHOICE, "text": "\u202e"},
    ],
)  # fmt: skip
def test_an_odd_question_is_refused(small_experiment: dict[str, Any], odd: dict[str, Any]) -> None:
    room = Room(small_experiment)
    assert ask_for(room.teacher, "POST", f"{room.path}/questions", odd).status_code == 422


def test_no_cache_between_keeps_what_is_a_teachers(small_experiment: dict[str, Any]) -> None:
    room = Room(small_experiment)
    for path in (room.path, f"{room.path}/answers.csv"):
        assert room.teacher.read(f"classes{path}")["Cache-Control"] == "private"
    assert "no-store" in room.teacher.get(f"/classes{room.path}/teach")["Cache-Control"]


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


def test_an_admitted_browser_reads_no_name_that_is_hidden_and_no_class_whose_code_is_over(
    small_experiment: dict[str, Any],
) -> None:
    room = Room(small_experiment)
    explored = {"parameters": [{"path": HEARTBEAT, "least": 1, "most": 20}]}
    done(ask_for(room.teacher, "PUT", f"{room.path}/explore", explored))
    done(ask_for(room.join("Ada Secret"), "PUT", f"{room.path}/fork", {"values": {HEARTBEAT: 2}}))
    lectern = new_browser()
    lectern.get("/screen", {"code": screens.screen_code(Classroom.objects.get())})
    wall = f"{room.path}/wall"
    assert [one["name"] for one in done(ask_for(room.teacher, "GET", wall))["forks"]] == ["Ada Secret"]
    assert [one["name"] for one in done(ask_for(lectern, "GET", wall))["forks"]] == [""]
    opened = done(ask_for(lectern, "POST", f"{wall}/open", {"number": 0}))
    assert [one["name"] for one in opened["forks"]] == [""]
    done(ask_for(room.teacher, "PATCH", room.path, {"anonymous": False}))
    assert [one["name"] for one in done(ask_for(lectern, "GET", wall))["forks"]] == ["Ada Secret"]
    Classroom.objects.update(code=None)
    assert ask_for(lectern, "GET", wall).status_code == 403
    assert lectern.get(f"/classes{room.path}/screen").status_code == 302


def test_a_code_opens_the_projector_page_on_another_computer_and_nothing_else(settings: Settings) -> None:
    settings.LIMIT_WRONG_CODES = 3
    room = Room(students=1)
    here, lectern = f"/classes{room.path}", new_browser()
    code = screens.screen_code(Classroom.objects.get())
    assert code.startswith(room.made["code"])
    assert len(code) == 11
    assert code in room.teacher.get(f"{here}/teach").content.decode()
    assert code not in room.students[0].get(here).content.decode()
    assert lectern.get("/screen").status_code == 200
    for wrong in (room.made["code"], code[:-1], room.made["code"] + "A" * 6):
        assert lectern.get("/screen", {"code": wrong}).status_code == 404
    assert new_browser().get("/screen", {"code": "ABCDEFGHJKM"}).status_code == 429, "an address guesses"
    settings.LIMIT_WRONG_CODES = 300
    assert lectern.get(f"{here}/screen").status_code == 302
    assert lectern.get("/screen", {"code": f" {code[:5].lower()}-{code[5:]} "}).headers["Location"] == f"{here}/screen"
    for page in ("/screen", "/qr.svg"):
        assert lectern.get(here + page).status_code == 200
    # It shows what the projector shows, and may do nothing that is the teacher's.
    assert done(ask_for(lectern, "GET", f"{room.path}/wall"))["forks"] == []
    assert lectern.get(f"{here}/teach").status_code == 302
    for method, path, data in (("PATCH", "", {"locked": True}), ("DELETE", "", None), ("GET", "", None)):
        assert ask_for(lectern, method, room.path + path, data).status_code == 403
    assert ask_for(room.students[0], "GET", f"{room.path}/wall").status_code == 403


@pytest.mark.parametrize(("low", "high"), [(5e-324, 1e15), (1e-310, 1), (1e15, math.nextafter(1e15, math.inf))])
def test_a_logarithmic_scale_may_be_as_long_as_doubles_reach(low: float, high: float) -> None:
    scale = scoring.Scale(low, high, log=True)
    assert [scale.place(low), scale.place(high)] == [0, pytest.approx(1)]
    counts = scoring.histogram([low, high], scale)
    assert (counts[0], counts[-1], sum(counts)) == (1, 1, 2)
    assert scoring.score_of_number(high, high, scale) == 1
    assert scoring.score_of_number(high, 5e-324, scale) == 0


def test_a_scale() -> None:
    scale = scoring.Scale(1, 100, log=True)
    assert [scale.place(value) for value in (1, 10, 100)] == pytest.approx([0, 0.5, 1])
    assert scoring.score_of_number(10, 1000, scale) == pytest.approx(0), "an answer beyond the scale counts as its end"
    assert scoring.histogram([1, 100, 10], scale) == [1] + [0] * 9 + [1] + [0] * 8 + [1]
    assert scoring.band([[1, 2], [3, 4]])[2] == [2, 3]


def test_runs_grow_together_on_common_instants() -> None:
    short, long = [(0.0, None), (2.0, 4.0)], [(0.0, None), (2.0, 1.0), (8.0, 3.0)]
    found = together([[short], [long], [short, long]])
    assert found is not None
    at = {t: [values[place] for values in found["values"]] for place, t in enumerate(found["t_s"])}
    assert at[0] == [None, None, None]
    assert at[2] == [4, 1, 2.5]
    assert at[8] == [4, 3, 3.5], "a run that is over keeps its last number"
    assert together([[short], []]) is None
    assert together([[[(0.0, None)]]]) is None, "there is nothing to play"


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


NESTED = ["[" * 12_000, "{" * 12_000, "- " * 12_000, "? " * 12_000, "a: " + "[" * 40]
COSTLY = [
    *NESTED, "[" + "[]," * 30_000 + "]", "- 1\n" * 38_000, "---\n" * 60_000, "a: " + "1:" * 100_000 + "1",
    '"' + "a" * 200_000 + '"', "a: &a [1]\nb: [*a, *a]", "a: !!binary aaaa", "x" * 400_001,
]  # fmt: skip


@pytest.mark.parametrize("costly", COSTLY, ids=range(len(COSTLY)))
def test_a_costly_lesson_is_refused_by_the_setting_before_it_is_built(costly: str) -> None:
    with pytest.raises(lesson_reader.Unreadable) as refused:
        lesson_reader.read(costly, bounds())
    # Events are the work of the parser: what builds a lesson never sees one.
    assert refused.value.events <= max(bounds().items * 3, 2 * bounds().depth) + 4
    if costly in NESTED:
        assert refused.value.events <= 2 * bounds().depth + 4
        assert "PLAYGROUND_LIMIT_LESSON_DEPTH" in refused.value.told["allowed"]


def test_a_lesson_is_read_in_a_process_with_memory_of_its_own(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lesson_reader, "_WALL_S", PATIENCE_S)  # 2 s of processor time: only memory is the matter
    settings.LIMIT_LESSON_BYTES = settings.LIMIT_LESSON_ITEMS = 10_000_000
    many, enough, little = "- [a, b]\n" * 60_000, 1_000_000_000, 60_000_000
    assert len(lesson_reader.read_apart(many, bounds(), memory_bytes=enough)) == 60_000
    with pytest.raises(lesson_reader.Unreadable, match="time or memory"):
        lesson_reader.read_apart(many, bounds(), memory_bytes=little)


def test_strangers_lessons_name_the_settings_that_refuse_them(settings: Settings) -> None:
    room = Room()
    for costly, setting in (("[" * 12_000, "DEPTH"), ("- 1\n" * 38_000, "ITEMS"), ("x" * 400_001, "BYTES")):
        for path in ("lessons/read", f"classes{room.path}/lesson"):
            told = done(room.teacher.send(path, {"file": costly}), 422)
            assert f"PLAYGROUND_LIMIT_LESSON_{setting}" in told["problems"][0]["allowed"], path
    deep: list[Any] = []
    for _ in range(40):
        deep = [deep]
    for data, setting in ((deep, "DEPTH"), ([1] * 38_000, "ITEMS")):
        lesson = {"title": "x", "steps": [{"show": {"experiment": {"a": data}}}]}
        told = done(room.teacher.send("lessons/write", {"lesson": lesson}), 422)
        assert f"PLAYGROUND_LIMIT_LESSON_{setting}" in told["problems"][0]["allowed"]


def test_a_lesson_tells_all_its_problems_with_the_steps_as_the_page_counts_them() -> None:
    number = {"kind": "number", "text": "How long?", "metric": "makespan_s", "low": 9, "high": 1}
    steps = [{"text": "x", "minutes": 500}, {"question": number}, {"question": {"kind": "choice", "text": ""}}, {}]
    with pytest.raises(PlaygroundError) as refused:
        parse_lesson(json.dumps({"title": "", "steps": steps}))
    told = {one["label"]: f"{one['message']} {one['allowed']}".strip() for one in refused.value.problems}
    assert list(told) == ["Title", "Step 1, minutes", "Step 4", "Step 2", "Step 3, text"]
    assert (told["Step 1, minutes"], told["Step 3, text"]) == ("is 500 at most 180", "is empty")
    assert [one["path"] for one in refused.value.problems][-1] == "steps.2.question.text"


@pytest.mark.parametrize("name", sorted(ready_lessons()))
def test_each_step_of_a_ready_lesson_decides_what_its_sentences_speak_of(name: str) -> None:
    """An empty list says that they speak of nothing in the picture."""
    undecided = [at for at, step in enumerate(ready_lessons()[name].steps) if step.spoken is None]
    assert undecided == []


def test_a_text_beside_a_run_names_its_marks() -> None:
    marks = ["part:map"]
    show, text = {"show": {"gallery": "short-job", "at_s": 5, "layer": "load"}}, {"text": "Look again", "marks": marks}
    about = {"kind": "point", "text": "Which?", "reason": "launched", "after_s": 60}
    point = {"question": about, "marks": ["shelf"]}
    number = {"kind": "number", "text": "How long?", "metric": "makespan_s", "low": 1, "high": 9}
    steps = [show, {"question": number, "marks": []}, text, point, {"text": "And you?"}]
    room = Room(students=1)
    done(ask_for(room.teacher, "POST", f"{room.path}/lesson", {"file": json.dumps({"title": "x", "steps": steps})}))
    told = []
    for at in range(len(steps)):
        done(ask_for(room.teacher, "POST", f"{room.path}/lesson/steps/{at}"))
        news = room.read(room.students[0])["news"]
        shown = (news["question"] or news)["shown"]
        told.append((shown["at_s"], shown["layer"], shown.get("marks")))
    assert told == [(5, "load", None), (None, "", None), (5, "load", marks), (None, "", ["shelf"]), (None, "", None)]
    for odd in ({"text": "Look", **text, **show}, {"question": number, "marks": marks}):
        with pytest.raises(PlaygroundError) as refused:
            parse_lesson(json.dumps({"title": "x", "steps": [show, odd]}))
        assert "marks" in refused.value.problems[0]["message"]
    alone = json.dumps({"title": "x", "steps": [text]})
    other = Room()
    refused_alone = done(ask_for(other.teacher, "POST", f"{other.path}/lesson", {"file": alone}), 422)
    assert "before anything is shown" in refused_alone["problems"][0]["message"]


def test_a_place_on_the_map_stays_until_another_run_is_shown() -> None:
    number = {"kind": "number", "text": "How long?", "metric": "makespan_s", "low": 1, "high": 9}
    first, second = {"show": {"gallery": "short-job", "near": 70}}, {"show": {"gallery": "old-news"}}
    steps = [first, {"question": number}, {"text": "And you?"}, second, {"text": "Again?"}]
    room = Room(students=1)
    done(ask_for(room.teacher, "POST", f"{room.path}/lesson", {"file": json.dumps({"title": "x", "steps": steps})}))
    told = []
    for at in range(len(steps)):
        done(ask_for(room.teacher, "POST", f"{room.path}/lesson/steps/{at}"))
        news = room.read(room.students[0])["news"]
        told.append((news["question"] or news)["shown"].get("near"))
    assert told == [70, 70, 70, None, None]
    done(ask_for(room.teacher, "POST", f"{room.path}/lesson/steps/2"))
    done(ask_for(room.teacher, "PATCH", room.path, {"gallery": "old-news"}))
    assert "near" not in room.read(room.students[0])["news"]["shown"], "it is a machine of the lesson's run"
    done(ask_for(room.teacher, "PATCH", room.path, {"gallery": "rack-fails"}))
    shown = room.read(room.students[0])["news"]["shown"]
    assert (shown["near"], shown["at_s"]) == (400, 19.0), "rack 5 of 80 machines fails after 20 s"
    with pytest.raises(PlaygroundError):
        parse_lesson(json.dumps({"title": "x", "steps": [{"show": {"gallery": "short-job", "near": -1}}]}))


def test_the_ready_lessons_can_be_taught_and_claims_back_what_they_say() -> None:
    data = PROJECT / "scheduler_core" / "claims" / "data"
    written = "".join(path.read_text() for path in data.rglob("*.toml"))
    claims = dict(re.findall(r'^id = "(.+)"(?:\nref = "(.+)")?$', written, re.M))
    assert sum(one.startswith("lesson-") for one in claims) == 3
    assert len(ready_lessons()) == 3
    for name, lesson in ready_lessons().items():
        assert lesson.minutes == 15, name
        assert all(step.notes for step in lesson.steps), name
        assert all((lesson.aims, lesson.guesses, lesson.point)), name
        named = {one for step in lesson.steps for one in step.checked} | set(lesson.checked)
        assert named <= set(claims), name
        assert named >= {one for one, ref in claims.items() if ref == name and one.startswith("lesson-")}, name
        room = Room()
        begun = done(ask_for(room.teacher, "POST", f"{room.path}/lesson", {"name": name}))
        assert len(begun["steps"]) == len(lesson.steps)


PROBES = {"parameters": [{"path": "scheduler.params.heartbeat_s", "least": 1, "most": 20}], "y": "makespan_s"}


def explored(room: Room, asked: Any = PROBES, status: int = 200) -> Any:
    return done(ask_for(room.teacher, "PUT", f"{room.path}/explore", asked), status)


def try_out(room: Room, student: JsonClient, values: Any) -> Any:
    return ask_for(student, "PUT", f"{room.path}/fork", {"values": values})


def preview(room: Room, number: int, makespan_s: float) -> None:
    """Answer the newest preview of a student as a worker does; 0 is the teacher."""
    fork = ClassFork.objects.get(classroom__public_id=room.made["id"], student__number=number or None)
    place = forks._place(fork.classroom, fork.student)
    answer = {"preview": fork.preview, "state": "done", "summary": {"makespan_s": makespan_s}, "reduced": None}
    newest.tell(place, answer, over=True)
    _bare(room.made["id"])._load()


def test_everybody_explores_and_the_teacher_sees_all_of_it(small_experiment: dict[str, Any]) -> None:
    room = Room(small_experiment, students=3)
    assert try_out(room, room.students[0], {}).json()["type"] == "not-exploring"
    explored(room)
    told = room.read(room.students[0])["news"]
    assert (told["mode"], [knob["path"] for knob in told["explore"]["knobs"]]) == ("explore", [HEARTBEAT])
    first = done(try_out(room, room.students[0], {HEARTBEAT: 2}))
    assert (first["values"], first["figures"]) == ({HEARTBEAT: 2}, None)
    done(try_out(room, room.students[1], {HEARTBEAT: 20}))
    preview(room, 0, 50)
    preview(room, 1, 40)
    # An answer to what the student has changed meanwhile is nobody's.
    late = ClassFork.objects.get(student__number=2)
    done(try_out(room, room.students[1], {HEARTBEAT: 3}))
    answer = {"preview": late.preview, "state": "done", "summary": {"makespan_s": 1.0}, "reduced": None}
    newest.tell(forks._place(late.classroom, late.student), answer, over=True)
    _bare(room.made["id"])._load()
    wall = done(ask_for(room.teacher, "GET", f"{room.path}/wall"))
    assert wall["explore"]["base"]["makespan_s"] == 50
    assert [(one["number"], one["figures"] and one["figures"]["makespan_s"]) for one in wall["forks"]] == [
        (1, 40), (2, None),
    ]  # fmt: skip
    assert room.read(room.students[0])["student"]["fork"]["figures"]["makespan_s"] == 40
    other = explored(room, {**PROBES, "y": "allocation_delay_s.p50"})
    assert len(other["forks"]) == 2, "other axes keep the forks"
    assert explored(room, {"parameters": [{"path": "seed"}]}, 422)["type"] == "invalid-exploration"
    assert explored(room, {"parameters": [{"path": HEARTBEAT, "most": 5}]})["forks"] == []


def speaks(browser: JsonClient, spoken: str) -> None:
    browser.cookies["django_language"] = spoken


def test_everybody_reads_the_names_of_open_parameters_in_their_own_language(small_experiment: dict[str, Any]) -> None:
    room = Room(small_experiment, students=2)
    speaks(room.teacher, "de")
    speaks(room.students[0], "de")
    label = label_of(HEARTBEAT, ["megha"])
    german = words.catalogue("de")[label]

    def read(browser: JsonClient) -> str:
        return str(room.read(browser)["news"]["explore"]["knobs"][0]["label"])

    explored(room)
    assert read(room.students[0]) == german != label
    assert read(room.students[1]) == label, "the teacher's language is the teacher's"
    assert [_heard(room, spoken)["explore"]["knobs"][0]["label"] for spoken in ("de", "en")] == [german, label]
    done(try_out(room, room.students[0], {HEARTBEAT: 2}))
    speaks(room.teacher, "en")
    assert len(explored(room, {**PROBES, "y": "allocation_delay_s.p50"})["forks"]) == 1, "another language is no change"
    number = room.ask(CURVE)
    room.move(number, "open")
    assert [_heard(room, spoken)["question"]["axis"] for spoken in ("de", "en")] == [f"{german} (s)", f"{label} (s)"]
    done(ask_for(room.teacher, "PATCH", room.path, {"challenge": "tame-the-tail"}))
    titles = [_heard(room, spoken)["challenge"]["title"] for spoken in ("de", "en")]
    assert titles[0] == words.catalogue("de")[titles[1]]


def test_a_socket_hears_news_in_the_language_of_its_address() -> None:
    for query, spoken in ((b"lang=de", "de"), (b"", "en"), (b"lang=xx", "en")):
        socket = ClassConsumer()
        socket.scope = {"query_string": query}
        assert socket.spoken == spoken, query
    german, english, late = live.Member(1, "de"), live.Member(2), live.Member(3, "de")
    room = _bare("none", german, english, late)
    room._tell({"en": b"1"}, set(), noticed=False)
    assert (german.told, english.told, room._news.is_set()) == (b"", b"1", True), "German is asked for at once"
    english.wake.clear()
    room._tell({"en": b"1", "de": b"eins"}, {3}, noticed=False)
    assert (german.told, english.wake.is_set(), late.over) == (b"eins", False, "removed")


def test_a_wall_tells_how_much_the_teachers_values_vary_over_seeds(small_experiment: dict[str, Any]) -> None:
    room = Room(small_experiment, students=1)
    explored(room)
    preview(room, 0, 50)

    def told() -> dict[str, list[float]]:
        found: dict[str, list[float]] = room.read(room.students[0])["news"]["explore"]["noise"]
        return found

    classroom = Classroom.objects.get()
    assert classroom.explore is not None
    asked = classroom.explore["noise"]
    assert len(asked) == noise.OTHER_SEEDS
    for at, makespan_s in enumerate((48.0, 52.0, 49.0, 51.0)):
        assert told() == {}, "not before all seeds are there"
        answer = {
            "preview": asked[at]["preview"],
            "state": "done",
            "summary": {"makespan_s": makespan_s},
            "reduced": None,
        }
        newest.tell(noise._place(classroom, at), answer, over=True)
        _bare(room.made["id"])._load()
    # Mean 50, standard deviation 1.58, t 2.776 with 4 degrees of freedom, for one more run.
    low, high = told()["makespan_s"]
    assert (low, high) == pytest.approx((50 - 4.808, 50 + 4.808), abs=0.01)
    assert "allocation_delay_s.p99" not in told(), "no run has it here"
    explored(room, {**PROBES, "y": "allocation_delay_s.p50"})
    assert told()["makespan_s"] == [low, high], "other axes keep it"
    wide = [{"preview": 1, "asked_s": 0.0, "figures": {"makespan_s": value}} for value in (0.1, 9.0, 0.2)]
    assert noise.bands({"makespan_s": 0.1}, wide)["makespan_s"][0] == 0, "no negative time"


def test_a_fork_stays_within_what_is_open_and_is_nobody_elses(small_experiment: dict[str, Any]) -> None:
    room = Room(small_experiment, students=2)
    explored(room)
    for odd in ({HEARTBEAT: 0.5}, {HEARTBEAT: 21}, {HEARTBEAT: "2"}, {HEARTBEAT: True}, {"seed": 1}):
        refused = try_out(room, room.students[0], odd)
        assert (refused.status_code, refused.json()["type"]) == (422, "invalid-fork"), odd
    assert try_out(room, new_browser(), {}).status_code == 403
    done(try_out(room, room.students[0], {HEARTBEAT: 2}))
    for who in (room.students[1], new_browser()):
        for method, path, data in [
            ("PUT", "/explore", PROBES), ("GET", "/wall", None), ("POST", "/wall/open", {"number": 1}),
        ]:  # fmt: skip
            assert ask_for(who, method, room.path + path, data).status_code == 403, path
    assert room.read(room.students[1])["student"]["fork"] is None
    assert "forks" not in json.dumps(room.read(room.students[1])), "others' tries are the teacher's to show"
    done(ask_for(room.teacher, "DELETE", f"{room.path}/students/1"), 204)
    assert not ClassFork.objects.exclude(student=None).exists()


def test_a_student_cannot_swamp_others(small_experiment: dict[str, Any], settings: Settings) -> None:
    room = Room(small_experiment, students=2)
    explored(room)
    settings.LIMIT_PREVIEWS_PER_SECOND = 3
    before = workers.waiting_in_queue("previews")
    answers = [try_out(room, room.students[0], {HEARTBEAT: 2 + at}) for at in range(9)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert "PLAYGROUND_LIMIT_PREVIEWS_PER_SECOND" in refused[0].json()["problems"][0]["allowed"]
    assert try_out(room, room.students[1], {HEARTBEAT: 2.5}).status_code == 200
    # However often a student asks, one message waits for a worker, behind those that others have sent.
    assert workers.waiting_in_queue("previews") - before == 2


def test_the_teacher_opens_a_fork_on_the_big_screen(small_experiment: dict[str, Any]) -> None:
    room = Room(small_experiment, students=1)
    explored(room)
    assert ask_for(room.teacher, "POST", f"{room.path}/wall/open", {"number": 1}).status_code == 404
    done(try_out(room, room.students[0], {HEARTBEAT: 2}))
    assert done(ask_for(room.teacher, "POST", f"{room.path}/wall/open", {"number": 1}))["spot"] == 1
    news = room.read(room.students[0])["news"]
    assert news["explore"]["spot_values"] == [{"path": HEARTBEAT, "value": 2}]
    shown = room.teacher.read(f"experiments/{news['explore']['spot']['experiment']}").json()["experiment"]
    assert shown["scheduler"]["params"]["heartbeat_s"] == 2
    assert news["shown"]["experiment"] != news["explore"]["spot"]["experiment"], "the teacher's picture stays"
    assert done(ask_for(room.teacher, "POST", f"{room.path}/wall/open", {"number": 0}))["spot"] is None


def test_a_preview_that_was_lost_is_asked_for_again(small_experiment: dict[str, Any]) -> None:
    room = Room(small_experiment, students=1)
    explored(room)
    done(try_out(room, room.students[0], {HEARTBEAT: 2}))
    connections.client().flushdb()  # Redis was killed
    ClassFork.objects.update(asked_at=timezone.now() - timedelta(minutes=2))
    _bare(room.made["id"])._load()
    preview(room, 1, 40)
    assert room.read(room.students[0])["student"]["fork"]["figures"]["makespan_s"] == 40


def test_a_lesson_lets_students_explore() -> None:
    room = Room(students=1)
    steps = (
        "steps:\n  - show: {gallery: short-job}\n    minutes: 1\n"
        "  - explore: {parameters: [{path: scheduler.params.probe_ratio, least: 1, most: 8}], y: makespan_s}\n"
        "    text: Find the best ratio"
    )
    begun = done(ask_for(room.teacher, "POST", f"{room.path}/lesson", {"file": f"title: A lesson\n{steps}"}))
    assert [step["kind"] for step in begun["steps"]] == ["show", "explore"]
    done(ask_for(room.teacher, "POST", f"{room.path}/lesson/steps/1"))
    news = room.read(room.students[0])["news"]
    assert (news["mode"], news["text"], news["explore"]["y"]) == ("explore", "Find the best ratio", "makespan_s")
    done(ask_for(room.teacher, "POST", f"{room.path}/lesson/steps/0"))
    assert room.read(room.students[0])["news"]["explore"] is None
    wrong = {"file": f"title: A lesson\n{steps.replace('probe_ratio', 'nothing')}"}
    refused = done(ask_for(room.teacher, "POST", f"{room.path}/lesson", wrong), 422)
    assert "parameters.0.path" in refused["problems"][0]["path"]


def test_a_class_plays_a_challenge_on_a_board_of_its_own() -> None:
    room = Room(students=2)
    part = {"part": {"scheduler": {"name": "sparrow", "params": {"probe_ratio": 4}}}}
    enter = f"{room.path}/challenge/entries"
    assert ask_for(room.students[0], "POST", enter, part).json()["type"] == "no-challenge"
    told = done(ask_for(room.teacher, "PATCH", room.path, {"challenge": "tame-the-tail"}))["news"]
    assert (told["mode"], told["challenge"]["id"]) == ("compete", "tame-the-tail")
    assert told["challenge"]["url"] == f"/classes/{room.made['id']}/challenge"
    assert room.students[0].get(told["challenge"]["url"]).status_code == 200
    assert new_browser().get(told["challenge"]["url"]).status_code == 302
    made = done(ask_for(room.students[0], "POST", enter, {**part, "author": "Somebody else"}), 202)
    own = room.read(room.students[0])["student"]["name"]
    assert (made["author"], made["mine"]) == (own, True), "nobody enters for another"
    board = f"{room.path}/challenge/board"
    roles = [row["role"] for row in done(ask_for(room.students[0], "GET", board))["rows"]]
    assert sorted(roles) == ["baseline", "entry", "reference"]
    others = done(ask_for(room.students[1], "GET", board))["rows"]
    assert own not in [row["author"] for row in others], "names are hidden until the teacher shows them"
    assert own in [row["author"] for row in done(ask_for(room.teacher, "GET", board))["rows"]]
    arena = room.students[0].read("challenges/tame-the-tail/board").json()
    assert made["id"] not in [row["id"] for row in arena["rows"]]
    for method, path, data in (("GET", board, None), ("POST", enter, part)):
        assert ask_for(new_browser(), method, path, data).status_code == 403
    assert "seeds" not in json.dumps(others)
    done(ask_for(room.teacher, "PATCH", room.path, {"mode": "follow"}))
    assert ask_for(room.students[1], "POST", enter, part).status_code == 409
    steps = "steps: [{challenge: tame-the-tail, text: Beat the baseline, minutes: 5}]"
    done(ask_for(room.teacher, "POST", f"{room.path}/lesson", {"file": f"title: A lesson\n{steps}"}))
    assert room.read(room.students[1])["news"]["challenge"]["title"] == "Shorten the longest waits"


def test_a_class_lists_its_challenges_closes_a_board_and_takes_it_as_a_file() -> None:
    room = Room(students=2)
    part = {"part": {"scheduler": {"name": "sparrow", "params": {"probe_ratio": 4}}}}
    enter, board = f"{room.path}/challenge/entries", f"{room.path}/challenge/board"
    assert room.read(room.teacher)["teacher"]["challenges"] == []
    done(ask_for(room.teacher, "PATCH", room.path, {"challenge": "tame-the-tail"}))
    done(ask_for(room.students[0], "POST", enter, part), 202)
    own = room.read(room.students[0])["student"]["name"]
    done(ask_for(room.teacher, "PATCH", room.path, {"challenge": "share-nicely"}))
    listed = room.read(room.teacher)["teacher"]["challenges"]
    assert [(one["id"], one["entries"], one["closed_at"]) for one in listed] == [
        ("share-nicely", 0, None), ("tame-the-tail", 1, None),
    ]  # fmt: skip
    former = f"{board}?challenge=tame-the-tail"
    hidden = [row["hidden"] for row in done(ask_for(room.students[1], "GET", former))["rows"] if row["role"] == "entry"]
    assert hidden == [True], "others' entries are hidden while the board is open"
    for hides in (False, True):
        rows = done(ask_for(room.teacher, "GET", f"{former}&projected={hides}"))["rows"]
        told = {row["role"]: (row["scheduler"] == "", row["changes"] == [], row["hidden"]) for row in rows}
        assert told["entry"] == told["reference"] == (hides, hides, hides), "the class sees what is projected"
        assert (own in [row["author"] for row in rows]) is not hides
    close = f"{room.path}/challenges/tame-the-tail/close"
    assert ask_for(room.students[0], "POST", close).status_code == 403
    closed = done(ask_for(room.teacher, "POST", close))
    assert done(ask_for(room.teacher, "POST", close)) == closed, "twice is once"
    told = done(ask_for(room.students[1], "GET", former))
    entry = next(row for row in told["rows"] if row["role"] == "entry")
    assert (told["state"], entry["hidden"], entry["scheduler"]) == ("closed", False, "Sparrow")
    arena = room.students[0].read("challenges/tame-the-tail/board").json()
    assert (arena["state"], len(arena["rows"])) == ("open", 2), "the challenge goes on for others"
    file = ask_for(room.teacher, "GET", f"{room.path}/challenge/board.csv?challenge=tame-the-tail").content
    rows = list(csv.DictReader(io.StringIO(file.decode("utf-8-sig"))))
    assert sorted(row["role"] for row in rows) == ["baseline", "entry", "reference"]
    done(ask_for(room.teacher, "PATCH", room.path, {"challenge": "tame-the-tail"}))
    assert ask_for(room.students[1], "POST", enter, part).json()["type"] == "challenge-closed"
    page = room.students[0].get(f"/classes{room.path}/challenge?challenge=tame-the-tail")
    assert (page.status_code, "board.csv?challenge=tame-the-tail" in page.content.decode()) == (200, True)
    for odd in ("full-house", "no-such-challenge"):
        assert ask_for(room.teacher, "GET", f"{board}?challenge={odd}").status_code == 404
        assert ask_for(room.teacher, "POST", f"{room.path}/challenges/{odd}/close").status_code == 404


def test_an_editor_reads_and_writes_lessons() -> None:
    editor = new_browser()

    def asked(path: str, data: Any) -> Any:
        return editor.post(f"/api/v1/lessons/{path}", json.dumps(data), content_type="application/json")

    lesson = asked("read", {"file": LESSON}).json()["lesson"]
    assert [next(iter(step)) for step in lesson["steps"]] == ["show", "question", "text"]
    lesson["steps"][0]["show"] |= {"at_s": 2.5, "layer": "load", "marks": ["shelf"]}
    text = asked("write", {"lesson": lesson}).json()["file"]
    show = parse_lesson(text).steps[0].show
    assert show is not None
    assert (show.at_s, show.layer) == (2.5, "load")
    refused = asked("write", {"lesson": {"title": "x", "steps": [{"minutes": 1}]}})
    assert (refused.status_code, refused.json()["type"]) == (422, "invalid-lesson")
    room = Room(students=1)
    done(ask_for(room.teacher, "POST", f"{room.path}/lesson", {"file": text}))
    shown = room.read(room.students[0])["news"]["shown"]
    assert (shown["at_s"], shown["layer"], shown["marks"]) == (2.5, "load", ["shelf"])


def test_of_many_news_of_students_within_a_moment_the_first_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server that hears it looks once more after that moment."""
    said: list[str] = []
    monkeypatch.setattr(telling, "_send", said.append)
    monkeypatch.setattr(telling, "_TOGETHER_MS", 600_000)
    for class_id in ("one", "one", "other"):
        telling._send_first(class_id)
    assert said == ["one", "other"]
    connections.client().delete(class_told_key("one"))  # the moment is over
    telling._send_first("one")
    assert said == ["one", "other", "one"]
