"""Track: what happened to every task of a run, for a picture that draws each task as an object."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from scheduler_core.contract.base import Help, Label, Rows, exact

KeeperRole = Literal["queue", "owner", "scheduler", "group", "job"]
"""Who keeps tasks until a machine is chosen (see KeeperMeta)."""

WaitPart = Literal["framework", "processing", "communication", "worker"]
"""A part of a task's delay (see LegMeta)."""

WaitPlace = Literal["queue", "way", "worker"]
"""Where a part of a delay is spent (see LegMeta)."""

MoveRole = Literal["bounce", "steal", "throw", "borrow", "give", "shed", "overtake"]
"""What a decision looks like (see MoveMeta)."""

DecisionRole = Literal["", "choose", "round"]
"""How a keeper decides (see WorkMeta)."""

MoveEnd = Literal["", "machine", "machine_frm", "keeper", "keeper_frm", "keeper_to"]
"""Where a movement begins or ends (see MoveMeta)."""


@exact
class CentralMeta(TypedDict):
    """The one scheduler that places the tasks of long jobs, where short jobs have schedulers of their own."""

    label: Label
    help: Help


@exact
class KeeperMeta(TypedDict):
    """Who keeps tasks before the choice of a machine."""

    role: KeeperRole
    """Who keeps tasks until a machine is chosen.

    - `queue`: the queue of their job, by its number.
    - `owner`: the owner of that queue, such as a Global Master.
    - `scheduler`, `group`: one of several schedulers, or the master of a group of machines.
    - `job`: nobody; each job has a scheduler of its own, which sends everything at once.
    """
    label: str
    """What one of them is called."""
    help: Help
    central: NotRequired[CentralMeta]
    """The one scheduler of long jobs; absent without one."""


@exact
class LegMeta(TypedDict):
    """A stretch of a task's wait. Legs follow each other from the task's arrival to its first start."""

    part: WaitPart
    """A part of a task's delay, as in its row of the table of tasks."""
    place: WaitPlace
    """Where that part is spent: with its keeper, on the way, or in the queue of a machine."""
    fraction: float
    """The fraction of the part that is spent here."""


@exact
class MoveMeta(TypedDict):
    """A decision that the picture shows as a movement."""

    reason: int
    """The code of the reason in meta."""
    role: MoveRole
    """What a decision looks like.

    - `bounce`: a request goes to a machine and comes back.
    - `steal`: something leaves one worker's queue for another's.
    - `throw`: a task loses its machine.
    - `borrow`: a machine changes hands for one task.
    - `give`: a share changes hands.
    - `shed`: a worker sends a waiting task elsewhere.
    - `overtake`: a task leaves a queue before others that stood in front of it.
    """
    frm: MoveEnd
    """Where the movement begins: the decision's machine (`machine`), its `frm` as a machine (`machine_frm`), the task's
    keeper (`keeper`), or the keeper of that number (`keeper_frm`, `keeper_to`). Empty for nowhere."""
    to: MoveEnd
    """Where the movement ends, as for `frm`."""
    wrong: bool
    """Whether something went wrong."""


@exact
class RefreshMeta(TypedDict):
    """When keepers receive the state of each cluster, which reports periodically. Each keeper has a copy of it."""

    period_ns: Annotated[int, Field(ge=1)]
    """The time from one report of a cluster to its next, in nanoseconds."""
    first_ns: list[int]
    """When each cluster first reports, in nanoseconds of simulated time."""


@exact
class WorkMeta(TypedDict):
    """The picture of a run's work: where tasks wait, in which order, and which decisions are movements."""

    keeper: KeeperMeta
    """Who keeps tasks until a machine is chosen."""
    legs: list[LegMeta]
    """Where tasks wait, in the order of their way."""
    moves: list[MoveMeta]
    """The decisions that are drawn as movements."""
    decision: NotRequired[DecisionRole]
    """How a keeper decides, where that is drawn.

    - `choose`: for one task at a time; machines without room drop out, and one of the others is chosen.
    - `round`: for all waiting tasks at once; tasks that leave at the same time are of one round.
    """
    refresh: NotRequired[RefreshMeta]
    """When keepers receive the state of each cluster; absent if they do not receive it periodically."""
    gate: NotRequired[str]
    """What checks every request for a machine of a cluster, where something does: its name."""


@exact
class TrackTasks(TypedDict):
    """Tasks by columns, in the workload's order. Times count `unit_ns`.

    A column of `count` integers of 4 bytes is stored as four runs of `count` bytes, lowest byte first, which compresses
    better. Columns of bytes stay as they are.
    """

    count: Rows
    task: bytes
    """4 bytes: the number of the task. Empty where rows are all tasks of the run."""
    job: bytes
    """4 bytes: the number of the job."""
    queue: bytes
    """1 byte: the number of the job's queue."""
    keeper: bytes
    """1 byte: the number of its keeper; 255 where that is not known."""
    machine: bytes
    """4 bytes: the machine of its last start, plus 1; 0 before it starts."""
    size: bytes
    """1 byte: the largest share of any resource of that machine that it holds, of 255; 0 where that is not known."""
    arrival: bytes
    """4 bytes: the simulated time at which it arrived."""
    framework: bytes
    """4 bytes: how long it waited with its keeper before its first start, or has waited so far."""
    processing: bytes
    """4 bytes: how long its keeper decided about it."""
    communication: bytes
    """4 bytes: how long messages took."""
    worker: bytes
    """4 bytes: how long it stood in the queues of machines."""
    ran: bytes
    """4 bytes: how long its last run took; 4294967295 where it has not ended."""
    long: NotRequired[bytes]
    """1 byte: 1 where its job is a long one, by the scheduler's cut-off, else by the work's. Absent without one."""


@exact
class TrackSpells(TypedDict):
    """All stretches in which tasks that lost their machine ran, in order; columns as in `TrackTasks`."""

    count: Rows
    row: bytes
    """4 bytes: the row of the task in `tasks`."""
    machine: bytes
    """4 bytes: the machine, plus 1."""
    start: bytes
    """4 bytes: when it started."""
    end: bytes
    """4 bytes: when it lost the machine or ended; 4294967295 where it runs on."""


@exact
class TrackMoves(TypedDict):
    """Decisions that the picture shows as movements, in order of time; columns as in `TrackTasks`."""

    count: Rows
    at: bytes
    """4 bytes: when it was decided."""
    reason: bytes
    """4 bytes: the code of the reason."""
    task: bytes
    """4 bytes: the number of the task."""
    machine: bytes
    """4 bytes: the row's machine, plus 1."""
    frm: bytes
    """4 bytes: the row's `frm`, plus 1."""
    to: bytes
    """4 bytes: the row's `to`, plus 1."""
    other: NotRequired[bytes]
    """4 bytes: the number of the task on the other side, plus 1; 0 where there is none."""


@exact
class ChoicePart(TypedDict):
    """What a part of every machine's score is for."""

    label: Label
    tenths: bytes
    """2 bytes for each decision and machine: ten times the points of 0 to 100."""


@exact
class TrackChoices(TypedDict):
    """Decisions about one task with the score of every machine: a few from all parts of the run, in order of time.

    Columns are as in `TrackTasks`.
    """

    count: Rows
    at: bytes
    """4 bytes: when the machines were compared."""
    task: bytes
    """4 bytes: the number of the task."""
    machine: bytes
    """4 bytes: the machine that was chosen, plus 1."""
    scores: bytes
    """2 bytes for each decision and machine: 0 where the task has no room, else 1 plus ten times its score."""
    parts: NotRequired[list[ChoicePart]]
    """What the scores are made of. Only of runs of very few machines."""


@exact
class TrackCopies(TypedDict):
    """When each keeper copied the state of all machines, in order of time; columns as in `TrackTasks`."""

    count: Rows
    at: bytes
    """4 bytes: when the copy was made."""
    keeper: bytes
    """1 byte: the number of the keeper."""


@exact
class Track(TypedDict):
    """What happened to the tasks of a run, or to those of some machines in an interval. One MessagePack map."""

    v: Literal[1]
    """The version of the format."""
    unit_ns: Annotated[int, Field(ge=1)]
    """How many nanoseconds one unit of time is: 1,000 for runs of up to 71 minutes."""
    until_ns: Annotated[int, Field(ge=0)]
    """Up to when the run is known."""
    from_ns: NotRequired[int]
    """Only of an interval: where it begins. It ends at `until_ns`."""
    first: NotRequired[int]
    """Only of some machines: the first of them."""
    machines: NotRequired[int]
    """Only of some machines: how many they are."""
    left_out: Annotated[int, Field(ge=0)]
    """How many tasks of the interval are left out because there were too many."""
    thinned: bool
    """Whether the decision log was thinned, so that movements and earlier runs of stopped tasks are missing."""
    tasks: TrackTasks
    """The tasks, each with its last run."""
    spells: TrackSpells
    """The stretches in which tasks that lost their machine ran."""
    moves: TrackMoves
    """The decisions that are drawn as movements."""
    choices: NotRequired[TrackChoices]
    """Only of schedulers that score machines, and of runs of few machines."""
    copies: NotRequired[TrackCopies]
    """Only of schedulers whose keepers decide on copies of the whole state, and of short runs."""


@exact
class MomentProbe(TypedDict):
    """A probe that waits in the queue of a machine for one of a job's tasks."""

    machine: int
    """The number of the machine."""
    from_ns: Annotated[int, Field(ge=0)]
    """When it joined the queue, in nanoseconds of simulated time."""
    until_ns: int
    """When it left the queue, in nanoseconds of simulated time; -1 if it still stood there at the moment."""
    task: int
    """The task that it fetched; -1 for none."""


@exact
class Said(TypedDict):
    """A sentence as it can be said in another language."""

    template: str
    """English with places for the arguments, such as "Task {task} waited {time}."."""
    arguments: dict[str, str]
    """What stands for each place, by its name."""


@exact
class Moment(TypedDict):
    """An instructive moment of a run, chosen by a rule (`scheduler_core.run.instructive`)."""

    kind: str
    """The name of the rule that chose the moment."""
    label: str
    """What the moment is, for people."""
    t_ns: Annotated[int, Field(ge=0)]
    """The simulated time in nanoseconds."""
    task: int
    """The number of the task; -1 if the moment is about none."""
    machines: list[int]
    """The machines of the moment. The first is where it happens."""
    sentence: str
    """What happened and why."""
    since_ns: NotRequired[Annotated[int, Field(ge=0)]]
    """When the events began that led to the moment. Absent if they began when the task arrived."""
    tag: NotRequired[str]
    """What the task does, in a few words, to stand beside it on the map."""
    beside: NotRequired[int]
    """A second task, which waits, if the moment is about two."""
    beside_tag: NotRequired[str]
    """What the second task does, in a few words."""
    said: NotRequired[dict[str, list[Said]]]
    """What `sentence`, `tag` and `beside_tag` are made of, by the name of the field. Only recordings have it."""
    latest_ns: NotRequired[Annotated[int, Field(ge=0)]]
    """The latest start of the waiting task with which its job ends no later, by the job's plan."""
    probes: NotRequired[list[MomentProbe]]
    """All probes of the task's job, if the moment is about them."""


@exact
class Moments(TypedDict):
    """The most instructive moments of a run, in order of time. A recording keeps them as `moments.json`."""

    moments: list[Moment]
    """The moments, in order of time; may be empty."""
