"""The pages of comparing: one study, and some runs side by side."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playground.errors import PlaygroundError
from playground.models import Study
from playground.services.experiments import experiment_payload
from playground.services.runs import get_run, run_payload
from playground.services.studies import get_study, list_studies, study_payload
from playground.services.viewers import Viewer

MOST_RUNS = 4


@require_safe
@never_cache
def studies(request: HttpRequest) -> HttpResponse:
    """List the studies of this browser."""
    viewer = Viewer(session_key=request.session.session_key or "")
    rows = [_row(found, study_payload(study=found, viewer=viewer)) for found in list_studies(viewer=viewer)]
    return render(request, "studies.html", {"rows": rows})


def _row(found: Study, told: dict[str, Any]) -> dict[str, Any]:
    axes = [f"{axis['path']}: {_span(axis['values'])}" for axis in told["plan"].get("axes") or []]
    return {
        "study": told,
        "created_at": found.created_at,
        "axes": axes,
        "schedulers": [one["label"] for one in told["schedulers"]],
        "seeds": len(told["seeds"]),
        "over": told["done"] + told["failed"],
    }


def _span(values: list[Any]) -> str:
    """Say what a parameter is varied over: all of a few values, else from where to where."""
    told = [str(value) for value in values]
    return ", ".join(told) if len(told) <= 4 else f"{told[0]} to {told[-1]} ({len(told)} values)"


@require_safe
def study(request: HttpRequest, study_id: str) -> HttpResponse:
    """Show a study; the page asks for its results itself, as they come."""
    try:
        found = get_study(public_id=study_id)
    except PlaygroundError as error:
        return render(request, "missing.html", {"title": error.title}, status=error.status)
    payload = study_payload(study=found, viewer=Viewer(session_key=request.session.session_key or ""))
    return render(request, "study.html", {"boot": {"study": payload}, "study": payload})


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Show two to four runs side by side; the page says what is missing when the address names none."""
    viewer = Viewer(session_key=request.session.session_key or "")
    shown: list[dict[str, Any]] = []
    for run_id in request.GET.get("runs", "").split(",")[:MOST_RUNS]:
        try:
            run = get_run(public_id=run_id)
        except PlaygroundError:
            continue
        experiment = experiment_payload(experiment=run.experiment, viewer=viewer)
        shown.append({"run": run_payload(run=run), "experiment": experiment | {"runs": []}})
    return render(request, "compare.html", {"boot": {"runs": shown}})
