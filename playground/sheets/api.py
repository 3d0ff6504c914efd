from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from playground.figures.schemas import ComparisonIn, StudyIn
from playground.sheets.answers import HTML, sheet_answer
from playground.web.access import base_url
from scheduler_core.contract import HttpProblem

router = Router(tags=["sheets"])
_ERRORS = dict.fromkeys((404, 409, 410, 422, 429, 503), HttpProblem)


# The first sheet imports Plotly, not the start of the server.


@router.get("/studies/{study_id}/sheet.html", response=_ERRORS, openapi_extra=HTML)
def study_sheet(request: HttpRequest, study_id: str, asked: Query[StudyIn]) -> HttpResponse:
    """Give the results of a study so far as one HTML file of at most 2 MB, with the chosen figure."""
    from playground.sheets.studies import sheet_of_study

    sheet = sheet_of_study(study_id=study_id, asked=asked, base_url=base_url(request))
    return sheet_answer(request, sheet, f"study-{study_id}")


@router.get("/comparisons/sheet.html", response=_ERRORS, openapi_extra=HTML)
def comparison_sheet(request: HttpRequest, asked: Query[ComparisonIn]) -> HttpResponse:
    """Give one to eight finished runs as one HTML file of at most 2 MB, with the chosen figure first."""
    from playground.sheets.comparisons import sheet_of_runs

    return sheet_answer(request, sheet_of_runs(asked=asked, base_url=base_url(request)), "comparison")
