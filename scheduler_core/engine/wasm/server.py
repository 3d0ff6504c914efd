"""The event loops that stay on the server: they ask Python in mid-run (engine.consult), and a page has no Python.

Most loops on this list have a module, too, and `--engine wasmtime` runs it, because Python answers there. The list may
only become shorter; tests/core/test_modules.py derives it from the sources.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stays:
    """An event loop on the list: the schedulers that it serves, when it asks, why, and whether a module is built."""

    kernel: str
    schedulers: tuple[str, ...]
    when: str
    why: str
    built: bool = True


STAYS: tuple[Stays, ...] = (
    Stays(
        "schedulers/flow/kernel.py:advance",
        ("quincy", "firmament", "sirius-fairness", "sirius-placement", "sirius-priority", "sirius-mixed"),
        "solver is cold, or another solver gives a round up",
        "OR-tools solves such rounds from scratch.",
    ),
    Stays(
        "schedulers/plugin/choose/kernel.py:advance",
        ("plugins that are one function",),
        "always",
        "The function in the plugin's file chooses each machine.",
        built=False,
    ),
    Stays(
        "schedulers/spacetime/kernel.py:advance",
        ("tetrisched", "alsched"),
        "always",
        "An integer program plans each cycle, and OR-tools solves it.",
    ),
)
