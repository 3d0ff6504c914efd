"""Figures that compare our runs with what a paper published."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import plotly.graph_objects as go

from playground.figures.axes import Axis
from playground.figures.drawing import Series, lines_figure
from playground.figures.look import Look
from playground.figures.template import MARKERS
from playground.figures.words import value_words
from playground.web.words import SOURCE, gettext, language
from playground.web.words import marked as _

Values = tuple[float | None, ...]
HOLDS = _("Accepted range")
_APART, _PUBLISHED = 0.17, 0.06
"""How far from each other curves stand over one category, and published points from ours."""


@dataclass(frozen=True)
class Curve:
    """One line of a paper's figure and of ours, by name.

    `published` are points read from the paper; `ours` has a value for each of `x`, `low` and `high` the ends of its
    band; `seeds` are our runs one by one, and `again` is a fresh run of ours. `holds` has x with the ends between which
    the claim holds there; `way` is where a claim in words wants the next point.
    """

    name: str
    x: tuple[float, ...]
    ours: Values
    low: Values | None = None
    high: Values | None = None
    published: tuple[tuple[float, float], ...] = ()
    seeds: tuple[Values, ...] = ()
    again: Values = ()
    holds: tuple[tuple[float, float | None, float | None], ...] = ()
    way: Literal["rises", "falls"] | None = None

    @property
    def values(self) -> list[float]:
        """All values that are drawn."""
        ends = [end for _, *both in self.holds for end in both]
        rows = (self.ours, self.again, [y for _, y in self.published], ends, *self.seeds)
        return [value for row in rows for value in row if value is not None]


def paper_figure(
    title: str,
    axes: tuple[Axis, Axis],
    curves: Sequence[Curve],
    look: Look,
    *,
    holds: tuple[float | None, float | None] | None = None,
    write: Callable[[float | None], str] | None = None,
    theirs: str = "",
) -> go.Figure:
    """Draw published points, our lines with bands, and our seeds as light lines; each with an entry for both.

    Over categories there are points in place of lines. `holds` are the ends between which the claim holds, of which
    one may be open; `write` writes a value, and `theirs` names published points.
    """
    theirs = theirs or gettext("Published")
    write = write or (lambda value: value_words(value, axes[1].unit))
    bottom, top = _ends([value for curve in curves for value in curve.values], holds or (), log=axes[1].log)
    series: list[Series] = []
    if holds is not None:
        xs = [x for curve in curves for x in curve.x]
        room = 0.5 if axes[0].categories else 0.0
        low, high = (open_end if end is None else end for end, open_end in zip(holds, (bottom, top), strict=True))
        ends: list[float | None] = [min(xs) - room, max(xs) + room]
        series.append(Series(gettext(HOLDS), ends, [], kind="band", place=2, low=[low, low], high=[high, high]))
    for place, curve in enumerate(curves):
        shift = (place - (len(curves) - 1) / 2) * _APART if axes[0].categories else 0.0
        series += [*_stairs(curve, place, bottom, top), *_holds(curve, place, shift, axes[0], (bottom, top))]
        side = bool(axes[0].categories)
        series += _ours(curve, place, shift, points=side, write=write)
        series += _published(curve, place, shift - (_PUBLISHED if side else 0.0), write, theirs, shared=side)
    return lines_figure(title, axes, series, look)


def _ours(
    curve: Curve, place: int, shift: float, *, points: bool, write: Callable[[float | None], str]
) -> list[Series]:
    ours, full = gettext("{name}, ours", name=curve.name), _is_open(place)
    xs: list[float | None] = [x + shift for x in curve.x]
    series: list[Series] = []
    if curve.low is not None and curve.high is not None:
        series.append(Series(ours, xs, [], kind="band", place=place, low=[*curve.low], high=[*curve.high]))
    for seed, values in enumerate(curve.seeds, start=1):
        told = gettext("{name}, seed {seed}", name=ours, seed=seed)
        kind: Literal["points", "seed"] = "points" if points else "seed"
        words = [f"{told}<br>{write(y)}" for y in values] if points else None
        series.append(
            Series(ours, xs, [*values], kind=kind, place=place, light=True, row=told, words=words, hollow=full)
        )
    words = [f"{ours}<br>{write(y)}" for y in curve.ours]
    series.append(
        Series(ours, xs, [*curve.ours], kind="points" if points else "line", place=place, words=words, hollow=full)
    )
    if curve.again:
        again = gettext("{name}, run again here", name=curve.name)
        told_again = [f"{again}<br>{write(y)}" for y in curve.again]
        at = [None if x is None else x + (_PUBLISHED if points else 0.0) for x in xs]
        series.append(Series(again, at, [*curve.again], kind="points", place=place + 3, words=told_again))
    return series


def _published(
    curve: Curve, place: int, shift: float, write: Callable[[float | None], str], theirs: str, *, shared: bool
) -> list[Series]:
    if not curve.published:
        return []
    inside = theirs.lower() if language() == SOURCE else theirs
    row = f"{curve.name}, {inside}"
    # Over categories all published points share an entry, so that the legend leaves room for the picture.
    name = f"{theirs[:1].upper()}{theirs[1:]}" if shared else row
    words = [f"{row}<br>{write(y)}" for _, y in curve.published]
    xs: list[float | None] = [x + shift for x, _ in curve.published]
    ys: list[float | None] = [y for _, y in curve.published]
    return [Series(name, xs, ys, kind="points", place=place, words=words, hollow=not _is_open(place), row=row)]


def _is_open(place: int) -> bool:
    """Return whether a place's markers are open: turned around, ours are full and published ones open everywhere."""
    return MARKERS[place % len(MARKERS)].endswith("-open")


def _holds(curve: Curve, place: int, shift: float, axis: Axis, open_ends: tuple[float, float]) -> list[Series]:
    """Shade around some of x the values with which the claim holds there."""
    found = []
    wide = _APART / 2 if axis.categories else 0.02 * (max(curve.x) - min(curve.x))
    for x, low, high in curve.holds:
        xs: list[float | None] = [x * 0.93, x / 0.93] if axis.log else [x + shift - wide, x + shift + wide]
        bottom, top = open_ends[0] if low is None else low, open_ends[1] if high is None else high
        row = gettext("{name}, accepted range", name=curve.name)
        found.append(
            Series(
                gettext("Accepted range"),
                xs,
                [],
                kind="band",
                place=place,
                low=[bottom, bottom],
                high=[top, top],
                row=row,
            )
        )
    return found


def _stairs(curve: Curve, place: int, bottom: float, top: float) -> list[Series]:
    """Shade where the next point may lie: above a point of a rising curve, below one of a falling curve."""
    if curve.way is None:
        return []
    steps = []
    row = gettext("{name}, falls within", name=curve.name)
    if curve.way == "rises":
        row = gettext("{name}, rises within", name=curve.name)
    for (x, y), after in zip(zip(curve.x, curve.ours, strict=True), curve.x[1:], strict=False):
        if y is not None:
            low, high = (y, top) if curve.way == "rises" else (bottom, y)
            lows: list[float | None] = [low, low]
            highs: list[float | None] = [high, high]
            steps.append(
                Series(
                    gettext("Accepted range"), [x, after], [], kind="band", place=place, low=lows, high=highs, row=row
                )
            )
    return steps


def _ends(values: Sequence[float], holds: Sequence[float | None], *, log: bool) -> tuple[float, float]:
    """Return the ends of what is drawn, with some room: there, bands that are open end."""
    shown = [value for value in (*values, *holds) if value is not None and (value > 0 or not log)] or [1.0]
    if log:
        return min(shown) / 1.5, max(shown) * 1.5
    return min(0.0, *shown), max(shown) * 1.1
