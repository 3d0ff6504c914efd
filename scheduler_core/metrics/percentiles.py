"""Exact percentiles: the nearest rank over all values, not an estimate from a histogram."""

from __future__ import annotations

import functools
import math

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.jit import kernel
from scheduler_core.metrics.selection import values_at

Values = npt.NDArray[np.int64] | npt.NDArray[np.float64]


def nearest_rank(ordered: Values, percent: float) -> float:
    """Return the value at rank ceil(percent / 100 * n) of sorted values (n > 0)."""
    return float(ordered[ranks_of(len(ordered), (percent,))[0]])


@functools.lru_cache(maxsize=64)
def ranks_of(count: int, percents: tuple[float, ...]) -> tuple[int, ...]:
    """Return the places of percentiles among `count` > 0 sorted values, from 0."""
    # Rounded first: 99.9 / 100 * 1000 must be rank 999, not 1000 by a float's last bit.
    return tuple(max(math.ceil(round(percent * count / 100.0, 9)), 1) - 1 for percent in percents)


@kernel
def _look(values, found) -> None:  # type: ignore[no-untyped-def]
    """Write least and largest value, and the sums of the upper bits and of the lower 32, so that no sum overflows."""
    least, most, high, low = values[0], values[0], 0, 0
    for i in range(len(values)):
        value = values[i]
        least, most = min(least, value), max(most, value)
        high += value >> 32
        low += value & 0xFFFFFFFF
    found[0], found[1], found[2], found[3] = least, most, high, low


class Ordered:
    """Integer values of which some places in the sorted order are known."""

    def __init__(self, values_ns: npt.NDArray[np.int64], *percents: tuple[float, ...]) -> None:
        self._count, values_ns = len(values_ns), np.ascontiguousarray(values_ns)
        looked = np.empty(4, np.int64)
        _look(values_ns, looked)
        least, most, high, low = looked.tolist()
        places = {place for some in percents for place in ranks_of(self._count, some)}
        self.most = float(most)
        """The largest value."""
        self.total: int = (high << 32) + low
        """The exact sum: it does not overflow, and does not depend on the order of addition."""
        if least == most:  # a part of the delay that a scheduler does not have is 0 everywhere
            self._at = dict.fromkeys(places, most)
        elif least >= 0:
            self._at = values_at(values_ns, places)
        else:
            ordered = np.partition(values_ns, sorted(places))
            self._at = {place: int(ordered[place]) for place in places}

    def __len__(self) -> int:
        return self._count

    def at(self, percent: float) -> float:
        """Return the value at one of the percentiles that were named, by nearest rank."""
        return float(self._at[ranks_of(self._count, (percent,))[0]])


def distribution_s(values_ns: npt.NDArray[np.int64], percents: tuple[float, ...]) -> dict[str, float | None]:
    """Return mean, percentiles (named p50 ...) and maximum in seconds of values in ns; each None without values."""
    if not len(values_ns):
        return dict.fromkeys(["mean", *(f"p{percent:g}" for percent in percents), "max"])
    return distribution_of(Ordered(values_ns, percents), percents)


def distribution_of(ordered: Ordered, percents: tuple[float, ...]) -> dict[str, float | None]:
    """Return the same of values whose order at these percentiles is known."""
    found: dict[str, float | None] = {"mean": ordered.total / len(ordered) / 1e9}
    found |= {f"p{percent:g}": ordered.at(percent) / 1e9 for percent in percents}
    found["max"] = ordered.most / 1e9
    return found
