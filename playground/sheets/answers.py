"""Answer with a sheet as a file. The first sheet imports Plotly, not the start of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse

from playground.web.described import file_answer

if TYPE_CHECKING:
    from playground.sheets.sheet import Sheet

HTML = file_answer("text/html")


def sheet_answer(request: HttpRequest, sheet: Sheet, name: str) -> HttpResponse:
    """Return a sheet as a file."""
    from playground.sheets.sheet import page_of

    response = HttpResponse(page_of(sheet, request), content_type="text/html; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.html"'
    return response
