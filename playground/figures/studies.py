"""Figures of a study: lines over one parameter, a heat map over two, points with intervals over none.

`study` and `results` are what the API tells of a study: see `StudyOut` and `ResultsOut`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import plotly.graph_objects as go

from playground.figures.axes import Axis
from playground.figures.drawing import Series, lines_figure
from playground.figures.heat import Heat, heat_figure
from playground.figures.look import Look
from playground.figures.words import (
    SPACE,
    TIME_UNITS,
    TimeUnit,
    axis_words,
    capital,
    literal,
    number_words,
    path_unit,
    path_unit_word,
    path_value_words,
    path_words,
    value_words,
)
from playground.studies.intervals import spans_much
from playground.studies.metric_names import measure_words
from playground.web.words import SOURCE, gettext, language, ngettext

Show = Literal["values", "difference", "ratio"]
#: Values of a run by its scheduler, place on the axes, and seed.
SeedValues = Mapping[tuple[int, tuple[int | None, ...]], Mapping[int, float]]


@dataclass(frozen=True)
class Asked:
    """What of a study is drawn. `x` is the parameter along the horizontal axis, `shown` the scheduler of a heat map."""

    show: Show = "values"
    shown: int = 0
    x: int = 0
    lines: bool = False
    """Whether two parameters make a line for each value of the second, not a heat map."""
    unit: TimeUnit = "auto"
    """The unit of the measure, if it is a time."""
    x_unit: TimeUnit = "auto"
    """The unit of the parameter along the horizontal axis, if it is a time."""


def study_figure(
    study: dict[str, Any], results: dict[str, Any], asked: Asked, look: Look, seeds: SeedValues | None = None
) -> go.Figure:
    """Draw a study's estimates, or the differences or ratios of schedulers seed by seed, with their 95 % intervals."""
    picture = _Picture(study, results, asked)
    axes = study["plan"].get("axes") or []
    if len(axes) == 2 and not asked.lines:
        return heat_figure(picture.title, picture.heat_axes(), picture.heat(), look)
    series = picture.series()
    if seeds and asked.show == "values":
        series = [*picture.seed_lines(seeds), *series]
    return lines_figure(picture.title, picture.line_axes(series), [*picture.guides(series), *series], look)


def title_of(study: dict[str, Any], results: dict[str, Any], asked: Asked) -> str:
    """Return what a figure compares in words: the measure, the parameters, the schedulers."""
    axes = study["plan"].get("axes") or []
    labels = [literal(one["label"]) for one in study["schedulers"]]
    measure = measure_words(results["metric"], _names(study))
    if asked.show != "values":
        # Nouns of German keep their capital.
        inside = f"{measure[:1].lower()}{measure[1:]}" if language() == SOURCE else measure
        told = {"measure": inside, "other": labels[results["against"]]}
        if asked.show == "difference":
            measure = gettext("Difference in {measure}, against {other}", **told)
        else:
            measure = gettext("Ratio of {measure}, against {other}", **told)
    axes_told = [axis_words(axis) for axis in _ordered(axes, asked.x)]
    if len(axes_told) == 2:
        measure = gettext("{measure} by {one} and {other}", measure=measure, one=axes_told[0], other=axes_told[1])
    elif axes_told:
        measure = gettext("{measure} by {parameter}", measure=measure, parameter=axes_told[0])
    drawn = [labels[at] for at in drawn_schedulers(study, results, asked)]
    return f"{measure}: {', '.join(drawn)}"


def drawn_schedulers(study: dict[str, Any], results: dict[str, Any], asked: Asked) -> list[int]:
    """Return the schedulers that a figure shows, by place; before the first result, those that it will show."""
    if len(study["plan"].get("axes") or []) == 2:
        return [asked.shown]
    found = {one.scheduler for one in _Picture.points_of(results, asked.show)}
    every = range(len(study["schedulers"]))
    return [at for at in every if at in found or (not found and (asked.show == "values" or at != results["against"]))]


def drawn_counts(study: dict[str, Any], results: dict[str, Any], asked: Asked) -> list[int]:
    """Return the number of runs, or of pairs of runs, behind each mark of a figure."""
    shown = drawn_schedulers(study, results, asked)
    return [point.n for point in _Picture.points_of(results, asked.show) if point.scheduler in shown]


def _names(study: dict[str, Any]) -> list[str]:
    return [str(one.get("name", "")) for one in study["schedulers"]]


def _ordered(axes: list[Any], first: int) -> list[Any]:
    return [axes[1], axes[0]] if len(axes) == 2 and first == 1 else list(axes)


@dataclass(frozen=True)
class _Point:
    scheduler: int
    at: tuple[int | None, ...]
    value: float
    low: float | None
    high: float | None
    n: int
    cell: int


class _Picture:
    def __init__(self, study: dict[str, Any], results: dict[str, Any], asked: Asked) -> None:
        self.study, self.results, self.asked = study, results, asked
        self.axes: list[dict[str, Any]] = study["plan"].get("axes") or []
        self.labels: list[str] = [literal(one["label"]) for one in study["schedulers"]]
        self.first = asked.x if len(self.axes) == 2 else 0
        self.unit: str = "" if asked.show == "ratio" else results["unit"]
        self.chosen_unit = asked.unit if self.unit == "s" and asked.unit != "auto" else ""
        self.points = [self._in_chosen_unit(point) for point in self.points_of(results, asked.show)]
        self.title = title_of(study, results, asked)

    @staticmethod
    def points_of(results: dict[str, Any], show: Show) -> Iterable[_Point]:
        """Yield the estimates, or the differences or ratios of pairs, that a figure has."""
        if show == "values":
            for cell in results["cells"]:
                yield _Point(
                    cell["scheduler"],
                    tuple(cell["at"]),
                    cell["value"],
                    cell["low"],
                    cell["high"],
                    cell["n"],
                    cell["cell"],
                )
            return
        for pair in results["comparisons"]:
            found = pair.get(show)
            if found is not None:
                yield _Point(
                    pair["scheduler"], tuple(pair["at"]), found["value"], found["low"], found["high"], found["n"],
                    pair["cell"],
                )  # fmt: skip

    def _in_chosen_unit(self, point: _Point) -> _Point:
        ends = [None if end is None else self._scaled(end) for end in (point.low, point.high)]
        return replace(point, value=self._scaled(point.value), low=ends[0], high=ends[1])

    def _scaled(self, value: float) -> float:
        return value * TIME_UNITS[self.chosen_unit] if self.chosen_unit and value is not None else value

    # -- lines ----------------------------------------------------------------------------------------------------

    def series(self) -> list[Series]:
        """Return one line for each scheduler, or for each value of the second of two parameters."""
        if not self.axes:
            return self._columns()
        if len(self.axes) == 2:
            other = self.axes[1 - self.first]
            own = [point for point in self.points if point.scheduler == self.asked.shown]
            return [
                self._line(capital(f"{path_words(other['path'])} {path_value_words(other['path'], value)}"), place, own)
                for place, value in enumerate(other["values"])
            ]
        drawn = sorted({point.scheduler for point in self.points})
        return [
            self._line(self.labels[scheduler], scheduler, [one for one in self.points if one.scheduler == scheduler])
            for scheduler in drawn
        ]

    def _line(self, name: str, place: int, points: list[_Point]) -> Series:
        """Return a line from left to right; a scheduler without the parameter stands at all of its values."""
        values = self.axes[self.first]["values"]
        rows = []
        for at, x in enumerate(self._places(values)):
            found = next((one for one in points if self._stands(one, at, place)), None)
            if found is not None:
                rows.append((x, found, self._words(found, at, place)))
        rows.sort(key=lambda row: row[0])
        return Series(
            name=name,
            place=place,
            x=[x for x, _, _ in rows],
            y=[point.value for _, point, _ in rows],
            low=[point.low for _, point, _ in rows],
            high=[point.high for _, point, _ in rows],
            words=[words for _, _, words in rows],
            opens=[point.cell for _, point, _ in rows],
        )

    def _stands(self, point: _Point, at: int, place: int) -> bool:
        here = point.at[self.first] in (None, at)
        return here if len(self.axes) == 1 else here and point.at[1 - self.first] in (None, place)

    def _places(self, values: list[Any]) -> list[float]:
        if not _are_numbers(values):
            return [float(at) for at in range(len(values))]
        factor = TIME_UNITS[self._across_unit() or "s"]
        return [value * factor for value in values]

    def _across_unit(self) -> str:
        """Return the chosen unit of the parameter across; empty if none is chosen or it is no time."""
        is_time = bool(self.axes) and path_unit(self.axes[self.first]["path"]) == "s"
        return self.asked.x_unit if is_time and self.asked.x_unit != "auto" else ""

    def _columns(self) -> list[Series]:
        """Return schedulers side by side, for a study without a parameter."""
        return [
            Series(
                name=self.labels[point.scheduler], place=point.scheduler, kind="points", x=[float(point.scheduler)],
                y=[point.value], low=[point.low], high=[point.high], words=[self._words(point, None, None)],
                opens=[point.cell],
            )
            for point in sorted(self.points, key=lambda one: one.scheduler)
        ]  # fmt: skip

    def seed_lines(self, seeds: SeedValues) -> list[Series]:
        """Return a light line for each seed of each line, or a light point where there is no parameter."""
        found = []
        for line in self.series():
            if len(self.axes) == 2:
                continue
            by_seed: dict[int, list[tuple[float, float]]] = {}
            for x, cell in zip(line.x, line.opens or [], strict=True):
                point = next(one for one in self.points if one.cell == cell)
                for seed, value in seeds.get((point.scheduler, point.at), {}).items():
                    by_seed.setdefault(seed, []).append((x or 0.0, self._scaled(value)))
            for seed, rows in by_seed.items():
                kind: Literal["seed", "points"] = "seed" if self.axes else "points"
                xs, ys = [x for x, _ in rows], [y for _, y in rows]
                told = gettext("{name}, seed {seed}", name=line.name, seed=str(seed))
                found.append(Series(line.name, [*xs], [*ys], kind=kind, place=line.place, light=True, row=told))
        return found

    def guides(self, series: list[Series]) -> list[Series]:
        """Return the line of no difference."""
        if self.asked.show == "values" or not series:
            return []
        level = 0.0 if self.asked.show == "difference" else 1.0
        xs = [x for line in series for x in line.x if x is not None]
        ends = [min(xs) - 0.5, max(xs) + 0.5] if not self.axes else [min(xs), max(xs)]
        return [Series(gettext("no difference"), [*ends], [level, level], kind="guide")] if xs else []

    def line_axes(self, series: list[Series]) -> tuple[Axis, Axis]:
        """Return the parameter across, the measure up."""
        drawn = [y for line in series for y in line.y if y is not None]
        log = self.asked.show != "difference" and spans_much(drawn)
        unit = "" if self.chosen_unit else self.unit
        up = Axis(self._measure(), unit, log=log, zero=self.asked.show != "ratio")
        if not self.axes:
            return Axis("", categories=tuple(self.labels)), up
        return self._parameter(self.axes[self.first]), up

    def _parameter(self, axis: dict[str, Any], *, as_places: bool = False) -> Axis:
        values, title = axis["values"], capital(axis_words(axis))
        if as_places or not _are_numbers(values):
            return Axis(title, categories=tuple(path_value_words(axis["path"], value) for value in values))
        chosen = self._across_unit()
        word = chosen or path_unit_word(axis["path"])
        unit = "" if chosen else path_unit(axis["path"])
        return Axis(f"{title} ({word})" if word else title, unit, log=spans_much(values))

    def _measure(self) -> str:
        measure, against = (
            measure_words(self.results["metric"], _names(self.study)),
            self.labels[self.results["against"]],
        )
        unit = f" ({self.chosen_unit})" if self.chosen_unit else ""
        if self.asked.show == "difference":
            told = gettext("{measure}: difference from {other}", measure=measure, other=against)
            return f"{told}{unit}"
        if self.asked.show == "ratio":
            return gettext("{measure}: ratio to {other}", measure=measure, other=against)
        return f"{measure}{unit}"

    # -- heat maps ------------------------------------------------------------------------------------------------

    def heat_axes(self) -> tuple[Axis, Axis]:
        """Return both parameters as axes; each value has a row or column of its own."""
        across, up = self.axes[self.first], self.axes[1 - self.first]
        return self._parameter(across, as_places=True), self._parameter(up, as_places=True)

    def heat(self) -> Heat:
        """Return the cells of the scheduler that is shown."""
        own = [point for point in self.points if point.scheduler == self.asked.shown]
        across, up = (self.axes[at]["values"] for at in (self.first, 1 - self.first))
        cells = [
            [next((one for one in own if self._stands(one, x, y)), None) for x in range(len(across))]
            for y in range(len(up))
        ]
        values = [point.value for point in own]

        def each(told: Callable[[_Point, int, int], Any], empty: Any) -> list[list[Any]]:
            return [
                [empty if point is None else told(point, x, y) for x, point in enumerate(row)]
                for y, row in enumerate(cells)
            ]

        against = self.labels[self.results["against"]]
        return Heat(
            value=each(lambda point, x, y: point.value, None),
            log=spans_much(values),
            texts=each(lambda point, x, y: self._show(point.value), ""),
            words=each(self._words, gettext("No run is done yet")),
            opens=each(lambda point, x, y: point.cell, None),
            name=f"{self.labels[self.asked.shown]}: {self._measure()}",
            ends=(self._show(min(values)), self._show(max(values))) if values else ("", ""),
            marked=[
                (x, y)
                for y, row in enumerate(cells)
                for x, point in enumerate(row)
                if point is not None and self._verdict(point, x, y) == "not distinguishable yet"
            ],
            mark_name=gettext("not distinguishable from {other} yet", other=against),
        )

    def _verdict(self, point: _Point, x: int, y: int) -> str | None:
        places = {self.first: x, 1 - self.first: y}
        pair = next(
            (
                one
                for one in self.results["comparisons"]
                if one["scheduler"] == point.scheduler
                and all(place in (None, places[axis]) for axis, place in enumerate(one["at"]))
            ),
            None,
        )
        return pair["verdict"] if pair else None

    # -- words ----------------------------------------------------------------------------------------------------

    def _show(self, value: float) -> str:
        if self.chosen_unit:
            return f"{number_words(value)}{SPACE}{self.chosen_unit}"
        return f"{number_words(value)}×" if self.asked.show == "ratio" else value_words(value, self.unit)

    def _words(self, point: _Point, x: int | None, place: int | None) -> str:
        """Return what the pointer reads: where the point is, its value, its interval and how many runs it rests on."""
        where = [self.labels[point.scheduler]]
        for axis, at in ((self.first, x), (1 - self.first, place if len(self.axes) == 2 else None)):
            if at is not None:
                path = self.axes[axis]["path"]
                where.append(f"{path_words(path)} {path_value_words(path, self.axes[axis]['values'][at])}")
        runs = ngettext("{n} run", "{n} runs", point.n)
        if point.low is None or point.high is None:
            return f"{', '.join(where)}<br>{self._show(point.value)} ({runs}, {gettext('no interval yet')})"
        interval = gettext("95 % interval {low} to {high}", low=self._show(point.low), high=self._show(point.high))
        return f"{', '.join(where)}<br>{self._show(point.value)}<br>{interval}, {runs}"


def _are_numbers(values: list[Any]) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
