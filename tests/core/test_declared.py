"""Nothing outside the declarations knows a scheduler by its family or a layer by its name: flags and roles say it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scheduler_core import SCHEDULERS

PROJECT = Path(__file__).resolve().parents[2]
DECLARED = {"scheduler_core/contract/upgrade.py", "static/js/contract/upgrade_meta.js"}
"""Where names may stand: what format 1 of meta left to them."""
LAYERS = sorted({layer.name for spec in SCHEDULERS for layer in spec.layers})
_NAME = rf"""["'](?:{"|".join(LAYERS)}|of_\w*)["']"""
_FAMILY = r"""\bfamily\b["']?\]?"""
KNOWN_BY_NAME = re.compile(
    "|".join(
        (
            # a family compared, looked for in a list, or used as a key
            rf"{_FAMILY}\s*(?:[!=]==?|\bin\b|\bnot in\b)",
            r"[!=]==?\s*(?:[\w.?]+\.)?family\b",
            rf"includes\([^)]*{_FAMILY}\s*\)",
            # a layer compared by name, or taken by name out of layers
            rf"""\blayer\w*(?:\??\.name|\[["']name["']\])\s*[!=]==?\s*{_NAME}""",
            rf"{_NAME}\s*[!=]==?\s*layer\w*\??\.name",
            rf"\blayers(?:\??\.get\(|\??\.?\[)\s*{_NAME}",
            rf"\blayers\??\.(?:{'|'.join(LAYERS)})\b",
            rf"\b_?layer\(\s*\w+,\s*{_NAME}",
        )
    )
)


SCHEDULER_NAMES = frozenset(spec.name for spec in SCHEDULERS)
_LAYERS = frozenset(LAYERS)


def literals(node: ast.expr) -> set[str]:
    """Strings that an expression compares with: one, or those of a list of them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return set().union(*map(literals, node.elts))
    if isinstance(node, ast.Call) and len(node.args) == 1 and ast.unparse(node.func) in ("set", "frozenset", "tuple"):
        return literals(node.args[0])
    return set()


def forbidden(node: ast.expr, compared: set[str]) -> bool:
    """Return True if an expression is the name of a layer or a scheduler, and one of the strings is such a name."""
    last = re.search(r"""(\w+)(?:['"]\])?$|\.get\(['"](\w+)['"].*\)$""", ast.unparse(node))
    name = (last[1] or last[2]) if last else ""
    if isinstance(node, ast.Name) and name == "name":  # often a column's
        return bool(compared & SCHEDULER_NAMES)
    if name == "name":
        return bool(compared & (_LAYERS | SCHEDULER_NAMES)) or any(one.startswith("of_") for one in compared)
    return name.endswith("scheduler") and bool(compared & SCHEDULER_NAMES)


def known_by_name(source: str) -> list[int]:
    """Return the lines of a Python source that branch on the name of a layer or a scheduler, whatever holds it."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Match):
            sides = [node.subject, *(each.value for each in ast.walk(node) if isinstance(each, ast.MatchValue))]
        else:
            continue
        compared = set().union(*map(literals, sides))
        if any(forbidden(side, compared) for side in sides if not literals(side)):
            found.append(node.lineno)
    return found


def sources() -> Iterator[Path]:
    for folder, pattern in (("scheduler_core", "*.py"), ("playground", "*.py"), ("static/js", "*.js")):
        for path in (PROJECT / folder).rglob(pattern):
            if str(path.relative_to(PROJECT)) not in DECLARED:
                yield path


def test_schedulers_are_known_by_flags_and_layers_by_roles() -> None:
    found = []
    for path in sources():
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        numbers = {number for number, line in enumerate(lines, 1) if KNOWN_BY_NAME.search(line)}
        if path.suffix == ".py":
            numbers.update(known_by_name(text))
        found += [f"{path.relative_to(PROJECT)}:{number}: {lines[number - 1].strip()}" for number in sorted(numbers)]
    assert not found, "declare a flag on SchedulerSpec or a role on Layer instead:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        'at_worker = simulation.spec.family == "probing" and not stops',
        "own_ns = world.own if spec.family in PACED_FAMILIES else None",
        'if (scheduler?.family === "flow") return;',
        'if (["dag", "spacetime"].includes(scheduler?.family)) return;',
        'meta.layers.find((layer) => layer.name === "load")',
        'next(layer for layer in spec.layers if layer.name == "outage")',
        'found = [each for each in meta["layers"] if layer["name"] == "lent"]',
        'load = _layer(frame, "load", machines)',
        "const load = picture.layers.load;",
        'const owner = picture.layers["owner"];',
        'borrower = frame.layers.get("borrower")',
    ],
)
def test_the_rule_sees_what_it_forbids(line: str) -> None:
    assert KNOWN_BY_NAME.search(line)


@pytest.mark.parametrize(
    "line",
    [
        'if declared.name == "load": pass',
        'if "outage" == one.name: pass',
        'if one["name"] in ("owner", "lent"): pass',
        'if one.get("name") not in {"lent"}: pass',
        'if name == "megha": pass',
        'if spec.name in frozenset({"megha", "omega"}): pass',
        'alone = scheduler == "centralised"',
        'alone = asked["scheduler"] == "centralised"',
        'alone = experiment["scheduler"]["name"] == "centralised"',
        'match declared.name:\n    case "load": pass',
    ],
)
def test_the_rule_sees_names_whatever_holds_them(line: str) -> None:
    assert known_by_name(line) == [1]


@pytest.mark.parametrize(
    "line",
    ['declared.role == "load"', 'name == "queue"', 'params.get("inter_job") == "drf"', 'field.name == "heartbeat_s"'],
)
def test_the_rule_leaves_what_is_no_name_of_either(line: str) -> None:
    assert not known_by_name(line)
