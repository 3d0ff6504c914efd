"""Tell a workload's short jobs from its long ones: the cut-off that belongs to the work, and the rule that gives it.

Three rules apply, in this order. Exactly two declared classes have a boundary between their durations. Otherwise two
normal distributions are fitted to the logarithms of the jobs' mean durations; if Ashman's D of the fit is at least
`BAR`, the cut-off is the duration at which both are equally likely. Otherwise the cut-off is Yahoo's, not of this work.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, TypeAlias

from scheduler_core.experiment.distributions import BoundedPareto, Constant, Distribution, Empirical, Exponential
from scheduler_core.experiment.workloads import InlineWorkload, SyntheticWorkload, WorkloadChoice

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float64]

YAHOO_S = 90.5811
"""The cut-off of the Yahoo trace."""
BAR = 3.5
"""The least Ashman's D of a two-mode fit: 2 separates two normal modes, and one wide flat mode has 3.1."""
FEWEST = 20
"""The least number of jobs of a fit."""
_LEAST_SHARE = 0.01
_POINTS = 400
_MOST = 4_000
_ROUNDS = 200
_LEAST_SIGMA = 0.1
Rule = Literal["declared", "modes", "yahoo"]


@dataclass(frozen=True)
class Cutoff:
    """A cut-off in seconds, the rule that gave it, and its definition in words."""

    seconds: float
    rule: Rule
    says: str


YAHOO = Cutoff(
    YAHOO_S,
    "yahoo",
    f"A job is short if its mean task duration is at most {YAHOO_S} s: Yahoo's cut-off, not of this work.",
)


def work_cutoff(workload: WorkloadChoice) -> Cutoff:
    """Return the cut-off of a workload as far as the experiment alone tells it; a trace's durations are in its file."""
    if isinstance(workload, SyntheticWorkload):
        classes = workload.classes or ()
        laws = [(one.name, one.weight, one.duration_s or workload.duration_s) for one in classes]
        if len(laws) == 2:
            return _between(*laws)
        if not laws:
            return fitted(_values(workload.duration_s)) if isinstance(workload.duration_s, Empirical) else YAHOO
        most = max(weight for _, weight, _ in laws)
        return fitted([x for _, weight, law in laws for x in _values(law, max(1, round(_POINTS * weight / most)))])
    if isinstance(workload, InlineWorkload):
        means = [sum(job.durations_s) / len(job.durations_s) for job in workload.jobs if job.durations_s]
        return fitted(means) if len(means) == len(workload.jobs) else YAHOO
    return YAHOO


def _between(one: tuple[str, float, Distribution], other: tuple[str, float, Distribution]) -> Cutoff:
    """Return the duration that puts fewest jobs of two classes on the wrong side: the middle of their gap, if any."""
    drawn = [(name, weight, _values(law)) for name, weight, law in (one, other)]
    (low, low_weight, low_s), (high, high_weight, high_s) = sorted(drawn, key=lambda each: sum(each[2]))
    points = sorted([(x, 0) for x in low_s] + [(x, 1) for x in high_s])
    each = (low_weight / len(low_s), high_weight / len(high_s))
    wrong = low_weight
    least, ends = math.inf, (0.0, 0.0)
    for (x, of), (after, _) in itertools.pairwise(points):
        wrong += each[1] if of else -each[0]
        if after > x and wrong < least - 1e-12:
            least, ends = wrong, (x, after)
    if not math.isfinite(least):
        return YAHOO
    seconds = _rounded(math.sqrt(ends[0] * ends[1]))
    says = (
        f"A job is short if its mean task duration is at most {seconds:g} s: the boundary of classes {low} and {high}."
    )
    return Cutoff(seconds, "declared", says)


def fitted(means_s: Sequence[float]) -> Cutoff:
    """Return the cut-off between two modes of mean durations, or Yahoo's if the fit does not separate two modes."""
    some = sorted(x for x in means_s if x > 0)
    if len(some) < FEWEST or some[0] == some[-1]:
        return YAHOO
    step = max(1, len(some) // _MOST)
    logs = [math.log(x) for x in some[step // 2 :: step]]
    fit = _two_modes(logs)
    if fit is None:
        return YAHOO
    seconds, distance = fit
    says = (
        f"A job is short if its mean task duration is at most {seconds:g} s: the gap between two modes of the jobs' "
        f"durations (two log-normal modes fitted, Ashman's D {distance:.1f}, at least {BAR:g})."
    )
    return Cutoff(seconds, "modes", says)


def _two_modes(logs: list[float]) -> tuple[float, float] | None:
    """Fit two normals by expectation maximization; return (cut-off in seconds, Ashman's D), None below the bar."""
    import numpy as np

    x = np.array(logs)
    mean = np.array([x[len(x) // 4], x[(3 * len(x)) // 4]])
    if mean[0] == mean[1]:
        mean = np.array([x[0], x[-1]])
    sigma = np.full(2, max(float(x.std()), _LEAST_SIGMA))
    share, mean, sigma = two_normals(x, mean, sigma)
    low, high = int(mean.argmin()), int(mean.argmax())
    distance = float(math.sqrt(2) * (mean[high] - mean[low]) / math.sqrt(float((sigma**2).sum())))
    if distance < BAR or float(share.min()) < _LEAST_SHARE:
        return None
    line = np.linspace(mean[low], mean[high], 2_001)
    density = share * np.exp(-0.5 * ((line[:, None] - mean) / sigma) ** 2) / sigma
    return _rounded(math.exp(float(line[int((density[:, high] >= density[:, low]).argmax())]))), distance


def two_normals(x: Floats, mean: Floats, sigma: Floats) -> tuple[Floats, Floats, Floats]:
    """Return shares, means and deviations of two normals after the rounds of expectation and maximization.

    One row a mode, and arrays that all rounds share: the fit of a large trace takes longer than its percentiles.
    """
    import numpy as np

    means, sigmas, shares = mean.reshape(2, 1), sigma.reshape(2, 1), np.full((2, 1), 0.5)
    belongs, spread, sums = (np.empty((2, len(x))) for _ in range(3))
    both = np.empty(len(x))

    def summed(values: Floats) -> Floats:
        # In the points' order: the sum of floats depends on it.
        return np.add.accumulate(values, axis=1, out=sums)[:, -1:].copy()

    for _ in range(_ROUNDS):
        before = means, sigmas, shares
        np.divide(np.subtract(x, means, out=belongs), sigmas, out=belongs)
        np.exp(np.multiply(np.square(belongs, out=belongs), -0.5, out=belongs), out=belongs)
        np.add(np.divide(np.multiply(belongs, shares, out=belongs), sigmas, out=belongs), 1e-300, out=belongs)
        np.divide(belongs, np.add(belongs[0], belongs[1], out=both), out=belongs)
        weight = summed(belongs)
        shares, means = weight / len(x), summed(np.multiply(belongs, x, out=spread)) / weight
        np.multiply(np.square(np.subtract(x, means, out=spread), out=spread), belongs, out=spread)
        sigmas = np.sqrt(summed(spread) / weight).clip(_LEAST_SIGMA)
        if all((old == new).all() for old, new in zip(before, (means, sigmas, shares), strict=True)):
            break
    return shares[:, 0], means[:, 0], sigmas[:, 0]


def _rounded(seconds: float) -> float:
    """Return four significant digits: more would only say how the fit was computed."""
    return float(f"{seconds:.4g}")


def _values(law: Distribution, count: int = _POINTS) -> list[float]:
    """Return values of a distribution at evenly spaced quantiles."""
    return [_quantile(law, (i + 0.5) / count) for i in range(count)]


def _quantile(law: Distribution, u: float) -> float:
    if isinstance(law, Constant):
        return law.value
    if isinstance(law, BoundedPareto):
        low, high = law.min**law.alpha, law.max**law.alpha
        return float((-(u * high - u * low - high) / (high * low)) ** (-1 / law.alpha))
    if isinstance(law, Empirical):
        if law.shares is None:
            return sorted(law.values)[min(int(u * len(law.values)), len(law.values) - 1)]
        return next(value for value, share in zip(law.values, law.shares, strict=True) if share >= u)
    if isinstance(law, Exponential):
        value = -law.mean * math.log(1 - u)
    else:
        mu = math.log(law.median) if law.median is not None else float(law.mu or 0.0)
        value = math.exp(mu + law.sigma * NormalDist().inv_cdf(u))
    return min(max(value, law.min or 0.0), law.max or math.inf)
