"""What a study asks: up to two parameters with their values, schedulers to compare, and how many seeds."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError

from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment.fields import Name, Part, Scalar, Text, refuse, whole
from scheduler_core.experiment.problems import from_pydantic
from scheduler_core.experiment.reading import as_object
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.studies.places import steps_of

MOST_AXES = 2
MOST_VALUES = 100
MOST_SCHEDULERS = 8
MOST_REPEATS = 1_000

Value = Annotated[str | float | bool, Scalar()]


def _path(path: str) -> str:
    steps_of(path)
    return path


def _distinct(values: tuple[Any, ...]) -> tuple[Any, ...]:
    # In Python True equals 1; in JSON they are two things.
    seen = {(isinstance(value, bool), value) for value in values}
    if len(seen) < len(values):
        raise refuse("names a value twice", "distinct values")
    return values


class Axis(Part):
    """One parameter that is varied, and the values that it takes."""

    path: Annotated[str, Text(200, 1, name=True), AfterValidator(_path)]
    """Where the value stands in the experiment."""
    values: Annotated[tuple[Value, ...], Field(min_length=1, max_length=MOST_VALUES), AfterValidator(_distinct)]
    """The values, in the order in which they are shown."""
    label: Annotated[str, Text(200)] = Field("", exclude=True)
    """The parameter's name in words. Answers of the server have it; a plan that is sent back may. It is not kept."""


class Contestant(Part):
    """A scheduler that takes part."""

    name: Name
    """Name of a scheduler."""
    params: dict[str, Any] | None = None
    """Its parameters; absent: the experiment's own where it is that experiment's scheduler, else the defaults."""


class StudyPlan(Part):
    """A grid of values x schedulers x seeds. With nothing varied it is a repetition of one experiment."""

    name: Annotated[str, Text(200)] = ""
    """A title."""
    axes: Annotated[tuple[Axis, ...], Field(max_length=MOST_AXES)] = ()
    """Parameters that are varied, at most two."""
    schedulers: Annotated[tuple[Contestant, ...], Field(max_length=MOST_SCHEDULERS)] = ()
    """Who is compared, each on the same work; none: the experiment's own scheduler."""
    repeats: Annotated[int, whole(MOST_REPEATS)] = 10
    """How many seeds, counted up from the experiment's own."""

    @classmethod
    def parse(cls, data: object, *, limits: Limits = DEFAULT_LIMITS) -> StudyPlan:
        """Check a plan by itself; raises ExperimentError with every problem at once."""
        raw = as_object(data, limits)
        try:
            plan = cls.model_validate(raw)
        except ValidationError as error:
            raise ExperimentError(dict.fromkeys(from_pydantic(error, cls, raw))) from None
        paths = [axis.path for axis in plan.axes]
        if len(set(paths)) < len(paths):
            raise ExperimentError([Problem("axes[1].path", "is the path of the first axis", "another path")])
        return plan

    def to_dict(self) -> dict[str, Any]:
        """Give the plan with defaults expanded, in JSON types only."""
        return self.model_dump(mode="json")
