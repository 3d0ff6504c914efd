"""Charts of a claim: our values as curves, the published points, and the band that the values must lie in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pydantic import Field, model_validator

from scheduler_core.claims.expressions import Expression
from scheduler_core.claims.setups import Part

Unit = Literal["s", "%", "x", "1", ""]
"""Seconds, percent, a factor, a share (written as percent), or none."""


class Band(Part):
    """The values that confirm a claim: The band includes `least` and `most` and excludes `above` and `below`.

    None is an open end.
    """

    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None

    @model_validator(mode="after")
    def _closed_somewhere(self) -> Band:
        if self.low is None and self.high is None:
            raise ValueError("needs `least`, `most`, `above` or `below`: a band without ends cannot be missed")
        if self.above is not None and self.least is not None:
            raise ValueError("has `least` or `above`, not both")
        if self.below is not None and self.most is not None:
            raise ValueError("has `most` or `below`, not both")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("`least` is above `most`")
        return self

    @property
    def low(self) -> float | None:
        """The lower end, included or not."""
        return self.least if self.above is None else self.above

    @property
    def high(self) -> float | None:
        """The upper end, included or not."""
        return self.most if self.below is None else self.below

    def holds(self, value: float) -> bool:
        """Return True if a value lies in the band; None never does."""
        low = value > self.above if self.above is not None else self.least is None or value >= self.least
        high = value < self.below if self.below is not None else self.most is None or value <= self.most
        return low and high

    def in_words(self, write: Callable[[float], str]) -> str:
        """Write the band with `write` for its ends, such as `2 s to 3 s` or `above 0`."""
        if self.least is not None and self.most is not None:
            low, high = write(self.least), write(self.most)
            return low if low == high else f"{low} to {high}"
        ends = {"above": self.above, "at least": self.least, "below": self.below, "at most": self.most}
        return ", ".join(f"{word} {write(end)}" for word, end in ends.items() if end is not None)

    def __str__(self) -> str:
        return self.in_words(lambda end: f"{end:g}")


class BandAt(Band):
    """The values that bear a claim out at one place of a curve."""

    x: float


class Than(Part):
    """A published order in words: at `at` a curve lies below or above others, or its own other places."""

    way: Literal["below", "above"]
    at: tuple[float, ...] = Field(min_length=1)
    curves: tuple[str, ...] = ()
    """Names of the others; the curve itself where there are none."""
    places: tuple[float, ...] = ()
    """Their places; the same as its own where there are none."""
    times: float = 1.0
    """The factor on their values."""

    def band(self, values: list[float]) -> tuple[float | None, float | None]:
        """Return the ends between which the curve's value bears the order out, by the others' values."""
        end = self.times * (min(values) if self.way == "below" else max(values))
        return (None, end) if self.way == "below" else (end, None)


class Curve(Part):
    """A line of a paper's figure: our values over x, and the published points where there are any.

    `of` has an expression for each of `x`; `ours` has values, for a claim whose experiments are not here. A chart with
    categories gives each of its curves `labels` and the places 0, 1, ... as `x`.
    """

    name: str = Field(max_length=80)
    x: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    ours: tuple[float, ...] = ()
    of: tuple[str, ...] = ()
    published: tuple[tuple[float, float], ...] = ()
    holds: tuple[BandAt, ...] = ()
    """At some of x, the values with which the claim holds."""
    way: Literal["rises", "falls"] | None = None
    """For a claim that is published in words: the values that its next point may have, seen from the one before."""
    than: tuple[Than, ...] = ()
    """For a claim that is published in words: the order of its values and others'."""

    @model_validator(mode="after")
    def _as_long(self) -> Curve:
        if len(self.x) < 2 or len(self.x) != len(self.ours or self.of) or (self.ours and self.of):
            raise ValueError(f"curve {self.name!r}: `ours` or `of` needs a value for each of `x`, at least two")
        return self

    def points(self) -> dict[str, Expression]:
        """Return the expressions of its points by the names of their figures."""
        told = [f", {label}" for label in self.labels] or [f" at {x:g}" for x in self.x]
        return {f"{self.name}{at}": Expression.parse(of) for at, of in zip(told, self.of, strict=bool(self.of))}


class Chart(Part):
    """The axes of a claim's curves. `categories` name the places of its x axis; `band` is where the claim holds."""

    x: str
    y: str = Field(max_length=42)
    """Its title; a longer one is cut off beside a figure of the usual height."""
    x_unit: Literal["s", ""] = ""
    y_unit: Unit = ""
    log_x: bool = False
    log_y: bool = False
    categories: tuple[str, ...] = ()
    band: Band | None = None
    curves: tuple[Curve, ...] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _places(cls, data: Any) -> Any:
        names = data.get("categories") if isinstance(data, dict) else None
        if not names:
            return data
        places = {"x": tuple(range(len(names))), "labels": tuple(names)}
        return data | {"curves": [places | dict(curve) for curve in data.get("curves", ())]}

    @model_validator(mode="after")
    def _compares_what_is_there(self) -> Chart:
        points = {(curve.name, x) for curve in self.curves for x in curve.x}
        for curve in self.curves:
            for than in curve.than:
                named = {(name, x) for name in than.curves or (curve.name,) for x in than.places or than.at}
                if not points >= named | {(curve.name, x) for x in than.at}:
                    raise ValueError(f"curve {curve.name!r}: `than` names a point that is not in the chart")
        return self
