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

    `lesson` is the lesson as its file has it, `asked` the question in it that is on the screen; `answers` are what each
    student sent; `rows` the table of the study that computed the answer, a row for each run; `forks` what students
    tried.
    """

    news: Any
    lesson: Any
    teacher: Any
    student: Any = None
    asked: Any = None
    answers: list[Any] = field(default_factory=list)
    rows: list[dict[str, str]] = field(default_factory=list)
    forks: list[Any] = field(default_factory=list)
    run: OfRun | None = None

    @property
    def question(self) -> Any:
        return self.news["question"]
