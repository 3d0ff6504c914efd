"""Axes of figures: titles, units, ranges and ticks, in the form of plotly.js."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from playground.figures.ticks import Level, choose, linear_share_levels, linear_time_levels, log_levels
from playground.figures.words import SPACE
from playground.web.words import gettext

_LINEAR = {"s": linear_time_levels, "1": linear_share_levels}
_WANTED = {"x": 8, "y": 7}


def log_scale() -> str:
    """Return what the title of a logarithmic axis ends with."""
    return f" ({gettext('log scale')})"


@dataclass(frozen=True)
class Axis:
    """One axis. `unit` is `s`, `1` (a share) or none; `categories` name the places 0, 1, ... instead of values."""

    title: str
    unit: str = ""
    log: bool = False
    categories: tuple[str, ...] = ()
    zero: bool = False
    """Whether a linear axis begins at 0."""


def axis_layout(axis: Axis, values: Iterable[float], which: str) -> tuple[dict[str, Any], list[Level]]:
    """Return an axis for plotly's layout and its ticks in levels; `which` is `x` or `y`, `values` is what it shows."""
    found = [value for value in values if math.isfinite(value)]
    title = f"{axis.title}{log_scale()}" if axis.log else axis.title
    layout: dict[str, Any] = {"title": {"text": title}, "type": "log" if axis.log else "linear"}
    if axis.categories:
        many = len(axis.categories)
        return layout | {
            "tickmode": "array",
            "tickvals": list(range(many)),
            "ticktext": list(axis.categories),
            "range": [-0.5, many - 0.5],
            "zeroline": False,
        }, []
    low, high = _range(axis, found)
    if axis.log:
        layout["range"] = [math.log10(low), math.log10(high)]
        levels = log_levels(low, high, axis.unit)
    else:
        layout["range"] = [low, high]
        levels = _LINEAR[axis.unit](low, high) if axis.unit in _LINEAR else []
    chosen = choose(levels, low, high, _WANTED[which])
    if chosen is not None:
        layout |= {"tickmode": "array", "tickvals": list(chosen.values), "ticktext": list(chosen.texts)}
    # Format of ticks where those above are too coarse, after zooming in far.
    if axis.unit == "1" and not axis.log:
        layout |= {"tickformat": "~%", "ticksuffix": ""}
    elif axis.unit == "s":
        layout["ticksuffix"] = f"{SPACE}s"
    return layout, levels


def _range(axis: Axis, values: list[float]) -> tuple[float, float]:
    """Return the ends of an axis, with some room around what is shown."""
    if axis.log:
        positive = [value for value in values if value > 0] or [1.0]
        low, high = min(positive), max(positive)
        room = max(1.15, (high / low) ** 0.04)
        return (low / room, high * room) if high > low else (low / 3, high * 3)
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if axis.zero:
        low, high = min(0.0, low), max(0.0, high)
    if high <= low:
        low, high = (low - 0.5, high + 0.5) if low else (0.0, 1.0)
    room = 0.05 * (high - low)
    return (low if axis.zero and low == 0 else low - room), (high if axis.zero and high == 0 else high + room)
