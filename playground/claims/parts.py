"""Select the drawn parts of a claim and format their values, for pages that draw nothing themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from playground.figures.words import in_language, number_words, value_words
from playground.web.words import gettext
from scheduler_core.claims import Band, Claim
from scheduler_core.claims.papers import PROGRAMS
from scheduler_core.claims.parts import PartRow

_LONGEST_LABEL, _ALL_LABELS = 26, 66
"""Characters of a part's name on an axis, and of all names there."""

_LARGE = 10_000
"""A factor from which on only three digits are written."""

_NEAR, _MINUTE = 1.01, 60
"""Ends of a band that are nearer than this factor get more digits, unless they are times of a minute or more."""

_SIGNS = {"s": "\u202fs", "%": "\u202f%", "x": "×"}


def part_value_words(value: float | None, unit: str) -> str:
    """Write a part's value with its unit: `1.2 s`, `16 %`, `1.69×`."""
    if value is None:
        return "–"
    if unit in ("s", "1"):
        return value_words(value, unit)
    if unit == "x" and abs(value) >= _LARGE:
        value = float(f"{value:.3g}")
    return number_words(value) + _SIGNS.get(unit, "")


def band_words(row: PartRow) -> str:
    """Write a part's band; ends that three digits do not tell apart get more: `2.049 s to 2.051 s`."""
    return range_words(row.band, row.unit)


def range_words(band: Band | None, unit: str) -> str:
    """Write a range of values of a unit; nothing where there is none."""
    if band is None:
        return ""
    low, high = band.low, band.high
    if low is None or high is None or not low < high < min(low * _NEAR, _MINUTE):
        return _ends_words(band, lambda end: part_value_words(end, unit))
    return _ends_words(band, lambda end: f"{in_language(f'{end:.6g}')}{_SIGNS.get(unit, '')}")


def _ends_words(band: Band, write: Callable[[float], str]) -> str:
    """Write a band as `Band.in_words` does, in the reader's language."""
    if band.least is not None and band.most is not None:
        low, high = write(band.least), write(band.most)
        return low if low == high else gettext("{low} to {high}", low=low, high=high)
    told = []
    if band.above is not None:
        told.append(gettext("above {value}", value=write(band.above)))
    if band.least is not None:
        told.append(gettext("at least {value}", value=write(band.least)))
    if band.below is not None:
        told.append(gettext("below {value}", value=write(band.below)))
    if band.most is not None:
        told.append(gettext("at most {value}", value=write(band.most)))
    return ", ".join(told)


def our_words(row: PartRow) -> str:
    """Write our value of a part; one that misses the end of its band by little gets the digits that show it."""
    if row.ours is None:
        return row.words or "–"
    words = part_value_words(row.ours, row.unit)
    if row.band is None or row.band.holds(row.ours):
        return words
    ends = {part_value_words(end, row.unit) for end in (row.band.low, row.band.high) if end is not None}
    digits = 4
    while words in ends and digits < 10:
        words = f"{in_language(f'{row.ours:.{digits}g}')}{_SIGNS.get(row.unit, '')}"
        digits += 1
    return words


def drawn_parts(rows: tuple[PartRow, ...]) -> tuple[tuple[int, PartRow], ...]:
    """Return the parts that a figure shows, with the numbers that the page gives them: those of one unit.

    It is the unit of most published values, or the commonest.
    """
    known = [(at, row) for at, row in enumerate(rows, start=1) if row.ours is not None]
    units = Counter(row.unit for _, row in known)
    published = Counter(row.unit for _, row in known if row.published is not None)
    return tuple(one for one in known if one[1].unit == max(units, key=lambda unit: (published[unit], units[unit])))


def has_figure(claim: Claim, rows: tuple[PartRow, ...]) -> bool:
    """Return True if there are numbers to draw."""
    return claim.chart is not None or bool(drawn_parts(rows))


def part_axis(parts: tuple[tuple[int, PartRow], ...]) -> tuple[tuple[str, ...], str]:
    """Return the parts' labels on an axis, and its title.

    Labels are their names where these are short, or what of them differs, or the numbers that the page gives them.
    """
    names = tuple(row.name for _, row in parts)
    if _fit(names):
        return names, gettext("Part of the claim")
    for cut in (str.partition, str.rpartition):
        split = [cut(name, ", ") for name in names]
        for own, shared in ((0, 2), (2, 0)):
            labels = tuple(each[own] for each in split)
            if len({each[shared] for each in split}) == 1 and split[0][1] and _fit(labels):
                return labels, split[0][shared]
    return tuple(str(at) for at, _ in parts), gettext("Part, by its number in the table")


def _fit(labels: tuple[str, ...]) -> bool:
    longest = _ALL_LABELS if len(labels) == 1 else _LONGEST_LABEL
    return max(map(len, labels)) <= longest and sum(map(len, labels)) <= _ALL_LABELS


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
    return gettext("Program") if claim.source == PROGRAMS else gettext("Published")


def compared_words(claim: Claim, rows: tuple[PartRow, ...]) -> str:
    """Return what a claim's figure compares: `wait time by machines, published and ours`."""
    chart = claim.chart
    if chart is None:
        if all(row.published is None for _, row in drawn_parts(rows)):
            return gettext("our values and where the claim holds")
        if claim.source == PROGRAMS:
            return gettext("the program's values and ours")
        return gettext("published values and ours")
    told = gettext("{measure} by {parameter}", measure=_inside(chart.y), parameter=_inside(chart.x))
    if len(chart.curves) == 1 and not chart.categories:  # a line alone has no entry in the legend
        told = f"{told} ({chart.curves[0].name})"
    if any(curve.published for curve in chart.curves):
        return gettext("{figure}, published and ours", figure=told)
    return gettext("{figure}, ours", figure=told)


def _inside(name: str) -> str:
    """Write a name inside a sentence: its capital goes, unless it is an abbreviation's or a name's."""
    is_word = name[1:2].islower() and not name.startswith("Jain")
    return f"{name[:1].lower()}{name[1:]}" if is_word else name
