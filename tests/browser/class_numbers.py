"""What the pages of a class say, held against what its students answered and what runs measured."""

from __future__ import annotations

import csv
import io
from http import HTTPStatus
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from playground.classes.asked import parse_asked
from playground.classes.lessons import Lesson
from tests.browser.said import said_of_frame, wrongs
from tests.browser.test_picture_numbers import whole_track
from tests.recorded import Recorded
from tests.says import drawn, results
from tests.says.source import OfClass, OfRun
from tests.support import wait_until

_DRAWN = "() => document.querySelector('[data-picture]:not([hidden])')?.dataset.of ?? ''"


class ClassNumbers:
    """Counts the numbers of a class again. All its students are there, each at one of `phones`."""

    def __init__(self, teacher: Page, phones: list[Page], lesson: Lesson, folder: Path, room: str = "") -> None:
        self.teacher, self.phones, self.lesson, self.folder, self.room = teacher, phones, lesson, folder, room
        #: Of revealed questions: the score of each student by (student, question), and how many options are right.
        self.scored: dict[tuple[int, int], float] = {}
        self.tied: dict[int, int] = {}
        self.recorded: dict[str, Recorded] = {}

    def check(self, page: Page, where: tuple[str, ...]) -> set[str]:
        """Count all that a page says again; return the names of what it says and draws.

        News reach a page a little later.
        """
        found: list[Any] = []
        told: set[str] = set()

        def right() -> bool:
            frame, said = said_of_frame(page)
            parts = page.evaluate(drawn.LOOK)
            try:
                source = self._source(page, frame)
                found[:] = wrongs(said, source)
                if why := drawn.wrong(parts, source):
                    found.append(("a picture", why))
            except (LookupError, TypeError, AttributeError, AssertionError) as error:
                found[:] = [("the page is at another step", repr(error))]
            told.update(one["says"] for one in said)
            told.update(f"drawn:{one['sort']}" for one in parts)
            return not found

        try:
            wait_until(right, what=f"the numbers at {where} are right")
        except AssertionError:
            assert found == [], where
            raise
        return told

    def _source(self, page: Page, frame: int) -> OfClass:
        """What the numbers of a page are counted again from, as it is now."""
        address = f"/api/v1/classes/{self.room}"
        told = page.request.get(address).json()
        teacher = self.teacher.request.get(address).json()["teacher"]
        news, question = told["news"], told["news"]["question"]
        source = OfClass(news, self.lesson, teacher, len(self.phones), told["student"])
        if teacher["lesson"] and source.step.question:
            source.asked = parse_asked(source.step.question).model_dump()
        students = [phone.request.get(address).json()["student"] for phone in self.phones]
        for answer in (each for one in students for each in one["answers"]):
            source.answers.setdefault(answer["question"], []).append(answer["value"])
        if run := page.evaluate(_DRAWN):
            recorded = self._recorded(page, run)
            source.run = OfRun(recorded, frame, slow=True) if recorded else None
        if news["explore"]:
            source.forks = self.teacher.request.get(f"{address}/wall").json()["forks"]
        if question and question["result"]:
            self._measure(source, students)
        scored = {
            one["number"]: [at for (who, _), at in self.scored.items() if who == one["number"]] for one in students
        }
        source.scores = {number: sum(scores) for number, scores in scored.items()}
        source.spread = {each["number"]: each["spread"] for each in teacher["questions"] if each["spread"] is not None}
        source.tied = {each["number"]: len(each["tied"]) for each in teacher["questions"]} | self.tied
        return source

    def _measure(self, source: OfClass, students: list[Any]) -> None:
        """Take what the runs of a revealed question gave, and score all answers to it by that."""
        question, teacher = source.question, self.teacher
        if source.asked["kind"] == "point":
            recorded = self._recorded(teacher, question["result"]["run"])
            if recorded:
                source.happened = results.happened(recorded.path, recorded.meta, source.asked)
        else:
            table = teacher.request.get(f"/api/v1/studies/{question['result']['study']}/table.csv").text()
            source.rows = list(csv.DictReader(io.StringIO(table)))
        for one in students:
            for answer in (each for each in one["answers"] if each["question"] == question["number"]):
                self.scored[one["number"], question["number"]] = results.score(source, answer["value"])
        if source.asked["kind"] == "choice":
            right = len(results.measured(source).right)
            self.tied[question["number"]] = right if right > 1 else 0

    def _recorded(self, page: Page, run: str) -> Recorded | None:
        """The recording of a run; None while it is computed."""
        if run not in self.recorded:
            answer = page.request.get(f"/api/v1/runs/{run}/recording")
            if answer.status != HTTPStatus.OK:
                return None
            path = self.folder / f"{run}.zip"
            path.write_bytes(answer.body())
            found = Recorded.read(path)
            if found.track is None and found.meta.get("work"):
                found.track = whole_track(page, f"/api/v1/runs/{run}/track")
                if found.track is None:
                    return None
            self.recorded[run] = found
        return self.recorded[run]
