"""Cells of CSV files: a text that begins like a formula becomes plain text, since names may come from strangers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

#: Beginnings of formulas, with their full-width forms; tab and return before one are skipped by spreadsheets.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
#: Where commas are decimal, spreadsheets take a semicolon or a tab inside of a cell for the end of the cell.
_BEGINNING = re.compile("([;\t][ \t]*)(?=[=+\\-@＝＋－＠])")
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")


def safe_cell(value: object) -> object:
    """Return what a cell holds: where a part of a text begins like a formula, an apostrophe makes it plain text.

    Parts begin with the text and, whatever separates the cells of the reader's spreadsheet, after a semicolon or a tab.
    """
    if not isinstance(value, str):
        return value
    begins = value.lstrip(" ").startswith(_FORMULA) and _NUMBER.fullmatch(value) is None
    guarded = _BEGINNING.sub(r"\1'", value)
    return f"'{guarded}" if begins else guarded


def safe_table(table: pa.Table) -> pa.Table:
    """Return a table whose names and texts are safe in a spreadsheet."""
    import pyarrow as pa

    columns = []
    for column in table.columns:
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
        columns.append(pa.array([safe_cell(one) for one in column.to_pylist()], kind) if is_text else column)
    return pa.table(columns, names=[str(safe_cell(name)) for name in table.column_names])
