"""Every format has a page that says what was checked, and the pages name what the readers have."""

from __future__ import annotations

from pathlib import Path

import pytest

from scheduler_core import TRACE_READERS, Columns, Cut

PAGES = Path(__file__).resolve().parents[2] / "docs" / "reference" / "traces"


@pytest.mark.parametrize("name", [reader.name for reader in TRACE_READERS])
def test_every_format_has_its_page(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text()
    assert page.startswith(f"# {name}")
    assert f"]({name}.md)" in (PAGES / "index.md").read_text()
    if name not in ("columnar", "table"):
        assert "hecked" in page


def test_what_may_be_asked_is_described() -> None:
    table, overview = (PAGES / "table.md").read_text(), (PAGES / "index.md").read_text()
    assert [name for name in Columns.model_fields if f"`{name}`" not in table] == []
    assert [name for name in Cut.model_fields if f"`{name}`" not in overview] == []
