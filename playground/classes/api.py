from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema, Status
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playground.classes import news, people, questions, rooms
from playground.classes.asked import Asked
from playground.classes.table import answers_table
from playground.contract.classes import ClassModeName, ClassNews
from playground.errors import PlaygroundError, problem
from playground.ground import links
from playground.models import Classroom, QuestionState
from playground.web.access import base_url, outside_url, read_object, viewer_of
from playground.web.described import file_answer
from playground.web.rates import address_of
from playground.web.schemas import json_body
from scheduler_core.contract import HttpProblem

router = Router(tags=["classes"])
_ERRORS = dict.fromkeys((400, 403, 404, 409, 413, 415, 422, 429, 503), HttpProblem)
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


class JoinIn(_Body):
    code: str = Field(max_length=40)
    name: str = Field(default="", max_length=200)


class NameIn(_Body):
    name: str = Field(max_length=200)


class AnswerIn(_Body):
    value: int | float | list[int | float]


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


class TeacherOut(Schema):
    code: str
    join_url: str
    anonymous: bool
    students: list[StudentOut]
    questions: list[TeacherQuestionOut]


class OwnAnswerOut(Schema):
    question: int
    value: int | float | list[float]
    score: float | None


class OwnOut(Schema):
    number: int
    name: str
    answers: list[OwnAnswerOut]


class ClassOut(Schema):
    id: str
    url: str
    socket_url: str
    news: ClassNews
    teacher: TeacherOut | None
    student: OwnOut | None


def _body(model: type[BaseModel]) -> dict[str, Any]:
    return json_body(model.model_json_schema(), required=True)


def _read(request: HttpRequest, model: type[BaseModel]) -> Any:
    """Read and check a body. Raises PlaygroundError with every problem."""
    try:
        return model.model_validate(read_object(request))
    except ValidationError as error:
        items = tuple(
            problem(".".join(str(part) for part in item["loc"]), item["msg"], allowed=", ".join(model.model_fields))
            for item in error.errors()
        )
        raise PlaygroundError(422, "invalid-request", "The request cannot be understood", items) from None


@router.post("/classes", response={201: OpenedOut, **_ERRORS}, openapi_extra=_body(OpenIn))
def open_class(request: HttpRequest) -> Any:
    """Open a class. Its teacher is this browser session, and whoever has the owner token.

    It shows `experiment` (by its id) or a question of the `gallery` (by its name), where one is named.
    """
    asked = _read(request, OpenIn)
    viewer = viewer_of(request, make_session=True)
    opened = rooms.open_class(viewer=viewer, experiment=asked.experiment, gallery=asked.gallery)
    here = base_url(request)
    classroom = opened.classroom
    return Status(201, {
        "id": classroom.public_id,
        "code": classroom.code,
        "url": links.class_url(classroom, here),
        "teach_url": links.class_url(classroom, here, "teach"),
        "screen_url": links.class_url(classroom, here, "screen"),
        "join_url": f"{outside_url(request) or here}/join/{classroom.code}",
        "owner_token": opened.owner_token,
    })  # fmt: skip


@router.post("/classes/join", response={200: JoinedOut, **_ERRORS}, openapi_extra=_body(JoinIn))
def join_class(request: HttpRequest) -> Any:
    """Join a class by its code, under a name of one's own or, without one, under a drawn name.

    Who is in it already stays the same person; `token` is empty then.
    """
    asked = _read(request, JoinIn)
    classroom = people.find_by_code(code=asked.code, address=address_of(request))
    joined = people.join(classroom=classroom, name=asked.name, viewer=viewer_of(request, make_session=True))
    student = joined.student
    return {
        "id": classroom.public_id,
        "url": links.class_url(classroom, base_url(request)),
        "number": student.number,
        "name": student.name,
        "token": joined.token,
    }


@router.get("/classes/{class_id}", response={200: ClassOut, **_ERRORS})
def read_class(request: HttpRequest, class_id: str) -> Any:
    """Give a class to its teacher and its students: `teacher` is for the one, `student` for the others."""
    classroom, viewer = rooms.get_class(public_id=class_id), viewer_of(request)
    is_teacher = viewer.owns(classroom)
    student = people.student_of(classroom=classroom, viewer=viewer)
    if not is_teacher:
        student = people.own_student(classroom=classroom, viewer=viewer)
    return {
        **news.class_view(classroom, base_url(request)),
        "teacher": news.teacher_view(classroom, outside_url(request) or base_url(request)) if is_teacher else None,
        "student": news.student_view(student) if student is not None else None,
    }


@router.patch("/classes/{class_id}", response={200: ClassOut, **_ERRORS}, openapi_extra=_body(ChangeIn))
def change_class(request: HttpRequest, class_id: str) -> Any:
    """Change a class of yours: its mode, who may join, whether names are hidden, or what it shows."""
    asked = _read(request, ChangeIn)
    viewer = viewer_of(request)
    classroom = rooms.own_class(public_id=class_id, viewer=viewer)
    rooms.change_class(classroom=classroom, changes=asked.model_dump(exclude_none=True), viewer=viewer)
    return read_class(request, class_id)


@router.delete("/classes/{class_id}", response={204: None, **_ERRORS})
def delete_class(request: HttpRequest, class_id: str) -> Any:
    """Delete a class of yours, with all names and answers."""
    rooms.delete_class(classroom=rooms.own_class(public_id=class_id, viewer=viewer_of(request)))
    return Status(204, None)


@router.patch(
    "/classes/{class_id}/students/{number}", response={200: StudentOut, **_ERRORS}, openapi_extra=_body(NameIn)
)
def rename_student(request: HttpRequest, class_id: str, number: int) -> Any:
    """Rename a student of your class."""
    asked = _read(request, NameIn)
    student = people.person(classroom=_own(request, class_id), number=number)
    people.rename(student=student, name=asked.name)
    return {"number": student.number, "name": student.name, "score": 0.0}


@router.delete("/classes/{class_id}/students/{number}", response={204: None, **_ERRORS})
def remove_student(request: HttpRequest, class_id: str, number: int) -> Any:
    """Remove a student from your class, with name and answers. The same browser cannot join again."""
    people.remove(student=people.person(classroom=_own(request, class_id), number=number))
    return Status(204, None)


@router.post("/classes/{class_id}/questions", response={201: TeacherQuestionOut, **_ERRORS}, openapi_extra=_body(Asked))
def ask(request: HttpRequest, class_id: str) -> Any:
    """Prepare a question about the experiment that your class looks at. Its answer is computed from now on."""
    data, viewer = read_object(request), viewer_of(request)
    made = questions.ask(classroom=rooms.own_class(public_id=class_id, viewer=viewer), data=data, viewer=viewer)
    return Status(201, news.teacher_question(made))


@router.post("/classes/{class_id}/questions/{number}/open", response={200: TeacherQuestionOut, **_ERRORS})
def open_question(request: HttpRequest, class_id: str, number: int) -> Any:
    """Let everybody answer a question."""
    return _moved(request, class_id, number, QuestionState.OPEN)


@router.post("/classes/{class_id}/questions/{number}/close", response={200: TeacherQuestionOut, **_ERRORS})
def close_question(request: HttpRequest, class_id: str, number: int) -> Any:
    """Take no more answers."""
    return _moved(request, class_id, number, QuestionState.CLOSED)


@router.post("/classes/{class_id}/questions/{number}/reveal", response={200: TeacherQuestionOut, **_ERRORS})
def reveal_question(request: HttpRequest, class_id: str, number: int) -> Any:
    """Show everybody the computed answer beside what the class answered, and score every answer."""
    return _moved(request, class_id, number, QuestionState.REVEALED)


def _moved(request: HttpRequest, class_id: str, number: int, to: QuestionState) -> Any:
    read_object(request)
    question = questions.question_of(classroom=_own(request, class_id), number=number)
    questions.move(question=question, to=to)
    return news.teacher_question(question)


@router.put(
    "/classes/{class_id}/questions/{number}/answer",
    response={200: OwnAnswerOut, **_ERRORS},
    openapi_extra=_body(AnswerIn),
)
def answer(request: HttpRequest, class_id: str, number: int) -> Any:
    """Answer an open question, in place of an earlier answer of yours. What is answered here is stored."""
    asked = _read(request, AnswerIn)
    classroom = rooms.get_class(public_id=class_id)
    student = people.own_student(classroom=classroom, viewer=viewer_of(request))
    question = questions.question_of(classroom=classroom, number=number)
    stored = questions.answer(question=question, student=student, value=asked.value)
    return {"question": number, "value": stored.value, "score": None}


@router.get("/classes/{class_id}/answers.csv", response=_ERRORS, openapi_extra=file_answer("text/csv"))
def answers_csv(request: HttpRequest, class_id: str) -> Any:
    """Give the answers and scores of your class as CSV, a row for each answer."""
    response = HttpResponse(answers_table(_own(request, class_id)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="class-answers.csv"'
    return response


def _own(request: HttpRequest, class_id: str) -> Classroom:
    return rooms.own_class(public_id=class_id, viewer=viewer_of(request))
