"""Exact percentiles: the nearest rank over all values, not an estimate from a histogram."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.int64] | npt.NDArray[np.float64]


def nearest_rank(ordered: Values, percent: float) -> float:
    """Return the value at rank ceil(percent / 100 * n) of sorted values (n > 0)."""
    # Rounded first: 99.9 / 100 * 1000 must be rank 999, not 1000 by a float's last bit.
    rank = int(np.ceil(round(percent * len(ordered) / 100.0, 9)))
    return float(ordered[max(rank, 1) - 1])


def distribution_s(values_ns: npt.NDArray[np.int64], percents: tuple[float, ...]) -> dict[str, float | None]:
    """Return mean, percentiles (named p50 ...) and maximum in seconds of values in ns; each None without values."""
    names = [f"p{percent:g}" for percent in percents]
    if not len(values_ns):
        return dict.fromkeys(["mean", *names, "max"])
    ordered = np.sort(values_ns)
    # An integer sum: the mean does not depend on the order of addition. Python's integers do not overflow.
    total = sum(int(part.sum()) for part in np.array_split(ordered, max(1, len(ordered) // 4096)))
    found: dict[str, float | None] = {"mean": total / len(ordered) / 1e9}
    found |= {name: nearest_rank(ordered, percent) / 1e9 for name, percent in zip(names, percents, strict=True)}
    found["max"] = float(ordered[-1]) / 1e9
    return found
