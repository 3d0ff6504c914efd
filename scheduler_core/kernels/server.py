"""The event loops that stay on the server: they ask Python in mid-run (engine.consult), and a page has no Python.

A loop on this list has a module, too, and `--engine wasmtime` runs it, because Python answers there. The list may only
become shorter; tests/core/test_modules.py derives it from the sources.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stays:
    """An event loop on the list: the schedulers that it serves, when it asks, and why."""

    kernel: str
    schedulers: tuple[str, ...]
    when: str
    why: str


STAYS: tuple[Stays, ...] = (
    Stays(
        "schedulers/flow/kernel.py:advance",
        ("quincy", "firmament", "flow-fairness", "flow-placement", "flow-priority", "flow-mixed"),
        "solver is cold",
        "OR-tools solves each round from scratch.",
    ),
    Stays(
        "schedulers/spacetime/kernel.py:advance",
        ("tetrisched", "alsched"),
        "always",
        "An integer program plans each cycle, and OR-tools solves it.",
    ),
)
