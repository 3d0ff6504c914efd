"""What the numbers of a decision row stand for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """What the numbers of a decision row stand for; what is missing is told by its number."""

    resources: tuple[str, ...] = ()
    queues: tuple[str, ...] = ()
    owners: tuple[int, ...] = ()  # the GM of each queue
    constraints: tuple[str, ...] = ()
