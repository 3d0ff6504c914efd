"""Score answers by their distance from the computed result. Pure functions.

A scale runs from `low` to `high`, by factors where it is logarithmic. An answer's distance is measured along the
scale, as a fraction of its length. The score is 1 less twice the distance, and at least 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

BINS = 20
#: Percentiles of the class's curves at each place: the middle one is the median.
BAND = (10, 25, 50, 75, 90)


@dataclass(frozen=True)
class Scale:
    low: float
    high: float
    log: bool = False

    def place(self, value: float) -> float:
        """Return where a value lies, from 0 at `low` to 1 at `high`; beyond them for what is beyond."""
        if not self.log:
            return (value - self.low) / (self.high - self.low)
        if value <= 0:
            return -math.inf
        return _log_of_ratio(value, self.low) / _log_of_ratio(self.high, self.low)


def _log_of_ratio(above: float, below: float) -> float:
    ratio = above / below
    # A scale from a denormal number on has a ratio that no double holds.
    return math.log(ratio) if 0 < ratio < math.inf else math.log(above) - math.log(below)


Ends = tuple[float, float] | None


def score_of_number(value: float, answer: float, scale: Scale, ends: Ends = None) -> float:
    """Return 1 for the answer itself or a number within its interval, 0 for half of the scale away from both.

    `ends` are those of the answer's interval over seeds. What lies off the scale counts as its end.
    """
    low, high = (on_scale(scale, end) for end in (ends or (answer, answer)))
    at = scale.place(value)
    return max(0.0, 1.0 - 2.0 * max(low - at, at - high, 0.0))


def on_scale(scale: Scale, value: float) -> float:
    """Return where a value lies on the scale, from 0 to 1; its end for what lies beyond."""
    return min(1.0, max(0.0, scale.place(value)))


def score_of_curve(
    values: Sequence[float], answers: Sequence[float | None], scale: Scale, ends: Sequence[Ends] = ()
) -> float:
    """Return the mean of the scores at all places that have an answer. `ends`: an interval for each place, or none."""
    places = zip(values, answers, ends or [None] * len(answers), strict=True)
    scores = [score_of_number(value, at, scale, within) for value, at, within in places if at is not None]
    return sum(scores) / len(scores) if scores else 0.0


def histogram(values: Sequence[float], scale: Scale) -> list[int]:
    """Count values in equal parts of the scale."""
    counts = [0] * BINS
    for value in values:
        counts[min(BINS - 1, max(0, math.floor(scale.place(value) * BINS)))] += 1
    return counts


def percentile(values: Sequence[float], percent: float) -> float:
    """Return a percentile of some numbers, between the two that are nearest."""
    ordered = sorted(values)
    at = (len(ordered) - 1) * percent / 100
    below = math.floor(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (at - below)


def band(curves: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the percentiles of some curves, a list over all places for each of BAND; empty without curves."""
    if not curves:
        return []
    return [[percentile(column, percent) for column in zip(*curves, strict=True)] for percent in BAND]
