"""Try values of a question under every seed, and keep what was measured."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from scheduler_core.ask.promise import refuse_unknown
from scheduler_core.ask.question import Asked, Ran, Run
from scheduler_core.errors import ExperimentError
from scheduler_core.studies.statistics import Interval, compare, interval

Make = Callable[[Any, int], dict[str, Any]]
"""Returns the experiment's JSON for a value and a seed."""


@dataclass(frozen=True)
class Point:
    """A tried value: what was measured under each seed, in the order of seeds."""

    value: Any
    values: tuple[float | None, ...]
    estimate: Interval | None
    """Mean over the seeds with its interval; None if a run did not give the number."""
    kept: bool
    """Whether the mean keeps the promise, and no run left tasks without a machine."""
    lacks: bool
    """Whether a run left tasks without a machine: such a value breaks the promise whatever the measure says."""
    ran: tuple[Ran, ...] = field(repr=False)

    @property
    def measured(self) -> float | None:
        """Return the mean over the seeds."""
        return None if self.estimate is None else self.estimate.value

    @property
    def low(self) -> float | None:
        """Return the lower end of the 95 % interval; the mean itself if every seed gave the same number."""
        return _end(self, "low")

    @property
    def high(self) -> float | None:
        """Return the upper end, likewise."""
        return _end(self, "high")

    def to_dict(self) -> dict[str, Any]:
        """Return the point in JSON types."""
        told = {"value": self.value, "measured": self.measured, "low": self.low, "high": self.high}
        refused = [str(problem) for one in self.ran for problem in one.problems]
        return told | {"kept": self.kept, "by_seed": list(self.values)} | ({"refused": refused[0]} if refused else {})


def _end(point: Point, end: str) -> float | None:
    found = point.estimate
    if found is None:
        return None
    # No interval because nothing varies: the number is exact.
    same = found.n > 1 and len(set(point.values)) == 1
    value: float | None = found.value if same else getattr(found, end)
    return value


def _itself(value: Any) -> Any:
    return value


@dataclass
class Points:
    """The values that a question has tried, each once. `make` gives the experiment of a value under a seed."""

    asked: Asked
    make: Make
    unplaced: tuple[float, ...] = ()
    """Tasks without a machine in the experiment as it is, by seed: a promise tolerates these, not more."""
    known: dict[Any, Point] = field(default_factory=dict)
    told: Callable[[Any], Any] = _itself
    """Gives the value as the answer shows it."""

    def get(
        self, values: Iterable[Any], *, placements: bool = False
    ) -> Generator[Sequence[Run], Sequence[Ran], list[Point]]:
        """Return the points of some values, and run those that are new."""
        asked = list(values)
        new = [value for value in dict.fromkeys(asked) if value not in self.known]
        runs = [Run(self.make(value, seed), placements) for value in new for seed in self.asked.seeds]
        ran = list((yield runs)) if runs else []
        each = len(self.asked.seeds)
        for number, value in enumerate(new):
            self.known[value] = self._point(value, tuple(ran[number * each : (number + 1) * each]))
        return [self.known[value] for value in asked]

    def one(self, value: Any, *, placements: bool = False) -> Generator[Sequence[Run], Sequence[Ran], Point]:
        """Return the point of one value."""
        return (yield from self.get([value], placements=placements))[0]

    def _point(self, value: Any, ran: tuple[Ran, ...]) -> Point:
        measure = self.asked.promise.measure
        if not self.known:  # the first point is the experiment as it is
            if ran[0].problems:
                raise ExperimentError(ran[0].problems)
            refuse_unknown(measure, list(ran[0].numbers))
        values = tuple(one.numbers.get(measure) for one in ran)
        numbers = [number for number in values if number is not None]
        estimate = interval(numbers) if len(numbers) == len(values) else None
        lacks = self._lacks(ran)
        kept = estimate is not None and self.asked.promise.holds(estimate.value) and not lacks
        return Point(self.told(value), values, estimate, kept, lacks, ran)

    def _lacks(self, ran: tuple[Ran, ...]) -> bool:
        """Return True if a run has more tasks without a machine than the experiment as it is."""
        allowed = self.unplaced or tuple(lacking(one) for one in ran)
        return any(one.finished == "stuck" or lacking(one) > most for one, most in zip(ran, allowed, strict=True))

    def tried(self) -> list[dict[str, Any]]:
        """Return every tried value in order, in JSON types."""
        return [self.known[value].to_dict() for value in sorted(self.known)]


def lacking(ran: Ran) -> float:
    """Return how many tasks no machine can run, or lost their machine and found no other."""
    return (ran.numbers.get("tasks.unschedulable") or 0.0) + ran.stranded


def certainly(point: Point, asked: Asked, *, kept: bool) -> bool:
    """Return True if the whole interval of a point keeps the promise (or breaks it); the mean decides without one.

    A point that leaves tasks without a machine certainly breaks it.
    """
    if point.lacks:
        return not kept
    if point.estimate is None or point.low is None or point.high is None:
        return point.kept is kept
    ends = [asked.promise.holds(end) for end in (point.low, point.high)]
    return point.kept is kept and all(end is kept for end in ends)


def difference(point: Point, other: Point) -> dict[str, Any] | None:
    """Return the paired difference of two points (this minus the other); None if a run lacks the number."""
    pairs = [(a, b) for a, b in zip(point.values, other.values, strict=True) if a is not None and b is not None]
    if len(pairs) < len(point.values):
        return None
    found = compare([a for a, _ in pairs], [b for _, b in pairs])
    ends = found.difference
    same = ends.n > 1 and ends.low is None and found.verdict != "not distinguishable yet"
    low, high = (ends.value, ends.value) if same else (ends.low, ends.high)
    return {"value": ends.value, "low": low, "high": high, "verdict": found.verdict}
