"""The paper's Tables II, III and VIII: the printed numbers, and the same numbers recomputed.

Table II follows from the symbols of each row, which are certain. Tables III and VIII need columns; where a cell is open
their figures are bounds, and exact where every cell of the column is certain. The columns were found with the
help of these very figures: that they come out again shows that the solution is consistent, not that it agrees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scheduler_core.refarch.matrix import WORTH, cell
from scheduler_core.refarch.stages import GROUPS, of_group
from scheduler_core.refarch.systems import SYSTEMS, System

TOLERANCE = 1.0
"""Percentage points by which a printed figure may be off: the paper rounds some and cuts others."""

ACADEMIA = tuple(one for one in SYSTEMS if one.origin == "academia")
INDUSTRY = tuple(one for one in SYSTEMS if one.origin == "industry")
BEFORE = tuple(one for one in SYSTEMS if one.era == "before")
SINCE = tuple(one for one in SYSTEMS if one.era == "since")

# Stage: printed percentages of the two halves.
TABLE_III = {
    "T11": (13, 83),
    "T10": (31, 92),
    "J2": (6, 50),
    "R2": (38, 0),
    "J7": (38, 0),
    "J3": (6, 42),
    "J6": (56, 92),
    "T9": (13, 42),
    "R3": (38, 67),
    "T8": (44, 17),
}
"""The ten stages in which academia and industry differ most."""
TABLE_VIII = {
    "R4": (21, 71),
    "R7": (0, 36),
    "T4": (64, 93),
    "T11": (29, 57),
    "J6": (86, 57),
    "J5": (64, 43),
    "J4": (64, 43),
    "T9": (36, 14),
    "T5": (50, 29),
    "J2": (14, 35),
}
"""The ten stages in which schedulers from before and since 2010 differ most."""


@dataclass(frozen=True)
class GroupFigure:
    """A percentage of Table II, printed and worked out."""

    system: str
    group: str
    printed: int
    found: float

    @property
    def agrees(self) -> bool:
        """Whether they differ by less than the tolerance."""
        return abs(self.printed - self.found) < TOLERANCE


@dataclass(frozen=True)
class Difference:
    """A row of Table III or VIII. Bounds are (least, most) of each half; `chosen` is by the synthetic assignment."""

    stage: str
    printed: tuple[int, int]
    bounds: tuple[tuple[float, float], tuple[float, float]]
    chosen: tuple[float, float]

    @property
    def exact(self) -> tuple[bool, bool]:
        """Which halves are determined."""
        return self.bounds[0][0] == self.bounds[0][1], self.bounds[1][0] == self.bounds[1][1]

    @property
    def agrees(self) -> bool:
        """Whether the solution is consistent: figures lie within the bounds, and meet the synthetic assignment."""
        return all(
            low - TOLERANCE < printed < high + TOLERANCE and abs(chosen - printed) < TOLERANCE
            for printed, (low, high), chosen in zip(self.printed, self.bounds, self.chosen, strict=True)
        )


def group_percentage(system: System, group: str) -> float:
    """Return how much of a group's stages a scheduler has: a full symbol counts one, a partial one half."""
    return sum(WORTH[symbol] for symbol in system.row(group).symbols) / len(of_group(group))


def group_table() -> Iterator[GroupFigure]:
    """Yield Table II: fourteen schedulers by four groups."""
    for system in SYSTEMS:
        for group, _ in GROUPS:
            yield GroupFigure(system.name, group, system.row(group).published, group_percentage(system, group))


def column_bounds(stage: str, systems: Sequence[System] = SYSTEMS) -> tuple[float, float]:
    """Return the least and most that schedulers have of a stage, in percent, as far as their cells are certain."""
    worths = [[WORTH[symbol] for symbol in cell(system, stage).candidates] for system in systems]
    return sum(map(min, worths)) / len(systems), sum(map(max, worths)) / len(systems)


def _chosen(stage: str, systems: Sequence[System]) -> float:
    return sum(WORTH[cell(system, stage).chosen] for system in systems) / len(systems)


def differences(
    printed: dict[str, tuple[int, int]], one: Sequence[System], other: Sequence[System]
) -> Iterator[Difference]:
    """Yield Table III or VIII, row by row, between two halves of the schedulers."""
    for stage, figures in printed.items():
        yield Difference(
            stage,
            figures,
            (column_bounds(stage, one), column_bounds(stage, other)),
            (_chosen(stage, one), _chosen(stage, other)),
        )
