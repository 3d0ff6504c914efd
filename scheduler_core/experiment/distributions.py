"""Distributions of sizes, durations and resource amounts."""

from __future__ import annotations

import itertools
from typing import Annotated, Literal

from pydantic import Field, model_validator

from scheduler_core.experiment.fields import Number, Part, Share, refuse

Positive = Annotated[float, Number(0, 1e9, above=True)]


class Constant(Part):
    """Always the same value."""

    kind: Literal["constant"] = "constant"
    """Chooses this distribution."""
    value: Positive
    """The value."""


class _Truncated(Part):
    min: Positive | None = None
    """Smaller values are set to this."""
    max: Positive | None = None
    """Larger values are set to this."""

    @model_validator(mode="after")
    def _min_below_max(self) -> _Truncated:
        if self.min is not None and self.max is not None and self.min > self.max:
            raise refuse(f"has a min of {self.min:g} above its max of {self.max:g}", "min at most max")
        return self


class Exponential(_Truncated):
    """Exponential distribution."""

    kind: Literal["exponential"] = "exponential"
    """Chooses this distribution."""
    mean: Positive
    """Mean before `min` and `max`."""


class LogNormal(_Truncated):
    """Log-normal distribution: the logarithm is normal."""

    kind: Literal["lognormal"] = "lognormal"
    """Chooses this distribution."""
    median: Positive | None = None
    """Median; or give `mu`."""
    mu: Annotated[float, Number(-20, 20)] | None = None
    """Mean of the natural logarithm, the logarithm of the median; or give `median`."""
    sigma: Annotated[float, Number(0, 5)]
    """Standard deviation of the natural logarithm."""

    @model_validator(mode="after")
    def _median_or_mu(self) -> LogNormal:
        if (self.median is None) == (self.mu is None):
            raise refuse("needs one of `median` and `mu`", "exactly one of them")
        return self


class BoundedPareto(Part):
    """Pareto distribution between two bounds: many small values, few large ones that hold much of the sum."""

    kind: Literal["bounded_pareto"] = "bounded_pareto"
    """Chooses this distribution."""
    alpha: Annotated[float, Number(0, 20, above=True)]
    """Shape: the smaller, the heavier the tail."""
    min: Positive
    """Smallest value."""
    max: Positive
    """Largest value."""

    @model_validator(mode="after")
    def _min_below_max(self) -> BoundedPareto:
        if self.min >= self.max:
            raise refuse(f"has a min of {self.min:g} that is not below its max of {self.max:g}", "min below max")
        return self


class Empirical(Part):
    """Observed values: a column of measurements, or points of a measured distribution function."""

    kind: Literal["empirical"] = "empirical"
    """Chooses this distribution."""
    values: Annotated[tuple[Positive, ...], Field(min_length=1, max_length=10_000)]
    """The values; without `shares` in any order, each as likely as the others."""
    shares: Annotated[tuple[Share, ...], Field(max_length=10_000)] | None = None
    """Share of everything that is at most each value; neither decreases, and the last share is 1."""
    between: Literal["steps", "geometric"] | None = None
    """With `shares`: only the values themselves (`steps`, the default), or also what lies between two,
    evenly in the logarithm."""

    @model_validator(mode="after")
    def _shares_go_with_values(self) -> Empirical:
        if self.shares is None:
            if self.between is not None:
                raise refuse("gives `between` without `shares`", "`shares` as well")
            return self
        if len(self.shares) != len(self.values):
            raise refuse(f"has {len(self.shares):,} shares for {len(self.values):,} values", "one share a value")
        for name, numbers in (("values", self.values), ("shares", self.shares)):
            if any(later < earlier for earlier, later in itertools.pairwise(numbers)):
                raise refuse(f"has {name} that decrease", f"{name} from small to large")
        if self.shares[-1] != 1:
            raise refuse(f"ends at a share of {self.shares[-1]:g}", "a last share of 1")
        return self


Distribution = Annotated[Constant | Exponential | LogNormal | BoundedPareto | Empirical, Field(discriminator="kind")]
