"""HTTP schemas of requests and responses about homework."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from playground.classes.schemas import (
    Aims,
    Flat,
    LessonTitle,
    OwnAnswerOut,
    Spread,
    StudentName,
    StudentNumber,
    Tied,
)
from playground.contract.classes import AskedQuestion, ClassShown
from playground.web.schemas import OwnerToken, Shape

HomeworkId = Annotated[str, Field(description="The id of the homework, which is a class without a code.")]
EndsAt = Annotated[str, Field(description="When the homework ends: nobody can answer after this time.")]
_Time = Annotated[str, Field(max_length=40)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class HomeworkIn(_Body):
    name: str = Field(default="", max_length=64)
    file: str = ""
    ends_at: _Time
    at_once: bool = False


class EndIn(_Body):
    ends_at: _Time


class NameOnlyIn(_Body):
    name: str = Field(default="", max_length=200)


class GivenOut(Shape):
    """A homework that was given, with what its teacher needs."""

    id: HomeworkId
    url: str
    """The link for students: whoever has it may join."""
    teach_url: str
    """The teacher's page."""
    ends_at: EndsAt
    owner_token: OwnerToken


class MemberOut(Shape):
    """A student who joined a homework."""

    number: StudentNumber
    name: StudentName
    token: str
    """The token with which a program acts as this student. Empty if you are in the homework already."""


class HomeworkStepOut(Shape):
    """A step of a homework."""

    kind: str
    """What the step does: `show` (a run), `question`, `explore`, `challenge`, or `text` alone."""
    name: str
    """What the step shows or opens. Otherwise empty."""
    text: str
    """What students read; may be empty."""
    minutes: float
    """How long the step takes, in minutes."""
    question: AskedQuestion | None
    """The step's question, with its result once you may see it; null for a step of another kind."""
    shown: ClassShown | None
    """The run that the step shows, or of which it opens parameters; null for a step of another kind."""
    challenge: str | None
    """The id of the step's challenge; null for a step of another kind."""


class MeOut(Shape):
    """A student, as the student reads it."""

    number: StudentNumber
    name: StudentName
    answers: list[OwnAnswerOut]
    """Your answers, by question."""


class HomeworkStudentOut(Shape):
    """A student of a homework, as the teacher sees it."""

    number: StudentNumber
    name: StudentName
    answered: int
    """How many questions the student has answered."""
    score: float
    """The sum of the scores of all answers that have one, each 0 to 1."""


class HomeworkQuestionOut(Shape):
    """A question of a homework, as the teacher sees it."""

    number: int
    """The number of the question in the homework, counted from 1."""
    text: str
    """The question in words."""
    answered: int
    """How many students have answered."""
    score: float | None
    """The mean score of the answers that have one; null without one."""
    computed: str
    """How far the runs are that compute the answer: the state of a run; `done` if the answer is known."""
    tied: Tied
    spread: Spread
    flat: Flat


class HomeworkResultsOut(Shape):
    """What the teacher alone reads about a homework."""

    locked: bool
    """Whether the homework admits no new students."""
    students: list[HomeworkStudentOut]
    """The students, by number."""
    questions: list[HomeworkQuestionOut]
    """The questions, by number."""


class HomeworkOut(Shape):
    """A homework, with what you may read about it."""

    id: HomeworkId
    title: LessonTitle
    aims: Aims
    minutes: float
    """How long all steps take, in minutes."""
    questions: int
    """How many questions it has."""
    ends_at: EndsAt
    over: bool
    """Whether the homework has ended. Then students see results and scores."""
    at_once: bool
    """Whether each result is shown after the own answer, which is final then."""
    steps: list[HomeworkStepOut] | None
    """The steps, in order; null before you join."""
    student: MeOut | None
    """What a student reads; null unless the request is a student's."""
    teacher: HomeworkResultsOut | None
    """What the teacher reads; null unless the request is the teacher's."""
