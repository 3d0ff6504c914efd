"""Lessons as files: steps that show a run or text, ask, or let students explore, with notes for the teacher."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated, Any

import yaml
from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from playground.classes.asked import Asked, parse_asked
from playground.classes.exploring import Exploration, parse_exploration
from playground.classes.names import typed_line
from playground.errors import PlaygroundError, not_found, problem
from playground.ground.simulator import refuse_unstorable_text

MOST_CHARACTERS = 400_000
_MOST_STEPS = 40
_KINDS = ("show", "question", "explore", "challenge")
_Line = Annotated[str, Field(max_length=300)]
_Notes = Annotated[str, Field(max_length=2_000)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Show(_Part):
    """A run to look at: a question of the gallery by its name, or an experiment as data, at an instant in a layer."""

    gallery: str = Field(default="", max_length=64)
    experiment: dict[str, Any] | None = None
    at_s: float | None = Field(default=None, ge=0, le=1e9, allow_inf_nan=False)
    layer: str = Field(default="", pattern=r"^[\w.-]{0,80}$")

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
            raise ValueError(f"a step does one of {', '.join(_KINDS)}: make it two steps")
        if self.kind == "text" and not self.text:
            raise ValueError(f"a step needs one of {', '.join(_KINDS)} and text")
        return self


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


def parse_lesson(text: str) -> Lesson:
    """Read a lesson from YAML or JSON. Raises PlaygroundError with every problem."""
    if len(text) > MOST_CHARACTERS:
        raise _refused(problem("", "is too long", allowed=f"at most {MOST_CHARACTERS:,} characters"))
    try:
        # An alias may stand for far more than the file holds.
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)):
            raise _refused(problem("", "holds a YAML alias (*name)", remedy="write the part out"))
        data = yaml.safe_load(text)
        lesson = Lesson.model_validate(data)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise _refused(*_problems(error)) from None
    _check_texts(lesson)
    return lesson


def _problems(error: Exception) -> list[Any]:
    if isinstance(error, ValidationError):
        return [
            problem(".".join(str(part) for part in item["loc"]), item["msg"].removeprefix("Value error, "))
            for item in error.errors()
        ]
    mark = getattr(error, "problem_mark", None)
    return [problem(f"line {mark.line + 1}" if mark else "", "is not YAML", remedy="check quotes and indentation")]


def _refused(*items: Any) -> PlaygroundError:
    return PlaygroundError(422, "invalid-lesson", "The lesson cannot be read", tuple(items))


def _check_texts(lesson: Lesson) -> None:
    """Check titles, texts and questions as those that a teacher types. Raises PlaygroundError."""
    refuse_unstorable_text(lesson_data(lesson))
    typed_line(lesson.title, path="title", most=120)
    said = {f"aims.{at}": line for at, line in enumerate(lesson.aims)}
    said |= {f"guesses.{at}": line for at, line in enumerate(lesson.guesses)} | {"point": lesson.point}
    for path, line in said.items():
        if line:
            typed_line(line, path=path, most=300)
    for at, step in enumerate(lesson.steps):
        if step.text:
            typed_line(step.text, path=f"steps.{at}.text", most=300)
        if step.question is not None:
            asked_in(lesson, at)
        if step.explore is not None:
            explored_in(lesson, at)


def asked_in(lesson: Lesson, at: int) -> Asked:
    """Return the question of a step. Raises PlaygroundError, whose problems name the step."""
    try:
        return parse_asked(lesson.steps[at].question)
    except PlaygroundError as error:
        raise _refused(*({**item, "path": f"steps.{at}.question.{item['path']}"} for item in error.problems)) from None


def explored_in(lesson: Lesson, at: int) -> Exploration:
    """Return what a step lets students change. Raises PlaygroundError, whose problems name the step."""
    try:
        return parse_exploration(lesson.steps[at].explore)
    except PlaygroundError as error:
        raise _refused(*({**item, "path": f"steps.{at}.explore.{item['path']}"} for item in error.problems)) from None


def checked_lesson(data: Any) -> Lesson:
    """Check a lesson that is given as data. Raises PlaygroundError with every problem."""
    try:
        lesson = Lesson.model_validate(data)
    except ValidationError as error:
        raise _refused(*_problems(error)) from None
    _check_texts(lesson)
    return lesson


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as data, without what is left at its default."""
    return lesson.model_dump(exclude_defaults=True)


def lesson_text(lesson: Lesson) -> str:
    """Write a lesson as YAML, without what is left at its default."""
    return str(yaml.safe_dump(lesson_data(lesson), sort_keys=False, allow_unicode=True, width=100))


@functools.cache
def ready_lessons() -> dict[str, Lesson]:
    """Return the lessons that come with the product, by their names."""
    folder = Path(settings.FIXTURES_DIR) / "lessons"
    return {path.stem: parse_lesson(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.yaml"))}


def ready_lesson(name: str) -> Lesson:
    found = ready_lessons().get(name)
    if found is None:
        raise not_found("lesson")
    return found
