"""PCSsampler: schedulers that sample, and remember what they were told of workers: a private state of the cluster.

A task goes to a worker that its scheduler knows to have room. Only where it knows of none it samples, as Sparrow does;
every reply of a worker, whatever it answers, says what is free there and how many wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from scheduler_core.schedulers.shared.probing import PROBES, QUEUE_LAYER
from scheduler_core.world.spec import LOAD_LAYER, Counter, Layer, Mark, Params, Reason, SchedulerSpec, Series

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol

KNOWN, UNSCHEDULABLE, SAMPLED, STARTED, REFUSED = range(1, 6)
KNOWN_SHOWN = 16


class PcsSamplerParams(Params):
    """Parameters of PCSsampler."""

    schedulers: int = Field(
        10,
        ge=1,
        le=32,
        title="Schedulers",
        description="How many schedulers there are, each with a private state of its own; jobs go to them in turn. The "
        "more there are, the less each is told, and the sooner that is outdated.",
        json_schema_extra={"unit": "schedulers"},
    )
    probes: int = Field(
        2,
        ge=1,
        le=64,
        title="Probes",
        description="How many workers are probed for a task that no room is known for. More probes find room sooner "
        "and cost more messages.",
        json_schema_extra={"unit": "probes per task"},
    )
    remember_s: float = Field(
        600.0,
        ge=0,
        le=86_400,
        title="Memory",
        description="For how long a scheduler believes what a worker told. With 0 it samples for nearly every task; "
        "the longer it is, the more tasks come to workers that have no room any more.",
        json_schema_extra={"unit": "s"},
    )
    ends_told: bool = Field(
        True,
        title="Ends are told",
        description="Whether a worker also tells the scheduler of a task that this has ended, and what is free then. "
        "It saves samples, and with them about as many messages as it costs, and usually shortens waits.",
    )


def _load() -> Protocol:
    from scheduler_core.schedulers.probing.pcssampler.protocol import PcsSamplerProtocol

    return PcsSamplerProtocol()


def _board() -> Board:
    from scheduler_core.schedulers.probing.pcssampler.board import BOARD

    return BOARD


SPEC = SchedulerSpec(
    name="pcssampler",
    label="PCSsampler",
    family="probing",
    paper="PCSsampler: sample-based, private-state cluster scheduling",
    summary="Schedulers remember what workers told them, send tasks where room is known, and sample where none is.",
    params=PcsSamplerParams,
    supports=frozenset({"constraints"}),
    load=_load,
    board=_board,
    sends=True,
    counters=(
        PROBES,
        Counter("known", "Sent where room was known", "Tasks sent by a scheduler's private state, without a probe."),
        Counter("sampled", "Sent by sampling", "Tasks sent to a worker after others had been asked, too."),
        Counter("refused", "Refused", "Tasks sent where room was known, and that was gone."),
    ),
    layers=(
        LOAD_LAYER,
        QUEUE_LAYER,
        Layer(
            "known",
            "Known to have room",
            "level",
            "Schedulers that believe that the worker has room.",
            unit="schedulers",
            full=KNOWN_SHOWN,
        ),
    ),
    reasons=(
        Reason(
            KNOWN,
            "known",
            "Scheduler {to} knew of room for it at worker {machine}, by what that had told {x_s} before.",
            ("to", "machine", "x_s"),
            edits=("scheduler.params.remember_s", "scheduler.params.schedulers"),
        ),
        Reason(
            UNSCHEDULABLE,
            "unschedulable",
            "No machine of this datacenter is large enough for it, even empty{cause}.",
            ("cause",),
            edits=("topology.clusters", "constraints", "workload"),
        ),
        Reason(
            SAMPLED,
            "sampled",
            "Scheduler {to} knew of no room for it and probed {y} workers: {machine} was the best one "
            "that it knew then, with {x} in front.",
            ("to", "y", "machine", "x"),
            edits=("scheduler.params.probes", "scheduler.params.remember_s"),
        ),
        Reason(
            STARTED,
            "started",
            "Worker {machine} had room for it; it had waited there {x_s}, behind {y} others when it came.",
            ("machine", "x_s", "y"),
            edits=("scheduler.params.probes",),
        ),
        Reason(
            REFUSED,
            "refused",
            "Worker {machine} had no room any more: what scheduler {to} knew was {x_s} old.",
            ("machine", "to", "x_s"),
            mark="refusal",
            edits=("scheduler.params.remember_s",),
        ),
    ),
    marks=(Mark("refusal", "Task refused", "A worker had no room any more for a task that was sent to it."),),
    series=(
        Series("waiting_at_workers", "Waiting at workers", "tasks"),
        Series("workers_known", "Workers that each scheduler knows to have room", "workers"),
    ),
)
