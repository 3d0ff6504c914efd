"""How a scheduler's workload is drawn: where tasks wait, in which order, and which decisions are movements.

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
    """A segment of a task's wait: which part of its delay is spent where, and what fraction of that part."""

    part: WaitPart
    place: WaitPlace
    fraction: float = 1.0


@dataclass(frozen=True)
class Move:
    """What a decision looks like: something leaves `frm`, goes to `to` and perhaps comes back.

    `wrong` movements are drawn in the color of what went wrong. `worked` names the field of the row that holds how long
    the stopped task had run, in ns; empty where the row does not tell. `other` names the field with the number of the
    task on the other side: who had taken the machine, or for whom the task was stopped.
    """

    role: MoveRole
    frm: MoveEnd = "keeper"
    to: MoveEnd = "machine"
    wrong: bool = False
    worked: str = ""
    other: str = ""


@dataclass(frozen=True)
class Keeper:
    """Who keeps tasks before a machine is chosen.

    `role` says what the keepers' numbers are. Of a `scheduler` or a `group`, the field `to` of any decision in
    `told_by` (names of reasons) is the number of the task's keeper.
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
"""What the engine's usual marks look like, where a scheduler declares nothing else for the reason."""


@dataclass(frozen=True)
class Refresh:
    """When keepers receive the state of each cluster on its own clock: first at `first_ns`, then every `period_ns`."""

    period_ns: int
    first_ns: tuple[int, ...]


@dataclass(frozen=True)
class Room:
    """What machines are to one task.

    The part of each resource that would stay free, NaN where a machine has none; how many tasks of the same job run
    there; 1 where the task's data lie, 0.5 in their racks, else 0.
    """

    left: npt.NDArray[np.float64]
    siblings: npt.NDArray[np.int64]
    near: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Scoring:
    """How a machine with room is scored, for a picture of it.

    In a row with the reason of this name, x is the number of machines with room and y the best score, in tenths of a
    point of 100. `points(params, room)` returns the points of each machine by what they are for, in a few words; their
    sum is the score, 0 to 100. It returns None if the score depends on more.
    """

    reason: str
    points: Callable[[Mapping[str, Any], Room], Mapping[str, npt.NDArray[np.float64]] | None]


@dataclass(frozen=True)
class Work:
    """Where a scheduler's tasks wait and how they reach their machines. `legs` fill the time from arrival to start."""

    keeper: Keeper = QUEUES
    legs: tuple[Leg, ...] = SENT_TO_MACHINE
    moves: Mapping[str, Move] = field(default_factory=dict)
    """Movements by the names of reasons, besides what the reasons' marks say."""
    decision: DecisionRole = ""
    scoring: Scoring | None = None
    put_off: str = ""
    """The name of the reason by which a task waits since its job gave its share away; empty if jobs give nothing."""
    long_above: str = ""
    """The parameter, in seconds, above whose value a job's mean task duration makes the job a long one."""
    refresh: Callable[[Experiment], Refresh | None] | None = None
    """When keepers hear of clusters, where each keeps a copy of their state; None where that is not regular."""

    def move_of(self, reason: Reason) -> Move | None:
        """Return the movement that a reason's decisions are; None if they are none."""
        return self.moves.get(reason.name) or MARKED.get(reason.mark or "")

    copies: Callable[[Any], npt.NDArray[np.int64]] | None = None
    """Return from a scheduler's state when each keeper last copied the whole state, in ns; None if they have none."""
    gate: str = ""
    """What checks every request for a machine of a cluster and starts its tasks; empty if nothing stands there."""

    @property
    def at_workers(self) -> bool:
        """True if tasks wait in queues at machines."""
        return any(leg.place == "worker" for leg in self.legs)
