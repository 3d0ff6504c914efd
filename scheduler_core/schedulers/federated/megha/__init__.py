"""Megha: federated scheduling on an eventually consistent global view.

Global Masters (GMs) match tasks against their own, possibly stale, view of all machines. Each Local Master (LM) knows
the truth of its cluster and verifies every request. GM j owns partition j of every cluster; a GM whose own partitions
are full borrows a machine of another GM's partition for one task (a repartition).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, model_validator

from scheduler_core.world.spec import (
    LOAD_LAYER,
    OUTAGE_LAYER,
    Counter,
    Layer,
    Mark,
    Params,
    Reason,
    SchedulerSpec,
    Series,
)

if TYPE_CHECKING:
    from scheduler_core.experiment import Experiment
    from scheduler_core.workload import Workload
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol

# Reason codes that the kernel writes into the decision log.
MATCHED = 1
LENT = 2
REFUSED_INTERNAL = 3
REFUSED_EXTERNAL = 4
WAITING = 5
UNSCHEDULABLE = 6
PREEMPTED = 7
MADE_ROOM = 8
NO_ROOM_MADE = 9
RELAUNCHED = 10
RETURNED_TO_QUEUE = 11
RELAXED = 12


_CALIBRATED = "calibrated once against the paper's Figure 7, see docs/agreement.md"


class MeghaParams(Params):
    """Parameters of Megha."""

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Whose rules are followed: the paper's, or those of its authors' public simulator. There a machine "
        "holds one task, matches cost nothing, durations are whole seconds, and the heartbeat is 30 s unless given.",
    )
    heartbeat_s: float = Field(
        10.0,
        gt=0,
        le=86_400,
        title="Heartbeat",
        description="How often each Local Master sends its state to every Global Master. "
        "Longer heartbeats save messages and make views staler: waits usually lengthen a little; with `fairness` fewer "
        "tasks are stopped, and waits may even shrink.",
        json_schema_extra={"unit": "s"},
    )
    match_us: float = Field(
        40.0,
        ge=0,
        le=1e6,
        title="Cost of a match",
        description="Time a Global Master spends on one match, before the machines it scans. "
        "Dearer matches make tasks of large jobs queue at their Global Master.",
        json_schema_extra={"unit": "µs", "evidence": _CALIBRATED},
    )
    scan_ns: float = Field(
        5.0,
        ge=0,
        le=1e6,
        title="Cost of scanning a machine",
        description="Time a Global Master spends on each machine that a search passes over. Dearer scans slow down "
        "searches when few machines are free.",
        json_schema_extra={"unit": "ns", "evidence": _CALIBRATED},
    )
    fairness: bool = Field(
        True,
        title="Preempt for fairness",
        description="Whether a queue below its share may take machines from queues above theirs when none is free. "
        "Tasks that are stopped lose their work and wait again.",
    )
    request_us: float = Field(
        50.0,
        ge=0,
        le=1e6,
        title="Cost of a message to a Local Master",
        description="Time a Local Master spends on a request or on the end of a task, before the state it sends back. "
        "Dearer requests make a Local Master with many of them answer late.",
        json_schema_extra={"unit": "µs", "evidence": _CALIBRATED},
    )
    send_ns: float = Field(
        4000.0,
        ge=0,
        le=1e6,
        title="Cost of sending a machine's state",
        description="Time a Local Master spends on each machine of its cluster in every message that it sends. "
        "It makes large clusters slow to answer.",
        json_schema_extra={"unit": "ns", "evidence": _CALIBRATED},
    )
    update_us: float = Field(
        5.0,
        ge=0,
        le=1e6,
        title="Cost of a message to a Global Master",
        description="Time a Global Master spends on each message of a Local Master, before the state in it. With many "
        "clusters or short heartbeats it holds up matches.",
        json_schema_extra={"unit": "µs", "evidence": _CALIBRATED},
    )
    apply_ns: float = Field(
        10.0,
        ge=0,
        le=1e6,
        title="Cost of reading a machine's state",
        description="Time a Global Master spends on each machine in every state that it receives. With many machines "
        "or short heartbeats it holds up matches.",
        json_schema_extra={"unit": "ns", "evidence": _CALIBRATED},
    )
    standby_s: float = Field(
        5.0,
        ge=0,
        le=86_400,
        title="Standby takes over after",
        description="How long after the failure of a Local Master its standby takes over; until then its cluster "
        "answers nobody.",
        json_schema_extra={"unit": "s", "evidence": "assumed; the paper gives no time"},
    )

    @model_validator(mode="before")
    @classmethod
    def _heartbeat_of_the_profile(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("profile") == "public-simulator":
            return {"heartbeat_s": 30.0} | data
        return data


def _load() -> Protocol:
    from scheduler_core.schedulers.federated.megha.public_protocol import MeghaByProfile

    return MeghaByProfile()


def _board() -> Board:
    from scheduler_core.schedulers.federated.megha.board import BOARD

    return BOARD


def _reads(experiment: Experiment, workload: Workload) -> Workload:
    from scheduler_core.workload.public_reading import as_public_simulators_read

    public = experiment.scheduler.params.get("profile") == "public-simulator"
    return as_public_simulators_read(workload) if public else workload


SPEC = SchedulerSpec(
    name="megha",
    label="Megha",
    family="federated",
    paper="Megha: decentralised global fair scheduling for federated clusters",
    summary="Global Masters match on a stale view of everything; Local Masters verify against the truth.",
    params=MeghaParams,
    partitioned=True,
    supports=frozenset(
        {"constraints", "soft_constraints", "machine_faults", "master_faults", "share_changes", "parameter_changes"}
    ),
    supports_under={"public-simulator": frozenset({"constraints"})},
    load=_load,
    board=_board,
    reads=_reads,
    counters=(
        Counter("repartitions", "Repartitions", "Machines lent by one Global Master's partition to another's task."),
        Counter(
            "inconsistencies_internal",
            "Refused, own partition",
            "Stale requests for the Global Master's own partition that a Local Master refused.",
        ),
        Counter(
            "inconsistencies_external",
            "Refused, borrowed",
            "Stale requests for another Global Master's partition that a Local Master refused.",
        ),
        Counter("preemptions", "Preemptions", "Tasks stopped for a queue that was below its share."),
        Counter(
            "preemption_attempts",
            "Preemption attempts",
            "Requests to make room that Global Masters sent; a Local Master refuses those that came too late.",
        ),
        Counter("relaunches", "Relaunches", "Tasks that a Local Master launched again after their machine failed."),
        Counter("heartbeats", "Heartbeats", "State messages that Local Masters sent on their own clock."),
        Counter("matches", "Matches", "Searches of a view that found a machine."),
        Counter("failed_matches", "Searches in vain", "Searches of a view that found no machine."),
        Counter(
            "relaxed",
            "Soft constraints relaxed",
            "Launches on machines that lack a soft constraint of the task, which runs longer there.",
        ),
    ),
    layers=(
        Layer("owner", "Owner", "category", "The Global Master whose partition the machine is in.", fixed=True),
        LOAD_LAYER,
        Layer("lent", "Lent", "level", "Share of the machine that tasks of other Global Masters hold."),
        Layer("borrower", "Borrower", "category", "The Global Master that borrowed here last and still holds a share."),
        OUTAGE_LAYER,
    ),
    marks=(
        Mark("refusal", "Stale request refused", "A Local Master refused a request made on an outdated view."),
        Mark("repartition", "Machine lent", "A machine was lent to another Global Master for one task."),
        Mark("preemption", "Task preempted", "A task was stopped for a queue that was below its share."),
        Mark("fault", "Task lost its machine", "A machine failed under a task."),
    ),
    reasons=(
        Reason(
            MATCHED,
            "matched",
            "GM {to} matched it to machine {machine} in its own partition of {cluster}, after passing {x} machines.",
            ("to", "machine", "cluster", "x"),
            edits=("scheduler.params.match_us",),
        ),
        Reason(
            LENT,
            "lent",
            "GM {to} found its own partitions full in its view and borrowed machine {machine} of {cluster} "
            "from GM {frm}.",
            ("to", "machine", "cluster", "frm"),
            mark="repartition",
            edits=("topology.clusters", "queues"),
        ),
        Reason(
            REFUSED_INTERNAL,
            "refused_internal",
            "LM {cluster} refused machine {machine} to GM {to}: the view was stale, {taken} when the request came.",
            ("cluster", "machine", "to", "taken"),
            mark="refusal",
            edits=("scheduler.params.heartbeat_s", "topology.global_masters"),
        ),
        Reason(
            REFUSED_EXTERNAL,
            "refused_external",
            "LM {cluster} refused machine {machine} of GM {frm} to GM {to}: the view was stale, "
            "{taken} when the request came.",
            ("cluster", "machine", "frm", "to", "taken"),
            mark="refusal",
            edits=("scheduler.params.heartbeat_s", "topology.global_masters"),
        ),
        Reason(
            WAITING,
            "waiting",
            "GM {to} saw no eligible machine with enough free resources anywhere{cause}; {x} tasks of this kind "
            "wait in its queues until its view changes.",
            ("to", "cause", "x"),
            edits=("topology.clusters", "queues", "workload"),
        ),
        Reason(
            UNSCHEDULABLE,
            "unschedulable",
            "No machine of this datacenter is large enough for it, even empty{cause}.",
            ("cause",),
            edits=("topology.clusters", "constraints", "workload"),
        ),
        Reason(
            PREEMPTED,
            "preempted",
            "Stopped on machine {machine} of {cluster} for task {x}: GM {owner_to} believed that queue {queue_frm} "
            "held {y_high_share} of the datacenter, above its share, and queue {queue_to} {y_low_share}, below its.",
            ("machine", "cluster", "x", "owner_to", "queue_frm", "y_high_share", "queue_to", "y_low_share"),
            mark="preemption",
            edits=("queues", "scheduler.params.fairness"),
        ),
        Reason(
            MADE_ROOM,
            "made_room",
            "GM {to} found no machine free; as its queue was below its share, LM {cluster} made room on machine "
            "{machine}: {y} of queue {queue_frm}'s tasks, task {x} first, had to go.",
            ("to", "cluster", "machine", "y", "queue_frm", "x"),
            edits=("queues", "scheduler.params.fairness"),
        ),
        Reason(
            NO_ROOM_MADE,
            "no_room_made",
            "GM {to} asked LM {cluster} to make room on machine {machine} at the expense of queue {queue_frm}; "
            "the view was stale, that queue's tasks there were not enough.",
            ("to", "cluster", "machine", "queue_frm"),
            mark="refusal",
            edits=("scheduler.params.heartbeat_s",),
        ),
        Reason(
            RELAUNCHED,
            "relaunched",
            "Machine {frm} failed after {x_s} of work; LM {cluster} launched it again on machine {machine}.",
            ("frm", "x_s", "cluster", "machine"),
            mark="fault",
            edits=("events",),
        ),
        Reason(
            RETURNED_TO_QUEUE,
            "returned",
            "Machine {machine} failed after {x_s} of work; LM {cluster} had no other machine for it, so it went "
            "back to the queue of GM {to}.",
            ("machine", "x_s", "cluster", "to"),
            mark="fault",
            edits=("events", "topology.clusters"),
        ),
        Reason(
            RELAXED,
            "relaxed",
            "Machine {machine} lacks {count_x} of the soft constraints that it asks for: it runs {y_s} there.",
            ("machine", "count_x", "y_s"),
            edits=("constraints.soft", "topology.clusters"),
        ),
    ),
    series=(
        Series("inconsistencies", "Requests refused", "per frame"),
        Series("repartitions", "Machines lent", "per frame"),
        Series("preemptions", "Tasks preempted", "per frame"),
    ),
)
