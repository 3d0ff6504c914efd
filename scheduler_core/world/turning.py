"""Parameters whose whole effect lies in a scheduler's row of rules, and how their values are written there.

A page that holds the packed start of a run changes such a parameter by itself (static/js/engine/turning.js), without a
server. A scheduler's protocol names these parameters in `turns`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from scheduler_core.engine.records import World

Value = bool | int | float | str | None
_KIND_SHIFT = 48


@dataclass(frozen=True)
class Scaled:
    """A column of the rules holds the value times `per`, rounded to a whole number, and at least `least`.

    Halves go to the even neighbor, as Python's `round` does it.
    """

    column: str
    per: float
    least: int | None = None

    def write(self, world: World, state: Any, value: Any) -> None:
        """Write a value."""
        number = round(value * self.per)
        state.rules[self.column] = number if self.least is None else max(self.least, number)

    def told(self, rules: str) -> dict[str, Any]:
        """Return it for a page; `rules` is the name of the array."""
        return {"array": rules, "column": self.column, "per": self.per, "least": self.least}


@dataclass(frozen=True)
class Chosen:
    """A column of the rules holds a number for each value."""

    column: str
    numbers: Mapping[Value, int]

    def write(self, world: World, state: Any, value: Any) -> None:
        """Write a value."""
        state.rules[self.column] = self.numbers[value]

    def told(self, rules: str) -> dict[str, Any]:
        """Return it for a page; `rules` is the name of the array."""
        return {"array": rules, "column": self.column, "numbers": [[*each] for each in self.numbers.items()]}


@dataclass(frozen=True)
class Beats:
    """The first events of a `kind` are spread over one period: event a of n is at period * (a + 1) // n.

    `period` is a column of the rules in ns, which a write before this one sets.
    """

    kind: int
    period: str

    def write(self, world: World, state: Any, value: Any) -> None:
        """Write the times that follow from the period, and put the heap in order."""
        size = int(world.control[0].heap_size)
        first = world.heap[:size]
        mine = np.flatnonzero(first["order"] >> _KIND_SHIFT == self.kind)
        first["time_ns"][mine] = int(state.rules[0][self.period]) * (first["a"][mine] + 1) // max(1, len(mine))
        first[:] = first[np.lexsort((first["order"], first["time_ns"]))]  # a sorted array is a heap

    def told(self, rules: str) -> dict[str, Any]:
        """Return it for a page; `rules` is the name of the array."""
        return {"kind": self.kind, "array": rules, "period": self.period}


@dataclass(frozen=True)
class Turn:
    """A parameter that the rules alone hold.

    `packed` is the value whose arrays have room for all others; None: every value has the same arrays. `most` is the
    largest value for which the arrays have room; None: there is no such bound.
    """

    writes: tuple[Scaled | Chosen | Beats, ...]
    packed: Value = None
    most: float | None = None

    def write(self, world: World, state: Any, value: Any) -> None:
        """Write a value of the parameter into the arrays of a run before its first event."""
        for each in self.writes:
            each.write(world, state, value)

    def told(self, path: str, rules: str) -> dict[str, Any]:
        """Return what a page needs to write a value: the parameter's path, its bound and its writes."""
        return {"path": path, "most": self.most, "writes": [each.told(rules) for each in self.writes]}
