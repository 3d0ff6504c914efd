"""The page of results that `make test-all` writes: earlier runs stay, parts and reasons are those of the latest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.spent import IN_PART, Spent


def report(nodeid: str, outcome: str, seconds: float, **more: Any) -> pytest.TestReport:
    made = pytest.TestReport(
        nodeid, (nodeid, 0, ""), {}, outcome, more.pop("longrepr", None), "call" if outcome != "skipped" else "setup"
    )
    vars(made).update(more, processor_s=seconds)
    return made


def written(page: Path, *reports: pytest.TestReport) -> str:
    spent = Spent(str(page))
    for one in reports:
        spent.pytest_runtest_logreport(one)
    spent.write(page)
    return page.read_text()


def test_the_latest_run_stands_above_earlier_ones_with_its_parts(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    written(page, report("tests/a.py::x", "passed", 1.0), report("tests/a.py::y", "failed", 2.0))
    missing = ("tests/b.py", 1, "Skipped: copy it from there")
    text = written(
        page,
        report("tests/b.py::x[1]", "passed", 3.0),
        report("tests/b.py::y@group", "skipped", 0.0, longrepr=missing),
        report("tests/b.py::z", "skipped", 1.0, wasxfail="known"),
    )
    rows = [line.split(" | ")[2:6] for line in text.splitlines() if line.startswith("| 2")]
    assert rows == [["1", "0", "1", "1"], ["1", "1", "0", "0"]]
    assert "| `tests/b.py` | 3 | 4 s |" in text
    assert "tests/a.py" not in text
    assert "| 1 | copy it from there |" in text
    assert "## What was expected to fail, and why\n\n| tests | reason |\n|---|---|\n| 1 | known |" in text


def test_a_second_try_has_a_column_of_its_own(tmp_path: Path) -> None:
    one = "tests/browser/a.py::one@group"
    text = written(tmp_path / "results.md", report(one, "rerun", 1.0), report(one, "passed", 1.0))
    assert "| 1 | 0 | 0 | 0 | 1 |" in text


def test_what_a_test_could_not_check_is_told_although_it_passed(tmp_path: Path) -> None:
    one = report("tests/a.py::x", "passed", 1.0, user_properties=[(IN_PART, "nobody answered")])
    text = written(tmp_path / "results.md", one)
    assert "| 1 | 0 | 0 | 0 | 0 |" in text
    assert "## What was checked in part, and why\n\n| tests | reason |\n|---|---|\n| 1 | nobody answered |" in text
