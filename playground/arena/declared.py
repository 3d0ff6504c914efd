"""The form of a challenge: its workload, its objective, and what an entry may change. Files and pages use it."""

from __future__ import annotations

import functools
import json
import math
from typing import Annotated, Any, Literal

from django.conf import settings
from pydantic import AfterValidator, Field, JsonValue, model_validator

from playground.arena.measured import check_expression
from scheduler_core.experiment.fields import Name, Part, Text, refuse, whole

Number = Annotated[float, Field(allow_inf_nan=False)]
#: Fewer seeds give intervals that separate nothing.
FEWEST_SEEDS, MOST_SEEDS = 4, 100


class Figure(Part):
    """A number of a run: what it is called, and the expression that gives it."""

    says: Annotated[str, Text(120, 1, name=True)]
    """A name for people, such as *p99 wait of short jobs*."""
    value: Annotated[str, Text(300, 1), AfterValidator(check_expression)]
    """An expression over the run, such as `run.job_completion_s.mean` or `short_wait(run, 99, 10)`."""
    unit: Literal["s", "%", ""] = ""
    """The unit of the number."""


class Objective(Figure):
    """The number that ranks entries: its mean over the hidden seeds."""

    better: Literal["less", "more"] = "less"
    """Which direction wins."""


class Limit(Figure):
    """A number whose mean over the hidden seeds has to stay within bounds."""

    at_least: Number | None = None
    at_most: Number | None = None

    @model_validator(mode="after")
    def _bounded(self) -> Limit:
        if (self.at_least is None) == (self.at_most is None):
            raise refuse("has no bound, or two", "either `at_least` or `at_most`")
        return self

    def holds(self, value: float) -> bool:
        """Return True if a mean stays within the bound."""
        if self.at_least is not None:
            return value >= self.at_least
        return value <= (self.at_most if self.at_most is not None else math.inf)


class Bounds(Part):
    """The values that an entry may choose: a range, or a list; neither: whatever an experiment allows."""

    least: Number | None = None
    most: Number | None = None
    choices: Annotated[tuple[JsonValue, ...], Field(max_length=50)] = ()

    @property
    def allowed(self) -> str:
        """Return the accepted values in words; empty if every value is accepted."""
        if self.choices:
            return ", ".join(str(choice) for choice in self.choices)
        if self.least is not None and self.most is not None:
            return f"{self.least:g} to {self.most:g}"
        if self.least is not None:
            return f"at least {self.least:g}"
        return f"at most {self.most:g}" if self.most is not None else ""

    def accepts(self, value: object) -> bool:
        """Return True if an entry may choose this value."""
        if self.choices:
            return any(
                value == choice and isinstance(value, bool) == isinstance(choice, bool) for choice in self.choices
            )
        if self.least is None and self.most is None:
            return True
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        low, high = self.least, self.most
        return (low is None or value >= low) and (high is None or value <= high)


class Offer(Part):
    """A scheduler that an entry may choose."""

    name: Name
    params: dict[str, Any] = {}
    """Parameters that an entry starts from; those left out have the scheduler's defaults."""
    open: dict[str, Bounds] | Literal["any"] = {}
    """The parameters that an entry may change, or `any`."""


class Value(Bounds):
    """One value of the experiment, outside the scheduler, that an entry may change."""

    path: Annotated[str, Text(200, 1, name=True)]
    says: Annotated[str, Text(80, name=True)] = ""
    unit: Annotated[str, Text(16, name=True)] = ""


class Changes(Part):
    """What an entry may change."""

    schedulers: Annotated[tuple[Offer, ...], Field(max_length=80)] | Literal["any"] = ()
    """The schedulers it may choose; `any`: every scheduler with any parameters."""
    values: Annotated[tuple[Value, ...], Field(max_length=20)] = ()


class Sample(Part):
    """A part of an experiment that comes with a challenge."""

    scheduler: dict[str, Any] | None = None
    values: dict[str, JsonValue] = {}
    note: Annotated[str, Text(200)] = ""


class Spec(Part):
    """A challenge. Its experiment is the baseline, and its seed the public one."""

    title: Annotated[str, Text(80, 1, name=True)]
    question: Annotated[str, Text(200)] = ""
    """What a winner has to find, in one sentence."""
    story: Annotated[str, Text(2_000)] = ""
    """The setting, in plain words."""
    experiment: dict[str, Any]
    objective: Objective
    limits: Annotated[tuple[Limit, ...], Field(max_length=4)] = ()
    change: Changes
    seeds: Annotated[int, whole(MOST_SEEDS)] = 10
    """How many hidden seeds each entry runs under."""
    reference: Sample | None = None
    """An entry that beats the baseline. It stands on the board."""

    def figures(self) -> dict[str, str]:
        """Return the expressions that a run evaluates, by short names."""
        return {"objective": self.objective.value} | {
            f"limit{place}": limit.value for place, limit in enumerate(self.limits)
        }


@functools.cache
def shipped() -> dict[str, Spec]:
    """Return the challenges that come along, by name, in the order of their files' `order`."""
    found = []
    for path in sorted((settings.FIXTURES_DIR / "challenges").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        data.pop("checked")  # the claims that back the story: a test reads them
        found.append((data.pop("order"), path.stem, Spec.model_validate(data)))
    return {name: spec for _, name, spec in sorted(found, key=lambda one: one[:2])}
