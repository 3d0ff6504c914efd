"""Draw one trace of a figure as SVG: lines, markers, intervals, bands, and the bars of a heat map on paper."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol
from xml.sax.saxutils import escape

Point = tuple[float, float]


class Place(Protocol):
    """An axis on the sheet."""

    def at(self, value: float | None) -> float | None: ...


@dataclass(frozen=True)
class Paint:
    """What marks need to know of the figure: the type size, the scale of heat maps, and the color of texts."""

    size: float
    levels: list[tuple[float, str]]
    ink: str


def marks_of(trace: dict[str, Any], across: Place, upright: Place, paint: Paint) -> list[str]:
    """Return the SVG elements of a trace."""
    if trace["type"] == "bar":
        return list(_bars(trace, across, upright, paint))
    places = _places(trace, across, upright)
    if trace.get("fill") == "toself":
        return _band(trace, places)
    found: list[str] = []
    opacity = f' opacity="{trace["opacity"]}"' if trace.get("opacity", 1) != 1 else ""
    if trace.get("error_y"):
        found += _intervals(trace, across, upright)
    if "lines" in trace["mode"]:
        found += _lines(trace, places, opacity)
    if "markers" in trace["mode"]:
        found += [_marker(trace["marker"], place, opacity) for place in places if place is not None]
    return found


def _places(trace: dict[str, Any], across: Place, upright: Place) -> list[Point | None]:
    found: list[Point | None] = []
    for x, y in zip(trace["x"], trace["y"], strict=False):
        here, there = across.at(x), upright.at(y)
        found.append(None if here is None or there is None else (here, there))
    return found


def _path(points: list[Point]) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)


def _band(trace: dict[str, Any], places: list[Point | None]) -> list[str]:
    points = [place for place in places if place is not None]
    red, green, blue, alpha = (part.strip() for part in trace["fillcolor"].split("(")[1].rstrip(")").split(","))
    fill = f'fill="rgb({red}, {green}, {blue})" fill-opacity="{alpha}"'
    return [f'<path d="{_path(points)}Z" {fill}/>'] if points else []


def _lines(trace: dict[str, Any], places: list[Point | None], opacity: str) -> list[str]:
    """Draw the stretches of a line between values that are missing."""
    line = trace["line"]
    dash = line.get("dash", "solid")
    dashes = "" if dash == "solid" else f' stroke-dasharray="{dash.replace("px", "").replace(",", " ")}"'
    stroke = f'fill="none" stroke="{line["color"]}" stroke-width="{line["width"]:.2f}"{dashes}{opacity}'
    found: list[str] = []
    stretch: list[Point] = []
    for place in [*places, None]:
        if place is not None:
            if stretch and line.get("shape") == "hv":
                stretch.append((place[0], stretch[-1][1]))
            stretch.append(place)
        elif len(stretch) > 1:
            found.append(f'<path d="{_path(stretch)}" {stroke} stroke-linejoin="round"/>')
        if place is None:
            stretch = []
    return found


def _intervals(trace: dict[str, Any], across: Place, upright: Place) -> list[str]:
    errors = trace["error_y"]
    found = []
    rows = zip(trace["x"], trace["y"], errors["arrayminus"], errors["array"], strict=True)
    for x, y, below, above in rows:
        if y is None or below is None or above is None:
            continue
        here, low, high = across.at(x), upright.at(y - below), upright.at(y + above)
        if here is None or low is None or high is None:
            continue
        half = errors["width"]
        path = "".join(f"M{here - half:.2f} {end:.2f}h{2 * half}" for end in (low, high))
        stroke = f'stroke="{errors["color"]}" stroke-width="{errors["thickness"]}"'
        found.append(f'<path d="M{here:.2f} {low:.2f}V{high:.2f}{path}" fill="none" {stroke}/>')
    return found


def _marker(marker: dict[str, Any], place: Point, opacity: str) -> str:
    symbol, radius = str(marker["symbol"]), marker["size"] / 2
    color, line = marker["color"], marker.get("line") or {}
    fill = "none" if symbol.endswith("-open") else color
    style = f'fill="{fill}" stroke="{line.get("color", color)}" stroke-width="{line.get("width", 1):.2f}"{opacity}'
    x, y = place
    shape = symbol.removesuffix("-open")
    if shape == "circle":
        return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" {style}/>'
    points = _CORNERS[shape]
    return f'<path d="{_path([(x + radius * dx, y + radius * dy) for dx, dy in points])}Z" {style}/>'


_CORNERS: dict[str, list[Point]] = {
    "square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
    "diamond": [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
    "triangle-up": [(0, -1.25), (1.15, 0.75), (-1.15, 0.75)],
}


def _bars(trace: dict[str, Any], across: Place, upright: Place, paint: Paint) -> Iterator[str]:
    """Yield the cells of a heat map on paper, or the steps of its scale, with the texts in them."""
    many = len(trace["x"])
    widths = trace["width"] if isinstance(trace["width"], list) else [trace["width"]] * many
    rows = zip(trace["x"], trace["y"], trace["base"], widths, trace["marker"]["color"], strict=True)
    for at, (x, tall, base, wide, level) in enumerate(rows):
        left, right = across.at(x - wide / 2), across.at(x + wide / 2)
        low, high = upright.at(base), upright.at(base + tall)
        if left is None or right is None or low is None or high is None:
            continue
        color = _between(paint.levels, level)
        # A hair more than the cell's height, so that the steps of a scale have no seams.
        size = f'width="{right - left:.2f}" height="{low - high + (0.3 if trace["name"] == "scale" else 0):.2f}"'
        yield f'<rect x="{left:.2f}" y="{high:.2f}" {size} fill="{color}"/>'
        if trace.get("text"):
            ink = "#ffffff" if _lightness(color) < 0.5 else "#14181f"
            place = f'x="{(left + right) / 2:.2f}" y="{(low + high) / 2 + 0.34 * paint.size:.2f}"'
            yield f'<text {place} text-anchor="middle" fill="{ink}">{escape(str(trace["text"][at]))}</text>'


def _between(levels: list[tuple[float, str]], level: float) -> str:
    """Return the color of a scale at a level, 0 to 1."""
    for (low, dark), (high, light) in itertools.pairwise(levels):
        if level <= high:
            part = (level - low) / (high - low)
            pairs = zip(_parts(dark), _parts(light), strict=True)
            return "#" + "".join(f"{round(one + part * (other - one)):02x}" for one, other in pairs)
    return levels[-1][1]


def _parts(color: str) -> tuple[int, ...]:
    return tuple(int(color[at : at + 2], 16) for at in (1, 3, 5))


def _lightness(color: str) -> float:
    red, green, blue = _parts(color)
    return math.sqrt(0.299 * red**2 + 0.587 * green**2 + 0.114 * blue**2) / 255
