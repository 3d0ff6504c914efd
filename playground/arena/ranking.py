"""Rank entries by paired comparisons: entries that are not significantly different from the leader share its rank.

The entry with the best mean leads. Every other entry is compared with it seed by seed; where the 95 % interval of the
mean difference holds 0, the entry shares the leader's place. The best of the rest leads the next place, and so on. An
entry that breaks a limit, failed, or left tasks unfinished has the last place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from playground.arena.declared import Limit, Spec
from scheduler_core.studies.statistics import Comparison, Interval, compare, mean_interval

Values = Mapping[int, float]
"""A figure under each hidden seed, by the seed's place."""


@dataclass(frozen=True)
class Outcome:
    """What the runs of one entry have left: a row of figures for each seed that is done."""

    runs: int
    figures: Mapping[int, Mapping[str, float | None]]
    unfinished: int = 0
    """The runs in which tasks were left."""
    failure: str = ""
    """Why a run failed; empty if none did."""
    failed: int = 0

    @property
    def done(self) -> int:
        return len(self.figures)

    @property
    def is_over(self) -> bool:
        return self.done + self.failed >= self.runs

    def values(self, name: str) -> dict[int, float]:
        """Return a figure under each seed that has one."""
        found = {seed: figures.get(name) for seed, figures in self.figures.items()}
        return {seed: value for seed, value in sorted(found.items()) if value is not None}


@dataclass(frozen=True)
class Held:
    """A limit and the mean that an entry has there."""

    limit: Limit
    value: float | None

    @property
    def holds(self) -> bool:
        return self.value is not None and self.limit.holds(self.value)


@dataclass
class Row:
    """One entry on the board."""

    key: int
    outcome: Outcome
    estimate: Interval | None = None
    limits: list[Held] = field(default_factory=list)
    place: int | None = None
    out: str = ""
    """Why the entry is last: `failed`, `unfinished`, `no-value` or `limit`; empty if it is ranked by its figure."""
    against_leader: Comparison | None = None
    against_baseline: Comparison | None = None


def ranked(spec: Spec, outcomes: Mapping[int, Outcome], baseline: int | None) -> list[Row]:
    """Return the rows of a board, the best first, then those that are out, then those still running."""
    rows = [_row(spec, key, outcome) for key, outcome in outcomes.items()]
    over = [row for row in rows if row.outcome.is_over]
    fit = sorted((row for row in over if not row.out), key=lambda row: _merit(spec, row))
    out = [row for row in over if row.out]
    _place(fit)
    fit.sort(key=lambda row: (row.place or 0, _merit(spec, row)))
    for row in out:
        row.place = len(fit) + 1
    base = outcomes.get(baseline) if baseline is not None else None
    for row in rows:
        if fit and row is not fit[0]:
            row.against_leader = _paired(row.outcome, fit[0].outcome)
        if base is not None and row.key != baseline:
            row.against_baseline = _paired(row.outcome, base)
    return [*fit, *out, *(row for row in rows if not row.outcome.is_over)]


def _row(spec: Spec, key: int, outcome: Outcome) -> Row:
    values = list(outcome.values("objective").values())
    limits = [Held(limit, _mean(outcome.values(f"limit{at}"), outcome)) for at, limit in enumerate(spec.limits)]
    return Row(key, outcome, mean_interval(values) if values else None, limits, out=_why_out(outcome, limits))


def _mean(values: Values, outcome: Outcome) -> float | None:
    """Return the mean over all seeds that are done; None if one of them has no value."""
    if not values or len(values) < outcome.done:
        return None
    return math.fsum(values.values()) / len(values)


def _why_out(outcome: Outcome, limits: Sequence[Held]) -> str:
    if not outcome.is_over:
        return ""
    if outcome.failed:
        return "failed"
    if outcome.unfinished:
        return "unfinished"
    if len(outcome.values("objective")) < outcome.runs:
        return "no-value"
    return "" if all(held.holds for held in limits) else "limit"


def _merit(spec: Spec, row: Row) -> float:
    assert row.estimate is not None
    return row.estimate.value if spec.objective.better == "less" else -row.estimate.value


def _place(fit: Sequence[Row]) -> None:
    """Give places to rows in order of their means: a leader shares its place with all that cannot be told from it."""
    left = list(fit)
    while left:
        leader, place = left[0], len(fit) - len(left) + 1
        tied = [row for row in left if row is leader or not _differs(row.outcome, leader.outcome)]
        for row in tied:
            row.place = place
        left = [row for row in left if row not in tied]


def _differs(one: Outcome, other: Outcome) -> bool:
    found = _paired(one, other)
    return found is not None and found.verdict in ("more", "less")


def _paired(one: Outcome, other: Outcome) -> Comparison | None:
    """Compare two entries on the seeds that both have run; None if there are none."""
    these, those = one.values("objective"), other.values("objective")
    seeds = [seed for seed in these if seed in those]
    return compare([these[seed] for seed in seeds], [those[seed] for seed in seeds]) if seeds else None
