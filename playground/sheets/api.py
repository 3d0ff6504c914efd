from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from playground.figures.schemas import ClaimIn, ComparisonIn, StudyIn
from playground.web.access import base_url
from playground.web.described import file_answer
from scheduler_core.contract import HttpProblem

if TYPE_CHECKING:
    from playground.sheets.sheet import Sheet

router = Router(tags=["sheets"])
_ERRORS = dict.fromkeys((404, 409, 410, 422, 429, 503), HttpProblem)
_HTML = file_answer("text/html")


# The first sheet imports Plotly, not the start of the server.


@router.get("/papers/claims/{claim_id}/sheet.html", response=_ERRORS, openapi_extra=_HTML)
def claim_sheet(request: HttpRequest, claim_id: str, asked: Query[ClaimIn]) -> HttpResponse:
    """Give a claim as one HTML file of at most 2 MB: verdict, picture, data, experiments, and how to repeat it.

    The file needs no server, no network and no scripts. It shows everything that it contains.
    """
    from playground.sheets.claims import sheet_of_claim

    return _page(request, sheet_of_claim(claim_id=claim_id, asked=asked, base_url=base_url(request)), claim_id)


@router.get("/studies/{study_id}/sheet.html", response=_ERRORS, openapi_extra=_HTML)
def study_sheet(request: HttpRequest, study_id: str, asked: Query[StudyIn]) -> HttpResponse:
    """Give the results of a study so far as one HTML file of at most 2 MB, with the chosen figure."""
    from playground.sheets.studies import sheet_of_study

    sheet = sheet_of_study(study_id=study_id, asked=asked, base_url=base_url(request))
    return _page(request, sheet, f"study-{study_id}")


@router.get("/comparisons/sheet.html", response=_ERRORS, openapi_extra=_HTML)
def comparison_sheet(request: HttpRequest, asked: Query[ComparisonIn]) -> HttpResponse:
    """Give one to four finished runs as one HTML file of at most 2 MB, with the chosen figure first."""
    from playground.sheets.comparisons import sheet_of_runs

    return _page(request, sheet_of_runs(asked=asked, base_url=base_url(request)), "comparison")


def _page(request: HttpRequest, sheet: Sheet, name: str) -> HttpResponse:
    from playground.sheets.sheet import page_of

    response = HttpResponse(page_of(sheet, request), content_type="text/html; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.html"'
    return response
