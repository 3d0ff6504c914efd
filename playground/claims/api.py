"""Run a paper's claim again on this server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status

from playground.claims.again import payload_of, run_again, wanted
from playground.claims.experiments import claim_experiment
from playground.claims.openings import claim_named
from playground.claims.schemas import ClaimFigureIn, ClaimIn, SeedsIn
from playground.errors import not_found
from playground.figures.answers import CSV, SVG, csv_answer, figure_payload, plain_look, svg_answer
from playground.figures.schemas import FigureOut
from playground.sheets.answers import HTML, sheet_answer
from playground.web.access import base_url, viewer_of
from playground.web.schemas import QuestionProgress, QuestionState, Shape
from scheduler_core.contract import HttpProblem

if TYPE_CHECKING:
    from playground.figures.look import Look
    from playground.figures.sources import Published

router = Router(tags=["papers"])
_ERRORS = dict.fromkeys((403, 404, 409, 422, 429, 503), HttpProblem)
_FILE_ERRORS = dict.fromkeys((404, 409, 410, 422, 429, 503), HttpProblem)


class ClaimAnswerOut(Shape):
    """The result of a claim's experiments."""

    verdict: str
    """`reproduced`, `sign only` (the right direction, another size), `not reproduced` or `cannot be run`. Over seeds of
    your own also `at the edge`: every part holds under 10 to 90 % of them."""
    why: str
    """What is missing and how to get it, if the claim cannot be run. Else empty."""
    figures: dict[str, list[float | None]]
    """The figures by the names of the claim's measures, one for each seed; null where a run has none."""
    seeds: list[int]
    """The seeds, in the order of the figures."""
    outside: list[int]
    """Of seeds of your own, those under which some part of the claim does not hold. Empty for the claim's own seeds."""
    version: str
    """The version of the library that computed the figures."""
    same: bool
    """Whether the figures equal those that come with the library."""


class ClaimRunOut(Shape):
    """How far the run of a claim is."""

    state: QuestionState
    progress: QuestionProgress
    problems: list[dict[str, Any]]
    """Why it failed, or why it does not start; else empty. Each is a ProblemItem."""
    answer: ClaimAnswerOut | None
    """The result; null until the state is `done`."""


@router.post("/papers/claims/{claim_id}/run", response={202: ClaimRunOut, **_ERRORS})
def start(request: HttpRequest, response: HttpResponse, claim_id: str, asked: Query[SeedsIn]) -> Any:
    """Compute a claim's experiments again, under its own seeds or others.

    Simultaneous requests share the answer, which is kept for an hour.
    """
    return Status(202, payload_of(run_again(claim_named(claim_id), viewer_of(request), asked.chosen())))


@router.get("/papers/claims/{claim_id}/run", response={200: ClaimRunOut, **_ERRORS})
def read(request: HttpRequest, claim_id: str, asked: Query[SeedsIn]) -> Any:
    """Give the progress of a claim's run. The run ends when nobody asks."""
    told = wanted(claim_named(claim_id), asked.chosen())
    if told is None:
        raise not_found("run")
    return payload_of(told)


@router.get("/papers/claims/{claim_id}/experiments/{setup}", response={200: dict[str, Any], **_ERRORS})
def experiment(request: HttpRequest, claim_id: str, setup: str) -> Any:
    """Give one experiment of a claim under its first seed, with the workload that a program draws; store nothing."""
    return claim_experiment(claim_named(claim_id), setup=setup)


@router.get("/papers/claims/{claim_id}/figure", tags=["figures"], response={200: FigureOut, **_FILE_ERRORS})
def claim_figure(request: HttpRequest, claim_id: str, asked: Query[ClaimFigureIn]) -> Any:
    """Draw a claim of a paper: published values, ours, and the bands in which its parts hold."""
    return figure_payload(_figure(request, claim_id, asked, asked.look()))


@router.get("/papers/claims/{claim_id}/figure.csv", tags=["figures"], response=_FILE_ERRORS, openapi_extra=CSV)
def claim_figure_csv(request: HttpRequest, claim_id: str, asked: Query[ClaimFigureIn]) -> HttpResponse:
    """Give the points of a figure of a claim, as CSV."""
    return csv_answer(_figure(request, claim_id, asked, plain_look()), "claim")


@router.get("/papers/claims/{claim_id}/figure.svg", tags=["figures"], response=_FILE_ERRORS, openapi_extra=SVG)
def claim_figure_svg(request: HttpRequest, claim_id: str, asked: Query[ClaimFigureIn]) -> HttpResponse:
    """Give a figure of a claim as SVG with its size in millimeters."""
    return svg_answer(_figure(request, claim_id, asked, asked.look_on_paper()), claim_id)


@router.get("/papers/claims/{claim_id}/sheet.html", tags=["sheets"], response=_FILE_ERRORS, openapi_extra=HTML)
def claim_sheet(request: HttpRequest, claim_id: str, asked: Query[ClaimIn]) -> HttpResponse:
    """Give a claim as one HTML file of at most 2 MB: verdict, picture, data, experiments, and how to repeat it.

    The file needs no server, no network and no scripts. It shows everything that it contains.
    """
    from playground.claims.sheet import sheet_of_claim

    return sheet_answer(
        request, sheet_of_claim(claim_named(claim_id), asked=asked, base_url=base_url(request)), claim_id
    )


def _figure(request: HttpRequest, claim_id: str, asked: ClaimFigureIn, look: Look) -> Published:
    # The first figure imports Plotly, not the start of the server.
    from playground.claims.figure import published_claim

    return published_claim(claim_named(claim_id), asked=asked, look=look, base_url=base_url(request))
