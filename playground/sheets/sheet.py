"""A sheet, its parts, and how they become one file that contains everything that it shows."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from playground.errors import PlaygroundError, problem
from playground.figures.captions import public_link
from playground.figures.look import Look
from playground.figures.schemas import ON_PAPER
from playground.figures.sources import Published
from playground.figures.svg import figure_svg

MOST_BYTES = 2_000_000
PAPER = Look(**ON_PAPER)
SCREEN = Look()
_TYPES = {"csv": "text/csv", "json": "application/json", "bib": "text/x-bibtex", "svg": "image/svg+xml"}
#: A longer text begins folded.
_LINES_OPEN = 12


@dataclass(frozen=True)
class Picture:
    """A figure as SVG, with its caption; `name` is that of its file."""

    svg: str
    caption: str
    name: str


@dataclass(frozen=True)
class Rows:
    """A table: a heading, the names of its columns, and rows of texts."""

    heading: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Text:
    """A file inside the sheet: what it is for, its name, and its content."""

    heading: str
    name: str
    content: str

    @property
    def href(self) -> str:
        """The content as an address, to save it from the sheet."""
        return _data_url(self.name, self.content)

    @property
    def is_open(self) -> bool:
        """Whether it begins unfolded."""
        return self.content.count("\n") <= _LINES_OPEN


@dataclass(frozen=True)
class Sheet:
    """What a sheet says. `verdict` is its answer, `standing` the mark beside it, `known` how honest the answer is."""

    kind: str
    title: str
    lead: tuple[str, ...]
    verdict: str
    reason: str
    known: tuple[str, ...]
    pictures: tuple[Picture, ...]
    tables: tuple[Rows, ...]
    facts: tuple[tuple[str, str], ...]
    command: str
    repeat: str
    """A sentence about the command."""
    files: tuple[Text, ...]
    bibtex: str
    url: str
    standing: str = ""


def picture_of(found: Published, name: str) -> Picture:
    """Draw a figure that was built for paper."""
    return Picture(figure_svg(found.figure.to_plotly_json()), found.caption, name)


def json_text(heading: str, name: str, data: Any) -> Text:
    """Return JSON as a file of a sheet."""
    return Text(heading, name, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def page_of(sheet: Sheet, request: HttpRequest) -> str:
    """Return a sheet as one HTML file. Raises PlaygroundError where it is too large."""
    # Both are safe: the writer of SVG escapes every text (figures/svg.py), and the style is ours.
    context = {
        "sheet": sheet,
        "link": public_link(sheet.url),
        "pictures": [
            {
                "svg": mark_safe(one.svg),  # noqa: S308
                "caption": one.caption,
                "name": one.name,
                "href": _data_url(one.name, one.svg),
            }
            for one in sheet.pictures
        ],
        "cite": Text("", "cite.bib", sheet.bibtex),
        "style": mark_safe(_style()),  # noqa: S308
    }
    page = render_to_string("sheet.html", context, request=request)
    size = len(page.encode())
    if size > MOST_BYTES:
        item = problem("", f"has {size:,} bytes", allowed=f"at most {MOST_BYTES:,}", remedy="draw fewer runs")
        raise PlaygroundError(409, "too-large", "This is too large for one sheet", (item,))
    return page


def _style() -> str:
    """Return the sheet's style file after the tokens that it refers to; fonts are the reader's own."""
    folder = Path(settings.FILES_DIR) / "static" / "css"
    tokens = re.sub(r"@font-face\s*\{[^}]*\}", "", (folder / "tokens.css").read_text(encoding="utf-8"))
    return tokens + (folder / "sheet.css").read_text(encoding="utf-8")


def facts_of(*pairs: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Keep the facts that are known."""
    return tuple((name, value) for name, value in pairs if value)


def listed(values: Sequence[object]) -> str:
    """Name values one after the other."""
    return ", ".join(str(value) for value in values)


def _data_url(name: str, content: str) -> str:
    kind = _TYPES.get(name.rpartition(".")[2], "text/plain")
    return f"data:{kind};charset=utf-8;base64,{base64.b64encode(content.encode()).decode('ascii')}"
