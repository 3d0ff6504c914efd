"""The summary of a run that has ended. Times are seconds; percentiles are exact (nearest rank).

A distribution over nothing is null: no task started, or no job completed.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field, Strict
from typing_extensions import TypedDict

from scheduler_core.contract.base import exact

Mean = Annotated[float | None, Field(description="The arithmetic mean.")]
P50 = Annotated[float | None, Field(description="The median: half of the values are at most this.")]
P75 = Annotated[float | None, Field(description="75 % of the values are at most this.")]
P90 = Annotated[float | None, Field(description="90 % of the values are at most this.")]
P95 = Annotated[float | None, Field(description="95 % of the values are at most this.")]
P99 = Annotated[float | None, Field(description="99 % of the values are at most this.")]
P999 = Annotated[float | None, Field(description="99.9 % of the values are at most this.")]
P9999 = Annotated[float | None, Field(description="99.99 % of the values are at most this.")]
Largest = Annotated[float | None, Field(description="The greatest value.")]
Above = Annotated[float | None, Field(description="The fraction of the jobs whose factor is above 1.1.")]
LeftMean = Annotated[float, Field(description="The mean over all decisions.")]
LeftP25 = Annotated[float, Field(description="At a quarter of the decisions at most this part was left.")]
LeftP50 = Annotated[float, Field(description="At half of the decisions at most this part was left.")]
LeftP75 = Annotated[float, Field(description="At three quarters of the decisions at most this part was left.")]

WaitKind = Annotated[
    Literal["all", "queue", "class"],
    Field(description="Which tasks: `all`, those of a `queue`, or those of a `class` of jobs."),
]

TaskTimes = TypedDict(
    "TaskTimes",
    {"mean": Mean, "p50": P50, "p90": P90, "p99": P99, "p99.9": P999, "p99.99": P9999, "max": Largest},
)
FairSlowdown = TypedDict("FairSlowdown", {"mean": Mean, "p50": P50, "p75": P75, "p95": P95, "above_1.1": Above})
TaskTimes.__doc__ = "A distribution over tasks, in seconds; null where no task started."
FairSlowdown.__doc__ = "A distribution of factors, and the part of the jobs above 1.1; null where no job completed."
exact(TaskTimes)
exact(FairSlowdown)


@exact
class Times(TypedDict):
    """A distribution in seconds; null where nothing completed."""

    mean: Mean
    p50: P50
    p90: P90
    p99: P99
    max: Largest


@exact
class TailTimes(TypedDict):
    """A distribution in seconds, with the percentiles that papers about graphs give; null where no job completed."""

    mean: Mean
    p75: P75
    p95: P95
    max: Largest


@exact
class Factors(TypedDict):
    """A distribution of factors without a unit; null where no job completed."""

    mean: Mean
    p50: P50
    p75: P75
    p95: P95


@exact
class TaskCounts(TypedDict):
    """The number of tasks, by how they ended."""

    total: int
    """All tasks of the workload."""
    completed: int
    """The tasks that have ended."""
    unfinished: int
    """The tasks that could have run and had not ended when the run stopped."""
    unschedulable: int
    """The tasks that no machine could hold."""
    dropped: NotRequired[int]
    """The unschedulable tasks that were dropped, so that their jobs continue; absent where none can be."""
    endless: NotRequired[int]
    """The tasks that have no end and run when the run stops, such as pods of a service; absent where all have one."""


@exact
class JobCounts(TypedDict):
    """The number of jobs."""

    total: int
    """All jobs of the workload."""
    completed: int
    """The jobs whose tasks have all ended."""


@exact
class DelayParts(TypedDict):
    """The parts of the queueing delay. For each task, they add up to the delay."""

    framework_queuing: TaskTimes
    """The wait in queues of schedulers and masters."""
    processing: TaskTimes
    """The time that schedulers and masters work on the task."""
    communication: TaskTimes
    """The time of messages on their way."""
    worker_queuing: TaskTimes
    """The wait in the queue of a worker."""


@exact
class ClassFigures(TypedDict):
    """The figures of short jobs, or of long ones."""

    jobs: int
    """The number of jobs of the class."""
    job_completion_s: Times
    """From the arrival of a job of the class until its last task ends."""
    job_delay_s: Times
    """The completion time minus the ideal one, for jobs of the class."""


@exact
class JobClasses(TypedDict):
    """Figures by class, where the scheduler has a cutoff."""

    short: ClassFigures
    """Jobs whose mean task duration is at most the cutoff."""
    long: ClassFigures
    """The other jobs."""


@exact
class WorkClassFigures(TypedDict):
    """The figures of the work's short jobs, or of its long ones."""

    jobs: int
    """The number of completed jobs of the class."""
    tasks: int
    """The number of tasks of the class that started."""
    allocation_delay_s: TaskTimes
    """From arrival until a task of the class first starts."""
    job_completion_s: Times
    """From the arrival of a job of the class until its last task ends."""
    job_delay_s: Times
    """The completion time minus the ideal one, for jobs of the class."""


@exact
class WorkClasses(TypedDict):
    """Figures by the work's own classes. They are the same jobs under every scheduler."""

    definition: str
    """What makes a job short, in words."""
    rule: Literal["declared", "modes", "yahoo"]
    """Two `declared` classes, two `modes` of the durations, or the cut-off of `yahoo`, which is not of this work."""
    cutoff_s: float
    """The longest mean task duration of a short job in seconds."""
    short: WorkClassFigures
    """Short jobs."""
    long: WorkClassFigures
    """The other jobs."""


@exact
class WaitingGroup(TypedDict):
    """Tasks that wait for ever, with the same queue, demand and reason."""

    queue: str
    """The name of their queue."""
    tasks: int
    """The number of these tasks."""
    first_task: int
    """The number of the first of them."""
    reason: str
    """Why they wait, in words."""


@exact
class WaitsByConstraint(TypedDict):
    """The waits of tasks that ask for one constraint, or for none."""

    constraint: str | None
    """The name of the constraint; null for tasks that ask for none."""
    tasks: int
    """The tasks that arrived."""
    started: int
    """Those of them that started."""
    wait_s: Times
    """From arrival until the first start, over those that started."""
    tasks_by_span: list[int]
    """The tasks that arrived in each span."""
    mean_s_by_span: list[float | None]
    """The mean wait of the tasks that arrived in each span and started; null where none did."""


@exact
class ConstraintWaits(TypedDict):
    """Waits by constraint and by time of arrival. A task that asks for several constraints counts with each."""

    from_s: float
    """The time at which the first span of arrivals begins, in seconds."""
    every_s: float
    """The length of a span in seconds."""
    rows: list[WaitsByConstraint]
    """Tasks without constraints first, then the constraints that tasks ask for, in the catalogue's order."""


@exact
class WaitParts(TypedDict):
    """Seconds that all tasks together waited, by place."""

    framework_queuing: float
    """In queues of schedulers and masters."""
    processing: float
    """While schedulers and masters worked on them."""
    communication: float
    """While messages were on their way."""
    worker_queuing: float
    """In the queue of a worker."""


@exact
class WaitGroup(TypedDict):
    """The waits of the tasks of one group that started."""

    kind: WaitKind
    name: str
    """The queue's name; `short` or `long`; empty for all tasks."""
    tasks: int
    """The number of its tasks that started."""
    parts_s: WaitParts
    """Where they waited."""
    free: float | None
    """The mean part of the scarcest resource that was free while they waited, weighted by how many waited."""
    curve_s: list[Annotated[tuple[float, float], Strict(False)]]
    """Points of the distribution: the part of the tasks that waited at most this number of seconds."""


@exact
class Waits(TypedDict):
    """Where waiting time goes."""

    groups: list[WaitGroup]
    """All tasks; each queue where there are 2 to 12; short and long jobs where the scheduler tells them apart."""


@exact
class GroupFigures(TypedDict):
    """The tasks of one queue or of one priority."""

    tasks: int
    """The tasks that had arrived when the run ended, those that ran before it began included."""
    started: int
    """The tasks that arrived after the warm-up and started in the run."""
    pending: int
    """The tasks that had arrived and held no machine when the run ended."""
    stopped: int
    """The tasks that a preemption or a failure of their machine stopped at least once."""
    allocation_delay_s: Times
    """From arrival until the first start, over the tasks that started."""


@exact
class Fit(TypedDict):
    """The largest amount of a resource that was free on one machine of a type, in whole units."""

    mean: Annotated[float, Field(description="The mean over all instants.")]
    least: Annotated[float, Field(description="The smallest value at any instant.")]
    end: Annotated[float, Field(description="The value at the end of the run.")]


@exact
class Room(TypedDict):
    """How machines were used, at 64 instants at equal distances, the last one at the end of the run.

    The last attempt of each task counts. Machines out of service have no room.
    """

    machines_used: float
    """The mean number of machines with at least one task."""
    held: dict[str, float]
    """The mean fraction of each resource that tasks held, those without an end included."""
    spread: dict[str, float]
    """The mean standard deviation of the fractions that machines had in use: 0 if all machines are equally full."""
    fits: dict[str, dict[str, Fit]]
    """The largest request that still fitted, for each type of machine and each resource."""


@exact
class Fairness(TypedDict):
    """Jain's index in windows of time: 1 if every queue has exactly its share."""

    jain_mean: Annotated[
        float, Field(description="The mean over all windows of Jain's index: 1 if all are treated alike.")
    ]
    jain_min: Annotated[float, Field(description="The least Jain's index of a window.")]
    jain_max: Annotated[float, Field(description="The greatest Jain's index of a window.")]
    window_s: Annotated[float, Field(description="The length of a window in seconds.")]


@exact
class QueueUse(TypedDict):
    """What a queue used of the datacenter, compared with its entitlement, over the whole run."""

    queue: str
    """The name of the queue."""
    use_to_entitlement: float
    """Its use divided by its entitlement; above 1 where it also used what others left."""
    served: float
    """The fraction of its entitlement that it used, 0 to 1."""


@exact
class QueueFairness(Fairness):
    """Fairness among queues: Jain's index of use divided by share, and figures that take demand into account.

    At each instant, a queue's entitlement is its share or what its tasks ask for, whichever is less.
    """

    entitled_jain: float | None
    """Jain's index of the queues' use divided by entitlement, over the whole run; null if none asked."""
    entitled_worst: float | None
    """The smallest fraction of its entitlement that any queue used."""
    entitled_worst_queue: str | None
    """The name of that queue."""
    by_queue: list[QueueUse]
    """The queues that asked for something."""


@exact
class LeftoverShares(TypedDict):
    """The fraction of the shares that jobs left over at a decision, 0 to 1; percentiles in steps of 0.01."""

    mean: LeftMean
    p25: LeftP25
    p50: LeftP50
    p75: LeftP75


@exact
class Leftover(TypedDict):
    """What jobs left of their shares, for others to use."""

    decisions: int
    """The number of decisions. If it is 0, all other figures are absent."""
    mean: NotRequired[LeftMean]
    p25: NotRequired[LeftP25]
    p50: NotRequired[LeftP50]
    p75: NotRequired[LeftP75]
    by_resource: NotRequired[dict[str, LeftoverShares]]
    """The fraction left of each resource, by its name. The other figures are means over all resources."""


@exact
class GraphFigures(TypedDict):
    """Figures of jobs that are graphs of stages."""

    fairness_of_jobs: Fairness
    """Jain's index of the jobs' dominant shares."""
    job_completion_s: TailTimes
    """From arrival until the last task of a job ends."""
    slowdown: Factors
    """The completion time divided by the job's critical path."""
    fair_share_slowdown: FairSlowdown
    """The completion time divided by the time that the job takes alone on its fair share."""
    leftover: NotRequired[Leftover]
    """The fraction of their shares that jobs left over; only under schedulers that let others use it."""
    leftover_correlation: NotRequired[dict[str, float]]
    """Pearson's correlation of what a job left with each property of its graph."""


@exact
class Nearness(TypedDict):
    """Parts of the starts by the distance to the task's data, which add up to 1."""

    local: float
    """The fraction of starts on a machine that stores the task's data."""
    in_rack: float
    """The fraction of starts on other machines of a rack that stores the data."""
    remote: float
    """The fraction of starts in other racks."""


@exact
class GigabytesRead(TypedDict):
    """What started tasks read, in GB."""

    local: float
    """Data that tasks read from their own machine."""
    in_rack: float
    """Data that tasks read from other machines of their rack."""
    remote: float
    """Data that tasks read from other racks."""


@exact
class RunningFigures(TypedDict):
    """Figures of schedulers under which the run time of a task depends on its machine."""

    snp: float | None
    """The geometric mean of the ideal run time divided by the actual one; null if no task completed."""
    snp_with_waiting: float | None
    """The geometric mean of the ideal run time divided by the response time; null if no task completed."""
    run_s: Times
    """The actual run time of a task."""
    wait_s: Times
    """The response time minus the run time."""
    response_s: Times
    """From a task's arrival until its end."""
    locality: NotRequired[Nearness]
    """How near to their data tasks started; absent if no start was counted."""
    read_gb: NotRequired[GigabytesRead]
    """How much data tasks read, by distance; absent if they read none."""


@exact
class StageFigures(TypedDict):
    """What one stage of a pipeline did."""

    calls: int
    """How many times the stage was performed."""
    operations: int
    """The operations of the stage's plain algorithm."""
    time_s: float
    """The modeled time of the operations."""


@exact
class PipelineFigures(TypedDict):
    """Figures of a scheduler that is a pipeline of stages."""

    task_response_s: Times
    """From the submission of a task's job until the task ends."""
    task_response_own_s: Times
    """From a task's own submission, when it would become eligible if no task waited, until it ends."""
    task_response_eligible_s: Times
    """From the end of the last task that a task waits for until it ends itself."""
    job_makespan_s: Times
    """From a job's submission until its end."""
    job_waiting_s: Times
    """From a job's submission until its first task starts."""
    schedule_length: Times
    """The time from a job's submission to its end, divided by the time from its first start to its end."""
    schedule_length_whole: Times
    """The schedule length, rounded down to a whole number."""
    schedule_length_of_path: Times
    """The time from a job's submission to its end, divided by its critical path."""
    stages: dict[str, StageFigures]
    """By the identifiers of the stages."""


@exact
class StageSeconds(TypedDict):
    """The processor time of a pipeline's stages."""

    cpu_s: float
    """The processor time of the whole loop, in seconds."""
    steps: int
    """The number of steps that were timed."""
    engine_s: float
    """The processor time outside of all stages."""
    stages: dict[str, float]
    """The processor time of each stage in seconds, by the stage's identifier."""


@exact
class Performance(TypedDict):
    """How fast the simulation ran. These figures alone differ in a repeated run."""

    wall_s: float
    """The simulation alone, without start-up, compilation and reading of files."""
    tasks_per_s: float
    """Simulated tasks per second of `wall_s`."""
    events_per_s: float
    """Simulated events per second of `wall_s`."""
    peak_rss_mb: float
    """The largest memory of the process, in MB."""
    compile_s: float
    """The time of compilation before the run."""
    prepare_s: NotRequired[float]
    """Reading or drawing the workload and building the arrays, without compilation."""
    simulate_s: NotRequired[float]
    """The simulation with its frames and its log of decisions: `wall_s` and what surrounds the event loop."""
    measure_s: NotRequired[float]
    """Measuring the run that has ended: all other figures of the summary."""
    write_s: NotRequired[float]
    """Writing the tables of tasks and jobs to files; 0 where nothing was written."""
    whole_tasks_per_s: NotRequired[float]
    """Simulated tasks per second of preparing, simulating, measuring and writing together."""
    stages: NotRequired[StageSeconds]
    """The processor time of each stage; only of a pipeline whose stages were timed."""


@exact
class RecordedStarts(TypedDict):
    """The jobs' starts beside those that the workload's source has recorded."""

    jobs: int
    """The number of jobs that started in the run and have a recorded start."""
    error_s: Times
    """The distance between the two starts of a job."""
    mean_shift_s: float | None
    """The mean of the start minus the recorded one; negative where jobs start earlier. Null without such jobs."""
    within_60_s: int
    """The number of these jobs that start at most 60 s from the recorded start."""
    earlier: int
    """The number of these jobs that start before the recorded start."""
    later: int
    """The number of these jobs that start after the recorded start."""


@exact
class Summary(TypedDict):
    """The summary of a run that has ended."""

    experiment_digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    """The sha256 of the canonical experiment."""
    outcome_digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    """The sha256 of every task's first start, end, machine and attempts."""
    scheduler: str
    """The name of the scheduler in an experiment."""
    seed: int
    """The seed of the run."""
    core_version: str
    """The version of the library that computed the run."""
    tasks: TaskCounts
    """How many tasks there were, and how they ended."""
    jobs: JobCounts
    """How many jobs there were, and how many completed."""
    allocation_delay_s: TaskTimes
    """From arrival until a task first starts."""
    delay_components_s: DelayParts
    """The parts of that delay."""
    job_completion_s: Times
    """From arrival until the last task of a job ends."""
    job_delay_s: Times
    """The completion time minus the ideal one."""
    by_class: NotRequired[JobClasses]
    """Figures of short and of long jobs; only of schedulers that tell them apart by a cutoff."""
    by_work_class: NotRequired[WorkClasses]
    """Figures by the work's own classes, whatever the scheduler. Absent in summaries of earlier versions."""
    finished: NotRequired[Literal["drained", "stopped-at", "stuck"]]
    """How the run ended: all work done, by the stop rule, or with tasks that wait while nothing will ever change.
    Absent in summaries of earlier versions."""
    waiting_groups: NotRequired[list[WaitingGroup]]
    """The tasks that wait for ever, the largest groups first; only if the run is stuck."""
    constraint_waits: NotRequired[ConstraintWaits]
    """Only where tasks ask for constraints."""
    recorded_starts: NotRequired[RecordedStarts]
    """Only where the workload has recorded starts, such as an import of `sacct`."""
    waits: NotRequired[Waits]
    """Where waiting time goes. Absent in summaries of earlier versions."""
    by_queue: NotRequired[dict[str, GroupFigures]]
    """Figures of each queue, of at most 12; only where at least two have tasks."""
    by_priority: NotRequired[dict[str, GroupFigures]]
    """Figures of each priority, the highest first, of at most 12; only where tasks have at least two priorities."""
    room: NotRequired[Room]
    """What room the machines had. Absent in a fluid pool, and in runs of more than 2,000,000 tasks."""
    lost_work_s: float
    """The work of tasks that were stopped before their end."""
    makespan_s: float
    """From the first arrival until the last end."""
    utilisation: dict[str, float]
    """The mean part of each resource that is in use during the makespan."""
    fairness: QueueFairness
    """Fairness among queues: by share alone, and by share and demand."""
    graphs: NotRequired[GraphFigures]
    """Figures of jobs that are graphs; only of schedulers for such jobs."""
    running: NotRequired[RunningFigures]
    """Figures of run times; only of schedulers under which the run time of a task depends on its machine."""
    pipeline: NotRequired[PipelineFigures]
    """Figures of stages; only of pipelines."""
    counters: dict[str, int]
    """The counters that the scheduler declares, with `events` and `messages`."""
    performance: Performance
    """How fast the simulation ran."""
