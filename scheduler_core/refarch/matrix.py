"""The matrix of schedulers and stages, cell by cell: which cells are certain and which are possible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scheduler_core.refarch.stages import STAGES, of_group, stage_by_id
from scheduler_core.refarch.systems import CANDIDATES, System, system_by_name

WORTH = {"#": 100, "~": 50, ".": 0}
"""What a symbol counts in percentages."""
WORDS = {"#": "full", "~": "partial", ".": "none"}


@dataclass(frozen=True)
class Cell:
    """What one scheduler has of one stage.

    `candidates` are the symbols that it may have, one for a determined cell. `evidence` is how it was found: `tables`
    alone, with `prose`, or `open`. `chosen` is the symbol of the one synthetic assignment.
    """

    system: str
    stage: str
    candidates: str
    evidence: Literal["tables", "prose", "open"]
    chosen: str

    @property
    def determined(self) -> bool:
        """Whether only one symbol is possible."""
        return len(self.candidates) == 1


def cell(system: System | str, stage: str) -> Cell:
    """Return the cell of a scheduler and a stage, by names. KeyError for unknown ones."""
    row_of = system if isinstance(system, System) else system_by_name(system)
    group = stage_by_id(stage).group
    place = [one.id for one in of_group(group)].index(stage)
    row = row_of.row(group)
    symbol = row.columns[place]
    candidates = CANDIDATES.get(symbol, symbol)
    found: Literal["tables", "prose"] = "prose" if stage in row_of.by_prose else "tables"
    return Cell(row_of.name, stage, candidates, "open" if len(candidates) > 1 else found, row.chosen[place])


def cells(system: System | str) -> Iterator[Cell]:
    """Yield all 33 cells of a scheduler, in the order of the stages."""
    return (cell(system, stage.id) for stage in STAGES)
