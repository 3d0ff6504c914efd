"""Schedulers with one queue: each task in turn goes to a machine that a filter leaves and a score prefers.

What flow schedulers are compared with: `random-queue`, Docker's Swarm, Kubernetes, and what is known of Borg.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from scheduler_core.experiment.formerly import formerly
from scheduler_core.schedulers.queue import reasons
from scheduler_core.schedulers.queue.signatures import SIGNATURES
from scheduler_core.schedulers.shared.pacing import NEAR_COUNTERS, PACE_COUNTERS, PaceParams
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, Params, Reason, SchedulerSpec, Series
from scheduler_core.world.work import Move, Work

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol


class QueueParams(PaceParams):
    """Parameters of the random queue."""

    slots: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        title="Slots",
        description="Most tasks that run on a machine at once. Absent: as many as its resources hold. Fewer slots keep "
        "tasks apart and make them wait.",
    )
    decision_time: Literal["modelled", "none"] = Field(
        "modelled",
        title="Decisions' time",
        description="Whether a decision takes simulated time, by the three numbers below. Modelled, not measured. "
        "Where decisions take time, tasks that come together queue for the scheduler.",
    )
    decision_us: float = Field(
        100.0,
        ge=0,
        le=60_000_000,
        title="Each decision",
        description="What a decision on one task takes, however many machines there are. The longer, the more tasks "
        "queue for the scheduler.",
        json_schema_extra={"unit": "µs"},
    )
    filter_ns: float = Field(
        1000.0,
        ge=0,
        le=1e9,
        title="Each machine looked at",
        description="What it takes to see whether a machine has room for a task. It makes decisions long where few "
        "machines have room.",
        json_schema_extra={"unit": "ns"},
    )
    score_ns: float = Field(
        2000.0,
        ge=0,
        le=1e9,
        title="Each machine scored",
        description="What it takes to score a machine that has room. It makes decisions long where many machines have "
        "room.",
        json_schema_extra={"unit": "ns"},
    )

    gang_wait_s: float | None = Field(
        None,
        ge=0,
        le=1_000_000,
        title="Patience of gangs",
        description="How long others may go before a gang that finds no room for all its tasks. After that nothing "
        "behind it starts until it does, while anything runs. Absent: others always go first, and a large gang may "
        "wait for as long as others come. The shorter, the longer the others wait.",
        json_schema_extra={"unit": "s"},
    )

    fixed: ClassVar[frozenset[str]] = PaceParams.fixed | {"slots"}


def _weight(default: float, title: str, says: str) -> Any:
    return Field(default, ge=0, le=1000, title=title, description=says)


def _preemption() -> Any:
    return Field(
        True,
        title="Preemption",
        description="Whether tasks of lower priority are stopped where nothing else makes room. It shortens the waits "
        "of high priorities and loses work. Without priorities in the experiment a queue's share is its priority.",
    )


class SwarmParams(QueueParams):
    """Parameters of Swarm."""

    strategy: Literal["spread", "binpack", "random"] = Field(
        "spread",
        title="Strategy",
        description="Whether the machine that is used least is chosen, the one that is used most, or any. Spreading "
        "leaves room everywhere, packing leaves whole machines free.",
    )


class KubernetesParams(QueueParams):
    """Parameters of Kubernetes."""

    preemption: bool = _preemption()
    percentage: float = Field(
        0.0,
        ge=0,
        le=100,
        title="Machines to score",
        description="Once this part of all machines, and at least 100, have room, no more are looked at. With 0 the "
        "part is 50 % less 1 % for each 125 machines, at least 5 %. Lower, decisions are shorter and choices poorer.",
        json_schema_extra={"unit": "%"},
    )
    least_allocated: float = _weight(
        1.0,
        "Weight of what is left",
        "Of what would be left of the machine's resources. Higher, tasks spread out.",
    )
    balanced: float = _weight(
        1.0,
        "Weight of balance",
        "Of resources being in use to like parts, against the other weights.",
    )
    locality: float = _weight(
        1.0,
        "Weight of data",
        "Of the task's data: all of it on their machines, half in their racks. Higher, less is read over the network.",
    )
    spread: float = _weight(
        1.0,
        "Weight of spreading",
        "Of few tasks of the same job running there. Higher, a job's tasks lie farther apart.",
    )
    affinity: float = _weight(
        1.0,
        "Weight of wishes",
        "Of the soft constraints that the machine offers. Higher, more of them are met.",
    )


class BorgParams(QueueParams):
    """Parameters of the Borg-like scheduler."""

    preemption: bool = _preemption()
    production: float = Field(
        0.5,
        ge=0,
        le=1,
        title="Production",
        description="Queues with at least this share are production: none of their tasks is ever stopped for another. "
        "Lower, more queues are safe, and fewer tasks are stopped. Without effect where the experiment has priorities.",
    )
    production_priority: int = Field(
        120,
        ge=0,
        le=1_000_000_000,
        title="Production priority",
        description="Tasks with at least this priority are production, where the experiment has priorities: none of "
        "them is ever stopped for another. Lower, more tasks are safe, and fewer are stopped. 120 is where production "
        "begins in Google's 2019 trace.",
        json_schema_extra=formerly("0.2.0", 120),
    )
    strategy: Literal["hybrid", "best-fit", "e-pvm"] = Field(
        "hybrid",
        title="Strategy",
        description="Whether the machine is chosen that is left with least of one resource that lacks another, with "
        "least at all, or whose cost grows least. The first spreads tasks that all lean to one resource, the second "
        "packs, the last spreads.",
    )
    enough: int = Field(
        50,
        ge=1,
        le=1_000_000,
        title="Enough machines",
        description="No more machines are looked at, beginning anywhere, when so many have room. More make better "
        "choices and longer decisions.",
    )
    locality: float = _weight(
        0.0,
        "Weight of data",
        "Of the task's data: all of it on their machines, half in their racks. Higher, less is read over the network.",
    )
    affinity: float = _weight(
        1.0,
        "Weight of wishes",
        "Of the soft constraints that the machine offers. Higher, more of them are met.",
    )


_COUNTERS = (
    Counter("decisions", "Decisions", "Times that a machine was looked for."),
    Counter("in_vain", "In vain", "Of these, those that found none."),
)
_WORK = (
    Counter("late", "Too late", "Decisions that could not be carried out any more when they were made."),
    Counter("gangs", "Gangs", "Jobs whose tasks had to start together and did."),
    Counter("gangs_in_vain", "Gangs in vain", "Times that not all tasks of a gang found room at once."),
    Counter("machines_looked_at", "Machines looked at", "By all decisions together."),
    Counter("machines_scored", "Machines scored", "Of these, those that had room."),
    *PACE_COUNTERS,
    *NEAR_COUNTERS,
)
_STOPS = (Counter("preemptions", "Preemptions", "Tasks that had begun and were stopped."),)
_SUPPORTS = frozenset(
    {
        "constraints",
        "gangs",
        "interference",
        "machine_faults",
        "parameter_changes",
        "rack_rules",
        "share_changes",
        "soft_constraints",
    }
)


_QUEUE_NOTE = "Under {label}, a queue's share is its priority where the experiment has no priorities."


def _load(always: dict[str, Any], counters: tuple[str, ...]) -> Protocol:
    from scheduler_core.schedulers.queue.protocol import QueueProtocol

    return QueueProtocol(always, counters)


def _spec(
    name: str,
    label: str,
    paper: str,
    summary: str,
    params: type[Params],
    starts: tuple[Reason, ...],
    **always: Any,
) -> SchedulerSpec:
    stops = "preemption" in params.model_fields
    counters = _COUNTERS + (_STOPS if stops else ()) + _WORK
    return SchedulerSpec(
        name=name,
        signature=SIGNATURES[name],
        label=label,
        family="queue",
        paced=True,
        queue_note=_QUEUE_NOTE if stops else SchedulerSpec.queue_note,
        paper=paper,
        summary=summary,
        params=params,
        supports=_SUPPORTS | ({"priorities"} if stops else set()),
        load=partial(_load, always, tuple(one.name for one in counters)),
        counters=counters,
        layers=(LOAD_LAYER, OUTAGE_LAYER),
        work=Work(moves={"late": Move("bounce", wrong=True)}, decision="choose"),
        by_resource=True,
        reasons=(*reasons.COMMON, *starts, *(reasons.OF_PREEMPTION if stops else ())),
        marks=(*((reasons.PREEMPTION,) if stops else ()), FAULT),
        series=(Series("decision_ms", "Time of a decision", "ms"),),
    )


RANDOM = _spec(
    "random-queue",
    "Random queue",
    "Sirius",
    "First come, first served: each task goes to a machine drawn among those with room.",
    QueueParams,
    reasons.BY_CHANCE,
    chance=1.0,
    reason=reasons.DRAWN,
)
SWARM = _spec(
    "swarm",
    "Swarm",
    "Docker Swarm",
    "First come, first served: of the machines with room the emptiest, the fullest, or any.",
    SwarmParams,
    (*reasons.BY_CHANCE, *reasons.BY_USE),
    soft=1000.0,
)
KUBERNETES = _spec(
    "kubernetes",
    "Kubernetes",
    "Kubernetes",
    "By priority, then in order: filter some machines, score them by weights; stop tasks of less where none is left.",
    KubernetesParams,
    reasons.BY_SCORE,
    by_priority=1,
    visits="rotating",
    reason=reasons.SCORED,
)
BORG = _spec(
    "borg-like",
    "Borg-like",
    "Large-scale cluster management at Google with Borg",
    "By priority and in turns of queues: enough machines with room from anywhere, scored; production stays.",
    BorgParams,
    reasons.BY_SCORE,
    by_priority=1,
    in_turns=1,
    visits="drawn",
    reason=reasons.SCORED,
)

__all__ = ["BORG", "KUBERNETES", "RANDOM", "SWARM"]
