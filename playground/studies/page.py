"""The pages of studies: one study, and some runs side by side."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playground.errors import PlaygroundError
from playground.ground.viewers import Viewer
from playground.models import Study
from playground.studies.service import get_study, list_studies, study_payload
from playground.web.away import waits_for_redis
from playground.web.cards import card_of
from playground.web.missing import missing
from playground.web.setting_words import parameter, value_and_unit
from playground.web.words import gettext, ngettext


@require_safe
@never_cache
@waits_for_redis
def studies(request: HttpRequest) -> HttpResponse:
    """List the studies of this browser."""
    viewer = Viewer(session_key=request.session.session_key or "")
    rows = [_row(found, study_payload(study=found, viewer=viewer)) for found in list_studies(viewer=viewer)]
    return render(request, "studies.html", {"rows": rows})


def _row(found: Study, told: dict[str, Any]) -> dict[str, Any]:
    axes = [_varied(axis, ": ") for axis in told["plan"].get("axes") or []]
    return {
        "study": told,
        "created_at": found.created_at,
        "axes": axes,
        "schedulers": [one["label"] for one in told["schedulers"]],
        "seeds": len(told["seeds"]),
        "over": told["done"] + told["failed"],
    }


def _varied(axis: dict[str, Any], sign: str) -> str:
    """Return in words what an axis varies, and what changes along with it."""
    parts = [f"{parameter(one['path'])}{sign}{_span(one)}" for one in (axis, *axis.get("along", ()))]
    told = parts[0]
    if len(parts) > 1:
        told = gettext("{first}, along with {others}", first=parts[0], others=", ".join(parts[1:]))
    if axis.get("holds") == "work":
        return gettext("{axis} (same work)", axis=told)
    return gettext("{axis} (same load)", axis=told) if axis.get("holds") == "load" else told


def _span(axis: dict[str, Any]) -> str:
    """Return a parameter's values in words: all of a few values, or the range."""
    told = [value_and_unit(axis["path"], value) for value in axis["values"]]
    if len(told) <= 4:
        return ", ".join(told)
    return gettext("{first} to {last} ({n} values)", first=told[0], last=told[-1], n=len(told))


@require_safe
@waits_for_redis
def study(request: HttpRequest, study_id: str) -> HttpResponse:
    """Show a study; the page asks for its results itself, as they come."""
    try:
        found = get_study(public_id=study_id)
    except PlaygroundError as error:
        return missing(request, error, kind="study")
    payload = study_payload(study=found, viewer=Viewer(session_key=request.session.session_key or ""))
    card = card_of(request, title=payload["name"] or gettext("Study"), description=_about(payload))
    return render(request, "study.html", {"boot": {"study": payload}, "study": payload, "card": card})


def _about(told: dict[str, Any]) -> str:
    """Return a sentence about what a study asks, for viewers who see only its link."""
    axes = [_varied(axis, " ") for axis in told["plan"].get("axes") or []]
    schedulers, seeds = ", ".join(one["label"] for one in told["schedulers"]), len(told["seeds"])
    over = ngettext("{n} seed", "{n} seeds", seeds)
    return gettext("{what}; {seeds}, with 95 % intervals.", what="; ".join([schedulers, *axes]), seeds=over)
