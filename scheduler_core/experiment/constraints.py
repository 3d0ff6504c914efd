"""The constraints section: the properties that machines offer and tasks request."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, model_validator

from scheduler_core.experiment.fields import Identifier, Name, Number, Part, Scalar, Share, refuse

Axis = Literal["cpu", "memory", "disk", "os", "clock", "network"]
Weight = Annotated[float, Number(0, 1_000_000)]
Slowdown = Annotated[float, Number(0, 1_000, above=True)]
Comparison = Literal[">=", ">", "<=", "<", "==", "!="]
MEGHA_CLUSTERS_SHARE = 0.856865
"""Share of the tasks that have a constraint where the frequencies of `megha-clusters` are left as they are."""
MOST_CONSTRAINTS = 62
"""As many as fit into one signed word."""


class CustomConstraint(Part):
    """A constraint of one's own: offered by a share of the machines, or decided by an attribute that they have."""

    name: Identifier
    """Name that machines and tasks refer to."""
    machine_share: Share | None = None
    """Share of the machines that have the property; or give `attribute`, `comparison` and `value`."""
    task_weight: Weight = 1.0
    """How often tasks ask for it, relative to the others."""
    attribute: Identifier | None = None
    """Attribute of machines that decides, such as clock_ghz; a machine without it does not have the property."""
    comparison: Comparison | None = None
    """How the machine's attribute must compare with `value`."""
    value: Annotated[str | float | bool, Scalar()] | None = None
    """What the attribute is compared with, such as 2.5."""
    axis: Axis | None = None
    """Kind of resource that it is about, for the sum of demand and supply by kind."""
    slowdown: Slowdown | None = None
    """Factor on the run time of a task that runs without it, where it is soft."""

    @model_validator(mode="after")
    def _share_or_comparison(self) -> CustomConstraint:
        parts = (self.attribute, self.comparison, self.value)
        if any(part is not None for part in parts) and any(part is None for part in parts):
            raise refuse("compares an attribute, but says so only in part", "`attribute`, `comparison` and `value`")
        if (self.machine_share is None) == (self.attribute is None):
            raise refuse(
                "needs one of `machine_share` and a comparison of an attribute",
                "exactly one of them",
                "add `machine_share`, or `attribute`, `comparison` and `value`",
            )
        if isinstance(self.value, str | bool) and self.comparison not in ("==", "!=", None):
            raise refuse(f"orders attributes that are not numbers by '{self.comparison}'", "'==' or '!='")
        return self


class AskClass(Part):
    """A class of tasks (or jobs) that ask alike."""

    weight: Annotated[float, Number(0, 1e9, above=True)] = 1.0
    """How many are of this class, relative to the others."""
    factor: Annotated[float, Number(0, 1_000)] = 1.0
    """Multiplies the probabilities of all constraints."""
    probabilities: dict[Name, Share] | None = None
    """Probability of each constraint in this class; absent: those of `asks`."""


class Asks(Part):
    """What tasks ask for, in place of what the catalogue says."""

    probabilities: dict[Name, Share] = {}
    """Probability that a task asks for a constraint, each by itself; what is not named is not asked for."""
    scale_to_share: StrictBool = False
    """Scale all probabilities so that `task_share` of the tasks ask for something; else `task_share` says nothing."""
    classes: Annotated[tuple[AskClass, ...], Field(max_length=1_000)] = ()
    """Classes of tasks; none: all are alike."""
    per_task: Annotated[tuple[Weight, ...], Field(max_length=MOST_CONSTRAINTS)] = ()
    """Relative numbers of constrained tasks with 1, 2, 3 ... constraints; `task_share` says how many are constrained,
    and the probabilities become weights by which different constraints are drawn."""
    unit: Literal["task", "job"] = "task"
    """Whether each task draws for itself, or all tasks of a job ask for the same."""

    @model_validator(mode="after")
    def _something_to_draw(self) -> Asks:
        if self.per_task and not any(self.per_task):
            raise refuse("has `per_task` of nothing but 0", "at least one number above 0")
        if self.per_task and self.classes:
            raise refuse("gives both `per_task` and `classes`", "one of them")
        if self.per_task and self.scale_to_share:
            raise refuse("sets `task_share`, which `per_task` already determines", "one of them")
        return self


class CorrelatedPair(Part):
    """Two constraints that machines tend to offer together."""

    first: Name
    """One constraint."""
    second: Name
    """The other."""
    correlation: Annotated[float, Number(-0.999, 0.999)]
    """Correlation of the normal variables whose thresholds decide; shares stay as they are."""


class SoftConstraint(Part):
    """A constraint that a task may do without, at a price."""

    name: Name
    """The constraint."""
    slowdown: Slowdown | None = None
    """Factor on the run time when it is relaxed; absent: the catalogue's."""


class RackRule(Part):
    """Where in the racks the tasks of one job may run."""

    kind: Literal["affinity", "spread"]
    """`affinity`: all in one rack; `spread`: each in a rack of its own, as far as there are racks."""
    share: Share
    """Share of the jobs of several tasks that have this rule."""


class Constraints(Part):
    """The properties that machines offer and the constraints that tasks request."""

    catalogue: Literal["megha-21", "megha-clusters", "phoenix-9", "custom"]
    """Where the constraints come from."""
    task_share: Share = 0.5
    """Share of the tasks that have a constraint. Default: 0.5; 0.856865 for `megha-clusters`, which leaves its
    frequencies as they are."""
    custom: Annotated[tuple[CustomConstraint, ...], Field(max_length=10_000)] = ()
    """The constraints of the `custom` catalogue."""
    layout: Literal["independent", "blocks"] | None = None
    """How machines get properties: each by itself, or whole blocks of neighbors; absent: as the mix's source does."""
    correlation: Annotated[float, Number(0, 0.999)] | None = None
    """Correlation of every two constraints on a machine (of normal scores); absent: none."""
    correlated: Annotated[tuple[CorrelatedPair, ...], Field(max_length=2_000)] | None = None
    """Pairs of constraints with a correlation of their own."""
    asks: Asks | None = None
    """What tasks ask for; absent: what the catalogue says."""
    soft: Annotated[tuple[SoftConstraint, ...], Field(max_length=MOST_CONSTRAINTS)] | None = None
    """Constraints that tasks may do without, at a price; the others are hard."""
    racks: Annotated[tuple[RackRule, ...], Field(max_length=2)] | None = None
    """Rules on the racks of one job's tasks."""
    impossible_tasks: Literal["keep", "drop"] | None = None
    """What becomes of a task that no machine can ever run. `keep`: its job never completes. `drop`: the job goes on
    without it. Absent: `drop` under the profile `constraint-aware`, otherwise `keep`."""

    @model_validator(mode="before")
    @classmethod
    def _share_of_the_catalogue(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("catalogue") == "megha-clusters":
            return {"task_share": MEGHA_CLUSTERS_SHARE} | data
        return data

    @model_validator(mode="after")
    def _custom_goes_with_custom(self) -> Constraints:
        if self.catalogue == "custom" and not self.custom:
            raise refuse("has the catalogue 'custom' but no constraints in `custom`", "at least one", "add some")
        if self.catalogue != "custom" and self.custom:
            raise refuse(f"lists constraints in `custom` beside the catalogue '{self.catalogue}'", "one or the other")
        return self

    @model_validator(mode="after")
    def _parts_fit(self) -> Constraints:
        if self.layout == "blocks" and (self.correlation is not None or self.correlated is not None):
            raise refuse("asks for correlations between properties that are placed in blocks", "layout 'independent'")
        if self.racks and sum(rule.share for rule in self.racks) > 1 + 1e-9:
            raise refuse("has rack rules for more than all jobs", "shares that add up to at most 1")
        if self.racks and len({rule.kind for rule in self.racks}) < len(self.racks):
            raise refuse("has two rack rules of one kind", "each kind once")
        return self
