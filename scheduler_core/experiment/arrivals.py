"""When jobs arrive."""

from __future__ import annotations

import itertools
from typing import Annotated, Literal

from pydantic import Field, model_validator

from scheduler_core.experiment.fields import Number, Part, PositiveSeconds, Seconds, Share, refuse


class _Rated(Part):
    rate_per_s: Annotated[float, Number(0, 1e9, "jobs/s", above=True)] | None = None
    """Jobs a second; or give `offered_load`."""
    offered_load: Annotated[float, Number(0, 100, above=True)] | None = None
    """Mean work that arrives, as a fraction of the capacity of the resource that is asked for most; sets the rate."""

    @model_validator(mode="after")
    def _rate_or_load(self) -> _Rated:
        if (self.rate_per_s is None) == (self.offered_load is None):
            raise refuse("needs one of `rate_per_s` and `offered_load`", "exactly one of them")
        return self


class Poisson(_Rated):
    """Independent arrivals: exponential gaps."""

    kind: Literal["poisson"] = "poisson"
    """Chooses this arrival process."""


class Regular(_Rated):
    """Arrivals at equal gaps."""

    kind: Literal["regular"] = "regular"
    """Chooses this arrival process."""


class AtOnce(Part):
    """All jobs arrive at time 0."""

    kind: Literal["at_once"] = "at_once"
    """Chooses this arrival process."""


class Renewal(_Rated):
    """Independent gaps that vary as asked: log-normal ones, whose coefficient of variation may be any."""

    kind: Literal["renewal"] = "renewal"
    """Chooses this arrival process."""
    cv: Annotated[float, Number(0, 100)]
    """Coefficient of variation of the gaps: 1 is about Poisson, 0 regular, traces of datacenters have 1 to 25."""


class MarkovModulated(_Rated):
    """Poisson arrivals whose rate changes between a calm and a busy state, each of exponential length."""

    kind: Literal["markov_modulated"] = "markov_modulated"
    """Chooses this arrival process."""
    calm_s: PositiveSeconds
    """Mean seconds of a calm stretch."""
    busy_s: PositiveSeconds
    """Mean seconds of a busy stretch."""
    busy_factor: Annotated[float, Number(1, 1e6)]
    """How many times as many jobs a second arrive in the busy state; the rate given is the mean over both."""


class Diurnal(_Rated):
    """Poisson arrivals whose rate goes up and down with the day."""

    kind: Literal["diurnal"] = "diurnal"
    """Chooses this arrival process."""
    period_s: PositiveSeconds = 86_400.0
    """Seconds of one day."""
    swing: Share = 0.5
    """How far the rate goes above and below its mean, as a fraction of the mean. The wave is a sine, which is highest
    after a quarter of the period."""
    profile: Annotated[tuple[Annotated[float, Number(0, 1e9)], ...], Field(min_length=1, max_length=10_000)] | None = (
        None
    )
    """Relative rates of equal parts of the period, such as 24 hours or 168 of a week; replaces the sine of `swing`."""

    @model_validator(mode="after")
    def _profile_has_a_rate(self) -> Diurnal:
        if self.profile is not None and not any(self.profile):
            raise refuse("has a profile of nothing but 0", "at least one rate above 0")
        return self


class Replayed(Part):
    """Arrivals at given times, from the first again when there are more jobs."""

    kind: Literal["replayed"] = "replayed"
    """Chooses this arrival process."""
    times_s: Annotated[tuple[Seconds, ...], Field(min_length=1, max_length=200_000)]
    """When jobs arrive, from early to late. A repetition begins a mean gap after the last."""
    rate_per_s: Annotated[float, Number(0, 1e9, "jobs/s", above=True)] | None = None
    """Stretch the times to this mean rate; absent, with no `offered_load`: the times as they are."""
    offered_load: Annotated[float, Number(0, 100, above=True)] | None = None
    """Stretch the times so that the mean work that arrives is this fraction of the capacity."""

    @model_validator(mode="after")
    def _in_order(self) -> Replayed:
        if self.rate_per_s is not None and self.offered_load is not None:
            raise refuse("gives both `rate_per_s` and `offered_load`", "at most one of them")
        if any(later < earlier for earlier, later in itertools.pairwise(self.times_s)):
            raise refuse("has `times_s` that decrease", "times from early to late")
        if self.times_s[-1] == 0 and not (self.rate_per_s is None and self.offered_load is None):
            raise refuse("has all its times at 0, which no rate stretches", "times above 0, or neither rate nor load")
        return self


Arrivals = Annotated[
    Poisson | Regular | AtOnce | Renewal | MarkovModulated | Diurnal | Replayed, Field(discriminator="kind")
]
