"""Heat maps: cells with their values, and a color scale.

Plotly's color bar sets style attributes, which the content security policy refuses; so does a heat map without gaps
between its cells. The scale is therefore a second map. On paper cells are bars: plotly draws heat maps as pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

from playground.figures.axes import Axis, axis_layout
from playground.figures.drawing import Values, empty_figure
from playground.figures.look import Look
from playground.figures.tokens import level_colors, tokens

_SWATCH_STEPS = 48
_CELL = 0.98


@dataclass(frozen=True)
class Heat:
    """Cells of a heat map: rows from the bottom up, None where nothing is known yet."""

    value: list[Values]
    log: bool
    """Whether colors follow the logarithm of the values."""
    texts: list[list[str]]
    words: list[list[str]]
    opens: list[list[Any]]
    name: str
    ends: tuple[str, str]
    """What stands at the lower and the upper end of the scale."""
    marked: list[tuple[int, int]] = field(default_factory=list)
    """Cells (across, up) that get a ring."""
    mark_name: str = ""


def heat_figure(title: str, axes: tuple[Axis, Axis], heat: Heat, look: Look) -> go.Figure:
    """Draw a heat map with its values in the cells and its scale beside it."""
    figure = empty_figure(title, look)
    known = [value for row in heat.value for value in row if value is not None]
    ends = (min(known), max(known)) if known else (0.0, 1.0)
    figure.add_trace((_bars if look.on_paper else _map)(heat, ends, look))
    ink = tokens(look.theme)["ink"]
    if heat.marked:
        figure.add_trace(
            go.Scatter(
                x=[x + 0.36 for x, _ in heat.marked], y=[y + 0.32 for _, y in heat.marked], mode="markers",
                marker={"symbol": "circle-open", "size": look.size_px * 0.6, "color": ink, "line": {"width": 1.5}},
                name=heat.mark_name, hoverinfo="skip", showlegend=True, meta={"marks": True},
            )
        )  # fmt: skip
    figure.add_trace(_scale(look))
    gap, wide = (0.05, 0.03) if look.width_px > 500 else (0.05, 0.06)
    figure.update_layout(
        showlegend=bool(heat.marked), barmode="overlay", bargap=0,
        xaxis2={"domain": [1 - wide, 1], "anchor": "y2", "visible": False, "fixedrange": True, "range": [-0.5, 0.5]},
        yaxis2={
            "anchor": "x2", "side": "right", "tickmode": "array", "tickvals": [0, 1], "ticktext": list(heat.ends),
            "showgrid": False, "showline": False, "ticks": "outside", "ticklen": 4, "fixedrange": True, "range": [0, 1],
        },
        xaxis_domain=[0, 1 - wide - gap], yaxis_showgrid=False,
    )  # fmt: skip
    for which, axis in zip("xy", axes, strict=True):
        layout, _ = axis_layout(axis, [], which)
        figure.update_layout({f"{which}axis": layout})
    return figure


def _map(heat: Heat, ends: tuple[float, float], look: Look) -> go.Heatmap:
    return go.Heatmap(
        z=heat.value, zmin=ends[0], zmax=ends[1], colorscale=_colorscale(*ends, look, log=heat.log),
        text=heat.texts, texttemplate="%{text}", hovertext=heat.words, hoverinfo="text", customdata=heat.opens,
        name=heat.name, xgap=1, ygap=1, hoverongaps=False, showscale=False,
    )  # fmt: skip


def _bars(heat: Heat, ends: tuple[float, float], look: Look) -> go.Bar:
    """Return the same cells as bars that begin at their row: lines and areas, no pixels."""
    cells = [(x, y, value) for y, row in enumerate(heat.value) for x, value in enumerate(row) if value is not None]
    return go.Bar(
        x=[x for x, _, _ in cells], y=[_CELL] * len(cells), base=[y - _CELL / 2 for _, y, _ in cells], width=_CELL,
        marker={"color": [_level(value, ends, heat.log) for _, _, value in cells], "cmin": 0, "cmax": 1,
                "colorscale": level_colors(look.theme), "line": {"width": 0}},
        text=[heat.texts[y][x] for x, y, _ in cells], textposition="inside", insidetextanchor="middle", textangle=0,
        constraintext="none", textfont={"size": look.size_px}, hoverinfo="skip", name=heat.name, showlegend=False,
    )  # fmt: skip


def _scale(look: Look) -> go.Bar:
    """Return the colors from the least to the largest value, one above the other."""
    steps = [at / _SWATCH_STEPS for at in range(_SWATCH_STEPS)]
    return go.Bar(
        x=[0] * _SWATCH_STEPS, y=[1 / _SWATCH_STEPS] * _SWATCH_STEPS, base=steps, width=1, xaxis="x2", yaxis="y2",
        marker={"color": steps, "cmin": 0, "cmax": 1, "colorscale": level_colors(look.theme), "line": {"width": 0}},
        hoverinfo="skip", showlegend=False, name="scale", meta={"scale": True},
    )  # fmt: skip


def _level(value: float, ends: tuple[float, float], log: bool) -> float:
    """Return where a value stands between the ends of the scale, 0 to 1."""
    low, high = ends
    if high <= low:
        return 0.5
    return math.log(value / low) / math.log(high / low) if log else (value - low) / (high - low)


def _colorscale(low: float, high: float, look: Look, *, log: bool) -> list[tuple[float, str]]:
    """Return plotly's color scale for values from `low` to `high`; a logarithmic one has its stops moved."""
    stops = level_colors(look.theme)
    if not log or high <= low:
        return stops
    moved = [(low * (high / low) ** part - low) / (high - low) for part, _ in stops]
    return [(min(1.0, max(0.0, at)), color) for at, (_, color) in zip([0.0, *moved[1:-1], 1.0], stops, strict=True)]
