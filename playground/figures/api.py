from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from playground.figures.schemas import ClaimFigureIn, ComparisonFigureIn, FigureOut, StudyFigureIn, TraceFigureIn
from playground.web.access import base_url
from playground.web.described import file_answer
from scheduler_core.contract import HttpProblem

if TYPE_CHECKING:
    from playground.figures.look import Look
    from playground.figures.sources import Published

router = Router(tags=["figures"])
_ERRORS = dict.fromkeys((404, 409, 410, 422, 429, 503), HttpProblem)
_CSV, _SVG = file_answer("text/csv"), file_answer("image/svg+xml")


@router.get("/studies/{study_id}/figure", response={200: FigureOut, **_ERRORS})
def study_figure(request: HttpRequest, study_id: str, asked: Query[StudyFigureIn]) -> Any:
    """Draw the results of a study so far as a Plotly figure, with its caption and a BibTeX entry.

    One parameter gives lines with 95 % intervals, two give a heat map. On a logarithmic axis intervals stay above 0.
    """
    return _told(_study(request, study_id, asked, asked.look()))


@router.get("/studies/{study_id}/figure.csv", response=_ERRORS, openapi_extra=_CSV)
def study_figure_csv(request: HttpRequest, study_id: str, asked: Query[StudyFigureIn]) -> HttpResponse:
    """Give the points of a study's figure with the ends of their intervals, as CSV."""
    return _csv(_study(request, study_id, asked, _plain()), f"study-{study_id}")


@router.get("/studies/{study_id}/figure.svg", response=_ERRORS, openapi_extra=_SVG)
def study_figure_svg(request: HttpRequest, study_id: str, asked: Query[StudyFigureIn]) -> HttpResponse:
    """Give a study's figure as SVG with its size in millimeters, 170 mm wide by default."""
    return _svg(_study(request, study_id, asked, asked.look_on_paper()), f"study-{study_id}")


@router.get("/comparisons/figure", response={200: FigureOut, **_ERRORS})
def comparison_figure(request: HttpRequest, asked: Query[ComparisonFigureIn]) -> Any:
    """Draw one to four finished runs: distributions (`waits`, `jobs`), `percentiles`, a `timeline` or `pairs`."""
    return _told(_runs(request, asked, asked.look()))


@router.get("/comparisons/figure.csv", response=_ERRORS, openapi_extra=_CSV)
def comparison_figure_csv(request: HttpRequest, asked: Query[ComparisonFigureIn]) -> HttpResponse:
    """Give the points of a figure of runs, as CSV."""
    return _csv(_runs(request, asked, _plain()), f"comparison-{asked.kind}")


@router.get("/comparisons/figure.svg", response=_ERRORS, openapi_extra=_SVG)
def comparison_figure_svg(request: HttpRequest, asked: Query[ComparisonFigureIn]) -> HttpResponse:
    """Give a figure of runs as SVG with its size in millimeters."""
    return _svg(_runs(request, asked, asked.look_on_paper()), f"comparison-{asked.kind}")


@router.get("/traces/{trace_id}/figure", response={200: FigureOut, **_ERRORS})
async def trace_figure(request: HttpRequest, trace_id: str, asked: Query[TraceFigureIn]) -> Any:
    """Draw a statistic of a trace: a distribution, or arrivals and running tasks over time."""
    return _told(await _trace(request, trace_id, asked, asked.look()))


@router.get("/traces/{trace_id}/figure.csv", response=_ERRORS, openapi_extra=_CSV)
async def trace_figure_csv(request: HttpRequest, trace_id: str, asked: Query[TraceFigureIn]) -> HttpResponse:
    """Give the points of a figure of a trace, as CSV."""
    return _csv(await _trace(request, trace_id, asked, asked.look()), f"trace-{asked.kind}")


@router.get("/traces/{trace_id}/figure.svg", response=_ERRORS, openapi_extra=_SVG)
async def trace_figure_svg(request: HttpRequest, trace_id: str, asked: Query[TraceFigureIn]) -> HttpResponse:
    """Give a figure of a trace as SVG with its size in millimeters."""
    return _svg(await _trace(request, trace_id, asked, asked.look_on_paper()), f"trace-{asked.kind}")


@router.get("/papers/claims/{claim_id}/figure", response={200: FigureOut, **_ERRORS})
def claim_figure(request: HttpRequest, claim_id: str, asked: Query[ClaimFigureIn]) -> Any:
    """Draw a claim of a paper: published values, ours, and the bands in which its parts hold."""
    return _told(_claim(request, claim_id, asked, asked.look()))


@router.get("/papers/claims/{claim_id}/figure.csv", response=_ERRORS, openapi_extra=_CSV)
def claim_figure_csv(request: HttpRequest, claim_id: str, asked: Query[ClaimFigureIn]) -> HttpResponse:
    """Give the points of a figure of a claim, as CSV."""
    return _csv(_claim(request, claim_id, asked, _plain()), "claim")


@router.get("/papers/claims/{claim_id}/figure.svg", response=_ERRORS, openapi_extra=_SVG)
def claim_figure_svg(request: HttpRequest, claim_id: str, asked: Query[ClaimFigureIn]) -> HttpResponse:
    """Give a figure of a claim as SVG with its size in millimeters."""
    return _svg(_claim(request, claim_id, asked, asked.look_on_paper()), claim_id)


# The first figure imports Plotly, not the start of the server.


def _plain() -> Look:
    """Return the common look, for data: they do not depend on it."""
    from playground.figures.look import Look

    return Look()


def _study(request: HttpRequest, study_id: str, asked: StudyFigureIn, look: Look) -> Published:
    from playground.figures.published import published_study

    return published_study(study_id=study_id, asked=asked, look=look, base_url=base_url(request))


def _runs(request: HttpRequest, asked: ComparisonFigureIn, look: Look) -> Published:
    from playground.figures.published import published_runs

    return published_runs(asked=asked, look=look, base_url=base_url(request))


def _claim(request: HttpRequest, claim_id: str, asked: ClaimFigureIn, look: Look) -> Published:
    from playground.figures.published import published_claim

    return published_claim(claim_id=claim_id, asked=asked, look=look, base_url=base_url(request))


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


def _told(found: Published) -> dict[str, Any]:
    return {
        "figure": found.figure.to_plotly_json(),
        "title": found.title,
        "caption": found.caption,
        "bibtex": found.bibtex,
    }


def _csv(found: Published, name: str) -> HttpResponse:
    from playground.figures.tables import figure_csv

    return _file(figure_csv(found.figure.to_plotly_json()), "text/csv; charset=utf-8", f"{name}.csv")


def _svg(found: Published, name: str) -> HttpResponse:
    from playground.figures.svg import figure_svg

    return _file(figure_svg(found.figure.to_plotly_json()), "image/svg+xml", f"{name}.svg")


def _file(text: str, media_type: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type=media_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
