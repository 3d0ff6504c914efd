"""Each event loop names its source: the section of a paper, a paper, or a program."""

from __future__ import annotations

import ast

from tests.support import PROJECT

SCHEDULERS = PROJECT / "scheduler_core" / "schedulers"


def event_loops() -> dict[str, str]:
    found = {}
    for path in sorted(SCHEDULERS.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name == "advance":
                found[str(path.relative_to(SCHEDULERS))] = ast.get_docstring(node) or ""
    return found


def test_each_event_loop_names_its_source() -> None:
    loops = event_loops()
    assert len(loops) > 20
    nameless = [path for path, text in loops.items() if "Source: " not in text and not path.startswith("template/")]
    assert not nameless, "say in the docstring of `advance` which section, paper or program it carries out: Source: ..."
