"""Pages of lessons: those that come with the product, one of them to read or to print, and handouts of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playground.classes.handout import handout
from playground.classes.homework import get_homework
from playground.classes.lessons import Lesson, parse_lesson, ready_lesson, ready_lessons
from playground.classes.rooms import get_class
from playground.errors import PlaygroundError, not_found
from playground.ground.shared_places import asker
from playground.ground.viewers import Viewer
from playground.models import Classroom
from playground.web.cards import card_of
from playground.web.missing import Kind, missing
from playground.web.rates import address_of
from playground.web.words import gettext


@require_safe
def lessons(request: HttpRequest) -> HttpResponse:
    """List the lessons that come with the product."""
    found = [{"name": name, "lesson": ready_lesson(name)} for name in ready_lessons()]
    about = gettext("Lessons of a quarter of an hour: runs to watch, questions to guess, and what to say about them.")
    return render(
        request, "lessons.html", {"rows": found, "card": card_of(request, title=gettext("Lessons"), description=about)}
    )


@require_safe
def lesson(request: HttpRequest, name: str) -> HttpResponse:
    """Show a lesson that comes with the product, to read or to print; `?notes` adds the teacher's notes."""
    try:
        found = ready_lesson(name)
    except PlaygroundError as error:
        return missing(request, error, kind="lesson")
    return _sheet(request, found, notes="notes" in request.GET, name=name)


@require_safe
@never_cache
def class_handout(request: HttpRequest, class_id: str) -> HttpResponse:
    """Show the lesson of a class as a handout, to its teacher."""
    return _of_teacher(request, "class", lambda: get_class(public_id=class_id))


@require_safe
@never_cache
def homework_handout(request: HttpRequest, homework_id: str) -> HttpResponse:
    """Show the lesson of a homework as a handout, to its teacher."""
    return _of_teacher(request, "homework", lambda: get_homework(public_id=homework_id))


def _of_teacher(request: HttpRequest, kind: Kind, get: Callable[[], Classroom]) -> HttpResponse:
    try:
        classroom = get()
        if not classroom.lesson or not Viewer(session_key=request.session.session_key or "").owns(classroom):
            raise not_found("lesson")
        asker.set(address_of(request))
        found = parse_lesson(str(classroom.lesson["file"]))
    except PlaygroundError as error:
        return missing(request, error, kind=kind)
    return _sheet(request, found, notes="notes" in request.GET)


def _sheet(request: HttpRequest, found: Lesson, *, notes: bool, name: str = "") -> HttpResponse:
    told = handout(found, notes=notes)
    context: dict[str, Any] = {"lesson": told, "name": name}
    if name:
        context["card"] = card_of(request, title=found.title, description=" ".join(found.aims))
    return render(request, "lesson.html", context)
