"""The page of threats names tests that exist: each line is held by one from outside."""

from __future__ import annotations

import re

import pytest

from tests.support import PROJECT

PAGE = (PROJECT / "docs" / "explanation" / "threats.md").read_text()
#: The second table says what bounds each parser; the first one names tests.
ROWS = [
    line
    for line in PAGE.partition("What reads bytes")[0].splitlines()
    if line.startswith("| ") and not line.startswith("| Who could ")
]


@pytest.mark.parametrize("row", ROWS, ids=[row.split("|")[1].strip()[:40] for row in ROWS])
def test_a_threat_names_tests_that_exist(row: str) -> None:
    named = re.findall(r"`(tests/\w+/\w+\.py)(?:::(\w+))?`", row.split("|")[3])
    assert named
    for file, test in named:
        text = (PROJECT / file).read_text()
        assert re.search(rf"^(async )?def {test or 'test_'}", text, re.M), f"{file} has no {test}"
