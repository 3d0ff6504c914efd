"""Pages of classes: open one, join one, and the pages of its students, its teacher and its projector."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playground.arena.challenges import list_challenges, spec_of
from playground.arena.declared import shipped
from playground.classes import competing
from playground.classes.exploring import measures
from playground.classes.lessons import ready_lesson, ready_lessons
from playground.classes.names import CODE_LENGTH, MOST_NAME_CHARACTERS, typed_code
from playground.classes.people import student_of
from playground.classes.rooms import classes_of, get_class
from playground.classes.screens import SECRET_LETTERS, admit, screen_code, shows
from playground.errors import PlaygroundError
from playground.gallery.service import experiment_of, gallery
from playground.ground.viewers import Viewer
from playground.models import ChallengeState, Classroom
from playground.web.access import base_url, outside_url
from playground.web.missing import missing
from playground.web.qr import qr_svg
from playground.web.words import gettext


def _viewer(request: HttpRequest) -> Viewer:
    return Viewer(session_key=request.session.session_key or "")


@require_safe
@never_cache
def classes(request: HttpRequest) -> HttpResponse:
    """List the classes of this browser, and open one."""
    viewer = _viewer(request)
    context = {
        "rows": classes_of(viewer=viewer),
        "homework": classes_of(viewer=viewer, homework=True),
        "lessons": _lessons(),
        "days": settings.KEEP_CLASSES_DAYS,
    }
    return render(request, "classes.html", context)


@require_safe
@never_cache
def join(request: HttpRequest, code: str = "") -> HttpResponse:
    """Ask for a code and a name."""
    context = {
        "code": typed_code(code),
        "unknown": code[:40] if code and not typed_code(code) else "",
        "letters": CODE_LENGTH,
        "most": MOST_NAME_CHARACTERS,
        "days": settings.KEEP_CLASSES_DAYS,
    }
    return render(request, "join.html", context)


@require_safe
@never_cache
def student(request: HttpRequest, class_id: str) -> HttpResponse:
    """Show a class to a student; who is not in it is asked for the code."""
    try:
        classroom = get_class(public_id=class_id)
    except PlaygroundError as error:
        return missing(request, error, kind="class")
    if classroom.due_at is not None:
        return redirect("homework", homework_id=class_id)
    if student_of(classroom=classroom, viewer=_viewer(request)) is None:
        return redirect("join")
    return render(request, "class.html", {"boot": {"class": classroom.public_id}})


@require_safe
@never_cache
def teach(request: HttpRequest, class_id: str) -> HttpResponse:
    """Show a class to its teacher."""
    return _for_teacher(request, class_id, "class_desk.html")


@require_safe
@never_cache
def screen(request: HttpRequest, class_id: str) -> HttpResponse:
    """Show a class on a projector, in the browser of its teacher or in one that its code admitted."""
    return _for_teacher(request, class_id, "class_screen.html", on_projector=True)


@require_safe
@never_cache
def screen_elsewhere(request: HttpRequest, code: str = "") -> HttpResponse:
    """Ask for the code of a projector page on a computer that is not the teacher's; lead there with a right one."""
    typed, said, status = code or request.GET.get("code", ""), "", 200
    if typed:
        try:
            return redirect("class-screen", class_id=admit(request, typed=typed).public_id)
        except PlaygroundError as error:
            wrong = gettext("No projector page has this code. Check the letters on the teacher's page.")
            said, status = wrong if error.status == 404 else error.title, error.status
    context = {"typed": typed[:40], "said": said, "letters": CODE_LENGTH + SECRET_LETTERS}
    return render(request, "screen.html", context, status=status)


def _for_teacher(request: HttpRequest, class_id: str, template: str, *, on_projector: bool = False) -> HttpResponse:
    try:
        classroom = get_class(public_id=class_id)
    except PlaygroundError as error:
        return missing(request, error, kind="class")
    viewer = _viewer(request)
    if not (shows(classroom, viewer) if on_projector else viewer.owns(classroom)):
        return redirect("class", class_id=class_id)
    if classroom.due_at is not None:
        return redirect("homework-teach", homework_id=class_id)
    address = (outside_url(request) or base_url(request)).partition("://")[2]
    context = {"classroom": classroom, "boot": _boot(request, classroom), "join_address": f"{address}/join"}
    if not on_projector:
        context |= {"screen_address": f"{address}/screen", "screen_code": screen_code(classroom)}
    return render(request, template, context)


def _boot(request: HttpRequest, classroom: Classroom) -> dict[str, Any]:
    return {
        "class": classroom.public_id,
        "outside": outside_url(request),
        "lessons": _lessons(),
        "measures": measures(),
        "challenges": [*_challenges(), *_own_challenges(_viewer(request))],
        "gallery": [
            {"name": entry.name, "question": gettext(entry.question), "asked": entry.question} for entry in gallery()
        ],
    }


@require_safe
@never_cache
def challenge(request: HttpRequest, class_id: str) -> HttpResponse:
    """Show the challenge that a class plays, with the class's own board, to its teacher and its students."""
    viewer = _viewer(request)
    try:
        classroom = get_class(public_id=class_id)
        name = request.GET.get("challenge", "")[:64]
        told = competing.challenge_view(classroom=classroom, viewer=viewer, name=name)
        board = competing.class_board(classroom=classroom, viewer=viewer, name=name)
        author = competing.author_of(classroom, viewer)
    except PlaygroundError as error:
        return missing(request, error, kind="class") if error.status == 404 else redirect("class", class_id=class_id)
    told |= {"state": board["state"]}
    boot: dict[str, Any] = {"challenge": told, "board": board, "own": [], "author": author, "stays": bool(name)}
    boot["class"] = classroom.public_id
    context = {"challenge": told | {"mine": False}, "boot": boot, "class_url": f"/classes/{classroom.public_id}"}
    return render(request, "challenge.html", context)


@require_safe
def lesson_editor(request: HttpRequest) -> HttpResponse:
    """Show the lesson editor; the draft is in the browser alone."""
    boot = {
        "lessons": _lessons(),
        "measures": measures(),
        "challenges": _challenges(),
        "gallery": [
            {"name": entry.name, "question": gettext(entry.question), "experiment": experiment_of(entry)}
            for entry in gallery()
        ],
    }
    return render(request, "lesson_editor.html", {"boot": boot})


def _challenges() -> list[dict[str, str]]:
    return [{"name": name, "title": gettext(spec.title)} for name, spec in shipped().items()]


def _own_challenges(viewer: Viewer) -> list[dict[str, str]]:
    """Return the open challenges that a teacher made."""
    found = [one for one in list_challenges(viewer=viewer) if not one.name and one.state == ChallengeState.OPEN]
    return [{"name": one.public_id, "title": spec_of(one).title} for one in found]


def _lessons() -> list[dict[str, Any]]:
    found = {name: ready_lesson(name) for name in ready_lessons()}
    return [{"name": name, "title": one.title, "minutes": one.minutes} for name, one in found.items()]


@require_safe
@never_cache
def qr(request: HttpRequest, class_id: str) -> HttpResponse:
    """Give the address where students join as a QR code, to the class's teacher and its projector."""
    try:
        classroom = get_class(public_id=class_id)
    except PlaygroundError as error:
        return HttpResponse(f"{error.title}\n", status=error.status, content_type="text/plain; charset=utf-8")
    if not shows(classroom, _viewer(request)) or not classroom.code:
        return HttpResponse("Only the class's teacher\n", status=403, content_type="text/plain; charset=utf-8")
    link = f"{outside_url(request) or base_url(request)}/join/{classroom.code}"
    return HttpResponse(qr_svg(link), content_type="image/svg+xml")
