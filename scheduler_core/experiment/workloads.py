"""What arrives: synthetic, from a trace, as DAGs, or written out."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from scheduler_core.experiment.fields import (
    Amount,
    Identifier,
    Name,
    Number,
    Part,
    PositiveSeconds,
    Seconds,
    Text,
    refuse,
    whole,
)

# Long enough for three years; short enough that hundreds of them in a row still fit into int64 nanoseconds.
LONGEST_TASK_S = 100_000_000.0
QueueRule = Literal["round_robin", "by_share", "hash", "column"]
Positive = Annotated[float, Number(0, 1e9, above=True)]
TaskSeconds = Annotated[float, Number(0, LONGEST_TASK_S, "s")]


class Demand(Part):
    """What one task takes from the machine it runs on."""

    cpus: Amount = 1.0
    """CPUs."""
    memory_gb: Amount = 0.0
    """Memory in GB."""
    gpus: Amount = 0.0
    """GPUs."""
    resources: dict[Identifier, Amount] = {}
    """Further resources by name, as the machines have them."""

    @model_validator(mode="after")
    def _takes_something(self) -> Demand:
        if not any((self.cpus, self.memory_gb, self.gpus, *self.resources.values())):
            raise refuse("takes nothing at all", "at least one resource above 0", "without it a machine never fills")
        return self

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Demand:
        """Share the frozen default: copying it took half the time of reading a long list of jobs."""
        return self


class WeightedDemand(Part):
    """One of several kinds of tasks' demands; a job is of one kind."""

    weight: Positive = 1.0
    """How many jobs are of this kind, relative to the others."""
    demand: Demand
    """What each of its tasks takes."""


class Constant(Part):
    """Always the same value."""

    kind: Literal["constant"] = "constant"
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
    mean: Positive
    """Mean before `min` and `max`."""


class LogNormal(_Truncated):
    """Log-normal distribution: the logarithm is normal."""

    kind: Literal["lognormal"] = "lognormal"
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


Distribution = Annotated[Constant | Exponential | LogNormal, Field(discriminator="kind")]


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


class Regular(_Rated):
    """Arrivals at equal gaps."""

    kind: Literal["regular"] = "regular"


class AtOnce(Part):
    """All jobs arrive at time 0."""

    kind: Literal["at_once"] = "at_once"


Arrivals = Annotated[Poisson | Regular | AtOnce, Field(discriminator="kind")]


class SyntheticWorkload(Part):
    """Jobs drawn from distributions; the seed decides them, whatever the scheduler."""

    kind: Literal["synthetic"]
    jobs: Annotated[int, whole(1_000_000_000)] | None = None
    """Ends after so many jobs; give exactly one of `jobs`, `tasks`, `arrive_for_s`."""
    tasks: Annotated[int, whole(1_000_000_000)] | None = None
    """Ends after so many tasks; the last job is cut to fit."""
    arrive_for_s: PositiveSeconds | None = None
    """Jobs arrive for so many seconds of simulated time."""
    arrivals: Arrivals
    """When jobs arrive."""
    tasks_per_job: Distribution = Constant(value=1.0)
    """Tasks of a job, rounded to the nearest whole number, at least 1."""
    duration_s: Distribution
    """Seconds that a task runs."""
    duration_varies: Literal["task", "job"] = "task"
    """`task`: each task draws its own duration; `job`: a job draws one mean, its tasks vary by `in_job_cv`."""
    in_job_cv: Annotated[float, Number(0, 10)] = 0.0
    """Coefficient of variation of the durations in one job (log-normal), with `duration_varies: job`."""
    demand: Demand = Demand()
    """What a task takes, where `demands` is empty."""
    demands: Annotated[tuple[WeightedDemand, ...], Field(max_length=1_000)] = ()
    """Kinds of demands with their weights; each job draws one."""
    queue_assignment: QueueRule = "round_robin"
    """Which queue a job goes to."""

    @model_validator(mode="after")
    def _one_end(self) -> SyntheticWorkload:
        ends = [key for key in ("jobs", "tasks", "arrive_for_s") if getattr(self, key) is not None]
        if len(ends) != 1:
            found = "none is given" if not ends else f"{' and '.join(ends)} are given"
            raise refuse(f"ends by one of jobs, tasks and arrive_for_s; {found}", "exactly one of them")
        if self.arrive_for_s is not None and isinstance(self.arrivals, AtOnce):
            raise refuse("has all jobs arrive at once, which no `arrive_for_s` ends", "`jobs` or `tasks`")
        if self.in_job_cv and self.duration_varies == "task":
            raise refuse("gives `in_job_cv`, but each task draws its own duration", "`duration_varies`: 'job'")
        if self.queue_assignment == "column":
            raise refuse(
                "takes queues from a column, which a synthetic workload does not have",
                "queue_assignment round_robin, by_share or hash",
            )
        return self


class TraceWorkload(Part):
    """Jobs from a file."""

    kind: Literal["trace"]
    format: Name | None = None
    """Name of the file's format; absent: recognised by its content."""
    path: Annotated[str, Text(4_096, 1)] | None = None
    """The file: absolute, or relative to the experiment's file. Give this or `trace`."""
    trace: Annotated[str, Text(200, 1, name=True)] | None = None
    """Id of a trace that the server holds. Give this or `path`."""
    time_origin: Literal["first_arrival", "file"] = "first_arrival"
    """`first_arrival`: time 0 is the first arrival; `file`: arrivals stay as written."""
    task_demand: Demand = Demand()
    """What a task takes, where the file does not say."""
    queue_assignment: QueueRule = "round_robin"
    """Which queue a job goes to; `column`: the file says."""

    @model_validator(mode="after")
    def _path_or_trace(self) -> TraceWorkload:
        if (self.path is None) == (self.trace is None):
            raise refuse("needs one of `path` and `trace`", "exactly one of them")
        return self


class DagWorkload(Part):
    """Jobs whose tasks wait for one another, drawn from distributions."""

    kind: Literal["dag"]
    shape: Literal["chain", "map_reduce", "layered"] = "layered"
    """How stages depend: one after the other; two with a barrier between; layers, each on some of the one before."""
    jobs: Annotated[int, whole(1_000_000_000)]
    """How many jobs."""
    arrivals: Arrivals
    """When jobs arrive."""
    stages: Distribution = Constant(value=3.0)
    """Stages of a job, rounded to a whole number, at least 1."""
    tasks_per_stage: Distribution = Constant(value=1.0)
    """Tasks of a stage, rounded to a whole number, at least 1."""
    duration_s: Distribution
    """Seconds that a task runs."""
    demand: Demand = Demand()
    """What a task takes, where `demands` is empty."""
    demands: Annotated[tuple[WeightedDemand, ...], Field(max_length=1_000)] = ()
    """Kinds of demands with their weights; each stage draws one."""
    queue_assignment: QueueRule = "round_robin"
    """Which queue a job goes to."""


class Stage(Part):
    """Tasks of one job that are alike and start when other stages have ended."""

    name: Name
    """Name of the stage within its job."""
    tasks: Annotated[int, whole(1_000_000_000)] = 1
    """How many tasks."""
    duration_s: TaskSeconds
    """Seconds that each of them runs."""
    demand: Demand = Demand()
    """What each of them takes."""
    after: tuple[Name, ...] = ()
    """Stages that must have ended."""


class InlineJob(Part):
    """One job, written out."""

    arrival_s: Seconds
    """When it arrives."""
    queue: Name | None = None
    """The queue it goes to; absent: as `queue_assignment` says."""
    durations_s: tuple[TaskSeconds, ...] | None = None
    """Seconds that each of its tasks runs. Give this or `stages`."""
    stages: Annotated[tuple[Stage, ...], Field(min_length=1)] | None = None
    """The stages of a DAG. Give this or `durations_s`."""
    demand: Demand = Demand()
    """What each task takes, for `durations_s`."""
    constraints: tuple[Name, ...] = ()
    """Constraints that each task has."""

    @model_validator(mode="after")
    def _tasks_or_stages(self) -> InlineJob:
        if (self.durations_s is None) == (self.stages is None):
            raise refuse("needs one of `durations_s` and `stages`", "exactly one of them")
        if self.durations_s is not None and not self.durations_s:
            raise refuse("has an empty `durations_s`", "at least one task")
        return self


class InlineWorkload(Part):
    """Jobs written out in the experiment."""

    kind: Literal["inline"]
    jobs: Annotated[tuple[InlineJob, ...], Field(min_length=1)]
    """The jobs, in any order; those that arrive together keep this one."""
    queue_assignment: QueueRule = "round_robin"
    """Which queue a job goes to that names none."""


WorkloadChoice = Annotated[
    SyntheticWorkload | TraceWorkload | DagWorkload | InlineWorkload, Field(discriminator="kind")
]
