"""Round ticks of time axes and logarithmic axes, in levels from coarse to fine.

The page takes the coarsest level that has enough ticks for what is in sight, so ticks stay round after zooming and have
room on a narrow screen without a second implementation in the browser.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from playground.figures.words import duration_words, number_words, tick_words, value_words

_FINEST = 120
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
#: Steps of linear time axes from a second on; below, 1, 2 and 5 times a power of ten.
_STEPS = (
    1, 2, 5, 10, 15, 30, *(_MINUTE * n for n in (1, 2, 5, 10, 15, 30)), *(_HOUR * n for n in (1, 2, 3, 6, 12)),
    *(_DAY * n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)),
)  # fmt: skip
#: Ticks of logarithmic time axes from a minute on, by level: a decade has no round value there.
_ROUND_TIMES = (
    (_MINUTE, _HOUR, _DAY, 100 * _DAY),
    (_MINUTE, 10 * _MINUTE, _HOUR, 10 * _HOUR, 4 * _DAY, 40 * _DAY, 400 * _DAY),
    (
        *(_MINUTE * n for n in (1, 2, 5, 10, 20, 30)), *(_HOUR * n for n in (1, 2, 5, 12)),
        *(_DAY * n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500)),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Level:
    """Ticks of one fineness: values of the axis, ascending, and what stands beside them."""

    values: tuple[float, ...]
    texts: tuple[str, ...]

    def within(self, low: float, high: float) -> int:
        """Count the ticks from `low` to `high`."""
        return sum(low <= value <= high for value in self.values)


def linear_time_levels(low: float, high: float) -> list[Level]:
    """Return ticks for seconds from `low` to `high` on a linear axis, coarsest level first."""
    span = high - low
    if not span > 0:
        return []
    found = []
    for step in sorted(_linear_steps(span), reverse=True):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if 2 <= last - first + 1 <= _FINEST:
            values = tuple(round(step * at, 12) for at in range(first, last + 1))
            found.append(Level(values, tuple(tick_words(value, step) for value in values)))
    return found


def _linear_steps(span: float) -> list[float]:
    """Return the round steps of which a span holds between one and the finest number."""
    small = [n * 10.0**power for power in range(-9, 0) for n in (1, 2, 5)]
    return [step for step in (*small, *_STEPS) if span / _FINEST <= step <= span * 1.001]


def linear_share_levels(low: float, high: float) -> list[Level]:
    """Return ticks for shares from `low` to `high` on a linear axis, as percent, coarsest level first."""
    found = []
    for step in (0.5, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if 2 <= last - first + 1 <= _FINEST:
            values = tuple(round(step * at, 6) for at in range(first, last + 1))
            found.append(Level(values, tuple(value_words(value, "1") for value in values)))
    return found


def log_levels(low: float, high: float, unit: str) -> list[Level]:
    """Return ticks for positive values from `low` to `high` on a logarithmic axis, coarsest level first."""
    if not 0 < low <= high:
        return []
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    found = []
    for level, factors in enumerate(((1,), (1,), (1, 2, 5))):
        values = [n * 10.0**power for power in powers for n in factors if level or power % 3 == 0]
        if unit == "s":
            values = [value for value in values if value < _MINUTE] + list(_ROUND_TIMES[level])
            values = [value for value in values if value != 50.0]  # a minute is too near
        inside = tuple(float(f"{value:.12g}") for value in values if low / 10.01 <= value <= high * 10.01)
        found.append(Level(inside, tuple(_log_words(value, unit) for value in inside)))
    return found


def _log_words(value: float, unit: str) -> str:
    if unit == "s":
        return duration_words(value)
    return value_words(value, unit) if unit == "1" else number_words(value)


def choose(levels: list[Level], low: float, high: float, wanted: int) -> Level | None:
    """Return the finest level with at most `wanted` ticks from `low` to `high`, else the coarsest with two."""
    fitting = [level for level in levels if 2 <= level.within(low, high) <= wanted]
    if fitting:
        return fitting[-1]
    return next((level for level in levels if level.within(low, high) >= 2), levels[-1] if levels else None)
