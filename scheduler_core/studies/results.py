"""The results of a study so far: estimates for each cell, and comparisons of schedulers, for any measured number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scheduler_core.errors import UnknownName
from scheduler_core.studies.grid import Cell, Grid
from scheduler_core.studies.seeds import seeds_change
from scheduler_core.studies.statistics import CONFIDENCE, METHODS, Statistic, compare, interval

if TYPE_CHECKING:
    import pandas as pd

#: Parts of a summary that identify a run, or that the clock decides.
_NOT_MEASURED = {"experiment_digest", "outcome_digest", "scheduler", "seed", "core_version", "performance"}


def measured_numbers(summary: Mapping[str, Any]) -> dict[str, float | None]:
    """Return every number in a summary, by its dotted name such as `allocation_delay_s.p99`.

    The value is None if the summary has null: a delay of a run in which no job completed.
    """
    found: dict[str, float | None] = {}

    def gather(value: object, name: str) -> None:
        if isinstance(value, Mapping):
            for key, inner in value.items():
                if name or key not in _NOT_MEASURED:
                    gather(inner, f"{name}.{key}" if name else str(key))
        elif value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            found[name] = value

    gather(summary, "")
    return found


def unit_of(metric: str) -> str:
    """Return the unit of a number: s, 1 (a fraction), or an empty string for a count."""
    parts = metric.split(".")
    if any(part.endswith("_s") for part in parts):
        return "s"
    return "1" if parts[0] in ("utilisation", "fairness") or parts[:2] in (["room", "held"], ["room", "spread"]) else ""


@dataclass
class Findings:
    """The numbers of finished runs: `add` them in any order, read estimates at any time."""

    grid: Grid
    numbers: dict[int, dict[str, float | None]] = field(default_factory=dict)
    """By the run's number."""

    def add(self, run: int, numbers: Mapping[str, float | None]) -> None:
        """Add the numbers of a run."""
        self.numbers[run] = dict(numbers)

    def metrics(self) -> list[str]:
        """Return the names of the measured numbers, in the summary's order."""
        found: dict[str, None] = {}
        for numbers in self.numbers.values():
            found |= dict.fromkeys(numbers)
        return list(found)

    def tell(self, metric: str, statistic: Statistic = "mean", *, against: int = 0) -> dict[str, Any]:
        """Return an estimate of one number for each cell, and compare every scheduler with one of them, seed by seed.

        `none` lists the cells with runs in which nothing completed, where the number is null, and counts these runs.
        A cell whose runs all have one value has no interval; `seeds_change` says what a seed changes.
        Raises UnknownName for a number that no finished run has.
        """
        self._require(metric)
        by_cell = self._by_cell(metric)
        cells = [
            {
                "cell": cell.number,
                "scheduler": cell.scheduler,
                "at": list(cell.at),
                "values": list(self.grid.values_of(cell)),
                **interval(list(by_cell[cell.number].values()), statistic, key=f"{metric}:{cell.number}").to_dict(),
            }
            for cell in self.grid.cells
            if by_cell[cell.number]
        ]
        return {
            "metric": metric,
            "unit": unit_of(metric),
            "statistic": statistic,
            "confidence": CONFIDENCE,
            "method": METHODS[statistic],
            "against": against,
            "runs": len(self.numbers),
            "cells": cells,
            "none": self._without(metric),
            "seeds_change": seeds_change(self.grid.base),
            "comparisons": list(self._comparisons(by_cell, metric, statistic, against)),
        }

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame: a row for each finished run with its scheduler, seed, values of axes and numbers."""
        import pandas as pd

        labels = self.grid.labels()
        rows = []
        for number, numbers in sorted(self.numbers.items()):
            cell, seed = self.grid.run(number)
            first = {"run": number, "scheduler": labels[cell.scheduler], "seed": seed}
            rows.append(first | {path: value for _, path, value in self.grid.changes_of(cell)} | numbers)
        return pd.DataFrame(rows)

    def _require(self, metric: str) -> None:
        known = self.metrics()
        if known and metric not in known:
            raise UnknownName("measured number", metric, _near(metric, known))

    def _without(self, metric: str) -> list[dict[str, Any]]:
        """List the cells with runs whose number is null, with the count of these runs."""
        runs: dict[int, int] = {}
        for number, numbers in sorted(self.numbers.items()):
            if numbers.get(metric, 0) is None:
                cell = self.grid.run(number)[0].number
                runs[cell] = runs.get(cell, 0) + 1
        return [
            {
                "cell": cell.number,
                "scheduler": cell.scheduler,
                "at": list(cell.at),
                "values": list(self.grid.values_of(cell)),
                "runs": runs[cell.number],
            }
            for cell in self.grid.cells
            if cell.number in runs
        ]

    def _by_cell(self, metric: str) -> list[dict[int, float]]:
        """Return the values of each cell by seed, in the order of seeds."""
        found: list[dict[int, float]] = [{} for _ in self.grid.cells]
        for number in sorted(self.numbers):
            value = self.numbers[number].get(metric)
            if value is not None:
                cell, seed = self.grid.run(number)
                found[cell.number][seed] = value
        return found

    def _comparisons(
        self, by_cell: list[dict[int, float]], metric: str, statistic: Statistic, against: int
    ) -> Iterable[dict[str, Any]]:
        others = [cell for cell in self.grid.cells if cell.scheduler == against]
        for cell in self.grid.cells:
            for other in others:
                if cell.scheduler == against or not _meet(cell, other):
                    continue
                these, those = by_cell[cell.number], by_cell[other.number]
                seeds = [seed for seed in these if seed in those]
                if seeds:
                    pair = compare(
                        [these[seed] for seed in seeds],
                        [those[seed] for seed in seeds],
                        statistic,
                        key=f"{metric}:{cell.number}:{other.number}",
                    )
                    at = [mine if mine is not None else theirs for mine, theirs in zip(cell.at, other.at, strict=True)]
                    yield {
                        "cell": cell.number,
                        "other": other.number,
                        "scheduler": cell.scheduler,
                        "at": at,
                        **pair.to_dict(),
                    }


def _near(metric: str, known: list[str]) -> list[str]:
    """Return the numbers of the same part of the summary; else those with the same ending, and the parts."""
    head, _, last = metric.rpartition(".")
    same = [name for name in known if head and name.startswith(f"{head}.")]
    ending = [name for name in known if head and name.endswith(f".{last}") and name.count(".") == 1]
    return same or [*ending, *dict.fromkeys(name.partition(".")[0] for name in known)]


def _meet(one: Cell, other: Cell) -> bool:
    """Return whether two cells stand at the same values; a constant one stands at all of them."""
    return all(a is None or b is None or a == b for a, b in zip(one.at, other.at, strict=True))
