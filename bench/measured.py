"""What a row of the table gives back, and how a row says that it cannot be measured here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Unit = Literal["tasks/s", "s", "x", "ms", "frames/s", "viewers", "MB/s", "rows/s", "MB"]


class Skipped(Exception):
    """A row that cannot be measured on this machine; says why."""


@dataclass(frozen=True)
class Measured:
    """Every repeat's value, a remark, and the largest memory of a further process if the row started one."""

    values: tuple[float, ...]
    note: str = ""
    child_rss_mb: float = 0.0


@dataclass(frozen=True)
class Row:
    """One line of the table. `measure` takes how often to repeat; it runs in a process of its own."""

    name: str
    unit: Unit
    measure: Callable[[int], Measured]
    at_least: float | None = None
    at_most: float | None = None
