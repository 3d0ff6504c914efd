"""Schedulers that choose among utility expressions over space and time: Alsched for an instant, TetriSched ahead.

At the instants of a cycle every group of waiting tasks says what it is worth to start on which machines and when; a
solver chooses what is worth most in all. What starts later is planned anew before it starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from scheduler_core.experiment.fields import refuse
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
        title="Interval",
        description="Time between two cycles. A cycle in which nothing waits, or which would come to the same as the "
        "one before, is left out. Longer ones decide on more tasks together and let them wait.",
        json_schema_extra={"unit": "s"},
    )


class ChoiceParams(Params):
    """Parameters of both: what there is to choose from, and what it is worth."""

    tasks: Literal["linear", "together"] = Field(
        "linear",
        title="Tasks of a group",
        description="What alike tasks of one job ask for: machines for any number of them, each worth its part, or for "
        "all of them at once (as many as its machines hold, in waves). All at once usually waits longer.",
    )
    fallback_value: float = Field(
        0.5,
        gt=0,
        le=1,
        title="Value without wishes",
        description="What a start on machines that lack a soft constraint is worth beside one that has all of them. "
        "Higher, tasks settle for machines that lack it; lower, they wait for those that have it.",
    )
    aging_s: float = Field(
        60.0,
        ge=0,
        le=86_400,
        title="Aging",
        description="After waiting so long a job counts twice, after as long again three times. 0: waiting counts "
        "nothing. The shorter, the sooner jobs get their turn that others went past.",
        json_schema_extra={"unit": "s"},
    )
    weights: Literal["equal", "queue_share"] = Field(
        "equal",
        title="Weights",
        description="Whether all jobs are worth the same, or each as much as the share of its queue. By share, jobs of "
        "queues with large shares go first.",
    )
    largest_wave: float = Field(
        1.0,
        gt=0,
        le=1,
        title="Largest wave",
        description="The part of the machines that it could use which a group may ask for at once, where tasks start "
        "together; more tasks run in waves. Smaller waves start sooner and need more turns.",
    )
    groups_per_cycle: int = Field(
        100,
        ge=1,
        le=1000,
        title="Groups in a cycle",
        description="How many groups of alike tasks the solver is given at most, those of jobs that arrived first. "
        "Where most of them start, the next ones have their turn in the same cycle; else they are put off. More groups "
        "make better plans and harder problems.",
    )
    solver_limit: float = Field(
        0.1,
        gt=0,
        le=10,
        title="Solver limit",
        description="When the solver has to stop with the best that it has found, in its own units of work: about "
        "seconds, but the same on every machine. More makes better plans of crowded cycles and slower runs.",
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
        description="How far the plan looks ahead: the latest start that is considered. Looking farther waits for "
        "better machines and gives the solver more to do.",
        json_schema_extra={"unit": "s"},
    )
    quantum_s: float = Field(
        8.0,
        gt=0,
        le=3600,
        title="Quantum",
        description="Length of a slice of the plan: starts and ends are rounded to slices, except starts now. Longer "
        "slices make smaller problems and coarser plans.",
        json_schema_extra={"unit": "s"},
    )
    half_value_s: float = Field(
        60.0,
        gt=0,
        le=86_400,
        title="Half value",
        description="A task that is done so long from now is worth half of one that is done at once; less time makes "
        "waiting dearer and short tasks more urgent.",
        json_schema_extra={"unit": "s"},
    )


class TetriSchedParams(ChoiceParams, PlanParams):
    """Parameters of TetriSched."""

    first = ("plan_ahead_s", "quantum_s", "deadline_slack")

    fallback_value: float = Field(
        1.0,
        gt=0,
        le=1,
        title="Value without wishes",
        description="What a start on machines that lack a soft constraint is worth beside one that has all of them and "
        "ends at the same time; that it ends later counts besides. Higher, tasks settle for machines that lack it; "
        "lower, they wait for those that have it.",
    )
    deadline_slack: float = Field(
        0.0,
        ge=0,
        le=1000,
        title="Deadline",
        description="Each job is to end within so many times the time that it takes at least, after its arrival. 0: no "
        "deadlines. Tighter deadlines are missed more often.",
    )
    deadline_value: float = Field(
        10.0,
        ge=1,
        le=1000,
        title="Value in time",
        description="How many times as much a task is worth that ends before the deadline of its job. Higher, "
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
    Counter("cycles", "Cycles", "Times that the scheduler chose among what could start."),
    Counter("solves", "Solves", "Cycles that needed the solver; in others all had what is worth most to them."),
    Counter(
        "solver_limits",
        "Solver limits",
        "Solves that came to their limit; the best answer until then was used, or groups in order of value.",
    ),
    Counter("put_off", "Groups put off", "Groups that a cycle did not consider, because enough came before them."),
    Counter(
        "scattered", "Scattered tasks", "Tasks that the answer gave free amounts to which lay on too many machines."
    ),
    Counter("relaxed", "Relaxed", "Starts on machines that lack a soft constraint of the task: it runs longer."),
)
_PLAN_COUNTERS = (
    Counter("planned", "Planned ahead", "Groups of which a cycle's answer planned tasks for later, cycle by cycle."),
    Counter("late", "Deadlines missed", "Jobs that ended after their deadline."),
)
_SERIES = (Series("answer_value", "Value of the answer", "jobs"), Series("waiting_groups", "Groups waiting", "groups"))
_SUPPORTS = frozenset(
    {"constraints", "interference", "soft_constraints", "dag", "pooled", "machine_faults", "share_changes"}
)

_QUEUE_NOTE = "Under {label}, shares count only if its weights are those of queues."

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
    summary="Jobs say what each choice of machines and start is worth to them; a solver plans a window ahead, anew in "
    "every cycle.",
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
