"""Single-queue schedulers: a filter and a score choose a machine for each task in turn.

Flow schedulers are compared with these: `random-queue`, Docker's Swarm, Kubernetes, and the published rules of Borg.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from scheduler_core.experiment.formerly import formerly
from scheduler_core.experiment.options import options
from scheduler_core.schedulers.queue import reasons
from scheduler_core.schedulers.queue.signatures import SIGNATURES
from scheduler_core.schedulers.queue.weights import points_of
from scheduler_core.schedulers.shared.pacing import NEAR_COUNTERS, PACE_COUNTERS, PaceParams
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, Params, Reason, SchedulerSpec, Series
from scheduler_core.world.work import Move, Scoring, Work

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol


class QueueParams(PaceParams):
    """Parameters of the random queue."""

    slots: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        title="Slots",
        description="Largest number of tasks that run on a machine at once. If not set, resources are the only limit. "
        "Fewer slots separate tasks and make them wait.",
    )
    decision_time: Literal["modelled", "none"] = Field(
        "modelled",
        title="Decision time",
        description="Simulated time of decisions. If decisions take time, tasks that arrive together queue for the "
        "scheduler.",
        json_schema_extra=options(
            {
                "modelled": ("Modeled", "The three costs below. They are modeled, not measured."),
                "none": ("None", "Decisions take no simulated time."),
            }
        ),
    )
    decision_us: float = Field(
        100.0,
        ge=0,
        le=60_000_000,
        title="Cost of a decision",
        description="Time of a decision about one task, for any number of machines. Larger values make more tasks "
        "queue for the scheduler.",
        json_schema_extra={"unit": "µs"},
    )
    filter_ns: float = Field(
        1000.0,
        ge=0,
        le=1e9,
        title="Cost of filtering a machine",
        description="Time to check that a machine has room for a task. Larger values make decisions long when few "
        "machines have room.",
        json_schema_extra={"unit": "ns"},
    )
    score_ns: float = Field(
        2000.0,
        ge=0,
        le=1e9,
        title="Cost of scoring a machine",
        description="Time to score a machine with room. Larger values make decisions long when many machines have "
        "room.",
        json_schema_extra={"unit": "ns"},
    )

    gang_wait_s: float | None = Field(
        None,
        ge=0,
        le=1_000_000,
        title="Longest wait of a gang",
        description="Longest time for which other tasks may overtake a gang that does not fit as a whole. After that, "
        "no task behind the gang starts until the gang does, while any task runs. If not set, others always go first, "
        "and a large gang may wait as long as tasks arrive. Shorter times make the other tasks wait longer.",
        json_schema_extra={"unit": "s"},
    )

    fixed: ClassVar[frozenset[str]] = PaceParams.fixed | {"slots"}


def _weight(default: float, title: str, says: str) -> Any:
    return Field(default, ge=0, le=1000, title=title, description=says)


def _preemption() -> Any:
    return Field(
        True,
        title="Preemption",
        description="Preempt tasks of lower priority when a task fits nowhere else. This shortens the waits of high "
        "priorities and loses work. Without priorities in the experiment, a queue's share is its priority.",
    )


class FifoParams(QueueParams):
    """Parameters of the central FIFO queue."""

    overtake: bool = Field(
        False,
        title="Overtaking",
        description="Let a task that fits overtake the tasks ahead of it that fit nowhere. If off, the task at the "
        "head of the queue holds up all others. Overtaking uses machines better and makes large tasks wait longer.",
    )


class SwarmParams(QueueParams):
    """Parameters of Swarm."""

    strategy: Literal["spread", "binpack", "random"] = Field(
        "spread",
        title="Placement strategy",
        description="Rule that chooses one of the machines with room for a task.",
        json_schema_extra=options(
            {
                "spread": ("Spread", "The least used machine. Leaves room on every machine."),
                "binpack": ("Bin packing", "The most used machine with room. Leaves whole machines free."),
                "random": ("Random", "Any machine with room."),
            }
        ),
    )


class KubernetesParams(QueueParams):
    """Parameters of Kubernetes (papers)."""

    preemption: bool = _preemption()
    percentage: float = Field(
        0.0,
        ge=0,
        le=100,
        title="Machines to score",
        description="Percentage of all machines. The search stops when it has found room on this percentage of them, "
        "and on at least 100 machines. 0 means 50 % minus 1 % per 125 machines, at least 5 %. Lower values make "
        "decisions shorter and choices poorer.",
        json_schema_extra={"unit": "%"},
    )
    least_allocated: float = _weight(
        1.0,
        "Weight of free resources",
        "Weight of the resources that stay free on the machine. Larger weights spread tasks out.",
    )
    balanced: float = _weight(
        1.0,
        "Weight of balance",
        "Weight of using all resources of a machine to the same degree, relative to the other weights.",
    )
    locality: float = _weight(
        1.0,
        "Weight of data locality",
        "Weight of the task's data: full on machines with the data, half in their racks. Larger weights read less "
        "over the network.",
    )
    spread: float = _weight(
        1.0,
        "Weight of spreading",
        "Weight of having few tasks of the same job on the machine. Larger weights place a job's tasks farther apart.",
    )
    affinity: float = _weight(
        1.0,
        "Weight of soft constraints",
        "Weight of the soft constraints that the machine offers. Larger weights meet more of them.",
    )


class BorgParams(QueueParams):
    """Parameters of the Borg-like scheduler."""

    preemption: bool = _preemption()
    production: float = Field(
        0.5,
        ge=0,
        le=1,
        title="Production share",
        description="Least share of a production queue. Tasks of production queues are never preempted for other "
        "tasks. "
        "A lower value protects more queues and preempts fewer tasks. Has no effect if the experiment has "
        "priorities.",
    )
    production_priority: int = Field(
        120,
        ge=0,
        le=1_000_000_000,
        title="Production priority",
        description="Least priority of a production task, if the experiment has priorities. Production tasks are "
        "never preempted for other tasks. A lower value protects more tasks and preempts fewer. 120 is where "
        "production begins in "
        "Google's 2019 trace.",
        json_schema_extra=formerly("0.2.0", 120),
    )
    strategy: Literal["hybrid", "best-fit", "e-pvm"] = Field(
        "hybrid",
        title="Placement strategy",
        description="Rule that chooses one of the machines with room for a task.",
        json_schema_extra=options(
            {
                "hybrid": (
                    "Hybrid",
                    "The machine left with the least stranded capacity: free resources that no task can use because "
                    "another resource is full. Spreads tasks that all need one resource.",
                ),
                "best-fit": ("Best fit", "The machine left with the least free resources. Packs tasks."),
                "e-pvm": ("E-PVM", "The machine whose cost grows least. Spreads tasks."),
            }
        ),
    )
    enough: int = Field(
        50,
        ge=1,
        le=1_000_000,
        title="Candidate limit",
        description="Number of machines with room after which the search stops; it starts at a random machine. More "
        "candidates make better choices and longer decisions.",
    )
    locality: float = _weight(
        0.0,
        "Weight of data locality",
        "Weight of the task's data: full on machines with the data, half in their racks. Larger weights read less "
        "over the network.",
    )
    affinity: float = _weight(
        1.0,
        "Weight of soft constraints",
        "Weight of the soft constraints that the machine offers. Larger weights meet more of them.",
    )


_COUNTERS = (
    Counter("decisions", "Decisions", "Searches for a machine."),
    Counter("in_vain", "Failed searches", "Searches that found no machine."),
)
_WORK = (
    Counter("late", "Expired decisions", "Decisions that were no longer possible when they took effect."),
    Counter("gangs", "Gangs", "Jobs whose tasks started together, as they must."),
    Counter("gangs_in_vain", "Failed gang starts", "Times that a gang did not find room for all its tasks at once."),
    Counter("machines_looked_at", "Machines checked", "Machines checked by all decisions together."),
    Counter("machines_scored", "Machines scored", "Checked machines that had room."),
    *PACE_COUNTERS,
    *NEAR_COUNTERS,
)
_STOPS = (Counter("preemptions", "Preemptions", "Running tasks that were preempted."),)
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


_QUEUE_NOTE = (
    "Under {label}, shares have no effect if the experiment has priorities. Without priorities, a queue's share is its "
    "priority."
)


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
    note: str = "",
    **always: Any,
) -> SchedulerSpec:
    stops = "preemption" in params.model_fields
    counters = _COUNTERS + (_STOPS if stops else ()) + _WORK
    scoring = Scoring("scored", partial(points_of, always)) if starts is reasons.BY_SCORE else None
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
        work=Work(moves={"late": Move("bounce", wrong=True)}, decision="choose", scoring=scoring),
        by_resource=True,
        note=note,
        reasons=(*reasons.COMMON, *starts, *(reasons.OF_PREEMPTION if stops else ())),
        marks=(*((reasons.PREEMPTION,) if stops else ()), FAULT),
        series=(Series("decision_ms", "Time of a decision", "ms"),),
    )


FIFO = _spec(
    "fifo",
    "FIFO",
    "Reference architecture",
    "One queue for the whole datacenter, first come, first served. Each task goes to the first machine with room. "
    "Nothing is preempted.",
    FifoParams,
    reasons.IN_ORDER,
    wanted=1,
    reason=reasons.FIRST_FIT,
)
RANDOM = _spec(
    "random-queue",
    "Random queue",
    "Sirius",
    "First come, first served. Each task goes to a random machine with room.",
    QueueParams,
    reasons.BY_CHANCE,
    chance=1.0,
    reason=reasons.DRAWN,
)
SWARM = _spec(
    "swarm",
    "Swarm",
    "Docker Swarm",
    "First come, first served. Each task goes to the least used, the most used, or a random machine with room.",
    SwarmParams,
    (*reasons.BY_CHANCE, *reasons.BY_USE),
    soft=1000.0,
)
KUBERNETES = _spec(
    "kubernetes-papers",
    "Kubernetes (papers)",
    "Kubernetes",
    "Kubernetes as papers simulate it, after its manual: important tasks go first, machines with room get scores, and "
    "less important tasks can be preempted.",
    KubernetesParams,
    reasons.BY_SCORE,
    note="This is the scheduler that had the name 'kubernetes' before version 0.2.0; 'kubernetes' is kube-scheduler "
    "now, exactly.",
    by_priority=1,
    visits="rotating",
    reason=reasons.SCORED,
)
BORG = _spec(
    "borg-like",
    "Borg-like",
    "Large-scale cluster management at Google with Borg",
    "Tasks go by priority, and queues take turns. A limited number of machines with "
    "room get scores. Production tasks are never preempted.",
    BorgParams,
    reasons.BY_SCORE,
    by_priority=1,
    in_turns=1,
    visits="drawn",
    reason=reasons.SCORED,
)

__all__ = ["BORG", "FIFO", "KUBERNETES", "RANDOM", "SWARM"]
