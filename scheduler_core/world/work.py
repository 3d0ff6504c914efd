"""The picture of a scheduler's work: where tasks wait, in which order, and which decisions are movements.

A scheduler without a declaration gets `Work()`: tasks arrive, wait in one queue, travel to their machine and run.
Decisions whose reason has a known mark are movements without a declaration (`MARKED`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scheduler_core.contract.track import DecisionRole, KeeperRole, MoveEnd, MoveRole, WaitPart, WaitPlace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    import numpy.typing as npt

    from scheduler_core.experiment import Experiment
    from scheduler_core.world.spec import Reason


@dataclass(frozen=True)
class Leg:
    """A segment of a task's wait: the delay component, the place where it is spent, and the fraction spent there."""

    part: WaitPart
    place: WaitPlace
    fraction: float = 1.0


@dataclass(frozen=True)
class Move:
    """The picture of a decision: a task or request moves from `frm` to `to` and may come back.

    `wrong` movements have the color of failures. `worked` names the row's field with the run time of the stopped task
    in ns; empty if there is none. `other` names the field with the number of the other task involved: the task that had
    taken the machine, or the task that took this one's place.
    """

    role: MoveRole
    frm: MoveEnd = "keeper"
    to: MoveEnd = "machine"
    wrong: bool = False
    worked: str = ""
    other: str = ""


@dataclass(frozen=True)
class Keeper:
    """The part that holds tasks before the choice of a machine: a queue, a scheduler, a group or a master.

    `role` gives the meaning of the keepers' numbers. For a `scheduler` or a `group`, the field `to` of every decision
    with a reason in `told_by` is the number of the task's keeper.
    """

    role: KeeperRole
    label: str
    help: str
    told_by: tuple[str, ...] = ()
    for_job: bool = False
    """Whether one such decision holds for all tasks of its job."""
    central: str = ""
    """The name of the one scheduler that places the tasks of long jobs (`Work.long_above`); empty if there is none."""
    central_help: str = ""
    two_queues: tuple[str, str] | None = None
    """The names of the reasons by which tasks start from a keeper's queue of short tasks, and from that of long ones; x
    is for how long a task waited there in ns, y the number of tasks in the queue. None without two such queues."""
    reserved: str = ""
    """The name of the reason by which a short task starts on a machine reserved for short tasks; x and y as above."""
    placed_by: str = ""
    """The name of the reason by which that scheduler places a task."""


QUEUES = Keeper("queue", "Queue", "Tasks wait here until the scheduler finds a machine for them.")
IN_QUEUE = (Leg("framework", "queue"), Leg("processing", "queue"))
SENT_TO_MACHINE = (*IN_QUEUE, Leg("communication", "way"), Leg("worker", "worker"))

MARKED: dict[str, Move] = {
    "refusal": Move("bounce", wrong=True),
    "conflict": Move("bounce", wrong=True, other="x"),
    "preemption": Move("throw", "machine", "keeper"),
    "fault": Move("throw", "machine", "keeper", wrong=True, worked="x"),
    "repartition": Move("borrow", "keeper_frm", "keeper_to"),
    "overtaking": Move("overtake", "", "machine"),
    "reorder": Move("overtake", "", "machine"),
    "shed": Move("shed", "machine", "keeper"),
    "bounce": Move("bounce", wrong=True),
}
"""The movements of the engine's common marks, used if a scheduler declares no other for the reason."""


@dataclass(frozen=True)
class Refresh:
    """When keepers receive the state of each cluster, in ns: first at `first_ns[cluster]`, then every `period_ns`."""

    period_ns: int
    first_ns: tuple[int, ...]


@dataclass(frozen=True)
class Room:
    """The state of all machines from one task's view.

    `left` (machines, resources) is the fraction of each resource that would stay free, NaN if the machine has none of
    it. `siblings` counts the running tasks of the same job. `near` is 1 on machines with the task's data, 0.5 in the
    same racks, otherwise 0.
    """

    left: npt.NDArray[np.float64]
    siblings: npt.NDArray[np.int64]
    near: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Scoring:
    """The scores of machines with room, for a picture of the comparison.

    In a decision row with this reason, x is the number of machines with room and y is the best score in tenths (0 to
    1,000). `points(params, room)` returns the points of every machine by criterion (a few words); their sum is the
    score, 0 to 100. It returns None if the score depends on other inputs.
    """

    reason: str
    points: Callable[[Mapping[str, Any], Room], Mapping[str, npt.NDArray[np.float64]] | None]


@dataclass(frozen=True)
class Work:
    """Where a scheduler's tasks wait and how they reach their machines. `legs` fill the time from arrival to start."""

    keeper: Keeper = QUEUES
    legs: tuple[Leg, ...] = SENT_TO_MACHINE
    moves: Mapping[str, Move] = field(default_factory=dict)
    """Movements by the name of the reason; they override the movements of the reasons' marks."""
    decision: DecisionRole = ""
    scoring: Scoring | None = None
    put_off: str = ""
    """The name of the reason for waiting because the job gave its share away; empty if jobs give nothing away."""
    beside_data: str = ""
    """The name of the reason by which a task starts where its data are; x is for how long, in ns, its job let others go
    first. Empty if jobs do not wait for data."""
    at_data: str = ""
    near_data: str = ""
    """The names of the reasons by which a solver's task starts on a machine with its data, or in a rack with them."""
    among_jobs: bool = False
    """Whether the scheduler compares jobs before it chooses a task."""
    long_above: str = ""
    """The parameter (s) that separates long jobs: a job is long if its mean task duration is above this value."""
    refresh: Callable[[Experiment], Refresh | None] | None = None
    """Returns when keepers receive the state of clusters, if each keeps a copy; None if that is not periodic."""

    def move_of(self, reason: Reason) -> Move | None:
        """Return the movement that a reason's decisions are; None if they are none."""
        return self.moves.get(reason.name) or MARKED.get(reason.mark or "")

    copies: Callable[[Any], npt.NDArray[np.int64]] | None = None
    """Returns, from a scheduler's state, when each keeper last copied the whole cell (ns); None without copies."""
    gate: str = ""
    """The part that checks every request for a machine of a cluster and starts its tasks; empty without one."""

    @property
    def at_workers(self) -> bool:
        """True if tasks wait in queues at machines."""
        return any(leg.place == "worker" for leg in self.legs)
