"""A page with every component in both themes for people who change the style; only in development."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

_THEMES = ("light", "dark")
_GROUNDS = ("ground", "surface", "raised", "line", "line-strong", "edge", "cell-free", "cell-busy")
_INKS = ("ink", "muted", "heavy", "accent", "alarm", "data", "second", "ghost")
_TASKS = ("task", "task-second", "task-third", "task-fourth")


@require_safe
def components(request: HttpRequest) -> HttpResponse:
    if not settings.DEBUG:
        raise Http404
    return render(request, "components.html", {"themes": _THEMES, "colors": (*_GROUNDS, *_INKS, *_TASKS)})
