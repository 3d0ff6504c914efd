"""Confidence intervals over replicates, and over differences between runs on the same seeds.

A run is one observation. The tasks of one run depend on each other, so an interval that treats them as independent
would be too narrow. Replicates under other seeds are independent. The distributions are SciPy's; all but the bootstrap
need only the part of SciPy that loads fast.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

CONFIDENCE = 0.95
_RESAMPLES = 9_999

Statistic = Literal["mean", "median", "bootstrap"]
STATISTICS: tuple[Statistic, ...] = ("mean", "median", "bootstrap")
METHODS: dict[Statistic, str] = {
    "mean": "mean of the runs; interval by Student's t",
    "median": "median of the runs; interval between two of the runs, by order statistics",
    "bootstrap": "mean of the runs; interval by the bias-corrected and accelerated bootstrap, 9,999 resamples",
}


@dataclass(frozen=True)
class Interval:
    """An estimate from `n` runs; `low` and `high` are None if the runs are too few, or if nothing varied among them.

    `coverage` is how often such an interval holds the true value: 0.95, or the next value above it that order
    statistics can give.
    """

    value: float
    low: float | None
    high: float | None
    n: int
    coverage: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the interval in JSON types."""
        return asdict(self)


def interval(values: Sequence[float], statistic: Statistic = "mean", *, key: str = "") -> Interval:
    """Return an estimate by one of `STATISTICS` from at least one value; `key` sets the draws of the bootstrap."""
    found = np.asarray(values, np.float64)
    if len(found) > 1 and np.ptp(found) == 0.0:
        return Interval(float(found[0]), None, None, len(found))
    if statistic == "median":
        return quantile_interval(found, 0.5)
    return mean_interval(found) if statistic == "mean" else bootstrap_interval(found, key=key)


def mean_interval(values: Sequence[float] | np.ndarray[Any, Any]) -> Interval:
    """Return an estimate of a mean with Student's t interval, which needs at least two values."""
    from scipy import special

    found = np.asarray(values, np.float64)
    n, mean = len(found), float(found.mean())
    if n < 2:
        return Interval(mean, None, None, n)
    half = float(special.stdtrit(n - 1, (1 + CONFIDENCE) / 2) * found.std(ddof=1) / np.sqrt(n))
    return Interval(mean, mean - half, mean + half, n, CONFIDENCE)


def prediction_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return where one more value lies in 95 of 100 cases, by Student's t from two values or more, in their unit.

    It supposes that values are normally distributed. Raises ValueError for fewer than two.
    """
    from scipy import special

    found = np.asarray(values, np.float64)
    n = len(found)
    if n < 2:
        raise ValueError(f"a prediction needs at least two values, and not {n}")
    reach = float(special.stdtrit(n - 1, (1 + CONFIDENCE) / 2) * found.std(ddof=1) * np.sqrt(1 + 1 / n))
    return float(found.mean()) - reach, float(found.mean()) + reach


def quantile_interval(values: Sequence[float] | np.ndarray[Any, Any], part: float) -> Interval:
    """Return an estimate of a quantile with an interval between two of the values, for any distribution.

    The number of values below the true quantile is binomial, so ranks can be chosen that cover it often enough. A
    median needs six values for that.
    """
    from scipy import special

    ordered = np.sort(np.asarray(values, np.float64))
    n = len(ordered)
    rank = max(1, int(np.ceil(round(part * n, 9))))
    middle = float((ordered[(n - 1) // 2] + ordered[n // 2]) / 2) if part == 0.5 else float(ordered[rank - 1])
    tail = (1 - CONFIDENCE) / 2
    # P(rank `low` is above the quantile) = P(fewer than `low` values are below it), and so at the other end.
    below = special.bdtr(np.arange(n + 1), n, part)  # P(at most k values are below the quantile), k = 0 to n
    low, high = int(np.searchsorted(below, tail)), int(np.searchsorted(below, 1 - tail)) + 1
    if low < 1 or high > n:
        return Interval(middle, None, None, n)
    covers = float(below[high - 1] - below[low - 1])
    return Interval(middle, float(ordered[low - 1]), float(ordered[high - 1]), n, covers)


def bootstrap_interval(values: Sequence[float] | np.ndarray[Any, Any], *, key: str = "") -> Interval:
    """Return an estimate of a mean with the bias-corrected and accelerated bootstrap interval (from 3 values on)."""
    from scipy import stats

    found = np.asarray(values, np.float64)
    n, mean = len(found), float(found.mean())
    if n < 3:
        return Interval(mean, None, None, n)
    if np.ptp(found) == 0.0:
        return Interval(mean, mean, mean, n, CONFIDENCE)
    seed = int.from_bytes(hashlib.sha256(f"{key}:{n}".encode()).digest()[:8], "big")
    resampled = stats.bootstrap(
        (found,),
        np.mean,
        confidence_level=CONFIDENCE,
        n_resamples=_RESAMPLES,
        method="BCa",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(mean, float(resampled.low), float(resampled.high), n, CONFIDENCE)


@dataclass(frozen=True)
class Comparison:
    """The difference between runs on the same seeds: `difference` (this minus the other), `ratio` if all are above 0.

    `verdict` is "more", "less", "same" (equal in every pair) or "not distinguishable yet".
    """

    difference: Interval
    ratio: Interval | None
    verdict: str

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison in JSON types."""
        return asdict(self)


UNDECIDED = "not distinguishable yet"


def compare(
    these: Sequence[float], others: Sequence[float], statistic: Statistic = "mean", *, key: str = ""
) -> Comparison:
    """Compare paired values (at least one pair).

    The ratio is that of the pairs: geometric for means, because a comparison of ratios uses their logarithms.
    """
    these_, others_ = np.asarray(these, np.float64), np.asarray(others, np.float64)
    difference = interval(list(these_ - others_), statistic, key=key)
    ratio = None
    if (these_ > 0).all() and (others_ > 0).all():
        ratio = _exponential(interval(list(np.log(these_) - np.log(others_)), statistic, key=key))
    return Comparison(difference, ratio, _verdict(these_ - others_, difference))


def _exponential(one: Interval) -> Interval:
    low, high = (None if end is None else float(np.exp(end)) for end in (one.low, one.high))
    return Interval(float(np.exp(one.value)), low, high, one.n, one.coverage)


def _verdict(differences: np.ndarray[Any, Any], found: Interval) -> str:
    if len(differences) > 1 and not differences.any():
        return "same"
    if len(differences) > 1 and np.ptp(differences) == 0.0:  # no interval, and no doubt
        return "more" if found.value > 0.0 else "less"
    if found.low is None or found.high is None or found.low <= 0.0 <= found.high:
        return UNDECIDED
    return "more" if found.low > 0.0 else "less"
