"""HTTP schemas of requests and responses about classes."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from django.http import HttpRequest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema

from playground.contract.classes import AskedQuestion, ClassExplore, ClassModeName, ClassNews
from playground.errors import MOST_PROBLEMS, PlaygroundError, problem
from playground.web.access import read_object
from playground.web.schemas import OwnerToken, PreviewNumber, PreviewSocket, Shape, json_body
from scheduler_core.contract import HttpProblem

ERRORS = dict.fromkeys((400, 403, 404, 409, 413, 415, 422, 429, 503), HttpProblem)
_Named = Annotated[str, Field(max_length=64)]
ClassId = Annotated[str, Field(description="The id of the class.")]
ClassUrl = Annotated[str, Field(description="The students' page.")]
StudentNumber = Annotated[int, Field(description="The student's number in the class, counted from 1.")]
StudentName = Annotated[str, Field(description="The student's name.")]
LessonTitle = Annotated[str, Field(description="The title of the lesson.")]
Tied = Annotated[
    list[int],
    Field(
        description="The options of a choice that its runs cannot tell apart, so that each counts as right. Empty if "
        "one is best."
    ),
]
Spread = Annotated[
    float | None,
    Field(
        description="Of a number or a curve: the part of the scale that the intervals over the seeds cover, so that "
        "every answer there has the full score. Null below a quarter, and for other kinds."
    ),
]
Flat = Annotated[bool, Field(description="Whether the runs cannot tell any two places of a curve apart.")]
Aims = Annotated[list[str], Field(description="What students will learn; may be empty.")]


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


class ComputedIn(_Body):
    values: dict[str, int | float | str | bool] = Field(max_length=6)
    start: str = Field(max_length=64)
    digest: str = Field(max_length=64)
    figures: dict[str, Annotated[Any, WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "null"}]})]] = Field(
        max_length=32
    )


class SpotIn(_Body):
    number: int = Field(ge=0)


class OpenedClassOut(Shape):
    """A class that was opened, with what its teacher needs."""

    id: ClassId
    code: str
    """The code that students type to join."""
    url: ClassUrl
    teach_url: str
    """The teacher's page."""
    screen_url: str
    """The page for the projector."""
    join_url: str
    """The page on which students join, with the code filled in."""
    owner_token: OwnerToken


class JoinedOut(Shape):
    """A student who joined."""

    id: ClassId
    url: ClassUrl
    number: StudentNumber
    name: str
    """The student's name: the chosen or a drawn one."""
    token: str
    """The token with which a program acts as this student. Empty if you are in the class already."""


class StudentOut(Shape):
    """A student, as the teacher sees it."""

    number: StudentNumber
    name: StudentName
    score: float
    """The sum of the scores of all answers, at most 1 for each. In the answer to a new name it is 0."""


class TeacherQuestionOut(Shape):
    """A question, as the teacher sees it."""

    like: ClassVar[Any] = AskedQuestion

    number: int
    state: str
    kind: str
    text: str
    answered: int
    computed: str
    """How far the runs are that compute the answer: the state of a run; `done` if the answer is known."""
    tied: Tied
    spread: Spread
    flat: Flat


class LessonIn(_Body):
    name: _Named = ""
    file: str = ""


class LessonDataIn(_Body):
    lesson: dict[str, Any]


class LessonDataOut(Shape):
    """A lesson for an editor."""

    lesson: dict[str, Any]
    """The lesson as data, in the form of a lesson file, without what is left at its default."""


class LessonFileOut(Shape):
    """A lesson as a file."""

    file: str
    """The text of the lesson file (YAML)."""


class StepOut(Shape):
    """A step of a lesson."""

    kind: str
    """What the step does: `show` (a run), `question`, `explore`, `challenge`, or `text` alone."""
    name: str
    """What the step shows or opens: the title of a run or a challenge, or the labels of parameters. Otherwise empty."""
    text: str
    """What students read; may be empty."""
    notes: str
    """Notes for the teacher alone; may be empty."""
    minutes: float
    """How long the step takes, in minutes."""
    question: int | None = None
    """The number of the step's question in the class; null for a step of another kind."""
    explore: dict[str, Any] | None = None
    """What the step lets students change, as in a lesson file; null for a step of another kind."""


class LessonOut(Shape):
    """The lesson that a class is taught."""

    title: LessonTitle
    aims: Aims
    guesses: list[str]
    """What students will guess wrong, for the teacher; may be empty."""
    point: str
    """What students should have understood at the end, for the teacher; may be empty."""
    at: int
    """The number of the current step, counted from 0."""
    steps: list[StepOut]
    """The steps, in order."""


class ReadyOut(Shape):
    """A lesson that comes with the product."""

    name: str
    """The name of the lesson in requests."""
    title: LessonTitle
    minutes: float
    """How long all steps take, in minutes."""
    aims: Aims


class PlayedOut(Shape):
    """A challenge that a class has played, on a board of its own."""

    id: str
    """The id of the challenge."""
    title: str
    """The title of the challenge."""
    entries: int
    """How many entries the class's board has."""
    closed_at: str | None
    """When the teacher closed the class's board; null while it takes entries."""
    url: str
    """The page of the class's board."""


class TeacherOut(Shape):
    """What the teacher alone reads about a class."""

    code: str
    """The code that students type to join; empty if nobody can join any more."""
    join_url: str
    """The page on which students join; empty without a code."""
    anonymous: bool
    """Whether the names of students are hidden from the class and the projector."""
    lesson: LessonOut | None
    """The lesson; null without one."""
    students: list[StudentOut]
    """The students, by number."""
    questions: list[TeacherQuestionOut]
    """All questions, by number."""
    challenges: list[PlayedOut]
    """The challenges that the class has played, the newest first."""


class OwnAnswerOut(Shape):
    """An answer of yours."""

    question: int
    """The number of the question in the class."""
    value: int | float | list[float]
    """What you answered: the option's number, a number, the numbers of a curve, or a machine's or task's number."""
    score: float | None
    """The score of the answer, 0 to 1; null until the question is revealed."""


class OwnForkOut(Shape):
    """A student's values, and what a preview computed with them."""

    values: dict[str, int | float | str | bool]
    """The value of each open parameter, by the parameter's path."""
    figures: dict[str, float | None] | None
    """The measured numbers by the names of measures; null while they are computed, and after a failure."""
    failure: str
    """Why the preview failed. Otherwise empty."""
    digest: str
    """The digest of the outcome. Empty while it is computed, and after a failure."""
    by_phone: bool
    """Whether the student's phone computed the figures, not the server."""


class AskedForkOut(OwnForkOut):
    """Your values, and the socket that will send the answer."""

    preview: PreviewNumber
    socket_url: PreviewSocket


class WallForkOut(OwnForkOut):
    """A student's values on the wall."""

    number: StudentNumber
    name: StudentName


class WallOut(Shape):
    """Every student's values and figures."""

    explore: ClassExplore | None
    """What students may change; null unless the class explores."""
    spot: int | None
    """The number of the student whose run the projector shows; null for the wall."""
    forks: list[WallForkOut]
    """The students who have changed something."""


class OwnOut(Shape):
    """What a student alone reads about a class."""

    number: StudentNumber
    name: StudentName
    answers: list[OwnAnswerOut]
    """Your answers, by question."""
    fork: OwnForkOut | None
    """Your values in an exploration; null before you change something."""


class ClassOut(Shape):
    """A class, with what you may read about it."""

    id: ClassId
    url: ClassUrl
    socket_url: str
    """The socket that sends the class's news, `/ws/classes/{id}`."""
    news: ClassNews
    """What everybody in the class is told."""
    teacher: TeacherOut | None
    """What the teacher reads; null unless the request is the teacher's."""
    student: OwnOut | None
    """What a student reads; null unless the request is a student's."""


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


def read_as(request: HttpRequest, model: type[BaseModel], **bounds: int) -> Any:
    """Read and check a body, within the `bounds` of `read_object`. Raises PlaygroundError with its problems."""
    return checked_as(read_object(request, **bounds), model)


def checked_as(data: object, model: type[BaseModel]) -> Any:
    """Check an object that a client sent. Raises PlaygroundError with its problems."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        allowed = ", ".join(model.model_fields)
        items = tuple(
            problem(".".join(str(part) for part in item["loc"]), item["msg"], allowed=allowed)
            for item in error.errors(include_url=False)[: MOST_PROBLEMS + 1]
        )
        raise PlaygroundError(422, "invalid-request", "The request cannot be understood", items) from None
