"""Why a page cannot simulate a run, in German: every reason that the library and the workers give has its words."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from django.utils import translation

from playground.errors import PlaygroundError
from playground.ground.simulator import named_by_setting
from playground.runs.results.page_reasons import TEXTS, told, worded
from scheduler_core.engine.wasm.server import STAYS
from scheduler_core.errors import Problem
from scheduler_core.limits import DEFAULT_LIMITS
from tests.support import PROJECT

RUN = PROJECT / "scheduler_core" / "run"
LIMITS = ("page_tasks", "page_machines", "page_bytes")


def refusals(file: str) -> Iterator[str]:
    """Yield each text of a `Problem` or a `_refusal` in a file of the library; a place in it holds `sparrow`."""
    for call in ast.walk(ast.parse((RUN / file).read_text(encoding="utf-8"))):
        name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        if isinstance(call, ast.Call) and name in {"Problem", "_refusal"}:
            given = call.args[1:] if name == "Problem" else call.args
            for each in (*given, *(keyword.value for keyword in call.keywords)):
                parts = each.values if isinstance(each, ast.JoinedStr) else [each]
                texts = [str(part.value) if isinstance(part, ast.Constant) else "sparrow" for part in parts]
                if texts != ["sparrow"]:
                    yield "".join(texts)


def limited(name: str) -> Problem:
    found = DEFAULT_LIMITS.exceeded(name, 300_000_000, "")
    assert found is not None
    return found


def test_every_reason_has_german_words() -> None:
    reasons = {each for file in ("start_file.py", "touchable.py") for each in refusals(file)}
    assert any("in mid-run" in each for each in reasons)
    reasons |= {each.why for each in STAYS} | set(TEXTS)
    with translation.override("de"):
        assert sorted(each for each in reasons if told(each) == each) == []
        assert told("The disk is full.") == "The disk is full."


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_told_with_its_setting_and_german_numbers(name: str) -> None:
    refused = PlaygroundError(
        422, "not-in-a-page", "A page cannot simulate this run", (named_by_setting(limited(name)),)
    )
    assert worded(refused) == refused
    with translation.override("de"):
        german = worded(refused)
    (item,) = german.problems
    assert german.title == "Eine Seite kann diesen Lauf nicht simulieren"
    assert "300.000.000" in item["message"]
    assert item["allowed"].startswith("höchstens ")
    assert f"PLAYGROUND_LIMIT_{name.upper()}" in item["allowed"]
    assert item["remedy"] == "verkleinere den Lauf"


def test_the_reason_in_a_reason_is_german_too() -> None:
    why = f"this scheduler's event loop asks the server in mid-run. {STAYS[0].why}"
    with translation.override("de"):
        german = told(why)
    assert german.startswith("die Ereignisschleife")
    assert STAYS[0].why not in german
