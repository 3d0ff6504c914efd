"""A board as CSV, a row for each entry, for spreadsheets."""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF8
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from scheduler_core.spreadsheet import safe_cell

_COLUMNS = ("place", "role", "author", "mean", "low", "high", "state", "out", "scheduler", "changes", "note", "made_at")


def board_file(board: Mapping[str, Any]) -> HttpResponse:
    """Answer with a board as a file."""
    response = HttpResponse(board_table(board), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="board.csv"'
    return response


def board_table(board: Mapping[str, Any]) -> bytes:
    """Return the rows of a board as its viewer sees them: what is hidden stays empty.

    The byte order mark tells spreadsheets that names are UTF-8.
    """
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(_COLUMNS)
    for row in board["rows"]:
        estimate = row["estimate"] or {}
        changes = "; ".join(f"{one['label']}: {one['after_words']}" for one in row["changes"])
        figures = [estimate.get(name, "") for name in ("value", "low", "high")]
        cells = [row["place"] or "", row["role"], row["author"], *figures, row["state"], row["out"]]
        told = [*cells, row["scheduler"], changes, row["note"], row["created_at"]]
        rows.writerow(["" if cell is None else safe_cell(cell) for cell in told])
    return BOM_UTF8 + out.getvalue().encode()
