"""The stranger's tour in docs/development/design/server.md names files and functions: each of them is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.support import PROJECT

_DESIGN = (PROJECT / "docs" / "development" / "design" / "server.md").read_text(encoding="utf-8")
_TOUR = _DESIGN.split("## A stranger's tour\n", 1)[1].split("\n## ", 1)[0]
_NAMES = re.findall(r"`((?:playground|scheduler_core|static|templates)/[\w./-]+)(?::([\w.#]+))?`", _TOUR)


def python_names(path: Path) -> set[str]:
    """Return what a module defines at its top and what its classes define, as `name` and `Class.name`."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            inside = (one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
            found |= {f"{node.name}.{one.name}" for one in inside}
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def script_names(path: Path) -> set[str]:
    """Return the functions and classes of a script, and the methods of its classes as `Class.name`."""
    found: set[str] = set()
    owner = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if made := re.match(r"(?:export )?(?:default )?class (\w+)", line):
            owner = made[1]
            found.add(owner)
        elif made := re.match(r"(?:export )?(?:async )?function\*? (\w+)", line):
            found.add(made[1])
        elif owner and (made := re.match(r"  (?:static |async |get |set |\*)*(#?\w+)\(.*\) \{$", line)):
            found.add(f"{owner}.{made[1]}")
        elif line == "}":
            owner = ""
    return found


def test_the_tour_goes_through_the_house() -> None:
    assert len(_NAMES) > 40
    assert {path.split("/")[0] for path, _ in _NAMES} == {"playground", "scheduler_core", "static", "templates"}


@pytest.mark.parametrize(("path", "name"), _NAMES, ids=[f"{path}:{name}" for path, name in _NAMES])
def test_a_name_in_the_tour_is_there(path: str, name: str) -> None:
    file = PROJECT / path
    assert file.is_file()
    if name:
        names = script_names(file) if file.suffix == ".js" else python_names(file)
        assert name in names
