"""Each sort of number on a page has a check that counts it again, or a reason why nothing can."""

from __future__ import annotations

import re

import pytest

from tests.browser.said import CHECKS, NOT_COUNTED, sort_of
from tests.says.numbers import axis_seconds, clock, duration, measured, percent, short, unexplained, whole
from tests.support import PROJECT

_PLAIN = re.compile(r"""data-says=(?:"([^"]+)"|\$\{`([^`]+)`\})|\bsays: "([a-z]+:?[a-z-]+)\"""")
_BY_NAME = re.compile(r"data-says=\$\{[a-z]")
_NAMES = re.compile(r'"((?:now|clock)|[a-z-]+:[a-z][a-z0-9-]*)"')


def named_in_sources() -> set[str]:
    """What the page's scripts and templates write in `data-says`; a name that they make has an `X` for each part."""
    found: set[str] = set()
    for folder, kind in (("static/js", "*.js"), ("templates", "*.html")):
        for path in (PROJECT / folder).rglob(kind):
            text = path.read_text(encoding="utf-8")
            for names in _PLAIN.findall(text):
                (name,) = (one for one in names if one) if any(names) else ("",)
                if "data-says" in text and name:
                    found.add(re.sub(r"\$\{[^}]*\}", "X", name))
            if _BY_NAME.search(text):
                found |= set(_NAMES.findall(text))
    # A picture of jobs that describes its instant has the picture's name.
    for path in (PROJECT / "static/js/features/graphs").glob("*.js"):
        text = path.read_text(encoding="utf-8")
        if "tells:" in text and "mount(" in text:
            found |= {f"picture:{name}" for name in re.findall(r'^  id: "([a-z]+)"', text, re.MULTILINE)}
    found.discard("picture:X")
    # The names of numbers of a run or of its preview, and of a student or of the teacher.
    made = {
        f"{first}{name[1:]}" for name in found if name.startswith("X") for first in ("", "preview-", "own", "teacher")
    }
    return {name for name in found if not name.startswith("X")} | {one for one in made if sort_of(one)}


def test_each_sort_of_number_has_a_check() -> None:
    named = named_in_sources()
    assert len(named) > 50
    assert {name for name in named if not sort_of(name)} == set(), "tests/browser/said.py"


def test_each_check_is_of_a_sort_that_a_page_says() -> None:
    said = {sort_of(name) for name in named_in_sources()}
    assert {*CHECKS, *NOT_COUNTED} - said == set(), "take it off the table"
    assert all(NOT_COUNTED.values()), "say why"


@pytest.mark.parametrize(
    ("text", "expected", "wrong"),
    [
        ("Now 3 of 1,200 machines are busy.", ["3", "1,200"], ""),
        ("Now 3 of 1,200 machines are busy.", ["1,200", "3"], "'3' is not in"),
        ("Now 3 of 1,200 machines are busy.", ["3", "200"], "'200' is not in"),
        ("Now 3 of 1,200 machines are busy; 5 wait.", ["3", "1,200"], "nothing explains '5'"),
        ("1 task in 100 waits more than 2.5\u202fs", ["1", "100", "2.5\u202fs"], ""),
        ("1 task in 100 waits more than 12.5\u202fs", ["1", "100", "2.5\u202fs"], "'2.5 s' is not in"),
    ],
)
def test_a_text_holds_the_expected_numbers_and_no_others(text: str, expected: list[str], wrong: str) -> None:
    found = unexplained(text, expected)
    assert found.startswith(wrong) if wrong else not found


def test_numbers_are_written_as_the_page_writes_them() -> None:
    told = [whole(1234.5), short(12_345), percent(0.98765), percent(1), measured(1.5e6), duration(1.5e6), measured(0)]
    assert [one.replace("\u202f", " ") for one in told] == [
        "1,235", "12.3k", "98.8 %", "100 %", "1.50 ms", "1.5 ms", "0 s",
    ]  # fmt: skip
    assert [axis_seconds(1000), axis_seconds(8000)] == ["1,000 s", "2 h 13 min"]
    assert [clock(61.25e9, 100e9), clock(3661e9, 7200e9)] == ["00:01:01.2", "01:01:01"]
