from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Status

from playground.classes import homework, people, rooms
from playground.classes.homework_schemas import EndIn, GivenOut, HomeworkIn, HomeworkOut, MemberOut, NameOnlyIn
from playground.classes.lessons import parse_lesson, ready_lesson
from playground.classes.schemas import ERRORS, body_of, read_as
from playground.ground import links
from playground.web.access import base_url, outside_url, viewer_of

router = Router(tags=["homework"])


@router.post("/homework", response={201: GivenOut, **ERRORS}, openapi_extra=body_of(HomeworkIn))
def give_homework(request: HttpRequest) -> Any:
    """Give a lesson as homework: a lesson of the product (`name`), or a `file` (YAML).

    Students open its link and answer at their own pace until `ends_at`. The server keeps it for 30 days after that.
    Results are shown after the end; `at_once` shows each result after the own answer, which is final then.
    """
    asked = read_as(request, HomeworkIn)
    viewer = viewer_of(request, make_session=True)
    lesson = parse_lesson(asked.file) if asked.file else ready_lesson(asked.name)
    given = homework.give_homework(lesson=lesson, ends_at=asked.ends_at, at_once=asked.at_once, viewer=viewer)
    classroom, here = given.classroom, outside_url(request) or base_url(request)
    return Status(201, {
        "id": classroom.public_id,
        "url": links.homework_url(classroom, here),
        "teach_url": links.homework_url(classroom, base_url(request), "teach"),
        "ends_at": homework.homework_view(classroom)["ends_at"],
        "owner_token": given.owner_token,
    })  # fmt: skip


@router.get("/homework/{homework_id}", response={200: HomeworkOut, **ERRORS})
def read_homework(request: HttpRequest, homework_id: str) -> Any:
    """Give a homework: `student` is filled for its students, `teacher` for its teacher, `steps` for both.

    Answers go to `PUT /classes/{id}/questions/{number}/answer`; `GET /classes/{id}/answers.csv` gives them to the
    teacher, and `DELETE /classes/{id}` deletes the homework.
    """
    classroom, viewer = homework.get_homework(public_id=homework_id), viewer_of(request)
    is_teacher = viewer.owns(classroom)
    student = people.student_of(classroom=classroom, viewer=viewer)
    if student is not None and not is_teacher:
        student = people.own_student(classroom=classroom, viewer=viewer)
    told = homework.homework_view(classroom) | {"steps": None, "student": None, "teacher": None}
    if student is None and not is_teacher:
        return told
    homework.settle(classroom)
    if student is not None:
        me = {"number": student.number, "name": student.name, "answers": homework.answers_of(student)}
        told |= {"student": me}
    if is_teacher:
        told |= {"teacher": homework.results_view(classroom)}
    return told | {"steps": homework.steps_for(classroom, student)}


@router.patch("/homework/{homework_id}", response={200: HomeworkOut, **ERRORS}, openapi_extra=body_of(EndIn))
def change_homework(request: HttpRequest, homework_id: str) -> Any:
    """Let a homework of yours end at another time. Once it is over, its end stays."""
    asked = read_as(request, EndIn)
    homework.get_homework(public_id=homework_id)
    classroom = rooms.own_class(public_id=homework_id, viewer=viewer_of(request))
    homework.move_end(classroom=classroom, ends_at=asked.ends_at)
    return read_homework(request, homework_id)


@router.post("/homework/{homework_id}/join", response={200: MemberOut, **ERRORS}, openapi_extra=body_of(NameOnlyIn))
def join_homework(request: HttpRequest, homework_id: str) -> Any:
    """Join a homework under a name of your choice or a drawn one. If you are in it already, you stay who you are."""
    asked = read_as(request, NameOnlyIn)
    classroom = homework.get_homework(public_id=homework_id)
    joined = homework.join(classroom=classroom, name=asked.name, viewer=viewer_of(request, make_session=True))
    return {"number": joined.student.number, "name": joined.student.name, "token": joined.token}
