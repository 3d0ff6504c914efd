"""Workload sections: synthetic, from a trace, as DAGs, or written out job by job."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, model_validator

from scheduler_core.experiment.arrivals import Arrivals, AtOnce
from scheduler_core.experiment.distributions import Constant, Distribution, Positive
from scheduler_core.experiment.fields import (
    Amount,
    Identifier,
    Name,
    Number,
    Part,
    PositiveSeconds,
    Priority,
    Seconds,
    Share,
    Text,
    refuse,
    whole,
)

# Long enough for three years; short enough that hundreds of them in a row still fit into int64 nanoseconds.
LONGEST_TASK_S = 100_000_000.0
QueueRule = Literal["round_robin", "by_share", "hash", "column"]
Correlation = Annotated[float, Number(-1, 1)]
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
            raise refuse("asks for no resource", "at least one resource above 0", "without it a machine never fills")
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


class JobClass(Part):
    """One class of a synthetic workload's jobs; what it leaves out is as for the workload."""

    name: Name
    """Name of the class, such as short or long."""
    weight: Positive
    """How many jobs are of this class, relative to the others."""
    tasks_per_job: Distribution | None = None
    """Tasks of a job."""
    duration_s: Distribution | None = None
    """Seconds that a task runs."""
    duration_varies: Literal["task", "job"] | None = None
    """Whether each task draws its own duration, or a job one mean."""
    in_job_cv: Annotated[float, Number(0, 10)] | None = None
    """Coefficient of variation of the durations in one job, with `duration_varies: job`."""
    duration_follows_size: Correlation | None = None
    """Correlation of a job's mean duration with its number of tasks (of normal scores), with `duration_varies: job`."""
    demand: Demand | None = None
    """What each of its tasks takes."""
    queue: Name | None = None
    """The queue that its jobs go to; absent: as `queue_rules` and `queue_assignment` say."""
    priority: Priority | None = None
    """Priority of its tasks; a larger number goes first. Absent: that of the queue."""
    gang: StrictBool | None = None
    """`true`: the tasks of each of its jobs start together or not at all. Absent: each starts by itself."""


class QueueByRule(Part):
    """Jobs within these bounds go to one queue."""

    queue: Name
    """The queue."""
    min_tasks: Annotated[int, whole(1_000_000_000)] | None = None
    """Jobs of at least this number of tasks."""
    max_tasks: Annotated[int, whole(1_000_000_000)] | None = None
    """Jobs of at most this number of tasks."""
    min_mean_s: TaskSeconds | None = None
    """Jobs whose tasks run at least this number of seconds on average."""
    max_mean_s: TaskSeconds | None = None
    """Jobs whose tasks run less than this number of seconds on average."""


class DrawnDemand(Part):
    """Demands drawn for each resource by itself; kept to a few amounts each, so that kinds of tasks stay few."""

    amounts: Annotated[dict[Identifier, Distribution], Field(min_length=1, max_length=4)]
    """Distribution of each resource that is drawn: cpus, memory_gb, gpus or a further name; others as in `demand`."""
    levels: Annotated[int, whole(16)] = 8
    """How many amounts of each: the medians of equally likely parts of the distribution."""


class SyntheticWorkload(Part):
    """Jobs drawn from distributions. The seed determines them; the scheduler does not affect them."""

    kind: Literal["synthetic"]
    """Chooses this kind of workload."""
    jobs: Annotated[int, whole(1_000_000_000)] | None = None
    """Ends after this number of jobs; give exactly one of `jobs`, `tasks`, `arrive_for_s`."""
    tasks: Annotated[int, whole(1_000_000_000)] | None = None
    """Ends after this number of tasks; the last job is cut to fit."""
    arrive_for_s: PositiveSeconds | None = None
    """Jobs arrive for this number of seconds of simulated time."""
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
    classes: Annotated[tuple[JobClass, ...], Field(min_length=1, max_length=1_000)] | None = None
    """Classes of jobs with their shares, such as short and long; absent: all jobs are alike."""
    sampling: Literal["independent", "even"] | None = None
    """`even`: the values of classes, sizes, mean durations and gaps are spread evenly over their distributions, in
    an order that the seed decides. So the statistics are as given even with few jobs. Needs `jobs`. Absent: independent
    draws."""
    duration_follows_size: Correlation | None = None
    """Correlation of a job's mean duration with its number of tasks (of normal scores), with `duration_varies: job`."""
    demand_follows_duration: Correlation | None = None
    """Correlation of a job's demand with its mean duration, with `duration_varies: job`; list `demands` by size."""
    drawn_demand: DrawnDemand | None = None
    """Draw what a task takes for each resource; absent: `demand` or `demands`."""
    queue_rules: Annotated[tuple[QueueByRule, ...], Field(min_length=1, max_length=100)] | None = None
    """Rules by size and duration that come before `queue_assignment`; the first that fits holds."""

    @property
    def plain(self) -> bool:
        """Whether it uses none of classes, even sampling, correlations and drawn demands."""
        asked = (self.classes, self.duration_follows_size, self.demand_follows_duration, self.drawn_demand)
        return self.sampling != "even" and all(one is None for one in asked)

    @model_validator(mode="after")
    def _parts_fit(self) -> SyntheticWorkload:
        if self.sampling == "even" and self.jobs is None:
            raise refuse("samples evenly without saying over how many jobs", "an end by `jobs`")
        if self.drawn_demand is not None and self.demands:
            raise refuse("gives both `demands` and `drawn_demand`", "one of them")
        for one in self.classes or (JobClass(name="all", weight=1),):
            by_task = (one.duration_varies or self.duration_varies) == "task"
            follows = (one.duration_follows_size, self.duration_follows_size, self.demand_follows_duration)
            if by_task and any(correlation is not None for correlation in follows):
                raise refuse(
                    f"makes a value depend on a job's duration, but each task of class '{one.name}' draws its own",
                    "`duration_varies`: 'job'",
                )
            if by_task and one.in_job_cv:
                raise refuse(
                    f"gives `in_job_cv` in class '{one.name}', whose tasks draw their own durations",
                    "`duration_varies`: 'job'",
                )
        names = [one.name for one in self.classes or ()]
        if len(set(names)) < len(names):
            raise refuse("has two classes of one name", "each name once")
        return self

    @model_validator(mode="after")
    def _one_end(self) -> SyntheticWorkload:
        ends = [key for key in ("jobs", "tasks", "arrive_for_s") if getattr(self, key) is not None]
        if len(ends) != 1:
            found = "none is given" if not ends else f"{' and '.join(ends)} are given"
            raise refuse(f"ends by one of jobs, tasks and arrive_for_s; {found}", "exactly one of them")
        if self.arrive_for_s is not None and isinstance(self.arrivals, AtOnce):
            raise refuse("lets all jobs arrive at once, so `arrive_for_s` has no effect", "`jobs` or `tasks`")
        if self.in_job_cv and self.duration_varies == "task":
            raise refuse("gives `in_job_cv`, but each task draws its own duration", "`duration_varies`: 'job'")
        if self.queue_assignment == "column":
            raise refuse(
                "takes queues from a column, which a synthetic workload does not have",
                "queue_assignment round_robin, by_share or hash",
            )
        return self


class Resampling(Part):
    """Draw another trace from the trace by blocks of consecutive jobs, so that a seed changes the work."""

    method: Literal["circular_blocks"] = "circular_blocks"
    """Circular block bootstrap: blocks of consecutive jobs with the gaps before them, so that bursts survive."""
    block_jobs: Annotated[int, whole(1_000_000_000)] | None = None
    """Jobs of a block. Absent: as many as the longest burst, at least the cube root and at most a fifth of the jobs."""


class TraceWorkload(Part):
    """Jobs from a file."""

    kind: Literal["trace"]
    """Chooses this kind of workload."""
    format: Name | None = None
    """Name of the file's format; absent: recognized by its content."""
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
    graphs: Literal["keep", "drop"] | None = None
    """Where the file says that tasks wait for others: `keep` (absent: the same) has them wait, which takes a scheduler
    of the family dag; `drop` lets all tasks of a job start when it arrives, under any scheduler."""
    offered_load: Annotated[float, Number(0, 100, above=True)] | None = None
    """Stretch arrivals so that the work fills this fraction of the capacity while jobs arrive; absent: as recorded."""
    resampling: Resampling | None = None
    """Draw other jobs from the trace under each seed; absent: the jobs of the trace under every seed."""
    durations: dict[Name, Distribution] | None = None
    """For a cluster file: seconds that tasks run whose end it does not know, drawn by the kind of their owner, such as
    Job. Tasks of a kind without a distribution run until the run stops."""

    @model_validator(mode="after")
    def _path_or_trace(self) -> TraceWorkload:
        if (self.path is None) == (self.trace is None):
            raise refuse("needs one of `path` and `trace`", "exactly one of them")
        return self


class Estimates(Part):
    """How wrong the scheduler is about tasks. It orders, shares and plans by its estimates; tasks run as drawn."""

    duration_error: Annotated[float, Number(-0.99, 100)] = 0.0
    """Relative error of the estimated durations: 0.5 estimates them half again as long, -0.5 half as long."""
    demand_error: Annotated[float, Number(-0.99, 100)] = 0.0
    """The same for every resource that a task takes. What fits on a machine depends on what tasks really take."""
    share: Share = 1.0
    """Fraction of the stages with a wrong estimate, drawn by key."""


class DagWorkload(Part):
    """DAG jobs, whose stages depend on each other, drawn from distributions."""

    kind: Literal["dag"]
    """Chooses this kind of workload."""
    shape: Literal["chain", "map_reduce", "layered", "parts"] = "layered"
    """How stages depend. `chain`: one after the other. `map_reduce`: two with a barrier between them. `layered`: each
    stage waits for some of the layer before. `parts`: parts with barriers between them; a part is one stage or parallel
    chains."""
    jobs: Annotated[int, whole(1_000_000_000)]
    """How many jobs."""
    arrivals: Arrivals
    """When jobs arrive."""
    stages: Distribution = Constant(value=3.0)
    """Stages of a job, rounded to a whole number, at least 1."""
    barriers: Distribution = Constant(value=1.0)
    """Barriers of a job, rounded to a whole number below that of its stages, with `shape: parts`."""
    tasks_per_stage: Distribution = Constant(value=1.0)
    """Tasks of a stage, rounded to a whole number, at least 1."""
    duration_s: Distribution
    """Seconds that a task runs."""
    duration_varies: Literal["stage", "job"] = "stage"
    """`stage`: each stage draws its own duration; `job`: a job draws one mean, its stages vary by `in_job_cv`."""
    in_job_cv: Annotated[float, Number(0, 10)] = 0.0
    """Coefficient of variation of the stages' durations in one job (log-normal), with `duration_varies: job`."""
    input_work: Distribution | None = None
    """Part of a job's work that is in the stages which wait for none (0 to 1); absent: as it is drawn."""
    estimates: Estimates | None = None
    """What the scheduler thinks of durations and demands; absent: it knows them."""
    demand: Demand = Demand()
    """What a task takes, where `demands` is empty."""
    demands: Annotated[tuple[WeightedDemand, ...], Field(max_length=1_000)] = ()
    """Kinds of demands with their weights; each stage draws one."""
    queue_assignment: QueueRule = "round_robin"
    """Which queue a job goes to."""

    @model_validator(mode="after")
    def _options_that_count(self) -> DagWorkload:
        if self.in_job_cv and self.duration_varies == "stage":
            raise refuse("gives `in_job_cv`, but each stage draws its own duration", "`duration_varies`: 'job'")
        if self.shape != "parts" and self.barriers != Constant(value=1.0):
            raise refuse(f"gives `barriers` with the shape '{self.shape}', which makes its own", "`shape`: 'parts'")
        return self


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
    priority: Priority | None = None
    """Priority of each task; a larger number goes first. Absent: that of the queue."""
    priorities: Annotated[tuple[Priority, ...], Field(min_length=1)] | None = None
    """Priority of each task in `durations_s`, one by one. Give this or `priority`."""
    gang: StrictBool | None = None
    """`true`: its tasks start together or not at all; for `durations_s`. Absent: each starts by itself."""
    started_s: Seconds | None = None
    """When its tasks started where the job was recorded. Only a replay starts them then; every run tells how far it is
    from that."""

    @model_validator(mode="after")
    def _tasks_or_stages(self) -> InlineJob:
        if (self.durations_s is None) == (self.stages is None):
            raise refuse("needs one of `durations_s` and `stages`", "exactly one of them")
        if self.durations_s is not None and not self.durations_s:
            raise refuse("has an empty `durations_s`", "at least one task")
        if self.gang and self.stages is not None:
            raise refuse("is a gang and has `stages`, which wait for one another", "`durations_s`, or no `gang`")
        if self.started_s is not None and self.started_s < self.arrival_s:
            raise refuse(f"has `started_s` {self.started_s:g}, before its arrival", f"at least {self.arrival_s:g}")
        if self.priorities is not None:
            self._check_priorities(self.priorities)
        return self

    def _check_priorities(self, priorities: tuple[int, ...]) -> None:
        if self.priority is not None:
            raise refuse("has both `priority` and `priorities`", "one of them")
        if self.durations_s is None or len(priorities) != len(self.durations_s):
            tasks = "no" if self.durations_s is None else f"{len(self.durations_s):,}"
            raise refuse(
                f"has {len(priorities):,} `priorities` and {tasks} `durations_s`", "one priority for each task"
            )


class InlineWorkload(Part):
    """Jobs written out in the experiment."""

    kind: Literal["inline"]
    """Chooses this kind of workload."""
    jobs: Annotated[tuple[InlineJob, ...], Field(min_length=1)]
    """The jobs, in any order; those that arrive together keep this one."""
    queue_assignment: QueueRule = "round_robin"
    """Which queue a job goes to that names none."""


WorkloadChoice = Annotated[
    SyntheticWorkload | TraceWorkload | DagWorkload | InlineWorkload, Field(discriminator="kind")
]
