"""Figures of papers' claims: published values, our values by seed, and the bands that confirm a claim."""

from __future__ import annotations

import functools
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import plotly.graph_objects as go

from playground.claims.again import fresh_figures
from playground.claims.curves import Curve, paper_figure
from playground.claims.parts import (
    compared_words,
    drawn_parts,
    grid_of,
    has_figure,
    part_axis,
    part_value_words,
    theirs,
)
from playground.claims.schemas import ClaimIn
from playground.claims.source import claim_source, claim_title, runs_behind
from playground.claims.view import VERDICTS
from playground.errors import PlaygroundError
from playground.figures.axes import Axis
from playground.figures.captions import bibtex_of, caption_of
from playground.figures.drawing import Series, lines_figure
from playground.figures.look import Look
from playground.figures.sources import Published
from playground.figures.words import literal
from playground.studies.intervals import spans_much
from playground.web.words import gettext
from playground.web.words import marked as _
from scheduler_core.claims import Claim
from scheduler_core.claims.charts import Curve as Drawn
from scheduler_core.claims.declared import KNOWN
from scheduler_core.claims.over_seeds import saved_verdict
from scheduler_core.claims.papers import PROGRAMS
from scheduler_core.claims.parts import PartRow, part_rows
from scheduler_core.claims.results import saved_results

_AXES = {"s": _("Time"), "%": _("Percent"), "x": _("Factor (times)"), "1": _("Share"), "": _("Value")}
_WIDE = 0.32
#: The shift and the place of points. Places 1 and 3 have open markers: published values and ours differ in gray, too.
_POINTS = {"published": (-0.18, 1), "ours": (0.0, 0), "again": (-0.09, 3)}
_VERDICTS = VERDICTS | {"sign only": _("sign only")}


def published_claim(claim: Claim, *, asked: ClaimIn, look: Look, base_url: str) -> Published:
    """Draw a claim, with this server's newest run of it if that is asked for. Raises PlaygroundError."""
    return figure_of_claim(claim, look=look, base_url=base_url, fresh=fresh_figures(claim) if asked.again else {})


def figure_of_claim(
    claim: Claim, *, look: Look, base_url: str, fresh: Mapping[str, tuple[float, ...]] | None = None
) -> Published:
    """Draw a claim of a paper, with the figures of a `fresh` run of its measures over ours.

    Raises PlaygroundError where there is nothing to draw.
    """
    result = saved_results().get(claim.id)
    rows = part_rows(claim, result)
    if not has_figure(claim, rows):
        raise PlaygroundError(404, "not-found", gettext("There is no such figure"))
    title = f"{claim_title(claim)}: {compared_words(claim, rows)}"
    figure = _figure(title, claim, rows, look, fresh or {})
    source = claim_source(claim, base_url)
    shown = gettext("published and our values have markers and legend entries of their own")
    if claim.chart is None:
        parts = gettext("shaded is the accepted range; light markers are single seeds; numbers as in the table")
        shown = f"{shown}; {parts}"
    told = [shown, _standing_words(claim), *runs_behind(rows, result)]
    return Published(figure, title, caption_of(claim.says, told, source), bibtex_of(source))


def _figure(
    title: str, claim: Claim, rows: tuple[PartRow, ...], look: Look, fresh: Mapping[str, tuple[float, ...]]
) -> go.Figure:
    """Draw a claim's own chart, or its parts: as a grid where their names make one."""
    if claim.chart is not None:
        return _chart(title, claim, look, fresh)
    parts, again = drawn_parts(rows), _again(claim, fresh)
    grid = grid_of(parts)
    return _grid(title, claim, grid, look, again) if grid else _parts(title, parts, look, again, theirs(claim))


def _standing_words(claim: Claim) -> str:
    """Return the verdict and how the parameters were come by."""
    known, verdict = gettext(KNOWN[claim.known]).rstrip("."), gettext(_VERDICTS[saved_verdict(claim)])
    return f"{gettext('verdict: {verdict}', verdict=verdict)}; {known[0].lower()}{known[1:]}"


def _chart(title: str, claim: Claim, look: Look, fresh: Mapping[str, tuple[float, ...]]) -> go.Figure:
    chart = claim.chart
    assert chart is not None
    result = saved_results().get(claim.id)
    figures = result.found.figures if result is not None else {}
    curves = _ordered(chart.curves, [_curve(one, figures, fresh) for one in chart.curves])
    names = tuple(literal(name) for name in chart.categories)
    axes = (
        Axis(chart.x, chart.x_unit, log=chart.log_x, categories=names),
        Axis(chart.y, "s" if chart.y_unit == "s" else "", log=chart.log_y),
    )
    holds = (chart.band.low, chart.band.high) if chart.band is not None else None
    write = functools.partial(part_value_words, unit=chart.y_unit)
    return paper_figure(title, axes, curves, look, holds=holds, write=write)


def _curve(
    one: Drawn, figures: Mapping[str, tuple[float | None, ...]], fresh: Mapping[str, tuple[float, ...]]
) -> Curve:
    """Return a curve with the values of the data, or with those of the saved run, its seeds and a fresh run."""
    holds = tuple((each.x, each.low, each.high) for each in one.holds)
    shown = Curve(literal(one.name), one.x, one.ours, published=one.published, holds=holds, way=one.way)
    if one.ours:
        return shown
    points = [figures.get(name, ()) for name in one.points()]
    ours, again = (
        tuple(_median(values) for values in row) for row in (points, [fresh.get(n, ()) for n in one.points()])
    )
    seeds = tuple(zip(*points, strict=True)) if all(points) else ()
    again = again if any(value is not None for value in again) else ()
    return replace(shown, ours=ours, seeds=seeds, again=again)


def _ordered(declared: Sequence[Drawn], curves: list[Curve]) -> list[Curve]:
    """Return curves with the bands of the orders that are published in words, by our values of the other curves."""
    points = {
        (one.name, x): y
        for one, curve in zip(declared, curves, strict=True)
        for x, y in zip(curve.x, curve.ours, strict=True)
    }
    found = []
    for one, curve in zip(declared, curves, strict=True):
        bands = []
        for than, x in [(each, x) for each in one.than for x in each.at]:
            places = [(name, at) for name in than.curves or (one.name,) for at in than.places or (x,)]
            values = [value for place in places if (value := points[place]) is not None]
            if values:
                bands.append((x, *than.band(values)))
        found.append(replace(curve, holds=(*curve.holds, *bands)))
    return found


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def _grid(
    title: str, claim: Claim, grid: dict[str, dict[str, PartRow]], look: Look, again: Mapping[str, tuple[float, ...]]
) -> go.Figure:
    """Draw parts that are named as a grid: a curve for each of its rows, over its columns."""
    rows = [row for parts in grid.values() for row in parts.values()]
    columns = tuple(next(iter(grid.values())))
    unit, shown = rows[0].unit, [value for row in rows for value in (row.ours, row.published) if value is not None]
    curves = [_row(name, tuple(parts.values()), again) for name, parts in grid.items()]
    axes = (
        Axis(
            gettext("Statistic") if claim.source == PROGRAMS else gettext("Part of the claim"),
            categories=tuple(map(literal, columns)),
        ),
        Axis(
            gettext("Job delay") if claim.source == PROGRAMS and unit == "s" else gettext(_AXES[unit]),
            unit if unit in ("s", "1") else "",
            log=min(shown) > 0 and spans_much(shown),
        ),
    )
    write = functools.partial(part_value_words, unit=unit)
    return paper_figure(title, axes, curves, look, write=write, theirs=theirs(claim))


def _row(name: str, parts: tuple[PartRow, ...], again: Mapping[str, tuple[float, ...]]) -> Curve:
    fresh = tuple(_median(again.get(part.name, ())) for part in parts)
    seeds = (
        tuple(zip(*(part.seeds for part in parts), strict=True))
        if len({len(part.seeds) for part in parts}) == 1
        else ()
    )
    return Curve(
        literal(name),
        tuple(float(at) for at in range(len(parts))),
        tuple(part.ours for part in parts),
        published=tuple((float(at), part.published) for at, part in enumerate(parts) if part.published is not None),
        seeds=seeds,
        again=fresh if any(value is not None for value in fresh) else (),
        holds=tuple(
            (float(at), part.band.low, part.band.high) for at, part in enumerate(parts) if part.band is not None
        ),
    )


def _again(claim: Claim, fresh: Mapping[str, tuple[float, ...]]) -> dict[str, tuple[float, ...]]:
    """Return the figures of a fresh run by the names of the parts that they are of."""
    found = tuple(part_rows(claim.model_copy(update={"recorded": ()}), None))
    return {row.name: fresh.get(one.name, ()) for row, one in zip(found, claim.measures, strict=True)}


def _parts(
    title: str,
    parts: tuple[tuple[int, PartRow], ...],
    look: Look,
    again: Mapping[str, tuple[float, ...]],
    theirs: str,
) -> go.Figure:
    unit = parts[0][1].unit
    shown = [value for _, row in parts for value in (row.ours, row.published, *row.seeds) if value is not None]
    shown += [value for _, row in parts for value in again.get(row.name, ())]
    ends = [end for _, row in parts if row.band for end in (row.band.low, row.band.high) if end is not None]
    log = min([*shown, *ends]) > 0 and spans_much([*shown, *ends])
    top = max([*shown, *ends]) * (1.5 if log else 1.1)
    bottom = min([*shown, *ends]) / 1.5 if log else min(0.0, *shown, *ends)
    series = [_band(at, row, bottom, top) for at, (_, row) in enumerate(parts) if row.band is not None]
    if any(row.published is not None for _, row in parts):
        series.append(_points("published", theirs, parts, unit, [row.published for _, row in parts]))
    series.append(_points("ours", gettext("Ours"), parts, unit, [row.ours for _, row in parts]))
    if any(again.get(row.name) for _, row in parts):
        medians = [statistics.median(again[row.name]) if again.get(row.name) else None for _, row in parts]
        series.append(_points("again", gettext("Run again here"), parts, unit, medians))
    for at, (number, row) in enumerate(parts):
        if row.seeds:
            xs: list[float | None] = [at + 0.18] * len(row.seeds)
            words = [
                f"{number}. {literal(row.name)}<br>{gettext('one seed: {value}', value=part_value_words(one, unit))}"
                for one in row.seeds
            ]
            series.append(
                Series(
                    gettext("Ours"), xs, [*row.seeds], kind="points", light=True, words=words,
                    row=gettext("Ours, seeds"),
                )
            )  # fmt: skip
    labels, told = part_axis(parts)
    axes = (
        Axis(literal(told), categories=tuple(literal(one) for one in labels)),
        Axis(gettext(_AXES[unit]), unit if unit in ("s", "1") else "", log=log),
    )
    return lines_figure(title, axes, series, look)


def _points(
    whose: Literal["published", "ours", "again"],
    name: str,
    parts: tuple[tuple[int, PartRow], ...],
    unit: str,
    values: list[float | None],
) -> Series:
    shift, place = _POINTS[whose]
    words = [
        f"{number}. {literal(row.name)}<br>{name.lower()}: {part_value_words(value, unit)}"
        for (number, row), value in zip(parts, values, strict=True)
    ]
    xs: list[float | None] = [at + shift for at in range(len(parts))]
    return Series(name, xs, values, kind="points", place=place, words=words)


def _band(at: int, row: PartRow, bottom: float, top: float) -> Series:
    assert row.band is not None
    low = bottom if row.band.low is None else row.band.low
    high = top if row.band.high is None else row.band.high
    xs: list[float | None] = [at - _WIDE, at + _WIDE]
    return Series(gettext("Accepted range"), xs, [], kind="band", place=2, low=[low, low], high=[high, high])
