"""The sparrow reader against a slow reader that splits lines and counts in decimals."""

from __future__ import annotations

import gzip
import math
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scheduler_core import DEFAULT_LIMITS, Limits, TraceError
from scheduler_core.workload import read_trace
from scheduler_core.workload.readers import sparrow
from tests.core import published
from tests.tiers import examples


class Wrong(Exception):
    """A line that the oracle refuses, for the reason that is its text."""


def ns(word: str, most: int) -> int:
    """A number in nanoseconds, or why not."""
    body = word[1:] if word[:1] in ("+", "-") else word
    mantissa, mark, exponent = body.lower().partition("e")
    whole, _, fraction = mantissa.partition(".")
    exponent = exponent[1:] if exponent[:1] in ("+", "-") else exponent
    digits = whole + fraction
    if not (digits and set(digits) <= set("0123456789")) or (
        mark and not (exponent and set(exponent) <= set("0123456789"))
    ):
        raise Wrong("not a finite number")
    value = Decimal(word)
    if value < 0:
        raise Wrong("0 or more")
    if value > 10**12:
        raise Wrong("at most")
    rounded = int(value.scaleb(9).to_integral_value(ROUND_HALF_EVEN)) if value > Decimal("1e-20") else 0
    if rounded > most * 10**9:
        raise Wrong("at most")
    return rounded


def slow_line(line: str) -> tuple[int, int, int, list[int]] | None:
    """Read one line the obvious way."""
    words = line.split()
    if not words:
        return None
    bounds = [10**9, DEFAULT_LIMITS.tasks, 10**8]
    head = []
    for word, most in zip(words, bounds, strict=False):
        value = ns(word, most)
        if len(head) == 1:
            if value % 10**9:
                raise Wrong("a whole number")
            if value == 0:
                raise Wrong("at least 1")
        head.append(value)
    if len(head) < 3:
        raise Wrong("ends before" if len(head) < 2 else "announces")
    count = head[1] // 10**9
    durations = []
    for word in words[3:]:
        if len(durations) == count:
            raise Wrong("gives more durations")
        durations.append(ns(word, 10**8))
    if len(durations) < count:
        raise Wrong("announces")
    return head[0], count, head[2], durations


def slow_read(text: str) -> tuple[list[tuple[int, int, int, list[int]]], list[tuple[str, str]]]:
    """Read a whole file; give its jobs, and (place, reason) of what is wrong."""
    jobs, wrong = [], []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if (job := slow_line(line)) is not None:
                jobs.append(job)
        except Wrong as reason:
            wrong.append((f"line {number}", str(reason)))
    return jobs, wrong


numbers = st.one_of(
    st.integers(0, 10**6).map(str),
    st.floats(0, 1e5).map(repr),
    st.decimals(0, 1000, places=12).map(str),
    st.sampled_from(
        [
            "1e3",
            "2.5E-3",
            "+7",
            ".5",
            "5.",
            "0.0000000005",
            "0.0000000015",
            "0.00000000050000000000000000001",
            "123456789.1234567895",
            "000012.5",
            "1e-400",
            "99999999.999999999999",
            "-0",
        ]
    ),
)
damage = st.sampled_from(
    ["nan", "inf", "-1", "x", "1e", "1.2.3", "--1", ".", "1e999", "\x00", "é", "0x10", "1_0", "3,5"]
)


@st.composite
def lines(draw: st.DrawFn) -> str:
    durations = draw(st.lists(numbers, min_size=1, max_size=6))
    words = [draw(numbers), str(len(durations)), draw(numbers), *durations]
    fault = draw(st.integers(0, 9))
    if fault == 0:
        words[draw(st.integers(0, len(words) - 1))] = draw(damage)
    elif fault == 1:
        words = words[: draw(st.integers(0, len(words) - 1))]
    elif fault == 2:
        words[1] = draw(st.sampled_from(["0", "1.5", "2.0", "7", "1e9", "1"]))
    blank = draw(st.sampled_from([" ", "  ", "\t", " \t "]))
    return draw(st.sampled_from(["", " "])) + blank.join(words) + draw(st.sampled_from(["", " ", "\r"]))


files = st.lists(lines(), max_size=12).map("\n".join)


@examples(300)
@given(text=files, chunk=st.sampled_from([1, 2, 7, 64, 1 << 20]), packed=st.booleans())
@example(text="0 1 1 1", chunk=1, packed=False)
@example(text="0 1 1 1\n\n\n 5 2 1 1 1\r\n", chunk=2, packed=True)
def test_the_reader_agrees_with_the_slow_one(
    text: str, chunk: int, packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sparrow, "CHUNK_BYTES", chunk)
    path = tmp_path / "trace.tr"
    raw = text.encode()
    path.write_bytes(gzip.compress(raw) if packed else raw)
    jobs, wrong = slow_read(raw.decode("latin-1"))
    if wrong or not jobs:
        with pytest.raises(TraceError) as caught:
            read_trace(path, "sparrow")
        found = [(problem.path, str(problem)) for problem in caught.value.problems]
        if not wrong:
            assert "no jobs" in found[0][1]
        assert [place for place, _ in found][: len(wrong)] == [place for place, _ in wrong][:20]
        for (_, line), (_, reason) in zip(found, wrong, strict=False):
            assert reason in line
        return
    work = read_trace(path, "sparrow")
    assert [(a, n, m) for a, n, m, _ in jobs] == list(
        zip(work.arrival_ns.tolist(), work.tasks.tolist(), work.mean_ns.tolist(), strict=True)
    )
    assert [d for job in jobs for d in job[3]] == work.duration_ns.tolist()


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        ("0.0000000005", 0),
        ("0.0000000015", 2),
        ("0.00000000050000000000000000001", 1),
        ("123456789.1234567895", None),
        ("1e-18", 0),
        ("99999999.9999999994", 99_999_999_999_999_999),
        ("0.1", 100_000_000),
        ("1e8", 10**17),
    ],
)
def test_seconds_become_nanoseconds_as_written(tmp_path: Path, seconds: str, expected: int | None) -> None:
    path = tmp_path / "one.tr"
    path.write_text(f"{seconds} 1 1 1\n" if expected is None else f"0 1 1 {seconds}\n")
    work = read_trace(path, "sparrow")
    if expected is None:
        assert work.arrival_ns.tolist() == [123_456_789_123_456_790]
    else:
        assert work.duration_ns.tolist() == [expected]


def test_the_first_twenty_bad_lines_are_listed_and_the_rest_counted(tmp_path: Path) -> None:
    path = tmp_path / "bad.tr"
    path.write_text("0 1 1 1\n" + "1 2 3\n" * 50)
    with pytest.raises(TraceError) as caught:
        read_trace(path, "sparrow")
    assert [problem.path for problem in caught.value.problems] == [*(f"line {i}" for i in range(2, 22)), ""]
    assert "announces 2 tasks and gives 0 durations" in str(caught.value.problems[0])
    assert "30 more lines" in str(caught.value.problems[-1])


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\n\n",
        b"\x00" * 10_000,
        b"\xff\xfe1\x00 \x001\x00",
        bytes(range(256)) * 50,
        b"7" * 10_000,
        b"\x1f\x8b broken",
        gzip.compress(b"0 1 1 1\n" * 1000)[:-20],
        gzip.compress(b"0 1 1 1\n")[:-8] + b"\0" * 8,
        b"\x89PNG\r\n\x1a\n" + b"\0" * 99,
    ],
)
@pytest.mark.parametrize("format_name", [None, "sparrow", "columnar"])
def test_files_that_are_no_trace_are_refused_in_sentences(
    tmp_path: Path, damaged: bytes, format_name: str | None
) -> None:
    path = tmp_path / "file"
    path.write_bytes(damaged)
    with pytest.raises(TraceError) as caught:
        read_trace(path, format_name)
    assert all(len(str(problem)) < 600 for problem in caught.value.problems)


def test_a_mark_of_byte_order_is_no_part_of_the_first_number(tmp_path: Path) -> None:
    path = tmp_path / "bom.tr"
    path.write_bytes(b"\xef\xbb\xbf3 1 1 1\n")
    assert read_trace(path, None).arrival_ns.tolist() == [3_000_000_000]


def test_limits_end_the_reading_with_their_name(tmp_path: Path) -> None:
    path = tmp_path / "long.tr"
    path.write_text("0 2 1 1 1\n" * 100)
    for limits, name in (
        (Limits(jobs=50), "jobs"),
        (Limits(tasks=150), "tasks"),
        (Limits(trace_bytes=500), "trace_bytes"),
    ):
        with pytest.raises(TraceError, match=f"limit '{name}'"):
            read_trace(path, "sparrow", limits)


def test_a_packed_bomb_is_stopped_by_its_unpacked_size(tmp_path: Path) -> None:
    path = tmp_path / "bomb.tr.gz"
    path.write_bytes(gzip.compress(b" " * 5_000_000))
    with pytest.raises(TraceError, match="limit 'trace_bytes'"):
        read_trace(path, "sparrow", Limits(trace_bytes=2_000_000))


@pytest.mark.parametrize(
    ("name", "jobs", "tasks", "mean_tasks", "mean_s", "span_s"),
    [
        ("GOOG_subtrace.tr", 10_000, 312_558, 31, 1_408, 93_526),
        ("YH1_sub.tr", 2_910, 122_878, 42, 678, 25_805),
        ("synthetic_FB_sub_2000jobs.tr", 2_000, 159_921, 80, 220, 7_903),
    ],
)
def test_real_traces_have_their_published_sizes(
    name: str, jobs: int, tasks: int, mean_tasks: float, mean_s: float, span_s: float
) -> None:
    work = read_trace(published.trace(name), None)
    assert (len(work.tasks), len(work.duration_ns)) == (jobs, tasks)
    assert math.isclose(work.tasks.mean(), mean_tasks, abs_tol=0.6)
    assert math.isclose(work.duration_ns.mean() / 1e9, mean_s, abs_tol=0.6)
    assert math.isclose(np.ptp(work.arrival_ns) / 1e9, span_s, abs_tol=1)
