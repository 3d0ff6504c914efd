"""No cell of a CSV file is a formula, whoever chose its text; numbers stay numbers."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pyarrow as pa
import pytest

from scheduler_core.spreadsheet import safe_cell, safe_table
from scheduler_core.studies.table import write_study
from tests.support import PROJECT

FORMULAS = ["=1+1", "+cmd", "-x", "@SUM(A1)", "＝1", "＋1", "－a", "＠a", "\r=1", " =1", "=HYPERLINK(1)"]
PLAIN = ["", "Ada", "a=b", "-5", "+5.5e-3", "-.5", 5, -5.0, None, True, "a; b = 1", "a;b", "x\ty"]
INSIDE = {
    "a;=1+1": "a;'=1+1", ";=cmd|' /C calc'!A0;": ";'=cmd|' /C calc'!A0;", "a\t@x": "a\t'@x", "a; ＝1": "a; '＝1",
    "=1;=1": "'=1;'=1", "a;;-x;+y": "a;;'-x;'+y", "1;-5": "1;'-5", "\t=1": "'\t'=1",
}  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_becomes_text(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize(("text", "cell"), INSIDE.items())
def test_no_part_of_a_cell_is_a_formula_where_a_semicolon_or_a_tab_separates(text: str, cell: str) -> None:
    assert safe_cell(text) == cell
    assert safe_table(pa.table({"name": [text]})).to_pydict() == {"name": [cell]}


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_other_cells_stay(value: object) -> None:
    assert safe_cell(value) == value


def test_names_and_texts_of_a_table_are_safe() -> None:
    table = pa.table(
        {"=x": ["=1", None, "-1"], "kind": pa.array(["@a", "b", "@a"]).dictionary_encode(), "n": [-1, 2, 3]}
    )
    found = safe_table(table).to_pydict()
    assert found == {"'=x": ["'=1", None, "-1"], "kind": ["'@a", "b", "'@a"], "n": [-1, 2, 3]}
    out = io.BytesIO()
    write_study(table, out, "csv")
    assert '"\'=1"' in out.getvalue().decode()


def test_every_writer_of_csv_uses_the_one_guard() -> None:
    def texts(folder: str, suffix: str) -> dict[str, str]:
        return {str(path.relative_to(PROJECT)): path.read_text() for path in Path(PROJECT / folder).rglob(f"*{suffix}")}

    writes = re.compile(r"csv\.writer\(|write_csv\(|\.DictWriter\(")
    for folder in ("playground", "scheduler_core"):
        for name, text in texts(folder, ".py").items():
            if writes.search(text):
                assert any(guard in text for guard in ("safe_cell", "safe_table")), name
    for name, text in texts("static/js", ".js").items():
        if '"text/csv"' in text or ('join(",")' in text and "Csv(" in text):
            assert "csvCell" in text or "constraintCsv" in text, name
