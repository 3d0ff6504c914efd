"""The plan of a study: up to two parameters with values, schedulers to compare, and the number of seeds.

A parameter may take others along: each of its values comes with a value of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError, model_validator

from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment.fields import Name, Part, Scalar, Text, refuse, whole
from scheduler_core.experiment.places import steps_of
from scheduler_core.experiment.problems import from_pydantic
from scheduler_core.experiment.reading import as_object
from scheduler_core.limits import DEFAULT_LIMITS, Limits

MOST_AXES = 2
MOST_ALONG = 3
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


Path = Annotated[str, Text(200, 1, name=True), AfterValidator(_path)]


class Along(Part):
    """A parameter that changes along with an axis."""

    path: Path
    """Where the value stands in the experiment."""
    values: Annotated[tuple[Value, ...], Field(min_length=1, max_length=MOST_VALUES)]
    """Its values: one for each value of the axis, in the same order. A value may come twice."""
    label: Annotated[str, Text(200)] = Field("", exclude=True)
    """The parameter's name in words, as for an axis."""


class Axis(Part):
    """One varied parameter, and the values that it takes."""

    path: Path
    """Where the value stands in the experiment."""
    values: Annotated[tuple[Value, ...], Field(min_length=1, max_length=MOST_VALUES), AfterValidator(_distinct)]
    """The values, in the order in which they are shown."""
    label: Annotated[str, Text(200)] = Field("", exclude=True)
    """The parameter's name in words. Answers of the server have it; a plan that is sent back may. It is not kept."""
    along: Annotated[tuple[Along, ...], Field(max_length=MOST_ALONG)] = ()
    """Parameters that change along with it, such as machines per cluster along with the number of clusters."""
    holds: Literal["work", "load"] | None = None
    """What stays where the axis changes machines and the experiment gives its arrivals as an offered load. `work`: the
    jobs and their arrivals. `load`, and absent: the load, so that more machines get more work."""

    @model_validator(mode="after")
    def _one_for_each(self) -> Axis:
        for one in self.along:
            if len(one.values) != len(self.values):
                raise refuse(
                    f"has {len(one.values)} values for {one.path}",
                    f"{len(self.values)}, one for each value of the axis",
                )
        return self

    @model_validator(mode="after")
    def _holds_beside_work(self) -> Axis:
        held = [one.path for one in self.parts if one.path.startswith("workload.")]
        if self.holds is not None and (held or not self.path.startswith("topology.")):
            raise refuse(
                f"holds the {self.holds} while it changes {(held or [self.path])[0]}",
                "`holds` on an axis that changes the topology and nothing of the workload",
            )
        return self

    @property
    def parts(self) -> tuple[Axis | Along, ...]:
        """Return itself and what changes along with it."""
        return self, *self.along


class Contestant(Part):
    """A scheduler that takes part."""

    name: Name
    """Name of a scheduler."""
    params: dict[str, Any] | None = None
    """Its parameters; absent: the experiment's own where it is that experiment's scheduler, else the defaults."""


class StudyPlan(Part):
    """A grid of values x schedulers x seeds. With nothing varied it repeats one experiment with several seeds."""

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
        """Return the plan in `data`, checked without its experiment. Raises ExperimentError with every problem."""
        raw = as_object(data, limits)
        try:
            plan = cls.model_validate(raw)
        except ValidationError as error:
            raise ExperimentError(dict.fromkeys(from_pydantic(error, cls, raw))) from None
        seen: set[str] = set()
        for place, path in plan.places():
            if path in seen:
                raise ExperimentError([Problem(f"{place}.path", "is varied twice in this plan", "another path")])
            seen.add(path)
        return plan

    def places(self) -> Iterator[tuple[str, str]]:
        """Yield each place of the plan that varies a path, such as `axes[0].along[1]`, with this path."""
        for number, axis in enumerate(self.axes):
            yield f"axes[{number}]", axis.path
            yield from ((f"axes[{number}].along[{at}]", one.path) for at, one in enumerate(axis.along))

    def to_dict(self) -> dict[str, Any]:
        """Return the plan with defaults expanded, in JSON types only."""
        told = self.model_dump(mode="json")
        for axis in told["axes"]:
            if not axis["along"]:
                del axis["along"]
            if axis["holds"] is None:
                del axis["holds"]
        return told
