"""The language of one's own policies: what is read, what is refused and where, and what values mean."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given

from scheduler_core.cli.main import main
from scheduler_core.policy import WORDS, PolicyError, PolicyLimits, compile_policy
from scheduler_core.policy.evaluate import evaluate
from scheduler_core.policy.words import BY_TEXT
from tests.core.policies import anything
from tests.tiers import examples

ISSUE = """
param patience = 30 from 1 to 600                               # becomes a setting
order:   -(task.wait_s / patience) + log(job.tasks_left)       # smaller first
filter:  machine.free_cpus >= task.cpus                         # besides room and hard constraints
score:   machine.free_cpus / machine.cpus - 2 * same_job_here    # larger wins
preempt: queue.over_share > 0.1 and victim.ran_s < 5
victim:  victim.ran_s                                           # smaller first
"""


def _value(expression: str, hook: str = "score", **words: float) -> float:
    given = {BY_TEXT[name.replace("__", ".")].number: value for name, value in words.items()}
    return evaluate(compile_policy(f"{hook}: {expression}"), hook, lambda number: given.get(number, 0.0))


def test_the_policy_of_the_issue_is_read() -> None:
    policy = compile_policy(ISSUE)
    assert list(policy.hooks) == ["order", "filter", "score", "preempt", "victim"]
    assert [(one.name, one.default, one.low, one.high) for one in policy.settings] == [("patience", 30.0, 1.0, 600.0)]
    assert [(text, sign) for text, sign, _ in policy.terms] == [
        ("machine.free_cpus / machine.cpus", 1),
        ("2 * same_job_here", -1),
    ]


@pytest.mark.parametrize(
    ("text", "line", "column", "told", "mend"),
    [
        ("score: machine.free_cpu", 1, 8, "did you mean 'free_cpus'?", "machine.free_cpus"),
        ("# a comment\nscore: 1 + mahcine.cpus", 2, 12, "did you mean 'machine'?", "machine.cpus"),
        ("score: free_cpus", 1, 8, "did you mean 'machine.free_cpus'?", "machine.free_cpus"),
        ("scor: 1", 1, 1, "did you mean 'score'?", "score"),
        ("score = 1", 1, 7, "written with a colon", ":"),
        ("score: 1 = 1", 1, 10, "'=' cannot stand here", "=="),
        ("score: machine.cpus ≥ 1", 1, 21, "'≥' cannot stand here", ">="),
        ("score: 1 +", 1, 11, "the line ends here", None),
        ("score: (1 + 2", 1, 8, "never closed", None),
        ("score: 1)", 1, 9, "closes nothing", ""),
        ("score: 2 3", 1, 10, "cannot follow a value", None),
        ("score: min(1)", 1, 8, "min has 1 argument", None),
        ("score: sin(1)", 1, 8, "'sin' is no function", "min"),
        ("score: 1\nscore: 2", 2, 1, "is there already, on line 1", None),
        ("a = a + 1\nscore: a", 1, 5, "'a'", None),
        ("param q = 5 from 1 to 3\nscore: q", 1, 11, "out of its own bounds", None),
        ("param news = 5 from 1 to 30\nscore: news", 1, 7, "is a parameter of the scheduler itself", None),
        ("score: task", 1, 8, "task is not a number", None),
        ("order: machine.cpus", 1, 8, "cannot be used in order", None),
        ("x = machine.cpus\norder: x", 2, 8, "'x' on line 1 reads it", None),
        ("a = b\nb = 1\nscore: a", 1, 5, "no line above defines 'b'", None),
        ("score: count(m for m in racks)", 1, 25, "did you mean 'rack'?", "rack"),
        ("score: sum(sum(n.cpus for n in rack) for m in rack)", 1, 15, "in another fold", None),
        ("score: __import__(1)", 1, 8, "'__import__' is no function", None),
        ("score: task.cpus.real", 1, 8, "is no word", None),
        ("score: 'a'", 1, 8, "cannot stand here", None),
        ("score: 1e999", 1, 8, "no finite number", None),
        ("score: " + "9" * 380, 1, 8, "no finite number", None),
        ("victim: 1", 1, 1, "no line says which may", None),
        ("", 1, 1, "has no hook", None),
        ("score: " + "-" * 300 + "1", 1, 32, "nested too deeply", None),
        ("score: " + "(" * 100 + "1" + ")" * 100, 1, 32, "open bracket", None),
        ("score: 1" + " " * 400, 1, 401, "characters", None),
        ("score: 1\n" * 100, 61, 1, "lines", None),
    ],
)
def test_a_problem_has_its_place(text: str, line: int, column: int, told: str, mend: str | None) -> None:
    with pytest.raises(PolicyError) as found:
        compile_policy(text, reserved=("policy", "news"))
    first = found.value.problems[0]
    assert told in first.message
    assert (first.line, first.column) == (line, column)
    if mend is not None:
        assert first.mend == mend


def test_all_lines_are_told_at_once_and_no_problem_twice() -> None:
    with pytest.raises(PolicyError) as found:
        compile_policy("a = tusk.cpus\norder: a + 1\nscore: machine.free_cpu\nfilter: b")
    assert [one.line for one in found.value.problems] == [1, 3, 4]


def test_a_limit_is_named_where_it_acts() -> None:
    with pytest.raises(PolicyError, match=r"at most 5 \(limit 'instructions'\)"):
        compile_policy("score: 1 + 2 + 3 + 4 + 5", limits=PolicyLimits(instructions=5))
    with pytest.raises(PolicyError, match=r"limit 'settings'"):
        compile_policy("\n".join(f"param k{n} = 1 from 0 to 2" for n in range(30)))


def test_definitions_do_not_multiply() -> None:
    """Each value stands once, however often a line reads it: forty doublings are forty steps."""
    rows = ["a0 = machine.cpus", *(f"a{n + 1} = a{n} + a{n}" for n in range(40))]
    policy = compile_policy("\n".join([*rows, "score: a40"]))
    assert len(policy.rows) == 41
    assert evaluate(policy, "score", lambda number: 1.0) == 2.0**40


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("7 // 2 + 7 % 2 + 2 ** 3", 3 + 1 + 8),
        ("-7 // 2", -4),
        ("1 < 2 < 3", 1),
        ("3 > 2 > 2", 0),
        ("not 0 and (0 or 5)", 1),
        ("4 if 0 > 1 else 9", 9),
        ("clip(12, 0, 10) + min(3, 1, 2) + max(1, 5) + abs(-2)", 10 + 1 + 5 + 2),
        ("floor(1.5) + ceil(1.5) + sqrt(9) + exp(0) + log(1)", 1 + 2 + 3 + 1),
        ("1 / 0", math.nan),
        ("0 * (1 / 0)", math.nan),
        ("5 if machine.cpus > 0 else 1 / machine.cpus", math.nan),
        ("1 / machine.cpus if machine.cpus > 0 else 5", 5),
        ("machine.cpus > 0 and 1 / machine.cpus > 1", 0),
        ("exp(1000)", math.nan),
        ("1e300 * 1e300", math.nan),
        ("log(0)", math.nan),
        ("sqrt(-1)", math.nan),
        ("0 ** 0.5", math.nan),
        ("min(1, 1 / 0)", math.nan),
        ("1 / 0 == 1 / 0", math.nan),
    ],
)
def test_values(expression: str, value: float) -> None:
    found = _value(expression)
    assert math.isnan(found) if math.isnan(value) else found == value


def test_folds_go_over_machines() -> None:
    machines = [lambda number, n=n: float(n) for n in range(5)]
    policy = compile_policy("score: count(m for m in rack if m.free_cpus > 2) * 100 + mean(m.tasks for m in cluster)")
    assert evaluate(policy, "score", lambda number: 0.0, machines, machines[:4]) == 102.0
    empty = compile_policy("score: max(m.tasks for m in rack if m.tasks > 9)")
    assert math.isnan(evaluate(empty, "score", lambda number: 0.0, machines, machines))


def test_words_are_numbered_in_order_and_named_once() -> None:
    assert [word.number for word in WORDS] == list(range(len(WORDS)))
    assert len({word.text for word in WORDS}) == len(WORDS)


def compiles_or_says_why(text: str) -> None:
    """Assert that a text gives a policy whose values are numbers, or problems with a place and a message."""
    policy, problems = None, ()
    try:
        policy = compile_policy(text)
    except PolicyError as error:
        problems = error.problems
    if policy is None:
        rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert problems
        for one in problems:
            assert 1 <= one.line <= max(len(rows), 61)
            assert one.message
            assert one.column >= 1
            assert str(one).isprintable()
        return
    for hook in policy.hooks:
        value = evaluate(policy, hook, lambda number: float(number % 3))
        assert math.isfinite(value) or math.isnan(value)


@given(anything)
@examples(2000, few=60)
def test_any_text_gives_a_policy_or_an_error_with_a_place(text: str) -> None:
    compiles_or_says_why(text)


def test_the_command_says_what_a_policy_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text("order: task.duration_s\nscore: machine.free_cpus")
    bad.write_text("score: machine.free_cpu\nfilter: 1 +")
    assert main(["policy", "check", str(good)]) == 0
    assert "no real scheduler knows" in capsys.readouterr().out
    assert main(["policy", "check", str(bad)]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert "line 1, column 8" in told[0]
    assert "did you mean 'free_cpus'?" in told[0]
    assert "line 2, column 12" in told[1]
    assert main(["policy", "check", str(bad), "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert found["problems"][0]["mend"] == "machine.free_cpus"
    assert main(["policy", "check", str(tmp_path / "none.txt")]) == 2
    bad.write_bytes(b"\xff\xfe")
    assert main(["policy", "check", str(bad)]) == 2
    bad.write_bytes(b"a" * 100_000)
    assert main(["policy", "check", str(bad)]) == 2
