"""The design tokens of `static/css/tokens.css`, as colors that plotly.js takes."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Literal

from django.conf import settings

from playground.runs.results.colors import level_shades, shades

Theme = Literal["light", "dark"]
_TOKEN = re.compile(r"--([a-z0-9-]+):\s*([^;]+);")
_BOTH = re.compile(r"light-dark\((.+)\)$")
_MODERN_RGB = re.compile(r"rgb\((\d+) (\d+) (\d+)(?: / ([\d.]+))?\)$")
#: How strong a line's hue is: that of the maps' nearly full machines, as beside the runs of a comparison.
_LINE_LEVEL = round(0.95 * 255)
SERIES = 8
_STOPS = 32


def tokens(theme: Theme) -> dict[str, str]:
    """Return the tokens by name without dashes; a color is that of the theme."""
    path = Path(settings.FILES_DIR) / "static" / "css" / "tokens.css"
    return _read(path, path.stat().st_mtime_ns, theme)


@functools.lru_cache(maxsize=4)
def _read(path: Path, _changed: int, theme: Theme) -> dict[str, str]:
    found = {}
    for name, value in _TOKEN.findall(path.read_text(encoding="utf-8")):
        both = _BOTH.match(value.strip())
        text = value.strip()
        if both:
            light, dark = re.split(r",\s*(?![^(]*\))", both[1])
            text = (light if theme == "light" else dark).strip()
        found[name] = _legacy(text)
    return found


def _legacy(color: str) -> str:
    """Write `rgb(1 2 3 / 0.5)` with commas: plotly.js reads no newer spelling."""
    found = _MODERN_RGB.match(color)
    if not found:
        return color
    red, green, blue, alpha = found.groups()
    return f"rgba({red}, {green}, {blue}, {alpha})" if alpha else f"rgb({red}, {green}, {blue})"


def series_colors(theme: Theme) -> list[str]:
    """Return the colors of lines: the tokens `series-1` to `series-8` where they are set, else the maps' hues."""
    known = tokens(theme)
    hues = shades(theme == "dark")
    return [known.get(f"series-{at + 1}") or _hex(hues[at][_LINE_LEVEL]) for at in range(SERIES)]


def level_colors(theme: Theme) -> list[tuple[float, str]]:
    """Return the scale of heat maps, from 0 to 1: its lightness runs one way, so it also reads in gray."""
    table = level_shades(theme == "dark")
    return [(step / _STOPS, _hex(table[round(255 * step / _STOPS)])) for step in range(_STOPS + 1)]


def _hex(color: object) -> str:
    red, green, blue = (int(part) for part in color)  # type: ignore[attr-defined]
    return f"#{red:02x}{green:02x}{blue:02x}"
