from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Status

from playground.classes import competing, homework, news, people, questions, rooms
from playground.classes.asked import Asked
from playground.classes.schemas import (
    ERRORS,
    AnswerIn,
    ChangeIn,
    ClassOut,
    JoinedOut,
    JoinIn,
    NameIn,
    OpenedClassOut,
    OpenIn,
    OwnAnswerOut,
    StudentOut,
    TeacherQuestionOut,
    body_of,
    read_as,
)
from playground.classes.table import answers_table
from playground.ground import links
from playground.models import Classroom, QuestionState
from playground.web.access import base_url, outside_url, read_object, viewer_of
from playground.web.described import file_answer
from playground.web.rates import address_of, key_of_address

router = Router(tags=["classes"])


@router.post("/classes", response={201: OpenedClassOut, **ERRORS}, openapi_extra=body_of(OpenIn))
def open_class(request: HttpRequest) -> Any:
    """Open a class. Its teachers are this browser session and everybody who has the owner token.

    It may show an `experiment` (by id) or a question of the `gallery` (by name).
    """
    asked = read_as(request, OpenIn)
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


@router.post("/classes/join", response={200: JoinedOut, **ERRORS}, openapi_extra=body_of(JoinIn))
def join_class(request: HttpRequest) -> Any:
    """Join a class by its code, under a name of your choice or a drawn one.

    If you are in the class already, you stay the same student, and `token` is empty.
    """
    asked = read_as(request, JoinIn)
    key = key_of_address(request)
    classroom = people.find_by_code(code=asked.code, address=address_of(request), key=key)
    joined = people.join(classroom=classroom, name=asked.name, viewer=viewer_of(request, make_session=True))
    student = joined.student
    return {
        "id": classroom.public_id,
        "url": links.class_url(classroom, base_url(request)),
        "number": student.number,
        "name": student.name,
        "token": joined.token,
    }


@router.get("/classes/{class_id}", response={200: ClassOut, **ERRORS})
def read_class(request: HttpRequest, class_id: str) -> Any:
    """Give a class: `teacher` is filled for its teacher, `student` for its students."""
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


@router.patch("/classes/{class_id}", response={200: ClassOut, **ERRORS}, openapi_extra=body_of(ChangeIn))
def change_class(request: HttpRequest, class_id: str) -> Any:
    """Change a class of yours: its mode, who may join, whether names are hidden, what it shows, or its challenge."""
    asked = read_as(request, ChangeIn)
    viewer = viewer_of(request)
    classroom = rooms.own_class(public_id=class_id, viewer=viewer)
    if asked.challenge:
        competing.compete(classroom=classroom, name=asked.challenge)
    rooms.change_class(classroom=classroom, changes=asked.model_dump(exclude_none=True), viewer=viewer)
    return read_class(request, class_id)


@router.delete("/classes/{class_id}", response={204: None, **ERRORS})
def delete_class(request: HttpRequest, class_id: str) -> Any:
    """Delete a class of yours, with all names and answers."""
    rooms.delete_class(classroom=rooms.own_class(public_id=class_id, viewer=viewer_of(request)))
    return Status(204, None)


@router.patch(
    "/classes/{class_id}/students/{number}", response={200: StudentOut, **ERRORS}, openapi_extra=body_of(NameIn)
)
def rename_student(request: HttpRequest, class_id: str, number: int) -> Any:
    """Rename a student of your class."""
    asked = read_as(request, NameIn)
    student = people.person(classroom=_own(request, class_id), number=number)
    people.rename(student=student, name=asked.name)
    return {"number": student.number, "name": student.name, "score": 0.0}


@router.delete("/classes/{class_id}/students/{number}", response={204: None, **ERRORS})
def remove_student(request: HttpRequest, class_id: str, number: int) -> Any:
    """Remove a student from your class, with name and answers. The same browser cannot join again."""
    people.remove(student=people.person(classroom=_own(request, class_id), number=number))
    return Status(204, None)


@router.post(
    "/classes/{class_id}/questions",
    response={201: TeacherQuestionOut, **ERRORS},
    openapi_extra=body_of(Asked),
)
def ask(request: HttpRequest, class_id: str) -> Any:
    """Prepare a question about the experiment that your class sees, and start to compute its answer."""
    data, viewer = read_object(request), viewer_of(request)
    made = questions.ask(classroom=rooms.own_class(public_id=class_id, viewer=viewer), data=data, viewer=viewer)
    return Status(201, news.teacher_question(made))


@router.post("/classes/{class_id}/questions/{number}/open", response={200: TeacherQuestionOut, **ERRORS})
def open_question(request: HttpRequest, class_id: str, number: int) -> Any:
    """Let everybody answer a question."""
    return _moved(request, class_id, number, QuestionState.OPEN)


@router.post("/classes/{class_id}/questions/{number}/close", response={200: TeacherQuestionOut, **ERRORS})
def close_question(request: HttpRequest, class_id: str, number: int) -> Any:
    """Close a question: no more answers are accepted."""
    return _moved(request, class_id, number, QuestionState.CLOSED)


@router.post("/classes/{class_id}/questions/{number}/reveal", response={200: TeacherQuestionOut, **ERRORS})
def reveal_question(request: HttpRequest, class_id: str, number: int) -> Any:
    """Show everybody the computed answer beside the class's answers, and score every answer."""
    return _moved(request, class_id, number, QuestionState.REVEALED)


def _moved(request: HttpRequest, class_id: str, number: int, to: QuestionState) -> Any:
    read_object(request)
    question = questions.question_of(classroom=_own(request, class_id), number=number)
    questions.move(question=question, to=to)
    return news.teacher_question(question)


@router.put(
    "/classes/{class_id}/questions/{number}/answer",
    response={200: OwnAnswerOut, **ERRORS},
    openapi_extra=body_of(AnswerIn),
)
def answer(request: HttpRequest, class_id: str, number: int) -> Any:
    """Answer an open question. The answer is stored and replaces your earlier one."""
    asked = read_as(request, AnswerIn)
    classroom = rooms.bare_class(public_id=class_id)
    student = people.own_student(classroom=classroom, viewer=viewer_of(request))
    question = questions.bare_question(classroom=classroom, number=number)
    stored = questions.answer(question=question, student=student, value=asked.value)
    return {"question": number, "value": stored.value, "score": None}


@router.get("/classes/{class_id}/answers.csv", response=ERRORS, openapi_extra=file_answer("text/csv"))
def answers_csv(request: HttpRequest, class_id: str) -> Any:
    """Give the answers and scores of your class or homework as CSV, a row for each answer."""
    classroom = _own(request, class_id)
    homework.settle(classroom)
    response = HttpResponse(answers_table(classroom), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="class-answers.csv"'
    return response


def _own(request: HttpRequest, class_id: str) -> Classroom:
    return rooms.own_class(public_id=class_id, viewer=viewer_of(request))
