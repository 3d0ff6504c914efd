"""Nothing outside the declarations knows a scheduler by its family or a layer by its name: flags and roles say it."""

from __future__ import annotations

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


def sources() -> Iterator[Path]:
    for folder, pattern in (("scheduler_core", "*.py"), ("playground", "*.py"), ("static/js", "*.js")):
        for path in (PROJECT / folder).rglob(pattern):
            if str(path.relative_to(PROJECT)) not in DECLARED:
                yield path


def test_schedulers_are_known_by_flags_and_layers_by_roles() -> None:
    found = [
        f"{path.relative_to(PROJECT)}:{number}: {line.strip()}"
        for path in sources()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if KNOWN_BY_NAME.search(line)
    ]
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
