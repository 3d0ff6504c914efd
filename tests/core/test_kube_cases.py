"""The rules of kube-scheduler as its own tests expect them: every case of `tests/data/kubernetes`, exactly.

The functions that answer are those that the scheduler `kubernetes` runs.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from scheduler_core.kube.cases import answer
from tests.core.test_cli import assert_refused, cli
from tests.support import PROJECT

FOLDER = PROJECT / "tests" / "data" / "kubernetes"
CASES = [case for path in sorted(FOLDER.glob("*.json")) for case in json.loads(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_the_answer_is_upstreams(case: dict[str, Any]) -> None:
    assert answer(case) == case["expected"]


def test_all_questions_and_plugins_are_asked() -> None:
    assert len(CASES) == 226
    assert Counter(case["extension_point"] for case in CASES) == {
        "Filter": 113, "Score": 71, "candidates": 12, "eligible": 5, "choice": 5, "PostFilter": 4, "preempt": 3,
        "NormalizeScore": 4, "numFeasibleNodesToFind": 4, "selectHost": 3, "function": 2,
    }  # fmt: skip


def test_an_answer_needs_no_expectation() -> None:
    """Without `expected`, the answer has all that the question may ask."""
    case = next(case for case in CASES if case["id"] == "node_resources_fit-02")
    got = answer({name: value for name, value in case.items() if name != "expected"})
    assert {name: got[name] for name in case["expected"]} == case["expected"]


def test_the_command_prints_the_answers(tmp_path: Path) -> None:
    done = cli("kube", "cases", FOLDER / "node_name.json", "--json")
    assert done.returncode == 0, done.stderr
    got = json.loads(done.stdout)
    assert [one["id"] for one in got] == ["node_name-01", "node_name-03"]
    assert got[0]["got"] == {"feasible": ["foo"], "reasons": {}, "codes": {}}
    assert "node_name-03" in cli("kube", "cases", FOLDER / "node_name.json").stdout


@pytest.mark.parametrize(("text", "told"), [
    ("{}", "is not a list"),
    ("[1]", "[0]: is not a case"),
    ("[\n{]", "line 2"),
    ('[{"id": "x-1", "extension_point": "Taste", "nodes": [], "pod": null}]', "'Taste'"),
    ('[{"id": "taste-1", "extension_point": "Filter", "nodes": [], "pod": null}]', "names no plugin"),
    ('[{"id": "node_name-1", "extension_point": "Filter", "nodes": [{}], "pod": null}]', "'name'"),
])  # fmt: skip
def test_a_file_that_holds_no_cases_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "cases.json"
    path.write_text(text)
    assert_refused(cli("kube", "cases", path, "--json"), told)
