"""The pages of comparing: one study, and some runs side by side."""

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
from playground.web.words import gettext
from scheduler_core.experiment.labels import label_of


@require_safe
@never_cache
@waits_for_redis
def studies(request: HttpRequest) -> HttpResponse:
    """List the studies of this browser."""
    viewer = Viewer(session_key=request.session.session_key or "")
    rows = [_row(found, study_payload(study=found, viewer=viewer)) for found in list_studies(viewer=viewer)]
    return render(request, "studies.html", {"rows": rows})


def _row(found: Study, told: dict[str, Any]) -> dict[str, Any]:
    axes = [f"{_parameter(axis['path'])}: {_span(axis)}" for axis in told["plan"].get("axes") or []]
    return {
        "study": told,
        "created_at": found.created_at,
        "axes": axes,
        "schedulers": [one["label"] for one in told["schedulers"]],
        "seeds": len(told["seeds"]),
        "over": told["done"] + told["failed"],
    }


def _parameter(path: str) -> str:
    """Name a parameter by its label, such as `Heartbeat interval`; without one, by the last part of its path."""
    return gettext(label_of(path)) or path.rpartition(".")[2].removesuffix("_s").replace("_", " ")


def _span(axis: dict[str, Any]) -> str:
    """Say what a parameter is varied over: all of a few values, else from where to where; seconds by their unit."""
    told = [str(value) for value in axis["values"]]
    unit = " s" if axis["path"].endswith("_s") else ""
    return f"{', '.join(told)}{unit}" if len(told) <= 4 else f"{told[0]} to {told[-1]}{unit} ({len(told)} values)"


@require_safe
@waits_for_redis
def study(request: HttpRequest, study_id: str) -> HttpResponse:
    """Show a study; the page asks for its results itself, as they come."""
    try:
        found = get_study(public_id=study_id)
    except PlaygroundError as error:
        return missing(request, error, kind="study")
    payload = study_payload(study=found, viewer=Viewer(session_key=request.session.session_key or ""))
    card = card_of(request, title=payload["name"] or "Study", description=_about(payload))
    return render(request, "study.html", {"boot": {"study": payload}, "study": payload, "card": card})


def _about(told: dict[str, Any]) -> str:
    """Say in a sentence what a study asks, for those who see only its link."""
    axes = [f"{_parameter(axis['path'])} {_span(axis)}" for axis in told["plan"].get("axes") or []]
    schedulers, seeds = ", ".join(one["label"] for one in told["schedulers"]), len(told["seeds"])
    over = f"{seeds} seed{'' if seeds == 1 else 's'}"
    return f"{'; '.join([schedulers, *axes])}; {over}, with 95 % intervals."
