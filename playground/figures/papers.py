"""Figures that lay our runs over what a paper has published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from playground.figures.axes import Axis
from playground.figures.drawing import Series, lines_figure
from playground.figures.look import Look
from playground.figures.words import value_words


@dataclass(frozen=True)
class Curve:
    """One line of a paper's figure and of ours, by name.

    `published` are points read from the paper; `ours` has a value for each of `x`, `low` and `high` the ends of its
    band; `seeds` are our runs one by one, and `again` is a fresh run of ours.
    """

    name: str
    x: tuple[float, ...]
    ours: tuple[float | None, ...]
    low: tuple[float | None, ...] | None = None
    high: tuple[float | None, ...] | None = None
    published: tuple[tuple[float, float], ...] = ()
    seeds: tuple[tuple[float | None, ...], ...] = ()
    again: tuple[float | None, ...] = ()


def paper_figure(title: str, axes: tuple[Axis, Axis], curves: Sequence[Curve], look: Look) -> go.Figure:
    """Draw published points, our lines with bands, and our seeds as light lines; each with an entry for both."""
    series: list[Series] = []
    for place, curve in enumerate(curves):
        ours = f"{curve.name}, ours"
        xs: list[float | None] = [*curve.x]
        if curve.low is not None and curve.high is not None:
            series.append(Series(ours, xs, [], kind="band", place=place, low=[*curve.low], high=[*curve.high]))
        for seed, values in enumerate(curve.seeds, start=1):
            told = f"{ours}, seed {seed}"
            series.append(Series(ours, xs, [*values], kind="seed", place=place, light=True, row=told))
        words = [f"{ours}<br>{value_words(y, axes[1].unit)}" for y in curve.ours]
        series.append(Series(ours, xs, [*curve.ours], place=place, words=words))
        if curve.again:
            series.append(_again(curve, axes[1].unit, place))
        if curve.published:
            name = f"{curve.name}, published"
            points = [y for _, y in curve.published]
            told_points = [f"{name}<br>{value_words(y, axes[1].unit)}" for y in points]
            px: list[float | None] = [x for x, _ in curve.published]
            series.append(Series(name, px, [*points], kind="points", place=place, words=told_points, hollow=True))
    return lines_figure(title, axes, series, look)


def _again(curve: Curve, unit: str, place: int) -> Series:
    name = f"{curve.name}, run again here"
    words = [f"{name}<br>{value_words(y, unit)}" for y in curve.again]
    return Series(name, [*curve.x], [*curve.again], kind="points", place=place + 3, words=words)
