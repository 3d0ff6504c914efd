"""A promise about a run: a measured number, a comparison and a bound, such as `allocation_delay_s.p99 <= 5`."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from scheduler_core.errors import ExperimentError, Problem, did_you_mean, listed, shown
from scheduler_core.metrics import METRICS

EXAMPLE = "allocation_delay_s.p99 <= 5"
_FORM = re.compile(r"\s*([A-Za-z_][\w.\-]*)\s*(<=|>=|<|>|≤|≥)\s*([-+]?[\d.,]+(?:[eE][-+]?\d+)?)\s*([A-Za-zµ%]*)\s*")
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip
_SPELLED = {"≤": "<=", "≥": ">="}
_UNITS = {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "min": 60.0, "h": 3600.0, "%": 0.01}
_LONGEST = 300


@dataclass(frozen=True)
class Promise:
    """A bound on one number of the summary: `measure` is its dotted name, in the summary's units."""

    measure: str
    comparison: str
    bound: float

    def holds(self, value: float | None) -> bool:
        """Return True if a value is within the bound; a number that does not exist never is."""
        return value is not None and _COMPARISONS[self.comparison](value, self.bound)

    @property
    def rising(self) -> bool:
        """Whether larger values are better."""
        return self.comparison in (">", ">=")

    def better(self, value: float, other: float) -> bool:
        """Return True if a value lies farther on the good side than another one."""
        return value > other if self.rising else value < other

    def __str__(self) -> str:
        """Return the promise in its canonical form."""
        return f"{self.measure} {self.comparison} {self.bound:g}"


def parse_promise(text: str) -> Promise:
    """Return the promise in a text. The bound may have a unit: s, ms, us, min, h or %. Raises ExperimentError."""
    found = _FORM.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        raise ExperimentError(
            [Problem("promise", f"is {shown(text)}", f"a measure, a comparison and a number: '{EXAMPLE}'")]
        )
    measure, comparison, bound, unit = found.groups()
    problems = [_bound_problem(bound), _unit_problem(unit), _head_problem(measure)]
    if wrong := [problem for problem in problems if problem is not None]:
        raise ExperimentError(wrong)
    return Promise(measure, _SPELLED.get(comparison, comparison), float(bound.replace(",", "")) * _UNITS[unit])


def _bound_problem(bound: str) -> Problem | None:
    try:
        value = float(bound.replace(",", ""))
    except ValueError:
        value = math.nan
    return None if math.isfinite(value) else Problem("promise", f"has the bound {shown(bound)}", "a finite number")


def _unit_problem(unit: str) -> Problem | None:
    if unit in _UNITS:
        return None
    near = did_you_mean(unit, _UNITS)
    return Problem("promise", f"has the unit {shown(unit)}{near}", listed(one for one in _UNITS if one) + ", or none")


def _head_problem(measure: str) -> Problem | None:
    """Return the problem of a measure whose part of the summary does not exist."""
    heads = [name for name, _ in METRICS]
    head = measure.partition(".")[0]
    if head in heads:
        return None
    near = did_you_mean(head, heads)
    return Problem("promise", f"names the measure {shown(measure)}, which no summary has{near}", listed(heads))


def refuse_unknown(measure: str, known: Sequence[str]) -> None:
    """Raise ExperimentError if a run's summary lacks the measure; the message names the nearest ones."""
    if measure in known:
        return
    same = _of_the_same_part(measure, known)
    near = did_you_mean(measure, same or known)
    what = f"names the measure {shown(measure)}, which this experiment's summary lacks{near}"
    raise ExperimentError([Problem("promise", what, listed(same or known))])


def _of_the_same_part(measure: str, known: Iterable[str]) -> list[str]:
    head = measure.partition(".")[0]
    return [name for name in known if name.partition(".")[0] == head]
