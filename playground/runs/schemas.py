"""HTTP schemas of responses about runs."""

from __future__ import annotations

from typing import Any, ClassVar

from playground.contract.sockets import CompiledFunctions, RunProgress
from playground.web.schemas import ExperimentId, Shape, TaskNumber, json_body
from scheduler_core.contract.track import Moment, MomentProbe, Moments


class ErrorOut(Shape):
    """Why a run failed."""

    code: str
    """A stable name of the kind of error, for programs."""
    message: str
    """What is wrong, in words."""


class CompiledOut(Shape):
    """How far the compilation of a scheduler is."""

    like: ClassVar[Any] = CompiledFunctions

    done: int
    known: int


class RunOut(Shape):
    """A run: its state, its progress and its addresses."""

    like: ClassVar[Any] = RunProgress

    id: str
    """The id of the run."""
    experiment_id: ExperimentId
    seed: int
    """The seed of the run."""
    state: str
    progress: float
    """The fraction of the run that is computed, from 0 to 1; 0 if the run failed or was cancelled."""
    eta_s: float | None
    """The estimated real seconds until the run ends, with its wait in the queue; while its scheduler compiles, until
    the compilation ends. Null if unknown, and for a run that is paused or over."""
    queue_position: int | None
    """The place in the queue, counted from 1; null for a run that is not `queued`."""
    compiled: CompiledOut | None
    pausing: bool
    """Whether the run is to be paused and its worker has not saved it yet."""
    error: ErrorOut | None
    """Why the run failed; null for any other state."""
    frames: int
    """The number of frames that are computed so far."""
    recording: str
    """The state of the recording: `none` (the run is not done), `kept`, or `removed` (to free space)."""
    outcome_digest: str | None
    """The sha256 of every task's first start, end, machine and attempts; null before the run is done."""
    known: bool
    """Whether the result was known from an earlier run and nothing was computed."""
    agrees: bool | None
    """Of a `fresh` run that is done: whether its outcome equals the known one. Null if no result was known."""
    live_url: str
    """The page on which the run is watched."""
    socket_url: str
    """The socket that sends the run's frames, `/ws/runs/{id}`: those after
    number `?after=`. With `&each=1` none is merged with others for a reader that is late."""


class GraphRowsOut(Shape):
    """Some rows of a table about the run's graphs, by columns."""

    total: int
    """The number of rows of the whole table."""
    first: int
    """The first row of this answer, counted from 0."""
    next: int | None
    """The `first` of the next request; null if no rows follow."""
    columns: dict[str, list[Any]]
    """The values of the rows by column. `_us` columns are microseconds of simulated time, -1 for never; `demand` lists
    the demand for each resource in its own unit."""


class DecisionOut(Shape):
    """A row of the decision log."""

    t_s: float
    """The simulated time in seconds."""
    reason: str
    """The name of the reason in meta."""
    task: int
    """The number of the task; -1 for none."""
    machine: int
    """The number of the machine; -1 for none."""
    count: int
    """How many times in a row."""
    x: int
    """A number for the reason's sentence: the template in meta says what it is."""
    y: int
    """A number for the reason's sentence: the template in meta says what it is."""


class DecisionsOut(Shape):
    """Some rows of the decision log."""

    total: int
    """The number of decisions that fit the request, listed or not."""
    rows: list[DecisionOut]
    """The decisions: latest first, or earliest first with `after_s`."""


class MomentProbeOut(Shape):
    """A probe that waits in the queue of a machine for one of a job's tasks."""

    like: ClassVar[Any] = MomentProbe

    machine: int
    from_ns: int
    until_ns: int
    task: int


class MomentOut(Shape):
    """An instructive moment of a run, chosen by a rule."""

    like: ClassVar[Any] = Moment

    kind: str
    label: str
    t_ns: int
    task: int
    machines: list[int]
    sentence: str
    since_ns: int | None = None
    tag: str | None = None
    beside: int | None = None
    beside_tag: str | None = None
    latest_ns: int | None = None
    probes: list[MomentProbeOut] | None = None


class MomentsOut(Shape):
    """The most instructive moments of a run."""

    like: ClassVar[Any] = Moments

    moments: list[MomentOut]


class PairsOut(Shape):
    """The jobs of two runs of one workload, paired by job. A factor is the other run's time divided by this run's."""

    jobs: int
    """The number of jobs of the workload."""
    pairs: int
    """The number of jobs that completed in both runs, with a completion time above 0 in both."""
    mean_factor: float | None
    """The mean factor over all pairs; null without pairs."""
    median_factor: float | None
    """The median factor over all pairs; null without pairs."""
    faster: int
    """The number of jobs that completed sooner in this run."""
    slower: int
    """The number of jobs that completed sooner in the other run."""
    job: list[int]
    """The numbers of the listed jobs: all pairs, or 4,000 of them, evenly spaced."""
    mine_s: list[float]
    """The completion time of each listed job in this run, in seconds from its arrival."""
    other_s: list[float]
    """The completion time of each listed job in the other run, in seconds from its arrival."""


class RecordedStartsOut(Shape):
    """Jobs that started in a run and have a recorded start. Times count from the start of the run."""

    total: int
    """The number of such jobs."""
    first: int
    """The place of the first listed job in the chosen order."""
    next: int | None
    """`first` of the next page; null on the last page."""
    job: list[int]
    """The numbers of the listed jobs."""
    start_s: list[float]
    """The start of each listed job in the run, in seconds: that of its first task."""
    recorded_start_s: list[float]
    """The recorded start of each listed job, in seconds."""
    shift_s: list[float]
    """The start minus the recorded start, in seconds; negative where the job starts earlier in the run."""


class EventOut(Shape):
    """Something that happened to a part of a run."""

    t_s: float
    """The simulated time in seconds."""
    text: str
    """What happened, in a sentence."""
    task: int
    """The number of the task; -1 for none."""
    stops: bool
    """Whether the task lost its machine: it was preempted, or the machine failed."""


class SlowTaskOut(Shape):
    """A task with a long wait."""

    task: TaskNumber
    start_s: float
    """The simulated time of its first start, in seconds."""
    wait_s: float
    """The seconds from its arrival until its first start."""


class SlowestOut(Shape):
    """The tasks that waited longest."""

    percent: float
    """The percentile that was asked for, from 0 to 100."""
    wait_s: float | None
    """The wait at this percentile in seconds; null if no task started."""
    total: int
    """The number of tasks that waited at least this long."""
    tasks: list[SlowTaskOut]
    """These tasks by their first start. Of more than 1,000 tasks, the 1,000 with the longest waits."""


class PartOut(Shape):
    """What happened to a part of a run up to an instant."""

    kind: str
    """The kind of the part: `task`, `job`, `machine`, `queue`, `owner`, `cluster` or `partition`."""
    number: int
    """The number of the part, counted from 0; of a partition, that of its cluster."""
    name: str
    """What people call the part."""
    job: int | None
    """Of a task: the number of its job. Otherwise null."""
    sentence: str
    """What happened to the part, in a sentence or two."""
    tasks: dict[str, int]
    """Numbers of tasks: `total` in the whole run, and by the instant `arrived`, `started`, `done` and `stopped` (by a
    preemption or a failure). A machine, cluster or partition counts the tasks whose last start is there."""
    delay_s: dict[str, float]
    """The parts of the mean queueing delay in seconds, over the tasks that started by the instant:
    `framework_queuing`, `processing`, `communication` and `worker_queuing`."""
    wait_s: dict[str, float] | None
    """The percentiles `p50` and `p99` of the queueing delay in seconds, over these tasks; null without any."""
    lost_s: float
    """The seconds of work that stopped tasks lost in the whole run."""
    events: list[EventOut]
    """The last events up to the instant, in order of time, as many as were asked for."""
    events_total: int
    """The number of events that were found. Of starts, ends and decisions, each at most the last 200 count."""
    thinned: bool
    """Whether the decision log was thinned, so that some events are missing."""


RUN_BODY = json_body(
    {
        "type": "object",
        "additionalProperties": False,
        "properties": {"seed": {"type": "integer", "minimum": 0}, "fresh": {"type": "boolean", "default": False}},
    },
    required=False,
)
