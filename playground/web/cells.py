"""Cells of CSV files with names of strangers, for spreadsheets that separate by another sign than a comma."""

from __future__ import annotations

import re

from scheduler_core.spreadsheet import safe_cell

#: Where commas are decimal, spreadsheets take a semicolon or a tab inside of a cell for the end of the cell.
_BEGINNING = re.compile("([;\t][ \t]*)(?=[=+\\-@＝＋－＠])")


def told_cell(value: object) -> object:
    """Return what a cell holds: no part of a text begins like a formula, whatever separates cells."""
    guarded = safe_cell(value)
    return _BEGINNING.sub(r"\1'", guarded) if isinstance(guarded, str) else guarded
