"""A place where faults happen: its addresses, the faults by their names, and whether all parts are there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Place:
    """`urls` are the web processes; a fault returns at once, or when the part is back."""

    urls: list[str]
    faults: Mapping[str, Callable[[], object]]
    ready: Callable[[], bool]
    logs: list[Path]
