"""Megha: federated scheduling on an eventually consistent global view.

Global Masters (GMs) match tasks against their own, possibly stale, view of all machines. Each Local Master (LM) knows
the truth of its cluster and verifies every request. GM j owns partition j of every cluster; a GM whose own partitions
are full borrows a machine of another GM's partition for one task (a repartition).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, model_validator

from scheduler_core.schedulers.spec import (
    LOAD_LAYER,
    Counter,
    Layer,
    Mark,
    Params,
    Reason,
    SchedulerSpec,
    Series,
)

if TYPE_CHECKING:
    from scheduler_core.engine.protocol import Protocol
    from scheduler_core.experiment import Experiment
    from scheduler_core.workload import Workload

# Reason codes that the kernel writes into the decision log.
MATCHED = 1
LENT = 2
REFUSED_INTERNAL = 3
REFUSED_EXTERNAL = 4
WAITING = 5
UNSCHEDULABLE = 6


class MeghaParams(Params):
    """Parameters of Megha."""

    profile: Literal["paper", "public-simulator"] = Field(
        "paper", title="Profile",
        description="Whose rules are followed: the paper's, or those of its authors' public simulator. There a machine "
        "holds one task, matches cost nothing, durations are whole seconds, and the heartbeat is 30 s unless given.",
    )
    heartbeat_s: float = Field(
        10.0, gt=0, le=86_400, title="Heartbeat",
        description="How often each Local Master sends its state to every Global Master. "
        "Longer heartbeats save messages and make views staler.",
        json_schema_extra={"unit": "s"},
    )
    match_us: float = Field(
        10.0, ge=0, le=1e6, title="Cost of a match",
        description="Time a Global Master spends on one match, before the machines it scans. "
        "Dearer matches make tasks of large jobs queue at their Global Master.",
        json_schema_extra={"unit": "µs", "evidence": "assumed, not calibrated yet"},
    )
    scan_ns: float = Field(
        5.0, ge=0, le=1e6, title="Cost of scanning a machine",
        description="Time a Global Master spends on each machine that a search passes over.",
        json_schema_extra={"unit": "ns", "evidence": "assumed, not calibrated yet"},
    )

    @model_validator(mode="before")
    @classmethod
    def _heartbeat_of_the_profile(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("profile") == "public-simulator":
            return {"heartbeat_s": 30.0} | data
        return data


def _load() -> Protocol:
    from scheduler_core.schedulers.megha.public_protocol import MeghaByProfile

    return MeghaByProfile()


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
    supports=frozenset({"constraints"}),
    load=_load,
    reads=_reads,
    counters=(
        Counter("repartitions", "Repartitions", "Machines lent by one Global Master's partition to another's task."),
        Counter("inconsistencies_internal", "Refused, own partition",
                "Stale requests for the Global Master's own partition that a Local Master refused."),
        Counter("inconsistencies_external", "Refused, borrowed",
                "Stale requests for another Global Master's partition that a Local Master refused."),
        Counter("heartbeats", "Heartbeats", "State messages that Local Masters sent on their own clock."),
        Counter("matches", "Matches", "Searches of a view that found a machine."),
        Counter("failed_matches", "Searches in vain", "Searches of a view that found no machine."),
    ),
    layers=(
        Layer("owner", "Owner", "category", "The Global Master whose partition the machine is in."),
        LOAD_LAYER,
        Layer("lent", "Lent", "level", "Share of the machine that tasks of other Global Masters hold."),
        Layer("borrower", "Borrower", "category", "The Global Master that borrowed here last and still holds a share."),
    ),
    marks=(
        Mark("refusal", "Stale request refused", "A Local Master refused a request made on an outdated view."),
        Mark("repartition", "Machine lent", "A machine was lent to another Global Master for one task."),
    ),
    reasons=(
        Reason(MATCHED, "matched",
               "GM {to} matched it to machine {machine} in its own partition of {cluster}, after passing {x} machines.",
               ("to", "machine", "cluster", "x"), edits=("scheduler.params.match_us",)),
        Reason(LENT, "lent",
               "GM {to} found its own partitions full in its view and borrowed machine {machine} of {cluster} "
               "from GM {frm}.",
               ("to", "machine", "cluster", "frm"), mark="repartition", edits=("topology.clusters", "queues")),
        Reason(REFUSED_INTERNAL, "refused_internal",
               "LM {cluster} refused machine {machine} to GM {to}: the view was stale, "
               "the machine was full when the request came.",
               ("cluster", "machine", "to"), mark="refusal",
               edits=("scheduler.params.heartbeat_s", "topology.global_masters")),
        Reason(REFUSED_EXTERNAL, "refused_external",
               "LM {cluster} refused machine {machine} of GM {frm} to GM {to}: the view was stale, "
               "the machine was full when the request came.",
               ("cluster", "machine", "frm", "to"), mark="refusal",
               edits=("scheduler.params.heartbeat_s", "topology.global_masters")),
        Reason(WAITING, "waiting",
               "GM {to} saw no eligible machine with enough free resources anywhere; {x} tasks of this kind wait "
               "in its queues until its view changes.",
               ("to", "x"), edits=("topology.clusters", "workload")),
        Reason(UNSCHEDULABLE, "unschedulable", "No machine of this datacenter is large enough for it, even empty.",
               (), edits=("topology.clusters", "workload")),
    ),
    series=(
        Series("inconsistencies", "Requests refused", "per frame"),
        Series("repartitions", "Machines lent", "per frame"),
    ),
)
