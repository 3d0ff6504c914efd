"""Pack declared distributions into rows of numbers for the sampling kernels."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np

from scheduler_core.experiment.distributions import BoundedPareto, Constant, Distribution, Empirical, Exponential
from scheduler_core.workload.synthetic import sampling

LARGEST = 1e18


def parameters(dist: Distribution) -> sampling.Floats:
    """Pack a distribution into a row of numbers."""
    if isinstance(dist, Constant):
        return np.array([sampling.CONSTANT, dist.value, 0.0, 0.0, LARGEST])
    if isinstance(dist, BoundedPareto):
        shrink = 1.0 - _power(dist.min / dist.max, dist.alpha)
        return np.array([sampling.PARETO, dist.alpha, shrink, dist.min, dist.max])
    if isinstance(dist, Empirical):
        return _empirical(dist)
    low, high = dist.min or 0.0, dist.max or LARGEST
    if isinstance(dist, Exponential):
        return np.array([sampling.EXPONENTIAL, dist.mean, 0.0, low, high])
    mu = dist.mu if dist.mu is not None else log(dist.median or 1.0)
    return np.array([sampling.LOGNORMAL, mu, dist.sigma, low, high])


def mean_of(dist: Distribution, *, whole: bool = False) -> float:
    """Return the mean of a distribution, with `whole` of its rounded values. Cached, because a drag asks often."""
    return _mean_of_row(parameters(dist).tobytes(), whole)


@functools.lru_cache(maxsize=4096)
def _mean_of_row(row: bytes, whole: bool) -> float:
    # A copy: Numba compiled the kernel for writable arrays.
    return float(sampling.mean_of(np.frombuffer(row).copy(), whole))


def _empirical(dist: Empirical) -> sampling.Floats:
    n = len(dist.values)
    if dist.shares is None:
        values, shares = sorted(dist.values), [(place + 1) / n for place in range(n)]
    else:
        values, shares = list(dist.values), list(dist.shares)
    between = sampling.GEOMETRIC if dist.between == "geometric" else sampling.STEPS
    return np.array([sampling.EMPIRICAL, n, between, 0.0, LARGEST, *values, *shares], np.float64)


def packed(dists: Sequence[Distribution]) -> tuple[sampling.Floats, sampling.Ints]:
    """Put several distributions behind one another; give the numbers and where each begins."""
    rows = [parameters(dist) for dist in dists]
    starts = np.cumsum([0, *(len(row) for row in rows[:-1])])
    return np.concatenate(rows), starts.astype(np.int64)


def log(value: float) -> float:
    """Return the logarithm, the same on every machine."""
    from scheduler_core.engine import maths

    return float(maths.log(value))


def _power(base: float, exponent: float) -> float:
    from scheduler_core.engine import maths

    return float(maths.exp(exponent * log(base)))


def sigma_for(cv: float) -> float:
    """Return the sigma of a log-normal variable with this coefficient of variation."""
    return math.sqrt(log(1.0 + cv * cv))


def cumulative(weights: Sequence[float]) -> sampling.Floats:
    """Return the cumulative sums of the weights as fractions of their total."""
    total, running, shares = math.fsum(weights), 0.0, []
    for weight in weights:
        running += weight / total
        shares.append(running)
    return np.array(shares)
