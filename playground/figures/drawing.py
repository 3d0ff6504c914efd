"""Draw series as one figure. Every kind of figure uses this module, so all share template, ticks, legend and hover."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import plotly.graph_objects as go

from playground.figures.axes import Axis, axis_layout
from playground.figures.look import Look
from playground.figures.template import DASHES, MARKERS, template_of
from playground.figures.ticks import Level
from playground.figures.tokens import SERIES, series_colors, tokens

Kind = Literal["line", "steps", "points", "band", "seed", "guide"]
Values = list[float | None]


@dataclass
class Series:
    """One thing that is drawn. `place` decides color, dash and marker; series of one `name` share a legend entry.

    `line` has markers and error bars from `low` to `high`; `band` fills from `low` to `high`; `seed` is a light line
    that belongs to the line of its name; `guide` is a reference line without an entry.
    """

    name: str
    x: Values
    y: Values
    kind: Kind = "line"
    place: int = 0
    low: Values | None = None
    high: Values | None = None
    words: list[str] | None = None
    """What the pointer reads at each point."""
    opens: list[Any] | None = None
    """What each point stands for, for a page that opens it."""
    hollow: bool = False
    """Whether its markers are the open ones of full markers, and the other way around."""
    light: bool = False
    """Whether it is an overlay: drawn lighter than what it lies over."""
    row: str = ""
    """What its rows are called in the figure's data, where that is not its name."""


def lines_figure(title: str, axes: tuple[Axis, Axis], series: Sequence[Series], look: Look) -> go.Figure:
    """Draw series over an x and a y axis; the legend has each line once."""
    figure = empty_figure(title, look)
    entries = _entries(series)
    for at, each in enumerate(series):
        for trace in _traces(each, look, in_legend=at in entries):
            figure.add_trace(trace)
    figure.update_layout(showlegend=len(entries) > 1)
    _set_axes(figure, axes, series)
    return figure


def _entries(series: Sequence[Series]) -> set[int]:
    """Return which series stand in the legend: for each name its line; its band where it has no line."""
    found: dict[str, int] = {}
    for at, each in sorted(enumerate(series), key=lambda one: (one[1].kind == "band", one[1].light, one[0])):
        if each.kind not in ("seed", "guide"):
            found.setdefault(each.name, at)
    return set(found.values())


def _traces(one: Series, look: Look, *, in_legend: bool) -> list[Any]:
    color = series_colors(look.theme)[one.place % SERIES]
    common: dict[str, Any] = {"name": one.name, "legendgroup": one.name, "showlegend": in_legend, "hoverinfo": "skip"}
    if one.kind == "guide" or one.row:
        common["meta"] = {"guide": True} if one.kind == "guide" else {"row": one.row}
    if one.kind == "band":
        return [_band(one, color, common)]
    if one.words is not None:
        common |= {"hovertext": one.words, "hoverinfo": "text"}
    if one.opens is not None:
        common["customdata"] = one.opens
    has_points = one.kind in ("line", "points")
    trace = go.Scatter(
        x=one.x,
        y=one.y,
        mode={"line": "lines+markers", "points": "markers"}.get(one.kind, "lines"),
        line=_line(one, color, look),
        marker=_marker(one, color, look) if has_points else None,
        opacity=0.5 if one.kind == "seed" else 0.6 if one.light else 1,
        error_y=_errors(one, color),
        cliponaxis=not has_points,
        **common,
    )
    return [trace]


def _line(one: Series, color: str, look: Look) -> dict[str, Any]:
    scale = look.size_px / 12
    if one.kind == "guide":
        return {"color": tokens(look.theme)["muted"], "width": scale, "dash": "4px,3px"}
    return {
        "color": color,
        "width": (1 if one.kind == "seed" else 2) * scale,
        "dash": DASHES[one.place % len(DASHES)],
        "shape": "hv" if one.kind == "steps" else "linear",
    }


def _marker(one: Series, color: str, look: Look) -> dict[str, Any]:
    scale = look.size_px / 12
    symbol = MARKERS[one.place % len(MARKERS)]
    if one.hollow:
        symbol = symbol.removesuffix("-open") if symbol.endswith("-open") else f"{symbol}-open"
    line = {"width": 1.5 * scale, "color": color}
    return {"color": color, "symbol": symbol, "size": (5 if one.light else 7) * scale, "line": line}


def _errors(one: Series, color: str) -> dict[str, Any] | None:
    """Return error bars from `low` to `high`: plotly takes distances."""
    if one.low is None or one.high is None or all(end is None for end in one.low):
        return None
    rows = list(zip(one.y, one.low, one.high, strict=True))
    return {
        "type": "data",
        "symmetric": False,
        "array": [None if y is None or high is None else high - y for y, _, high in rows],
        "arrayminus": [None if y is None or low is None else y - low for y, low, _ in rows],
        "color": color,
        "thickness": 1.5,
        "width": 4,
    }


def _band(one: Series, color: str, common: dict[str, Any]) -> go.Scatter:
    """Fill between `low` and `high`, without an entry of its own where a line of the same name has one."""
    rows = [row for row in zip(one.x, one.low or [], one.high or [], strict=True) if None not in row]
    around = [*rows, *reversed(rows)]
    return go.Scatter(
        x=[x for x, _, _ in around],
        y=[high for _, _, high in rows] + [low for _, low, _ in reversed(rows)],
        fill="toself",
        mode="lines",
        line={"width": 0, "color": color},
        fillcolor=f"rgba({int(color[1:3], 16)}, {int(color[3:5], 16)}, {int(color[5:7], 16)}, 0.16)",
        **{**common, "meta": {"band": True}},
    )


def empty_figure(title: str, look: Look) -> go.Figure:
    """Return a figure without marks: its title, its template, its size."""
    figure = go.Figure()
    size = look.size_px
    across = max(24, int(look.width_px / (size * 0.6)))
    wrapped = textwrap.wrap(title, across, max_lines=3, placeholder=" …")
    figure.update_layout(
        template=template_of(look),
        title={"text": "<br>".join(wrapped)},
        margin={"t": size * (1.5 * len(wrapped) + 3.6)},
        meta={"title": title},
    )
    if look.on_paper:
        figure.update_layout(width=round(look.width_px, 2), height=round(look.height_px, 2), autosize=False)
    else:
        figure.update_layout(autosize=True)
    return figure


def _set_axes(figure: go.Figure, axes: tuple[Axis, Axis], series: Sequence[Series]) -> None:
    """Set titles, ranges and ticks; what the page needs to choose other ticks goes into the figure's meta."""
    xs = [x for each in series for x in each.x if x is not None]
    ys = [y for each in series for ends in (each.y, each.low or [], each.high or []) for y in ends if y is not None]
    found: dict[str, list[Level]] = {}
    for which, axis, values in (("x", axes[0], xs), ("y", axes[1], ys)):
        layout, found[f"{which}axis"] = axis_layout(axis, values, which)
        figure.update_layout({f"{which}axis": layout})
    figure.layout.meta = {
        **figure.layout.meta,
        "ticks": {
            name: [{"values": level.values, "texts": level.texts} for level in levels]
            for name, levels in found.items()
            if levels
        },
    }
