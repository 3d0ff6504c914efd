"""Numbers as the page writes them, and a look for those in a text that were not expected."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

_NARROW = "\u202f"
#: Units that are nouns, as they follow a 1.
_ONE = {
    each: re.sub(r"s(?= per |$)", "", each, count=1)
    for each in (
        *("machines", "probes", "probes per task", "rounds", "samples", "schedulers", "servers", "short tasks"),
        *("tasks", "tasks per worker", "workers"),
    )
}


def _written(value: float, least: int, most: int) -> str:
    """Format with grouped thousands and between `least` and `most` decimals, rounded half away from zero."""
    exact = Decimal(value).quantize(Decimal(1).scaleb(-most), rounding=ROUND_HALF_UP)
    whole, _, decimals = f"{exact:,f}".partition(".")
    kept = decimals[:least] + decimals[least:].rstrip("0")
    return f"{whole}.{kept}" if kept else whole


def whole(value: float) -> str:
    return _written(math.floor(value + 0.5), 0, 0)


def three(value: float, keep: bool = False) -> str:
    """Three significant digits; `keep` keeps zeros at the end."""
    if value == 0:
        return "0"
    size = abs(value)
    digits = min(6, max(0, 2 - math.floor(math.log10(size))))
    text = whole(size) if size >= 1000 else _written(size, digits if keep else 0, digits)
    return f"\u2212{text}" if value < 0 else text


def factor(ratio: float) -> str:
    """What a sentence says of a ratio above 1: beyond 1,000 it is only bounded."""
    return three(ratio) if ratio <= 1000 else "more than 1,000"


def decimals(value: float) -> str:
    return _written(value, 0, 3)


def short(value: float) -> str:
    """A count for a small space."""
    if value < 10_000:
        return whole(value)
    return f"{three(value / 1e3)}k" if value < 1e6 else f"{three(value / 1e6)}M"


def duration(ns: float | None, keep: bool = False) -> str:
    if ns is None:
        return "–"
    if ns == 0:
        return f"0{_NARROW}s"
    for below, size, unit in ((999.5e3, 1e3, "µs"), (999.5e6, 1e6, "ms"), (600e9, 1e9, "s"), (7200e9, 60e9, "min")):
        if abs(ns) < below:
            return f"{three(ns / size, keep)}{_NARROW}{unit}"
    return f"{three(ns / 3600e9, keep)}{_NARROW}h"


def measured(ns: float | None) -> str:
    return duration(ns, keep=True)


def percent(share: float) -> str:
    return f"{three(share * 100)}{_NARROW}%"


def axis_seconds(seconds: float) -> str:
    power = 10 ** round(math.log10(seconds))
    if seconds >= 600 and abs(seconds / power - 1) < 1e-9:
        return f"{whole(seconds)} s"
    minutes = math.floor(seconds / 60 + 0.5)
    if minutes < 120:
        return duration(seconds * 1e9)
    return f"{whole(minutes // 60)} h" + (f" {minutes % 60} min" if minutes % 60 else "")


def clock(ns: float, longest_ns: float) -> str:
    """Simulated time as a clock; runs of less than ten minutes show tenths."""
    seconds = int(ns // 1e9)
    base = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{base}.{int(ns // 1e8) % 10}" if longest_ns < 600e9 else base


def with_unit(value: float | bool | str | None, unit: str) -> str:
    """A value of a setting or a measure."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, int | float):
        return str(value)
    if unit == "s":
        return duration(value * 1e9)
    if unit in ("share", "%"):
        return percent(value)
    text = whole(value) if float(value).is_integer() else three(value)
    return text if unit in ("", "1") else f"{text} {_ONE.get(unit, unit) if value == 1 else unit}"


def plain(text: str) -> str:
    """A text with plain spaces, one between two words."""
    return " ".join(text.replace(_NARROW, " ").split())


def unexplained(text: str, expected: Iterable[str]) -> str:
    """Return what is wrong with the numbers of a text; empty if it holds the expected ones in their order, and no more.

    A number is expected as it is written, with its unit or name.
    """
    rest, left = plain(text), ""
    for one in (plain(each) for each in expected):
        if not re.search(r"\d", one):
            continue
        found = re.search(rf"(?<![\d.,]){re.escape(one)}(?![\d]|[.,]\d)", rest)
        if found is None:
            return f"{one!r} is not in {rest!r}"
        left, rest = f"{left} {rest[: found.start()]}", rest[found.end() :]
    odd = re.search(r"\S*\d\S*", f"{left} {rest}")
    return f"nothing explains {odd[0]!r} in {plain(text)!r}" if odd else ""
