"""What of a claim's parts is drawn, and how their values are written: for pages, which draw nothing themselves."""

from __future__ import annotations

from collections import Counter

from playground.figures.words import number_words, value_words
from scheduler_core.claims import Claim
from scheduler_core.claims.papers import PROGRAMS
from scheduler_core.claims.parts import PartRow

_LONGEST_LABEL, _ALL_LABELS = 26, 66
"""Characters of a part's name on an axis, and of all names there."""


def part_value_words(value: float | None, unit: str) -> str:
    """Write a part's value with its unit: `1.2 s`, `16 %`, `1.69×`."""
    if value is None:
        return "–"
    if unit == "s":
        return value_words(value, "s")
    return number_words(value) + {"%": "\u202f%", "x": "×"}.get(unit, "")


def drawn_parts(rows: tuple[PartRow, ...]) -> tuple[tuple[int, PartRow], ...]:
    """Return the parts that a figure shows, those of the commonest unit, with the numbers that the page gives them."""
    known = [(at, row) for at, row in enumerate(rows, start=1) if row.ours is not None]
    units = Counter(row.unit for _, row in known)
    return tuple((at, row) for at, row in known if row.unit == max(units, key=units.__getitem__))


def has_figure(claim: Claim, rows: tuple[PartRow, ...]) -> bool:
    """Say whether there are numbers to draw."""
    return claim.chart is not None or bool(drawn_parts(rows))


def part_labels(parts: tuple[tuple[int, PartRow], ...]) -> tuple[str, ...]:
    """Name the parts on an axis: by their names where these are short, or by the numbers that the page gives them."""
    names = tuple(row.name for _, row in parts)
    if max(map(len, names)) <= _LONGEST_LABEL and sum(map(len, names)) <= _ALL_LABELS:
        return names
    return tuple(str(at) for at, _ in parts)


def grid_of(parts: tuple[tuple[int, PartRow], ...]) -> dict[str, dict[str, PartRow]]:
    """Return parts that are named as a grid, such as `Short jobs, p99`, by its rows and columns; empty where not."""
    found: dict[str, dict[str, PartRow]] = {}
    for _, row in parts:
        head, comma, tail = row.name.partition(", ")
        if not comma or "," in tail:
            return {}
        found.setdefault(head, {})[tail] = row
    columns = [tuple(row) for row in found.values()]
    full = len(columns) > 1 and len(columns[0]) > 1 and len(set(columns)) == 1
    return found if full and sum(map(len, columns)) == len(parts) else {}


def theirs(claim: Claim) -> str:
    """Name the values that ours are compared with: published, or a program's."""
    return "Program" if claim.source == PROGRAMS else "Published"


def compared_words(claim: Claim, rows: tuple[PartRow, ...]) -> str:
    """Say what a claim's figure compares: `wait time by machines, published and ours`."""
    chart = claim.chart
    if chart is None:
        if all(row.published is None for _, row in drawn_parts(rows)):
            return "our values and where the claim holds"
        return "the program's values and ours" if claim.source == PROGRAMS else "published values and ours"
    told = f"{_inside(chart.y)} by {_inside(chart.x)}"
    if len(chart.curves) == 1 and not chart.categories:  # a line alone has no entry in the legend
        told = f"{told} ({chart.curves[0].name})"
    return f"{told}, published and ours" if any(curve.published for curve in chart.curves) else f"{told}, ours"


def _inside(name: str) -> str:
    """Write a name inside a sentence: its capital goes, unless it is an abbreviation's or a name's."""
    is_word = name[1:2].islower() and not name.startswith("Jain")
    return f"{name[:1].lower()}{name[1:]}" if is_word else name
