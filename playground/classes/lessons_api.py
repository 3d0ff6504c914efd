from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Router

from playground.classes import rooms, teaching
from playground.classes.lessons import (
    checked_lesson,
    lesson_data,
    lesson_text,
    parse_lesson,
    ready_lesson,
    ready_lessons,
)
from playground.classes.schemas import (
    ERRORS,
    LessonDataIn,
    LessonDataOut,
    LessonFileOut,
    LessonIn,
    LessonOut,
    ReadyOut,
    body_of,
    read_as,
)
from playground.web.access import read_object, viewer_of
from playground.web.described import file_answer

router = Router(tags=["classes"])
_YAML = "application/yaml"


@router.get("/lessons", response=list[ReadyOut])
def lessons(request: HttpRequest) -> Any:
    """List the lessons that come with the product."""
    found = {name: ready_lesson(name) for name in ready_lessons()}
    return [{"name": name, "title": one.title, "minutes": one.minutes, "aims": one.aims} for name, one in found.items()]


# Before the address that has a lesson's name in it, which would take these for names.
@router.post("/lessons/read", response={200: LessonDataOut, **ERRORS}, openapi_extra=body_of(LessonIn))
def read_lesson(request: HttpRequest) -> Any:
    """Give a lesson as data for an editor: a lesson of the product (`name`), or a `file` (YAML)."""
    asked = read_as(request, LessonIn)
    return {"lesson": lesson_data(parse_lesson(asked.file) if asked.file else ready_lesson(asked.name))}


@router.post("/lessons/write", response={200: LessonFileOut, **ERRORS}, openapi_extra=body_of(LessonDataIn))
def write_lesson(request: HttpRequest) -> Any:
    """Give a lesson that is sent as data (`lesson`) as the text of a `file` (YAML), or all its problems."""
    # `checked_lesson` counts what it holds, and names the setting.
    asked = read_as(request, LessonDataIn, values=10 * settings.LIMIT_LESSON_ITEMS)
    return {"file": lesson_text(checked_lesson(asked.lesson))}


@router.get("/lessons/{lesson}", response=ERRORS, openapi_extra=file_answer(_YAML))
def lesson_file(request: HttpRequest, lesson: str) -> Any:
    """Give a lesson that comes with the product as a file."""
    return _yaml(lesson_text(ready_lesson(lesson)), f"{lesson}.yaml")


@router.post("/classes/{class_id}/lesson", response={200: LessonOut, **ERRORS}, openapi_extra=body_of(LessonIn))
def begin_lesson(request: HttpRequest, class_id: str) -> Any:
    """Teach a lesson in your class: a lesson of the product (`name`), or a `file` (YAML).

    The experiments of the lesson are stored, and its answers start to compute.
    """
    asked, viewer = read_as(request, LessonIn), viewer_of(request)
    classroom = rooms.own_class(public_id=class_id, viewer=viewer)
    lesson = parse_lesson(asked.file) if asked.file else ready_lesson(asked.name)
    teaching.begin_lesson(classroom=classroom, lesson=lesson, viewer=viewer)
    return teaching.lesson_view(classroom)


@router.post("/classes/{class_id}/lesson/steps/{step}", response={200: LessonOut, **ERRORS})
def go_to_step(request: HttpRequest, class_id: str, step: int) -> Any:
    """Go to a step of your class's lesson: show its run, open its question, or show its text."""
    read_object(request)
    viewer = viewer_of(request)
    classroom = rooms.own_class(public_id=class_id, viewer=viewer)
    teaching.go_to(classroom=classroom, number=step, viewer=viewer)
    return teaching.lesson_view(classroom)


@router.get("/classes/{class_id}/lesson.yaml", response=ERRORS, openapi_extra=file_answer(_YAML))
def class_lesson(request: HttpRequest, class_id: str) -> Any:
    """Give your class's lesson as a file. Without a lesson, the file has what the class was shown and asked."""
    classroom = rooms.own_class(public_id=class_id, viewer=viewer_of(request))
    return _yaml(teaching.recorded_lesson(classroom), "lesson.yaml")


def _yaml(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text.encode(), content_type=f"{_YAML}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
