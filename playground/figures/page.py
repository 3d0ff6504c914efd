"""The page that prepares a figure for print: size, font size, caption and citation."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playground.errors import PlaygroundError
from playground.experiments.service import keep_shown
from playground.figures.keeping import MOST_RUNS, keep_runs
from playground.studies.service import get_study
from playground.traces.facts import trace_of
from playground.web.away import waits_for_redis
from playground.web.missing import missing

#: What the page sets itself.
_OF_THE_PAGE = frozenset({"theme", "width_mm", "height_mm", "font", "font_pt"})
#: What the pages that link here call by other names than the API.
_RENAMED = {"scheduler": "shown"}


@require_safe
@waits_for_redis
def study(request: HttpRequest, study_id: str) -> HttpResponse:
    """Prepare a study's figure. The page has its citation, so the experiment is kept."""
    try:
        found = get_study(public_id=study_id)
    except PlaygroundError as error:
        return missing(request, error, kind="study")
    keep_shown([found.experiment])
    return _page(request, f"/studies/{study_id}/figure", f"/studies/{study_id}")


@require_safe
def comparison(request: HttpRequest) -> HttpResponse:
    """Prepare a figure of some runs. The page has its citation, so the experiments are kept."""
    runs = request.GET.get("runs", "")
    keep_runs(runs.split(",")[:MOST_RUNS])
    return _page(request, "/comparisons/figure", f"/compare?runs={runs}")


@require_safe
def trace(request: HttpRequest, trace_id: str) -> HttpResponse:
    """Prepare a figure of a trace."""
    try:
        trace_of(trace_id=trace_id)
    except PlaygroundError as error:
        return missing(request, error, kind="trace")
    return _page(request, f"/traces/{trace_id}/figure", f"/traces/{trace_id}")


def _page(request: HttpRequest, source: str, back: str) -> HttpResponse:
    asked: dict[str, Any] = {
        _RENAMED.get(name, name): value for name, value in request.GET.items() if name not in _OF_THE_PAGE
    }
    return render(request, "figure.html", {"boot": {"source": source, "params": asked}, "back": back})
