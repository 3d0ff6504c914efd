"""Pages of a homework: its students' and its teacher's."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playground.classes.homework import get_homework, homework_view
from playground.classes.names import MOST_NAME_CHARACTERS
from playground.errors import PlaygroundError
from playground.ground import links
from playground.ground.viewers import Viewer
from playground.models import Classroom
from playground.web.access import base_url, outside_url
from playground.web.cards import card_of
from playground.web.missing import missing
from playground.web.qr import qr_svg
from playground.web.words import gettext


@require_safe
@never_cache
def student(request: HttpRequest, homework_id: str) -> HttpResponse:
    """Show a homework to whoever has its link."""
    try:
        classroom = get_homework(public_id=homework_id)
    except PlaygroundError as error:
        return missing(request, error, kind="homework")
    told = homework_view(classroom)
    context = {
        "boot": {"homework": classroom.public_id},
        "homework": told,
        "ends_at": classroom.due_at,
        "most": MOST_NAME_CHARACTERS,
        "days": _days(),
        "card": card_of(request, title=told["title"], description=gettext("A homework on scheduling")),
    }
    return render(request, "homework.html", context)


@require_safe
@never_cache
def teach(request: HttpRequest, homework_id: str) -> HttpResponse:
    """Show a homework to its teacher: its link, who has answered, and the results."""
    try:
        classroom = get_homework(public_id=homework_id)
    except PlaygroundError as error:
        return missing(request, error, kind="homework")
    if not _is_own(request, classroom):
        return redirect("homework", homework_id=homework_id)
    context = {
        "boot": {"homework": classroom.public_id},
        "homework": homework_view(classroom),
        "ends_at": classroom.due_at,
        "link": _link(request, classroom),
        "outside": bool(outside_url(request)),
        "days": _days(),
    }
    return render(request, "homework_desk.html", context)


@require_safe
@never_cache
def qr(request: HttpRequest, homework_id: str) -> HttpResponse:
    """Give the link of a homework as a QR code, to whoever has it."""
    try:
        classroom = get_homework(public_id=homework_id)
    except PlaygroundError as error:
        return HttpResponse(f"{error.title}\n", status=error.status, content_type="text/plain; charset=utf-8")
    return HttpResponse(qr_svg(_link(request, classroom)), content_type="image/svg+xml")


def _is_own(request: HttpRequest, classroom: Classroom) -> bool:
    return Viewer(session_key=request.session.session_key or "").owns(classroom)


def _link(request: HttpRequest, classroom: Classroom) -> str:
    return links.homework_url(classroom, outside_url(request) or base_url(request))


def _days() -> int:
    return settings.KEEP_CLASSES_DAYS
