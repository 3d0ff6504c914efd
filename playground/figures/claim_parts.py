"""What of a claim's parts is drawn, and how their values are written: for pages, which draw nothing themselves."""

from __future__ import annotations

from collections import Counter

from playground.figures.words import number_words, value_words
from scheduler_core.claims import Claim
from scheduler_core.claims.parts import PartRow


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


def compared_words(claim: Claim, rows: tuple[PartRow, ...]) -> str:
    """Say what a claim's figure compares: `wait time by machines, published and ours`."""
    chart = claim.chart
    if chart is None:
        has_published = any(row.published is not None for _, row in drawn_parts(rows))
        return "published values and ours" if has_published else "our values and where the claim holds"
    told = f"{chart.y[:1].lower()}{chart.y[1:]} by {chart.x[:1].lower()}{chart.x[1:]}"
    if len(chart.curves) == 1:  # a line alone has no entry in the legend
        told = f"{told} ({chart.curves[0].name})"
    return f"{told}, published and ours" if any(curve.published for curve in chart.curves) else f"{told}, ours"
