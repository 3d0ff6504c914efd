"""The template of all figures, light and dark: surfaces, grid, fonts and line colors from the design tokens."""

from __future__ import annotations

from typing import Any

import pandas  # noqa: F401 - whole before plotly looks at it: another request may be importing it just now
import plotly.graph_objects as go

from playground.figures.look import Look
from playground.figures.tokens import level_colors, series_colors, tokens
from playground.figures.words import in_language

#: What tells lines apart without color: a dash and a marker for each place, as beside the runs of a comparison.
DASHES = ("solid", "8px,4px", "2px,3px", "10px,3px,2px,3px", "5px,2px", "1px,4px", "12px,4px", "6px,2px,1px,2px")
MARKERS = (
    "circle", "circle-open", "square", "square-open", "diamond", "diamond-open", "triangle-up", "triangle-up-open",
)  # fmt: skip


def template_of(look: Look) -> go.layout.Template:
    """Return the template for a look."""
    token, size = tokens(look.theme), look.size_px
    axis = _axis(look)
    layout = go.Layout(
        font={"family": look.family, "size": size, "color": token["ink"]},
        title={
            "x": 0, "xref": "container", "xanchor": "left", "y": 1, "yref": "container", "yanchor": "top",
            "pad": {"l": size / 3, "t": size / 2}, "font": {"size": size * 7 / 6, "color": token["ink"]},
        },
        paper_bgcolor=token["surface"],
        plot_bgcolor=token["surface"],
        colorway=series_colors(look.theme),
        colorscale={"sequential": level_colors(look.theme)},
        margin={"l": size * 4, "r": size, "t": size * 2.5, "b": size * 3.5},
        xaxis={**axis, "showgrid": False},
        yaxis=axis,
        legend={
            "orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom",
            "font": {"color": token["ink"]}, "bgcolor": "rgba(0, 0, 0, 0)",
        },
        hoverlabel={
            "bgcolor": token["raised"], "bordercolor": token["line-strong"], "align": "left", "namelength": -1,
            "font": {"color": token["ink"], "family": tokens(look.theme)["font"], "size": 12},
        },
        hovermode="closest",
        dragmode="zoom",
        separators=f"{in_language('.')}{in_language(',')}",
    )  # fmt: skip
    return go.layout.Template(layout=layout)


def _axis(look: Look) -> dict[str, Any]:
    token, size = tokens(look.theme), look.size_px
    return {
        "gridcolor": token["line"],
        "linecolor": token["muted"],
        "tickcolor": token["muted"],
        "tickfont": {"color": token["muted"]},
        "title": {"font": {"color": token["ink"], "size": size}, "standoff": size * 0.8},
        "showline": True,
        "ticks": "outside",
        "ticklen": size / 3,
        "zeroline": False,
        "separatethousands": True,
        "exponentformat": "none",
        "automargin": True,
    }
