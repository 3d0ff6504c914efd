"""Lessons as files: steps that show a run or text, ask, or let students explore, with notes for the teacher."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated, Any

from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from playground.classes.asked import Asked, parse_asked
from playground.classes.exploring import Exploration, parse_exploration
from playground.classes.lesson_reader import Bounds, Unreadable, dump, read, read_apart, refuse_large
from playground.classes.names import typed_line
from playground.classes.wrong import of_lesson, problems_of
from playground.errors import PlaygroundError, ProblemItem, not_found, problem
from playground.gallery.service import MARK
from playground.ground.simulator import refuse_unstorable_text
from playground.web.words import gettext

_MOST_STEPS = 40
_KINDS = ("show", "question", "explore", "challenge")
_Line = Annotated[str, Field(max_length=300)]
_Notes = Annotated[str, Field(max_length=2_000)]
_Marks = list[Annotated[str, Field(pattern=MARK, max_length=40)]]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Show(_Part):
    """A run to look at: a question of the gallery by its name, or an experiment as data, at an instant in a layer."""

    gallery: str = Field(default="", max_length=64)
    experiment: dict[str, Any] | None = None
    at_s: float | None = Field(default=None, ge=0, le=1e9, allow_inf_nan=False)
    layer: str = Field(default="", pattern=r"^[\w.-]{0,80}$")
    near: int | None = Field(default=None, ge=0, le=10_000_000)
    """The machine around which the projector shows at most 60 machines, in this step and the next ones of its run."""
    marks: _Marks = Field(default_factory=list, max_length=8)
    """What the step's text speaks of: each is in the picture and in view while the text is shown."""

    @model_validator(mode="after")
    def _one(self) -> Show:
        if bool(self.gallery) == (self.experiment is not None):
            raise ValueError("name a gallery question, or give an experiment")
        return self


class Step(_Part):
    """One step: it shows a run, asks about it, opens parameters of it, plays a challenge of the arena, or tells."""

    show: Show | None = None
    question: dict[str, Any] | None = None
    explore: dict[str, Any] | None = None
    challenge: Annotated[str, Field(max_length=64, pattern=r"^[\w-]+$")] | None = None
    text: _Line = ""
    marks: _Marks | None = Field(default=None, max_length=8)
    """What the sentences of a text or a question speak of in the run that the step before shows; an empty list says
    that they speak of nothing there."""
    notes: _Notes = ""
    minutes: float = Field(default=1, ge=0, le=180)
    checked: list[Annotated[str, Field(max_length=80)]] = Field(default_factory=list, max_length=8)
    """Claims that back what text and notes say about effects (scheduler_core/claims)."""

    @property
    def kind(self) -> str:
        return next((name for name in _KINDS if getattr(self, name)), "text")

    @model_validator(mode="after")
    def _one(self) -> Step:
        if sum(getattr(self, name) is not None for name in _KINDS) > 1:
            raise ValueError("does two things: make it two steps, each with one of " + ", ".join(_KINDS))
        if self.kind == "text" and not self.text:
            raise ValueError("is empty: give it a text, or one of " + ", ".join(_KINDS))
        if self.marks is not None and self.show is not None:
            raise ValueError("shows a run: name its marks in `show`")
        if self.marks and not self.has_picture:
            raise ValueError(
                "names marks where no run is shown: only a text and a question to point at stand beside one"
            )
        return self

    @property
    def has_picture(self) -> bool:
        """Whether a run is on the screen while the step's sentences are."""
        points = self.question is not None and self.question.get("kind") == "point"
        return self.kind in ("show", "text") or points

    @property
    def spoken(self) -> list[str] | None:
        """The marks that the step's sentences name; None while nobody has decided whether they speak of any."""
        if self.show is None:
            return self.marks
        return self.show.marks if "marks" in self.show.model_fields_set else None


class Lesson(_Part):
    """A lesson: what it is for, and its steps in their order."""

    title: Annotated[str, Field(min_length=1, max_length=120)]
    aims: list[_Line] = Field(default_factory=list, max_length=8)
    guesses: list[_Line] = Field(default_factory=list, max_length=8)
    """What students will guess wrong, for the teacher."""
    point: _Line = ""
    """What students should have understood at the end, for the teacher."""
    checked: list[Annotated[str, Field(max_length=80)]] = Field(default_factory=list, max_length=8)
    """Claims that back what `guesses` and `point` say about effects."""
    steps: list[Step] = Field(min_length=1, max_length=_MOST_STEPS)

    @property
    def minutes(self) -> float:
        return sum(step.minutes for step in self.steps)


def bounds() -> Bounds:
    """Return what a lesson's file may hold by the settings."""
    names = ("bytes", "depth", "items")
    told = {name: f"setting PLAYGROUND_LIMIT_LESSON_{name.upper()}" for name in names}
    return Bounds(settings.LIMIT_LESSON_BYTES, settings.LIMIT_LESSON_DEPTH, settings.LIMIT_LESSON_ITEMS, told)


def parse_lesson(text: str) -> Lesson:
    """Read a lesson from YAML or JSON, in a process of its own. Raises PlaygroundError with every problem."""
    try:
        return checked_lesson(read_apart(text, bounds()))
    except Unreadable as error:
        raise _refused(problem(**error.told)) from None
    except OSError:
        item = problem("", "the server reads other lessons right now", remedy="ask again in a moment")
        raise PlaygroundError(503, "busy", "The lesson was not read", (item,), retry_after_s=2) from None


def _refused(*items: Any) -> PlaygroundError:
    return PlaygroundError(422, "invalid-lesson", "The lesson has problems", tuple(of_lesson(item) for item in items))


def _wrong_texts(lesson: Lesson) -> list[ProblemItem]:
    """Check the lines of a lesson as those that a teacher types."""
    refuse_unstorable_text(lesson_data(lesson))
    said = {"title": lesson.title}
    said |= {f"aims.{at}": line for at, line in enumerate(lesson.aims)}
    said |= {f"guesses.{at}": line for at, line in enumerate(lesson.guesses)} | {"point": lesson.point}
    said |= {f"steps.{at}.text": step.text for at, step in enumerate(lesson.steps)}
    found: list[ProblemItem] = []
    for path, line in said.items():
        try:
            if line:
                typed_line(line, path=path, most=120 if path == "title" else 300)
        except PlaygroundError as error:
            found.extend(error.problems)
    return found


def _wrong_parts(data: Any) -> list[ProblemItem]:
    """Check the questions and explorations of a lesson that is given as data."""
    steps = data.get("steps") if isinstance(data, dict) else None
    found: list[ProblemItem] = []
    for at, step in enumerate(steps if isinstance(steps, list) else []):
        for name, parse in (("question", parse_asked), ("explore", parse_exploration)):
            part = step.get(name) if isinstance(step, dict) else None
            try:
                if isinstance(part, dict):
                    parse(part)
            except PlaygroundError as error:
                found.extend(_within(f"steps.{at}.{name}", error))
    return found


def _within(place: str, error: PlaygroundError) -> list[ProblemItem]:
    """Return the problems of a part, with the paths that they have in the lesson."""
    return [{**item, "path": f"{place}.{item['path']}".rstrip(".")} for item in error.problems]


def asked_in(lesson: Lesson, at: int) -> Asked:
    """Return the question of a step. Raises PlaygroundError, whose problems name the step."""
    try:
        return parse_asked(lesson.steps[at].question)
    except PlaygroundError as error:
        raise _refused(*_within(f"steps.{at}.question", error)) from None


def explored_in(lesson: Lesson, at: int) -> Exploration:
    """Return what a step lets students change. Raises PlaygroundError, whose problems name the step."""
    try:
        return parse_exploration(lesson.steps[at].explore)
    except PlaygroundError as error:
        raise _refused(*_within(f"steps.{at}.explore", error)) from None


def checked_lesson(data: Any) -> Lesson:
    """Check a lesson that is given as data. Raises PlaygroundError with every problem."""
    try:
        refuse_large(data, bounds())
    except Unreadable as error:
        raise _refused(problem(**error.told)) from None
    wrong: list[ProblemItem] = []
    try:
        lesson = Lesson.model_validate(data)
        wrong = _wrong_texts(lesson)
    except ValidationError as error:
        wrong = problems_of(error)
    wrong += _wrong_parts(data)
    if wrong:
        raise _refused(*wrong)
    return lesson


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as data, without what is left at its default."""
    return lesson.model_dump(exclude_defaults=True)


def lesson_text(lesson: Lesson) -> str:
    """Write a lesson as YAML, without what is left at its default."""
    return dump(lesson_data(lesson))


@functools.cache
def ready_lessons() -> dict[str, Lesson]:
    """Return the lessons that come with the product, by their names."""
    folder = Path(settings.FIXTURES_DIR) / "lessons"
    files = sorted(folder.glob("*.yaml"))
    return {path.stem: checked_lesson(read(path.read_text(encoding="utf-8"), bounds())) for path in files}


def ready_lesson(name: str) -> Lesson:
    """Return a lesson that comes with the product, in the reader's language. Raises PlaygroundError."""
    found = ready_lessons().get(name)
    if found is None:
        raise not_found("lesson")
    return translated_lesson(found)


def translated_lesson(lesson: Lesson) -> Lesson:
    """Return a lesson of the product in the reader's language; what is not translated stays English."""
    steps = [
        step.model_copy(
            update={
                "text": gettext(step.text),
                "notes": gettext(step.notes),
                "question": step.question and step.question | {"text": gettext(step.question["text"])},
            }
        )
        for step in lesson.steps
    ]
    return lesson.model_copy(
        update={
            "title": gettext(lesson.title),
            "aims": [gettext(line) for line in lesson.aims],
            "guesses": [gettext(line) for line in lesson.guesses],
            "point": gettext(lesson.point),
            "steps": steps,
        }
    )
