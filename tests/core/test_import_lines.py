"""A table with wrong values: the right column is blamed, all lines are told, and the rest can be imported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scheduler_core.cli.main import main
from scheduler_core.errors import TraceError
from scheduler_core.limits import DEFAULT_LIMITS
from scheduler_core.workload.raw import Beside
from scheduler_core.workload.raw.columns import parse_columns
from scheduler_core.workload.readers.cells import clock_seconds
from scheduler_core.workload.readers.guessing import first_rows
from scheduler_core.workload.readers.registry import read_trace

MAPPING = {"arrival": "submit", "duration": "dur", "queue": "team", "cpus": "cpu"}


def table(folder: Path, *rows: str, head: str = "submit,note,team,dur,cpu") -> Path:
    path = folder / "table.csv"
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


def read(path: Path, **more: Any) -> Any:
    return read_trace(path, None, DEFAULT_LIMITS, beside=Beside(parse_columns(MAPPING | more)))


@pytest.mark.parametrize(
    ("row", "column", "said"),
    [
        ("x,a,red,1,1", "submit", "is no time"),
        ("1,a,red,x,1", "dur", "is no duration"),
        ("1,a,red,-5,1", "dur", "is negative"),
        ("1,a,red,-00:01:00,1", "dur", "is negative"),
        ("1,a,red,1,x", "cpu", "is no number"),
    ],
)
def test_the_column_that_is_wrong_is_blamed_with_its_line(tmp_path: Path, row: str, column: str, said: str) -> None:
    path = table(tmp_path, "0,a,red,1,1", "0,b,blue,01:00:00,1", row)
    with pytest.raises(TraceError) as refused:
        read(path)
    (problem,) = refused.value.problems
    assert problem.path == "line 4"
    assert problem.message.startswith(f"'{column}' is ")
    assert said in problem.message
    assert "import without these lines" in problem.remedy


def test_all_wrong_lines_are_told_up_to_fifty(tmp_path: Path) -> None:
    rows = [f"{number},a,red,{'x' if number % 2 else 1},1" for number in range(240)]
    with pytest.raises(TraceError) as refused:
        read(table(tmp_path, *rows))
    problems = refused.value.problems
    assert [problem.path for problem in problems[:50]] == [f"line {3 + 2 * number}" for number in range(50)]
    assert problems[50].message == "has 70 more such values"
    assert len(problems) == 51


def test_wrong_lines_are_told_from_the_first_to_the_last(tmp_path: Path) -> None:
    with pytest.raises(TraceError) as refused:
        read(table(tmp_path, "0,a,red,1:99:00,1", "x,a,red,1,1", "2,a,red,1,y", "y,a,red,1,1"))
    assert [problem.path for problem in refused.value.problems] == [f"line {line}" for line in (2, 3, 4, 5)]


def test_the_rest_is_imported_without_these_lines(tmp_path: Path) -> None:
    path = table(tmp_path, "0,a,red,1,1", "1,a,red,x,1", "2,a,red,01:00:00,2", "3,a,red,4,y")
    work = read(path, bad_lines="leave_out")
    assert work.duration_ns.tolist() == [10**9, 3600 * 10**9]
    assert [(one.count, one.first_line) for one in work.left_out] == [(2, 3)]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("01:00:00", 3600), ("00:02:30", 150), ("02:30", 150), ("2-01:00:00", 176_400), ("00:00:01.5", 1.5),
        ("-00:01:00", -60), ("abc", None), ("1:2", None), ("", None), ("90:00", 5_400), ("100:00:00", 360_000),
        ("1:99:00", None), ("00:00:60", None), ("1-24:00:00", None),
    ],
)  # fmt: skip
def test_durations_as_people_write_them(text: str, seconds: float | None) -> None:
    assert clock_seconds(text) == seconds


def test_a_duration_of_hours_means_the_same_in_every_unit(tmp_path: Path) -> None:
    path = table(tmp_path, "0,a,red,00:00:30,1", "0,a,red,500,1")
    assert read(path, duration_unit="ms").duration_ns.tolist() == [30 * 10**9, 5 * 10**8]


def test_likely_columns_are_guessed_by_name_and_by_value(tmp_path: Path) -> None:
    named = first_rows(table(tmp_path, "0,a,red,01:00:00,1", "5,b,blue,00:10:00,2"))["guess"]
    assert {key: named[key] for key in ("arrival", "duration", "queue", "cpus")} == MAPPING
    unnamed = first_rows(table(tmp_path, "5,00:00:10,b", "7,00:10:00,c", head="0,01:00:00,a"))["guess"]
    assert (unnamed["arrival"], unnamed["duration"], unnamed["header"]) == ("1", "2", False)


def test_the_command_line_lists_all_and_imports_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(tmp_path, "0,a,red,1,1", "1,a,red,x,1", "2,a,red,-1,2")
    assert main(["import-trace", str(path), str(tmp_path / "out.parquet")]) == 2
    told = capsys.readouterr().err
    assert f"{path}: line 3: 'dur' is 'x'" in told
    assert f"{path}: line 4: 'dur' is '-1'" in told
    assert main(["import-trace", "--without-bad-lines", str(path), str(tmp_path / "out.parquet")]) == 0
    assert "1 jobs, 1 tasks" in capsys.readouterr().out


def test_every_value_out_of_its_bounds_is_listed_beside_the_others_by_line(tmp_path: Path) -> None:
    """What an import would leave out without a word is an error of its line: nobody finds it after the import."""
    head = "submit,team,dur,cpu,gb,n"
    rows = (
        "0,red,1,1,1,1", "-1,red,1,1,1,1", "1,red,-1,1,1,1", "2,red,1,-2,1,1", "3,red,1,1,-0.5,1",
        "4,red,1,1,1,0", "5,red,1,1,1,-3", "6,red,1,2e6,1,1", "7,red,inf,1,1,1", "8,red,x,1,1,1",
    )  # fmt: skip
    path = table(tmp_path, *rows, head=head)
    mapping = {"arrival": "submit", "duration": "dur", "queue": "team", "cpus": "cpu", "memory_gb": "gb", "tasks": "n"}
    with pytest.raises(TraceError) as refused:
        read_trace(path, None, DEFAULT_LIMITS, beside=Beside(parse_columns(mapping)))
    told = [(problem.path, problem.message.split(" is ")[0]) for problem in refused.value.problems]
    columns = ("submit", "dur", "cpu", "gb", "n", "n", "cpu", "dur", "dur")
    assert told == [(f"line {3 + place}", f"'{name}'") for place, name in enumerate(columns)]
    work = read_trace(path, None, DEFAULT_LIMITS, beside=Beside(parse_columns(mapping | {"bad_lines": "leave_out"})))
    assert len(work.duration_ns) == 1
    assert [(one.count, one.first_line) for one in work.left_out] == [(9, 3)]


def test_an_end_before_the_start_is_an_error_of_its_line(tmp_path: Path) -> None:
    path = table(tmp_path, "0,1,2", "5,6,3", head="submit,start,end")
    mapping = {"arrival": "submit", "start": "start", "end": "end"}
    with pytest.raises(TraceError) as refused:
        read_trace(path, None, DEFAULT_LIMITS, beside=Beside(parse_columns(mapping)))
    assert [(one.path, one.message) for one in refused.value.problems] == [
        ("line 3", "'end' is '3', which is before 'start'")
    ]


def test_the_fifty_that_are_told_are_the_first_lines_of_all_columns(tmp_path: Path) -> None:
    rows = [f"{'x' if number >= 100 else number},a,red,1,{-1 if number < 40 else 1}" for number in range(200)]
    with pytest.raises(TraceError) as refused:
        read(table(tmp_path, *rows))
    problems = refused.value.problems
    assert [problem.path for problem in problems[:50]] == [f"line {line}" for line in (*range(2, 42), *range(102, 112))]
    assert problems[50].message == "has 90 more such values"


def test_jobs_that_name_no_queue_are_in_one_of_their_own(tmp_path: Path) -> None:
    work = read(table(tmp_path, "0,a,red,1,1", "1,a,,1,1", "2,a,blue,1,1", "3,a,redd,1,1"))
    assert work.queue is not None
    assert [work.queue_names[place] for place in work.queue] == ["red", "none", "blue", "redd"]
    assert work.notes == ("1 jobs name no queue; they are in the queue 'none'.",)
