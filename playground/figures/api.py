from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from playground.studies import service as studies
from playground.studies.results import DEFAULT_METRIC
from playground.web.access import base_url
from playground.web.described import file_answer
from scheduler_core.contract import HttpProblem

if TYPE_CHECKING:
    from playground.figures.look import Look
    from playground.figures.sources import Published

router = Router(tags=["figures"])
_ERRORS = dict.fromkeys((404, 409, 410, 422, 429, 503), HttpProblem)
_CSV = file_answer("text/csv")
_Millimetres = Annotated[float | None, Field(ge=30, le=400, allow_inf_nan=False)]


class LookIn(Schema):
    """How a figure is to look. With `width_mm` it has that size on paper, else it fills its place on a screen."""

    theme: Literal["light", "dark"] = "light"
    width_mm: _Millimetres = None
    height_mm: _Millimetres = None
    font: Literal["screen", "sans", "serif"] = "screen"
    font_pt: Annotated[float | None, Field(ge=4, le=24, allow_inf_nan=False)] = None

    def look(self, *, for_data: bool = False) -> Look:
        """Return the look; data do not depend on it."""
        from playground.figures.look import Look

        if for_data:
            return Look()
        return Look(**self.dict(include={"theme", "width_mm", "height_mm", "font", "font_pt"}))


class ClaimFigureIn(LookIn):
    again: Annotated[bool, Field(description="lay this server's newest run of the claim over the figure")] = False


class StudyFigureIn(LookIn):
    metric: str = DEFAULT_METRIC
    statistic: Literal["mean", "median", "bootstrap"] = "mean"
    against: Annotated[int, Field(ge=0, le=100)] = 0
    show: Literal["values", "difference", "ratio"] = "values"
    shown: Annotated[int, Field(ge=0, le=100, description="the scheduler of a heat map")] = 0
    x: Annotated[int, Field(ge=0, le=1, description="which of two parameters runs along the horizontal axis")] = 0
    lines: Annotated[bool, Field(description="draw two parameters as lines, not as a heat map")] = False
    seeds: Annotated[bool, Field(description="draw each seed as a light line")] = False


class ComparisonFigureIn(LookIn):
    runs: Annotated[str, Field(min_length=1, max_length=200, description="one to four run ids, separated by commas")]
    kind: Literal["waits", "jobs", "percentiles", "timeline", "pairs"] = "waits"
    series: Annotated[str, Field(max_length=100, description="of a timeline: a series of the recording")] = ""


class TraceFigureIn(LookIn):
    kind: Literal["tasks_per_job", "duration_s", "gap_s", "stages_per_job", "critical_path_s", "running", "tasks"] = (
        "duration_s"
    )
    cutoff_s: Annotated[
        float | None,
        Field(gt=0, le=1e8, allow_inf_nan=False, description="draw a fit over it; jobs are long from here on"),
    ] = None


class PlotlyOut(Schema):
    """A figure as plotly.js and plotly.py take it."""

    data: list[dict[str, Any]]
    layout: dict[str, Any]


class FigureOut(Schema):
    figure: PlotlyOut
    title: str
    caption: str
    bibtex: str


@router.get("/studies/{study_id}/figure", response={200: FigureOut, **_ERRORS})
def study_figure(request: HttpRequest, study_id: str, asked: Query[StudyFigureIn]) -> Any:
    """Draw what a study has found by now, as a Plotly figure with its caption and a BibTeX entry.

    One parameter makes lines with 95 % intervals, two a heat map. On a logarithmic axis intervals stay above 0.
    """
    return _told(_study(request, study_id, asked))


@router.get("/studies/{study_id}/figure.csv", response=_ERRORS, openapi_extra=_CSV)
def study_figure_csv(request: HttpRequest, study_id: str, asked: Query[StudyFigureIn]) -> HttpResponse:
    """Give the points of that figure with the ends of their intervals, as CSV."""
    return _csv(_study(request, study_id, asked, for_data=True), f"study-{study_id}")


@router.get("/comparisons/figure", response={200: FigureOut, **_ERRORS})
def comparison_figure(request: HttpRequest, asked: Query[ComparisonFigureIn]) -> Any:
    """Draw one to four finished runs: distributions (`waits`, `jobs`), `percentiles`, a `timeline`, jobs in `pairs`."""
    return _told(_runs(request, asked))


@router.get("/comparisons/figure.csv", response=_ERRORS, openapi_extra=_CSV)
def comparison_figure_csv(request: HttpRequest, asked: Query[ComparisonFigureIn]) -> HttpResponse:
    """Give the points of that figure, as CSV."""
    return _csv(_runs(request, asked), f"comparison-{asked.kind}")


@router.get("/traces/{trace_id}/figure", response={200: FigureOut, **_ERRORS})
async def trace_figure(request: HttpRequest, trace_id: str, asked: Query[TraceFigureIn]) -> Any:
    """Draw a statistic of a trace: a distribution, or arrivals and running tasks over time."""
    return _told(await _trace(request, trace_id, asked))


@router.get("/traces/{trace_id}/figure.csv", response=_ERRORS, openapi_extra=_CSV)
async def trace_figure_csv(request: HttpRequest, trace_id: str, asked: Query[TraceFigureIn]) -> HttpResponse:
    """Give the points of that figure, as CSV."""
    return _csv(await _trace(request, trace_id, asked), f"trace-{asked.kind}")


@router.get("/papers/claims/{claim_id}/figure", response={200: FigureOut, **_ERRORS})
def claim_figure(request: HttpRequest, claim_id: str, asked: Query[ClaimFigureIn]) -> Any:
    """Draw a claim of a paper: published values, ours, and the bands in which its parts hold."""
    return _told(_claim(request, claim_id, asked))


@router.get("/papers/claims/{claim_id}/figure.csv", response=_ERRORS, openapi_extra=_CSV)
def claim_figure_csv(request: HttpRequest, claim_id: str, asked: Query[ClaimFigureIn]) -> HttpResponse:
    """Give the points of that figure, as CSV."""
    return _csv(_claim(request, claim_id, asked, for_data=True), "claim")


# Plotly is imported when the first figure is asked for, not when the server starts.


def _study(request: HttpRequest, study_id: str, asked: StudyFigureIn, *, for_data: bool = False) -> Published:
    from playground.figures.sources import figure_of_study
    from playground.figures.studies import Asked

    return figure_of_study(
        study=studies.get_study(public_id=study_id),
        metric=asked.metric,
        statistic=asked.statistic,
        against=asked.against,
        asked=Asked(show=asked.show, shown=asked.shown, x=asked.x, lines=asked.lines),
        seeds=asked.seeds,
        look=asked.look(for_data=for_data),
        base_url=base_url(request),
    )


def _runs(request: HttpRequest, asked: ComparisonFigureIn) -> Published:
    from playground.figures.sources import figure_of_runs

    ids = [run_id.strip() for run_id in asked.runs.split(",") if run_id.strip()]
    return figure_of_runs(
        run_ids=ids, kind=asked.kind, series=asked.series, look=asked.look(), base_url=base_url(request)
    )


def _claim(request: HttpRequest, claim_id: str, asked: ClaimFigureIn, *, for_data: bool = False) -> Published:
    from playground.claims.again import fresh_figures
    from playground.figures.claims import figure_of_claim

    return figure_of_claim(
        claim_id=claim_id,
        look=asked.look(for_data=for_data),
        base_url=base_url(request),
        fresh=fresh_figures(claim_id=claim_id) if asked.again else {},
    )


async def _trace(request: HttpRequest, trace_id: str, asked: TraceFigureIn) -> Published:
    def load() -> Any:
        from playground.figures import sources

        return sources

    # In a thread: the event loop serves everybody meanwhile.
    sources = await sync_to_async(load)()
    measured = await sources.statistics_to_draw(trace_id=trace_id, cutoff_s=asked.cutoff_s)
    drawn: Published = await sync_to_async(sources.figure_of_trace)(
        trace_id=trace_id, kind=asked.kind, measured=measured, look=asked.look(), base_url=base_url(request)
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

    response = HttpResponse(figure_csv(found.figure.to_plotly_json()), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response
