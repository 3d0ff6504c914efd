"""Resample the growth of several runs at common instants, so that a page can play them together. Pure functions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from playground.contract.classes import QuestionGrowth

Points = list[tuple[float, float | None]]
"""Simulated seconds and the number as it was then, by time."""

_INSTANTS = 40
_DIGITS = 4


def together(places: Sequence[Sequence[Points]]) -> QuestionGrowth | None:
    """Return the mean over the runs of each place at common instants; None where there is nothing to play.

    A run counts with its last number at or before the instant, so a run that has ended keeps its final one.
    """
    ends = [points[-1][0] for runs in places for points in runs if points]
    if not ends or max(ends) <= 0 or not all(places):
        return None
    instants = [max(ends) * at / _INSTANTS for at in range(_INSTANTS + 1)]
    return {
        "t_s": [_short(t) for t in instants],
        "values": [[_mean(runs, t) for t in instants] for runs in places],
    }


def _mean(runs: Sequence[Points], t_s: float) -> float | None:
    known = [value for points in runs if (value := _at(points, t_s)) is not None]
    return _short(sum(known) / len(known)) if known else None


def _at(points: Points, t_s: float) -> float | None:
    place = bisect_right(points, t_s, key=lambda point: point[0])
    return points[place - 1][1] if place else None


def _short(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
