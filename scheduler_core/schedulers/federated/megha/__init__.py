"""Megha: federated scheduling on an eventually consistent global view.

Global Masters (GMs) match tasks with machines on their own view of all machines, which may be stale. Each Local Master
(LM) knows the real state of its cluster and verifies every request. GM j owns partition j of every cluster. If the
partitions of a GM are full, it borrows a machine from another GM's partition for one task (a repartition).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.federated.megha.shared import reasons
from scheduler_core.schedulers.federated.megha.shared.params import PROGRAM_HEARTBEATS_S, MeghaParams
from scheduler_core.schedulers.federated.megha.signature import SIGNATURE
from scheduler_core.world.spec import (
    LOAD_LAYER,
    OUTAGE_LAYER,
    Counter,
    Layer,
    Mark,
    SchedulerSpec,
    Series,
)
from scheduler_core.world.work import Keeper, Move, Refresh, Work

if TYPE_CHECKING:
    from scheduler_core.experiment import Experiment
    from scheduler_core.workload import Workload
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.federated.megha.protocol import MeghaProtocol

    return MeghaProtocol()


def _board() -> Board:
    from scheduler_core.schedulers.federated.megha.paper.board import BOARD

    return BOARD


def _reads(experiment: Experiment, workload: Workload) -> Workload:
    from scheduler_core.workload.public_reading import as_public_simulators_read

    public = experiment.scheduler.params.get("profile") in PROGRAM_HEARTBEATS_S
    return as_public_simulators_read(workload) if public else workload


def _refresh(experiment: Experiment) -> Refresh | None:
    """Spread the Local Masters' clocks over one heartbeat, except under the public programs' profiles."""
    params = MeghaParams(**experiment.scheduler.params)
    if params.profile in PROGRAM_HEARTBEATS_S or any("heartbeat_s" in str(event) for event in experiment.events):
        return None
    clusters = sum(cluster.repeat or 1 for cluster in experiment.topology.clusters)
    period_ns = max(1, round(params.heartbeat_s * 1e9))
    return Refresh(period_ns, tuple(period_ns * (number + 1) // clusters for number in range(clusters)))


SPEC = SchedulerSpec(
    name="megha",
    signature=SIGNATURE,
    label="Megha",
    family="federated",
    queue_note="",
    paper="Megha: decentralized global fair scheduling for federated clusters",
    summary="Global Masters assign tasks to machines from a view of the datacenter that may be stale. Local Masters "
    "check each request for a machine.",
    params=MeghaParams,
    partitioned=True,
    supports=frozenset(
        {
            "constraints",
            "interference",
            "soft_constraints",
            "machine_faults",
            "master_faults",
            "share_changes",
            "parameter_changes",
        }
    ),
    supports_under=dict.fromkeys(PROGRAM_HEARTBEATS_S, frozenset({"constraints"})),
    drops_under=frozenset({"constraint-aware"}),
    load=_load,
    board=_board,
    work=Work(
        Keeper("owner", "Global Master", "Matches the tasks of its queues on its own, possibly stale, view."),
        moves={
            "relaunched": Move("throw", "machine_frm", "machine", wrong=True, worked="x"),
            "no_room_made": Move("bounce", wrong=True),
            "refused_internal": Move("bounce", wrong=True, other="x"),
            "refused_external": Move("bounce", wrong=True, other="x"),
            "preempted": Move("throw", "machine", "keeper", other="x"),
        },
        refresh=_refresh,
        gate="Local Master",
    ),
    reads=_reads,
    counters=(
        Counter("repartitions", "Repartitions", "Machines lent by one Global Master's partition to another's task."),
        Counter(
            "inconsistencies_internal",
            "Refused on own machines",
            "Requests for a Global Master's own partition that a Local Master refused because the view was stale.",
        ),
        Counter(
            "inconsistencies_external",
            "Refused on borrowed machines",
            "Requests for another Global Master's partition that a Local Master refused because the view was stale.",
        ),
        Counter("preemptions", "Preemptions", "Tasks preempted for a queue that was below its share."),
        Counter(
            "preemption_attempts",
            "Preemption attempts",
            "Requests of Global Masters, each to preempt one or more tasks; a Local Master refuses late ones.",
        ),
        Counter("relaunches", "Relaunches", "Tasks that a Local Master launched again after their machine failed."),
        Counter("heartbeats", "Heartbeats", "Periodic state messages of Local Masters."),
        Counter("matches", "Matches", "Searches of a view that found a machine."),
        Counter("failed_matches", "Failed searches", "Searches of a view that found no machine."),
        Counter(
            "relaxed",
            "Soft constraints relaxed",
            "Launches on machines that lack a soft constraint of the task, which runs longer there.",
        ),
    ),
    layers=(
        Layer(
            "owner",
            "Owner",
            "category",
            "The Global Master that owns the machine: the machine is in its partition.",
            fixed=True,
            role="owner",
        ),
        LOAD_LAYER,
        Layer(
            "lent",
            "Lent",
            "level",
            "Share of the machine that tasks of other Global Masters use. Darker: more.",
            role="lent",
        ),
        Layer(
            "borrower",
            "Borrower",
            "category",
            "The Global Master that borrowed the machine last and whose task still uses part of it.",
            role="borrower",
        ),
        OUTAGE_LAYER,
    ),
    marks=(
        Mark(
            "refusal",
            "Refused: stale view",
            "A Local Master refused a request because the Global Master's view was stale.",
            role="refusal",
        ),
        Mark(
            "repartition",
            "Machine lent",
            "A machine was lent to another Global Master for one task.",
            role="repartition",
        ),
        Mark(
            "preemption",
            "Task preempted",
            "A task was preempted for a queue that was below its share.",
            role="preemption",
        ),
        Mark("fault", "Task lost its work", "Its machine failed, or an event stopped it.", role="fault"),
    ),
    reasons=reasons.ALL,
    series=(
        Series("inconsistencies", "Requests refused", "per frame"),
        Series("repartitions", "Machines lent", "per frame"),
        Series("preemptions", "Tasks preempted", "per frame"),
    ),
)
