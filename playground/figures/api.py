from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from playground.figures.answers import CSV, SVG, csv_answer, figure_payload, plain_look, svg_answer
from playground.figures.schemas import ComparisonFigureIn, FigureOut, StudyFigureIn, TraceFigureIn
from playground.web.access import base_url
from scheduler_core.contract import HttpProblem

if TYPE_CHECKING:
    from playground.figures.look import Look
    from playground.figures.sources import Published

router = Router(tags=["figures"])
_ERRORS = dict.fromkeys((404, 409, 410, 422, 429, 503), HttpProblem)


@router.get("/studies/{study_id}/figure", response={200: FigureOut, **_ERRORS})
def study_figure(request: HttpRequest, study_id: str, asked: Query[StudyFigureIn]) -> Any:
    """Draw the results of a study so far as a Plotly figure, with its caption and a BibTeX entry.

    One parameter gives lines with 95 % intervals, two give a heat map. On a logarithmic axis intervals stay above 0.
    """
    return figure_payload(_study(request, study_id, asked, asked.look()))


@router.get("/studies/{study_id}/figure.csv", response=_ERRORS, openapi_extra=CSV)
def study_figure_csv(request: HttpRequest, study_id: str, asked: Query[StudyFigureIn]) -> HttpResponse:
    """Give the points of a study's figure with the ends of their intervals, as CSV."""
    return csv_answer(_study(request, study_id, asked, plain_look()), f"study-{study_id}")


@router.get("/studies/{study_id}/figure.svg", response=_ERRORS, openapi_extra=SVG)
def study_figure_svg(request: HttpRequest, study_id: str, asked: Query[StudyFigureIn]) -> HttpResponse:
    """Give a study's figure as SVG with its size in millimeters, 170 mm wide by default."""
    return svg_answer(_study(request, study_id, asked, asked.look_on_paper(), issued=True), f"study-{study_id}")


@router.get("/comparisons/figure", response={200: FigureOut, **_ERRORS})
def comparison_figure(request: HttpRequest, asked: Query[ComparisonFigureIn]) -> Any:
    """Draw one to eight finished runs: distributions (`waits`, `jobs`), `percentiles`, a `timeline` or `pairs`."""
    return figure_payload(_runs(request, asked, asked.look()))


@router.get("/comparisons/figure.csv", response=_ERRORS, openapi_extra=CSV)
def comparison_figure_csv(request: HttpRequest, asked: Query[ComparisonFigureIn]) -> HttpResponse:
    """Give the points of a figure of runs, as CSV."""
    return csv_answer(_runs(request, asked, plain_look()), f"comparison-{asked.kind}")


@router.get("/comparisons/figure.svg", response=_ERRORS, openapi_extra=SVG)
def comparison_figure_svg(request: HttpRequest, asked: Query[ComparisonFigureIn]) -> HttpResponse:
    """Give a figure of runs as SVG with its size in millimeters."""
    return svg_answer(_runs(request, asked, asked.look_on_paper(), issued=True), f"comparison-{asked.kind}")


@router.get("/traces/{trace_id}/figure", response={200: FigureOut, **_ERRORS})
async def trace_figure(request: HttpRequest, trace_id: str, asked: Query[TraceFigureIn]) -> Any:
    """Draw a statistic of a trace: a distribution, or arrivals and running tasks over time."""
    return figure_payload(await _trace(request, trace_id, asked, asked.look()))


@router.get("/traces/{trace_id}/figure.csv", response=_ERRORS, openapi_extra=CSV)
async def trace_figure_csv(request: HttpRequest, trace_id: str, asked: Query[TraceFigureIn]) -> HttpResponse:
    """Give the points of a figure of a trace, as CSV."""
    return csv_answer(await _trace(request, trace_id, asked, asked.look()), f"trace-{asked.kind}")


@router.get("/traces/{trace_id}/figure.svg", response=_ERRORS, openapi_extra=SVG)
async def trace_figure_svg(request: HttpRequest, trace_id: str, asked: Query[TraceFigureIn]) -> HttpResponse:
    """Give a figure of a trace as SVG with its size in millimeters."""
    return svg_answer(await _trace(request, trace_id, asked, asked.look_on_paper()), f"trace-{asked.kind}")


# The first figure imports Plotly, not the start of the server.


def _study(request: HttpRequest, study_id: str, asked: StudyFigureIn, look: Look, *, issued: bool = False) -> Published:
    from playground.figures.published import published_study

    return published_study(study_id=study_id, asked=asked, look=look, base_url=base_url(request), issued=issued)


def _runs(request: HttpRequest, asked: ComparisonFigureIn, look: Look, *, issued: bool = False) -> Published:
    from playground.figures.published import published_runs

    return published_runs(asked=asked, look=look, base_url=base_url(request), issued=issued)


async def _trace(request: HttpRequest, trace_id: str, asked: TraceFigureIn, look: Look) -> Published:
    def load() -> Any:
        from playground.figures import sources

        return sources

    # In a thread: the event loop serves everybody meanwhile.
    sources = await sync_to_async(load)()
    measured = await sources.statistics_to_draw(trace_id=trace_id, cutoff_s=asked.cutoff_s)
    drawn: Published = await sync_to_async(sources.figure_of_trace)(
        trace_id=trace_id, kind=asked.kind, measured=measured, look=look, base_url=base_url(request)
    )
    return drawn
