"""Export a figure's data as rows read from the figure itself, so that the file holds what is drawn."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from playground.figures.axes import log_scale
from scheduler_core.spreadsheet import safe_cell

_TAG = re.compile(r"<[^>]+>")


def figure_rows(figure: dict[str, Any]) -> list[list[Any]]:
    """Return a header and a row for each point or cell of a figure (plotly's JSON types).

    Guides, bands, scales and markers of verdicts are left out: they draw what other rows say. Ends of intervals are
    values, not distances from the point.
    """
    data = [trace for trace in figure["data"] if not _is_frame(trace)]
    layout = figure["layout"]
    names = [_axis_title(layout, "xaxis") or "x", _axis_title(layout, "yaxis") or "y"]
    if data and data[0]["type"] == "heatmap":
        return [[*names, data[0]["name"]], *_cells(data[0], layout)]
    with_ends = any(trace.get("error_y") for trace in data)
    head = ["series", *names, *(["low", "high"] if with_ends else [])]
    return [head, *(row for trace in data for row in _points(trace, layout, with_ends=with_ends))]


def figure_csv(figure: dict[str, Any], classes: str = "") -> str:
    """Write a figure's rows as CSV, after a line that starts with # and defines its classes of jobs, if it has any."""
    target = io.StringIO()
    if classes:
        target.write(f"# {classes}\n")
    csv.writer(target, lineterminator="\n").writerows([safe_cell(one) for one in row] for row in figure_rows(figure))
    return target.getvalue()


def _is_frame(trace: dict[str, Any]) -> bool:
    meta = trace.get("meta") or {}
    return any(meta.get(name) for name in ("scale", "marks", "band", "guide"))


def _axis_title(layout: dict[str, Any], name: str) -> str:
    """Return what an axis shows, with the unit of its values; the scale is the picture's, not the data's."""
    axis = layout.get(name) or {}
    title = _TAG.sub(" ", (axis.get("title") or {}).get("text") or "").strip().removesuffix(log_scale())
    return f"{title} (s)" if title and (axis.get("ticksuffix") or "").strip() == "s" else title


def _points(trace: dict[str, Any], layout: dict[str, Any], *, with_ends: bool) -> list[list[Any]]:
    names = _names(layout.get("xaxis") or {})
    errors = trace.get("error_y") or {}
    rows = []
    for at, (x, y) in enumerate(zip(trace["x"], trace["y"], strict=True)):
        ends: list[Any] = []
        if with_ends:
            below, above = (_at(errors.get(name), at) for name in ("arrayminus", "array"))
            ends = [None if below is None else _short(y - below), None if above is None else _short(y + above)]
        name = (trace.get("meta") or {}).get("row") or trace.get("name")
        rows.append([name, names.get(round(x), x) if names else x, y, *ends])
    return rows


def _short(value: float) -> float:
    """Drop the digits that taking a distance and adding it back leaves behind."""
    return float(f"{value:.12g}")


def _at(values: Any, at: int) -> float | None:
    return values[at] if values else None


def _names(axis: dict[str, Any]) -> dict[Any, str]:
    """Return names of places where an axis has categories: its ticks are the places 0, 1, ..."""
    ticks = list(axis.get("tickvals") or [])
    is_places = axis.get("type") == "linear" and axis.get("range") == [-0.5, len(ticks) - 0.5]
    return dict(zip(ticks, axis.get("ticktext") or [], strict=False)) if is_places and ticks else {}


def _cells(trace: dict[str, Any], layout: dict[str, Any]) -> list[list[Any]]:
    across, up = list(layout["xaxis"]["ticktext"]), list(layout["yaxis"]["ticktext"])
    return [
        [across[x], up[y], value]
        for y, row in enumerate(trace["z"])
        for x, value in enumerate(row)
        if value is not None
    ]
