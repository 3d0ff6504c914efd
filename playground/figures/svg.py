"""Draw a sized figure as SVG without a browser; supports only what `drawing` and `heat` produce.

The browser draws the same figure objects with plotly.js. Files that are made here need no script and no style sheet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from playground.figures.look import PX_PER_MM
from playground.figures.svg_marks import Paint, marks_of
from playground.figures.words import number_words

#: Width of a character as a share of the type size, taken large: a text that is a little shorter does no harm.
_CHARACTER = 0.56


@dataclass(frozen=True)
class Scale:
    """One axis on the sheet: `start` and `end` in pixels are the places of the range's ends."""

    layout: dict[str, Any]
    start: float
    end: float

    @property
    def log(self) -> bool:
        return self.layout.get("type") == "log"

    @property
    def range(self) -> tuple[float, float]:
        low, high = self.layout["range"]
        return float(low), float(high)

    def at(self, value: float | None) -> float | None:
        """Return the place of a value; None where the axis has none for it."""
        if value is None or not math.isfinite(value) or (self.log and value <= 0):
            return None
        low, high = self.range
        shown = math.log10(value) if self.log else float(value)
        return self.start + (shown - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        """Return the ticks in sight as places and texts."""
        if "tickvals" in self.layout:
            told = zip(self.layout["tickvals"], self.layout["ticktext"], strict=True)
        else:
            values = _round_values(*self.range)
            told = zip(values, (number_words(value) for value in values), strict=True)
        low, high = sorted((self.start, self.end))
        found = [(self.at(value), str(text)) for value, text in told]
        return [(place, text) for place, text in found if place is not None and low - 0.5 <= place <= high + 0.5]


def _round_values(low: float, high: float) -> list[float]:
    """Return round values of a linear axis without ticks of its own."""
    span = high - low
    power: float = 10.0 ** math.floor(math.log10(span / 6))
    step = next(power * n for n in (1, 2, 5, 10) if span / (power * n) <= 7)
    return [round(step * at, 12) for at in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def figure_svg(figure: dict[str, Any]) -> str:
    """Return a figure (plotly's JSON types, with a width and a height) as an SVG document with its size in mm."""
    return _Sheet(figure).draw()


class _Sheet:
    def __init__(self, figure: dict[str, Any]) -> None:
        self.data: list[dict[str, Any]] = figure["data"]
        self.own = figure["layout"]
        self.base = self.own["template"]["layout"]
        self.width, self.height = float(self.own["width"]), float(self.own["height"])
        self.size = float(self.base["font"]["size"])
        self.ink, self.muted = self.base["font"]["color"], self.base["xaxis"]["tickfont"]["color"]
        self.out: list[str] = []

    def draw(self) -> str:
        entries = self._legend_rows()
        title = [line for line in self.own["title"]["text"].split("<br>") if line]
        top = self.size * (0.8 + 1.45 * len(title) + 1.5 * len(entries) + 0.8)
        left, right, low = self._margins(top)
        scales = self._scales(left, self.width - right, top, self.height - low)
        self._axes(scales, top, self.height - low)
        for trace in self.data:
            named = ("x2", "y2") if trace.get("xaxis") == "x2" else ("x", "y")
            self.out += marks_of(trace, scales[named[0]], scales[named[1]], Paint(self.size, self._levels(), self.ink))
        self._titles(title)
        self._legend(entries, top)
        return self._document()

    def _document(self) -> str:
        wide, high = (f"{value / PX_PER_MM:.2f}mm" for value in (self.width, self.height))
        name = quoteattr(str(self.own.get("meta", {}).get("title", "")))
        body = "\n".join(self.out)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
            f'viewBox="0 0 {self.width:.2f} {self.height:.2f}" role="img" aria-label={name} '
            f'font-family={quoteattr(self.base["font"]["family"])} font-size="{self.size:.2f}">\n'
            f'<rect width="100%" height="100%" fill="{self.base["paper_bgcolor"]}"/>\n{body}\n</svg>\n'
        )

    # -- where things are ------------------------------------------------------------------------------------------

    def _margins(self, top: float) -> tuple[float, float, float]:
        """Return the room at the left, at the right and below, from the lengths of what stands there."""
        upright = Scale(self.own["yaxis"], self.height - 3 * self.size, top)
        longest = max((len(text) for _, text in upright.ticks()), default=0)
        left = self.size * (1.9 + 0.8) + longest * self.size * _CHARACTER
        right = self.size * 1.2
        if "xaxis2" in self.own:
            right += max(len(text) for text in self.own["yaxis2"]["ticktext"]) * self.size * _CHARACTER
        across = Scale(self.own["xaxis"], left, self.width - right)
        low = self.size * (3.6 if self._title_of("xaxis") else 2.2)
        if self._is_narrow(across):
            low += min(7 * self.size, max(len(text) for _, text in across.ticks()) * self.size * _CHARACTER * 0.5)
        return left, right, low

    def _is_narrow(self, scale: Scale) -> bool:
        """Return True if the texts of a horizontal axis overlap."""
        ticks = scale.ticks()
        room = abs(scale.end - scale.start) / max(1, len(ticks))
        return any(len(text) * self.size * _CHARACTER > room for _, text in ticks)

    def _scales(self, left: float, right: float, top: float, bottom: float) -> dict[str, Scale]:
        wide = right - left
        domain = self.own["xaxis"].get("domain", [0, 1])
        found = {
            "x": Scale(self.own["xaxis"], left + domain[0] * wide, left + domain[1] * wide),
            "y": Scale(self.own["yaxis"], bottom, top),
        }
        if "xaxis2" in self.own:
            beside = self.own["xaxis2"]["domain"]
            found["x2"] = Scale(self.own["xaxis2"], left + beside[0] * wide, left + beside[1] * wide)
            found["y2"] = Scale(self.own["yaxis2"], bottom, top)
        return found

    def _levels(self) -> list[tuple[float, str]]:
        return [(float(at), str(color)) for at, color in self.base["colorscale"]["sequential"]]

    def _title_of(self, axis: str) -> str:
        return str(((self.own.get(axis) or {}).get("title") or {}).get("text") or "")

    # -- axes ------------------------------------------------------------------------------------------------------

    def _axes(self, scales: dict[str, Scale], top: float, bottom: float) -> None:
        across, upright, grid = scales["x"], scales["y"], self.base["yaxis"]["gridcolor"]
        if self.own["yaxis"].get("showgrid", True):
            for place, _ in upright.ticks():
                self._line(across.start, place, across.end, place, grid, self.size / 12)
        self._line(across.start, bottom, across.end, bottom, self.muted, self.size / 12)
        self._line(across.start, top, across.start, bottom, self.muted, self.size / 12)
        self._ticks_below(across, bottom)
        for scale, side in ((upright, -1), (scales.get("y2"), 1)):
            if scale is None:
                continue
            edge = across.start if side < 0 else scales["x2"].end
            for place, text in scale.ticks():
                self._line(edge, place, edge + side * self.size / 3, place, self.muted, self.size / 12)
                anchor = "end" if side < 0 else "start"
                self._text(edge + side * self.size * 0.55, place + self.size * 0.34, text, anchor, self.muted)
        middle = (across.start + across.end) / 2
        self._text(middle, self.height - self.size * 0.7, self._title_of("xaxis"), "middle", self.ink)
        x, y = self.size * 1.2, (top + bottom) / 2
        turned = f' transform="rotate(-90 {x:.2f} {y:.2f})"'
        self._text(x, y, self._title_of("yaxis"), "middle", self.ink, turned)

    def _ticks_below(self, across: Scale, bottom: float) -> None:
        turned = self._is_narrow(across)
        for place, text in across.ticks():
            self._line(place, bottom, place, bottom + self.size / 3, self.muted, self.size / 12)
            x, y = place, bottom + self.size * 1.4
            if turned:
                slope = f' transform="rotate(-30 {x:.2f} {y - self.size * 0.3:.2f})"'
                self._text(x, y - self.size * 0.2, text, "end", self.muted, slope)
            else:
                self._text(x, y, text, "middle", self.muted)

    # -- texts -----------------------------------------------------------------------------------------------------

    def _titles(self, lines: list[str]) -> None:
        for number, line in enumerate(lines):
            more = f' font-size="{self.size * 7 / 6:.2f}"'
            self._text(self.size / 3, self.size * (1.6 + 1.45 * number), line, "start", self.ink, more)

    def _legend_rows(self) -> list[list[dict[str, Any]]]:
        """Return the entries of the legend in rows as wide as the figure."""
        if not self.own.get("showlegend"):
            return []
        rows: list[list[dict[str, Any]]] = [[]]
        used = 0.0
        for trace in self.data:
            if not trace.get("showlegend", True) or not trace.get("name"):
                continue
            wide = self._entry_width(trace)
            if rows[-1] and used + wide > self.width - 2 * self.size:
                rows.append([])
                used = 0.0
            rows[-1].append(trace)
            used += wide
        return [row for row in rows if row]

    def _entry_width(self, trace: dict[str, Any]) -> float:
        return self.size * (3.9 + len(str(trace["name"])) * _CHARACTER)

    def _legend(self, rows: list[list[dict[str, Any]]], top: float) -> None:
        for number, row in enumerate(rows):
            y = top - self.size * (0.9 + 1.5 * (len(rows) - 1 - number))
            x = self.size
            for trace in row:
                sample = Scale({"range": [0, 1]}, x, x + 2 * self.size), Scale({"range": [-1, 1]}, y + 1, y - 1)
                drawn = {**trace, "x": [0, 1] if "lines" in trace["mode"] else [0.5], "y": [0, 0], "error_y": None}
                drawn["line"] = {**(trace.get("line") or {}), "shape": "linear"}
                if trace.get("fill"):
                    drawn |= {"x": [0, 1, 1, 0], "y": [-4, -4, 4, 4]}
                if drawn["mode"] == "lines+markers":
                    self.out += marks_of({**drawn, "mode": "lines"}, *sample, Paint(self.size, [], self.ink))
                    drawn |= {"mode": "markers", "x": [0.5]}
                self.out += marks_of(drawn, *sample, Paint(self.size, [], self.ink))
                self._text(x + 2.4 * self.size, y + self.size * 0.34, str(trace["name"]), "start", self.ink)
                x += self._entry_width(trace)

    def _text(self, x: float, y: float, text: str, anchor: str, color: str, more: str = "") -> None:
        if text:
            self.out.append(
                f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}" fill="{color}"{more}>{escape(text)}</text>'
            )

    def _line(self, x: float, y: float, to_x: float, to_y: float, color: str, width: float) -> None:
        ends = f'x1="{x:.2f}" y1="{y:.2f}" x2="{to_x:.2f}" y2="{to_y:.2f}"'
        self.out.append(f'<line {ends} stroke="{color}" stroke-width="{width:.2f}"/>')
