"""The page of one trace: its statistics, and those of a fitted workload."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playground.errors import PlaygroundError
from playground.traces.facts import trace_of
from playground.web.missing import missing


@require_safe
def trace(request: HttpRequest, trace_id: str) -> HttpResponse:
    """Show a trace; the page asks for its statistics itself, since reading may take a while."""
    try:
        found = trace_of(trace_id=trace_id)
    except PlaygroundError as error:
        return missing(request, error, kind="trace")
    return render(request, "trace.html", {"boot": {"trace": found}, "trace": found})
