"""The names behind the numbers in a decision row."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """The names behind the numbers in a decision row; a missing name is replaced by its number."""

    resources: tuple[str, ...] = ()
    queues: tuple[str, ...] = ()
    owners: tuple[int, ...] = ()  # the GM of each queue
    constraints: tuple[str, ...] = ()
