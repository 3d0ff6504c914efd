"""What a number on a page is counted again from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tests.recorded import Instant, Recorded

Said = dict[str, Any]
"""One element with `data-says`: `says`, `text`, and what the page tells beside it (tests.browser.said.LOOK)."""
Check = Callable[[Said, str, Any], str]
"""Takes an element, what follows the colon of its name, and a source; returns what is wrong, empty if nothing is."""


@dataclass
class OfRun:
    """A frame of a recording, as the studio and pages with a run draw it.

    `slow`: in slow motion, movements are drawn late, so that boxes hold tasks whose launch is on its way.
    `before`: the run before the last change, if its numbers may stand beside those of this run.
    `entry` and `signature` are the texts that the page was opened with.
    """

    recorded: Recorded
    seq: int
    slow: bool = False
    before: Recorded | None = None
    entry: Any = None
    signature: Any = None

    @cached_property
    def now(self) -> Instant:
        return self.recorded.at(self.seq)

    @property
    def ended(self) -> bool:
        return self.now.place == len(self.recorded.frames) - 1

    @property
    def final(self) -> Any:
        """The summary of the whole run, which the page's numbers are at its end."""
        return self.recorded.summary

    @cached_property
    def next_ns(self) -> float:
        """When the next frame begins: until then, this one is drawn."""
        frames = self.recorded.frames
        return float(frames[self.now.place + 1]["t_ns"]) if not self.ended else float("inf")


@dataclass
class OfClass:
    """A class as its server tells it to the reader of a page, and what its numbers are counted again from.

    `people`: all who joined, who are all there. `lesson` is the lesson as its file has it, `asked` the question of its
    step; `answers` are what the students sent, by the number of the question, `scores` their sums by the number of the
    student, `tied` how many options count as right beside the best, by the question, and `spread` the part of the
    scale that the seeds leave open. `rows` is the table of the study
    that computed the answer, a row for each run; `happened` what a question to point at asks for, as the recording of
    its run has it; `forks` what students tried.
    """

    news: Any
    lesson: Any
    teacher: Any
    people: int
    student: Any = None
    asked: Any = None
    answers: dict[int, list[Any]] = field(default_factory=dict)
    scores: dict[int, float] = field(default_factory=dict)
    tied: dict[int, int] = field(default_factory=dict)
    spread: dict[int, float] = field(default_factory=dict)
    rows: list[dict[str, str]] = field(default_factory=list)
    happened: int | None = None
    forks: list[Any] = field(default_factory=list)
    run: OfRun | None = None

    @property
    def question(self) -> Any:
        return self.news["question"]

    @property
    def mine(self) -> list[Any]:
        """The answers to the question on the screen."""
        return self.answers.get(self.question["number"], [])

    @property
    def step(self) -> Any:
        """The step where the class is, as the lesson's file has it."""
        return self.lesson.steps[self.teacher["lesson"]["at"]]
