"""Shapes of requests and answers about classes."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Schema
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playground.classes.lessons import MOST_CHARACTERS
from playground.contract.classes import ClassExplore, ClassModeName, ClassNews
from playground.errors import PlaygroundError, problem
from playground.web.access import read_object
from playground.web.schemas import json_body
from scheduler_core.contract import HttpProblem

ERRORS = dict.fromkeys((400, 403, 404, 409, 413, 415, 422, 429, 503), HttpProblem)
_Named = Annotated[str, Field(max_length=64)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class OpenIn(_Body):
    experiment: _Named = ""
    gallery: _Named = ""


class ChangeIn(_Body):
    mode: ClassModeName | None = None
    locked: bool | None = None
    anonymous: bool | None = None
    experiment: _Named | None = None
    gallery: _Named | None = None
    challenge: _Named | None = None


class JoinIn(_Body):
    code: str = Field(max_length=40)
    name: str = Field(default="", max_length=200)


class NameIn(_Body):
    name: str = Field(max_length=200)


class AnswerIn(_Body):
    value: int | float | list[int | float]


class ForkIn(_Body):
    values: dict[str, int | float | str | bool] = Field(max_length=6)


class SpotIn(_Body):
    number: int = Field(ge=0)


class OpenedOut(Schema):
    id: str
    code: str
    url: str
    teach_url: str
    screen_url: str
    join_url: str
    owner_token: str


class JoinedOut(Schema):
    id: str
    url: str
    number: int
    name: str
    token: str


class StudentOut(Schema):
    number: int
    name: str
    score: float


class TeacherQuestionOut(Schema):
    number: int
    state: str
    kind: str
    text: str
    answered: int
    computed: str


class LessonIn(_Body):
    name: _Named = ""
    file: str = Field(default="", max_length=MOST_CHARACTERS)


class LessonDataIn(_Body):
    lesson: dict[str, Any]


class LessonDataOut(Schema):
    lesson: dict[str, Any]


class LessonFileOut(Schema):
    file: str


class StepOut(Schema):
    kind: str
    name: str
    text: str
    notes: str
    minutes: float
    question: int | None = None
    explore: dict[str, Any] | None = None


class LessonOut(Schema):
    title: str
    aims: list[str]
    guesses: list[str]
    point: str
    at: int
    steps: list[StepOut]


class ReadyOut(Schema):
    name: str
    title: str
    minutes: float
    aims: list[str]


class TeacherOut(Schema):
    code: str
    join_url: str
    anonymous: bool
    lesson: LessonOut | None
    students: list[StudentOut]
    questions: list[TeacherQuestionOut]


class OwnAnswerOut(Schema):
    question: int
    value: int | float | list[float]
    score: float | None


class OwnForkOut(Schema):
    values: dict[str, int | float | str | bool]
    figures: dict[str, float | None] | None
    failure: str


class AskedForkOut(OwnForkOut):
    preview: int
    socket_url: str


class WallForkOut(OwnForkOut):
    number: int
    name: str


class WallOut(Schema):
    explore: ClassExplore | None
    spot: int | None
    forks: list[WallForkOut]


class OwnOut(Schema):
    number: int
    name: str
    answers: list[OwnAnswerOut]
    fork: OwnForkOut | None


class ClassOut(Schema):
    id: str
    url: str
    socket_url: str
    news: ClassNews
    teacher: TeacherOut | None
    student: OwnOut | None


def body_of(model: type[BaseModel]) -> dict[str, Any]:
    schema = model.model_json_schema()
    return json_body(_written_out(schema, schema.pop("$defs", {})), required=True)


def _written_out(part: Any, named: dict[str, Any]) -> Any:
    """Return a schema with the named parts in place: the API's own document has them nowhere else."""
    if isinstance(part, list):
        return [_written_out(one, named) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _written_out(named[part["$ref"].rpartition("/")[2]], named)
    return {key: _written_out(value, named) for key, value in part.items()}


def read_as(request: HttpRequest, model: type[BaseModel]) -> Any:
    """Read and check a body. Raises PlaygroundError with every problem."""
    try:
        return model.model_validate(read_object(request))
    except ValidationError as error:
        items = tuple(
            problem(".".join(str(part) for part in item["loc"]), item["msg"], allowed=", ".join(model.model_fields))
            for item in error.errors()
        )
        raise PlaygroundError(422, "invalid-request", "The request cannot be understood", items) from None
