"""Score answers by their distance from the computed result. Pure functions.

A scale runs from `low` to `high`, by factors where it is logarithmic. An answer's distance is measured along the
scale, as a fraction of its length. The score is 1 less twice the distance, and at least 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

BINS = 20
#: Options whose numbers differ by no more than this part are equally right: another seed may change their order.
NEAR = 0.2
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
        return math.log(value / self.low) / math.log(self.high / self.low)


def score_of_number(value: float, answer: float, scale: Scale) -> float:
    """Return 1 for the answer itself, 0 for half of the scale away. An answer off the scale counts as its end."""
    wanted = min(1.0, max(0.0, scale.place(answer)))
    return max(0.0, 1.0 - 2.0 * abs(scale.place(value) - wanted))


def score_of_curve(values: Sequence[float], answers: Sequence[float | None], scale: Scale) -> float:
    """Return the mean of the scores at all places that have an answer."""
    scores = [score_of_number(value, at, scale) for value, at in zip(values, answers, strict=True) if at is not None]
    return sum(scores) / len(scores) if scores else 0.0


def right_options(values: Sequence[float | None], answer: int) -> list[int]:
    """Return the options whose numbers are near that of the best one, which is `answer`."""
    best = values[answer]
    assert best is not None
    return [
        at for at, one in enumerate(values) if one is not None and abs(one - best) <= NEAR * max(abs(one), abs(best))
    ]


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
