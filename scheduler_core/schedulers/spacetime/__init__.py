"""Schedulers with utility expressions over space and time: Alsched for one instant, TetriSched planning ahead.

In each cycle, every group of waiting tasks states the value of starts on each set of machines and at each time. A
solver chooses the plan of the highest total value. Later starts are planned again before they take place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from scheduler_core.experiment.fields import refuse
from scheduler_core.experiment.options import options
from scheduler_core.schedulers.spacetime import reasons, signatures
from scheduler_core.world.reasons import FAULT, LOST_REASON
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, Params, SchedulerSpec, Series

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol

MOST_SLICES = 64


class CycleParams(Params):
    """Parameters of both: when cycles are."""

    interval_s: float = Field(
        4.0,
        ge=0.001,
        le=3600,
        title="Cycle interval",
        description="Time between two scheduling cycles. A cycle is skipped when no task waits or when its result "
        "would equal the previous one. Longer intervals decide on more tasks together and make them wait.",
        json_schema_extra={"unit": "s"},
    )


class ChoiceParams(Params):
    """Parameters of both: what there is to choose from, and what it is worth."""

    tasks: Literal["linear", "together"] = Field(
        "linear",
        title="Requests of a group",
        description="Number of similar tasks of one job that a request covers. Jobs that request machines for all "
        "tasks at once usually wait longer.",
        json_schema_extra=options(
            {
                "linear": ("Any number", "Machines for any number of the tasks; each task has its own value."),
                "together": (
                    "All at once",
                    "Machines for all tasks at once: as many as the group's machines hold, in waves.",
                ),
            }
        ),
    )
    fallback_value: float = Field(
        0.5,
        gt=0,
        le=1,
        title="Value without soft constraints",
        description="Value of a start on machines without a soft constraint, relative to a start with all of them. At "
        "higher values tasks accept such machines; at lower values they wait for better ones.",
    )
    aging_s: float = Field(
        60.0,
        ge=0,
        le=86_400,
        title="Aging time",
        description="Waiting time after which a job counts twice; after twice this time it counts three times. 0 turns "
        "aging off. Shorter times serve overtaken jobs sooner.",
        json_schema_extra={"unit": "s"},
    )
    weights: Literal["equal", "queue_share"] = Field(
        "equal",
        title="Weights",
        description="Decides how much a job is worth to the plan.",
        json_schema_extra=options(
            {
                "equal": ("Equal", "All jobs have the same value."),
                "queue_share": (
                    "Queue's share",
                    "A job's value is the share of its queue. Jobs of queues with large shares go first.",
                ),
            }
        ),
    )
    largest_wave: float = Field(
        1.0,
        gt=0,
        le=1,
        title="Largest wave",
        description="Largest fraction of its suitable machines that a group may request at once, if its tasks start "
        "together. More tasks run in waves. Smaller waves start sooner, but the group needs more of them.",
    )
    groups_per_cycle: int = Field(
        100,
        ge=1,
        le=1000,
        title="Groups in a cycle",
        description="Largest number of groups of similar tasks in one problem, oldest jobs first. If most of them "
        "start, the next groups follow in the same cycle; otherwise they wait for the next cycle. More groups make "
        "better plans and harder problems.",
    )
    solver_limit: float = Field(
        0.1,
        gt=0,
        le=10,
        title="Solver limit",
        description="Work after which the solver stops with the best plan found, in its own units: about seconds, but "
        "the same on every machine. A larger limit makes better plans in crowded cycles and slower runs.",
    )


class AlschedParams(ChoiceParams, CycleParams):
    """Parameters of Alsched."""


class PlanParams(CycleParams):
    """Parameters of TetriSched: how far it plans, and what time is worth."""

    plan_ahead_s: float = Field(
        96.0,
        gt=0,
        le=86_400,
        title="Plan ahead",
        description="Latest start that the plan considers, from now. Longer plans wait for better machines and give "
        "the solver more work.",
        json_schema_extra={"unit": "s"},
    )
    quantum_s: float = Field(
        8.0,
        gt=0,
        le=3600,
        title="Time slice",
        description="Length of a time slice of the plan. Starts and ends are rounded to slices, except immediate "
        "starts. Longer slices make smaller problems and coarser plans.",
        json_schema_extra={"unit": "s"},
    )
    half_value_s: float = Field(
        60.0,
        gt=0,
        le=86_400,
        title="Half-value time",
        description="Delay after which a finished task is worth half of one that finishes now. Shorter times make "
        "waiting more expensive and short tasks more urgent.",
        json_schema_extra={"unit": "s"},
    )


class TetriSchedParams(ChoiceParams, PlanParams):
    """Parameters of TetriSched."""

    first = ("plan_ahead_s", "quantum_s", "deadline_slack")

    fallback_value: float = Field(
        1.0,
        gt=0,
        le=1,
        title="Value without soft constraints",
        description="Value of a start on machines without a soft constraint, relative to a start with all of them that "
        "ends at the same time. A later end lowers the value further. At higher values tasks accept such machines; at "
        "lower values they wait for better ones.",
    )
    deadline_slack: float = Field(
        0.0,
        ge=0,
        le=1000,
        title="Deadline factor",
        description="Deadline of each job after its arrival, as a multiple of its shortest possible time. 0 means no "
        "deadlines. Tighter deadlines are missed more often.",
    )
    deadline_value: float = Field(
        10.0,
        ge=1,
        le=1000,
        title="Value before the deadline",
        description="Factor by which a task is worth more if it ends before its job's deadline. At higher factors, "
        "deadlines count more than short waits.",
    )

    @model_validator(mode="after")
    def _slices_are_few(self) -> TetriSchedParams:
        if self.quantum_s > self.plan_ahead_s or self.plan_ahead_s / self.quantum_s > MOST_SLICES:
            raise refuse(
                f"looks {self.plan_ahead_s:g} s ahead in slices of {self.quantum_s:g} s",
                f"1 to {MOST_SLICES} slices (plan_ahead_s divided by quantum_s)",
                "change one of the two",
            )
        return self


def _load() -> Protocol:
    from scheduler_core.schedulers.spacetime.protocol import SpaceProtocol

    return SpaceProtocol()


_COUNTERS = (
    Counter("cycles", "Cycles", "Times that the scheduler chose which tasks start."),
    Counter(
        "solves", "Solves", "Cycles that needed the solver. In the other cycles, every group got its preferred option."
    ),
    Counter(
        "solver_limits",
        "Solver limits",
        "Solves that reached their limit. They used the best plan so far, or groups in order of value.",
    ),
    Counter(
        "put_off", "Groups put off", "Groups that a cycle did not consider, because enough groups were ahead of them."
    ),
    Counter(
        "scattered",
        "Scattered tasks",
        "Planned starts that failed because the free capacity was spread over too many machines.",
    ),
    Counter("relaxed", "Relaxed", "Starts on machines that lack a soft constraint of the task: it runs longer."),
)
_PLAN_COUNTERS = (
    Counter("planned", "Planned ahead", "Groups with tasks planned for later, counted in every cycle."),
    Counter("late", "Deadlines missed", "Jobs that ended after their deadline."),
)
_SERIES = (Series("answer_value", "Value of the plan", "jobs"), Series("waiting_groups", "Groups waiting", "groups"))
_SUPPORTS = frozenset(
    {"constraints", "gangs", "interference", "soft_constraints", "dag", "pooled", "machine_faults", "share_changes"}
)

_QUEUE_NOTE = "Under {label}, shares count only if the parameter Weights is “Queue's share”."

ALSCHED = SchedulerSpec(
    name="alsched",
    signature=signatures.ALSCHED,
    label="Alsched",
    family="spacetime",
    queue_note=_QUEUE_NOTE,
    paper="alsched: algebraic scheduling of mixed workloads in heterogeneous clouds",
    summary="Jobs say what each choice of machines is worth to them; a solver chooses what is worth most now.",
    params=AlschedParams,
    supports=_SUPPORTS,
    load=_load,
    counters=_COUNTERS,
    layers=(LOAD_LAYER, OUTAGE_LAYER),
    marks=(FAULT,),
    by_resource=True,
    reasons=(*reasons.COMMON, *reasons.OF_ONE_INSTANT, LOST_REASON),
    series=_SERIES,
)
TETRISCHED = SchedulerSpec(
    name="tetrisched",
    signature=signatures.TETRISCHED,
    label="TetriSched",
    family="spacetime",
    queue_note=_QUEUE_NOTE,
    paper="TetriSched: global rescheduling with adaptive plan-ahead in dynamic heterogeneous clusters",
    summary="Jobs state what each choice of machines and start time is worth to them. At regular intervals (cycles), "
    "a solver plans starts for a fixed time ahead.",
    params=TetriSchedParams,
    supports=_SUPPORTS,
    load=_load,
    counters=_COUNTERS + _PLAN_COUNTERS,
    layers=(LOAD_LAYER, OUTAGE_LAYER),
    marks=(FAULT,),
    by_resource=True,
    reasons=(*reasons.COMMON, *reasons.OF_PLANS, LOST_REASON),
    series=(*_SERIES, Series("planned_groups", "Groups planned", "groups")),
)
