"""Answer with a figure, as JSON or as a file. The first figure imports Plotly, not the start of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse

from playground.web.described import file_answer

if TYPE_CHECKING:
    from playground.figures.look import Look
    from playground.figures.sources import Published

CSV, SVG = file_answer("text/csv"), file_answer("image/svg+xml")


def plain_look() -> Look:
    """Return the common look, for data: they do not depend on it."""
    from playground.figures.look import Look

    return Look()


def figure_payload(found: Published) -> dict[str, Any]:
    """Return what the API shows of a figure."""
    return {
        "figure": found.figure.to_plotly_json(),
        "title": found.title,
        "caption": found.caption,
        "bibtex": found.bibtex,
    }


def csv_answer(found: Published, name: str) -> HttpResponse:
    """Return the points of a figure as a file."""
    from playground.figures.tables import figure_csv

    return _file(figure_csv(found.figure.to_plotly_json(), found.classes), "text/csv; charset=utf-8", f"{name}.csv")


def svg_answer(found: Published, name: str) -> HttpResponse:
    """Return a figure as a file."""
    from playground.figures.svg import figure_svg

    return _file(figure_svg(found.figure.to_plotly_json()), "image/svg+xml", f"{name}.svg")


def _file(text: str, media_type: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type=media_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
