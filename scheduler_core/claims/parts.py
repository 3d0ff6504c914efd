"""The parts of a claim as rows: the published value, our value, the band, and the verdict."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from scheduler_core.claims.charts import Band
from scheduler_core.claims.declared import Claim, Measure, Verdict
from scheduler_core.claims.results import Result
from scheduler_core.claims.running import verdict_of


@dataclass(frozen=True)
class PartRow:
    """One part of a claim. `unit` is `s`, `%`, `x` or none; `verdict` is None without a saved run."""

    name: str
    unit: str
    published: float | None
    ours: float | None
    seeds: tuple[float, ...]
    band: Band | None
    verdict: Verdict | None
    words: str = ""
    catalogue: Band | None = None
    """The range of the catalogue of published claims, where it differs."""


def part_rows(claim: Claim, result: Result | None) -> tuple[PartRow, ...]:
    """Return a claim's parts: the recorded ones, or its measures with the figures of the saved run."""
    recorded = tuple(
        PartRow(one.name, one.unit, one.published, one.ours, one.seeds, one.band, one.verdict, one.words, one.catalogue)
        for one in claim.recorded
    )
    return recorded + tuple(_measured(one, result) for one in claim.measures)


def _measured(measure: Measure, result: Result | None) -> PartRow:
    values = result.found.figures.get(measure.name, ()) if result is not None else ()
    seeds = tuple(value for value in values if value is not None)
    name, unit = _name_and_unit(measure)
    return PartRow(
        name=name if name[1:2].isdigit() else name[:1].upper() + name[1:],
        unit=unit,
        published=measure.published,
        ours=statistics.median(seeds) if seeds else None,
        seeds=seeds,
        band=measure.band,
        verdict=verdict_of(measure, values) if values else None,
        words=measure.words,
        catalogue=measure.catalogue,
    )


def _name_and_unit(measure: Measure) -> tuple[str, str]:
    """Split a measure's name and unit: a name that ends in `, s` is in seconds, a share has none, else a factor."""
    if measure.unit is not None:
        return measure.name, measure.unit
    if measure.name.endswith(", s"):
        return measure.name[:-3], "s"
    return measure.name, "" if "share of" in measure.name else "x"
