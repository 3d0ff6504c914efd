"""Hydra: a federation of sub-clusters, each with its own resource manager; jobs span them through a proxy.

Heartbeats drive everything. Nodes report to their resource manager and then receive tasks. The managers of jobs request
and fetch machines with their own heartbeats. A global policy generator looks at all sub-clusters at intervals and
pushes a policy: where jobs go, and where tasks are requested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.federated.hydra import reasons
from scheduler_core.schedulers.federated.hydra.counters import COUNTERS
from scheduler_core.schedulers.federated.hydra.params import QUEUE_SHOWN, HydraParams
from scheduler_core.schedulers.federated.hydra.signature import SIGNATURE
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Layer, SchedulerSpec, Series
from scheduler_core.world.work import Keeper, Move, Work

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.federated.hydra.protocol import HydraProtocol

    return HydraProtocol()


def _board() -> Board:
    from scheduler_core.schedulers.federated.hydra.board import BOARD

    return BOARD


SPEC = SchedulerSpec(
    name="hydra",
    signature=SIGNATURE,
    label="Hydra",
    family="federated",
    queue_note="",
    paper="Hydra: a federated resource manager for data-center scale analytics",
    summary=(
        "Each sub-cluster has its own resource manager. Jobs can span several of them, by "
        "policies that a central generator updates every few seconds."
    ),
    params=HydraParams,
    supports=frozenset({"constraints", "interference", "machine_faults", "share_changes", "parameter_changes"}),
    load=_load,
    board=_board,
    work=Work(
        Keeper(
            "group",
            "Sub-cluster",
            "The home of a job. Its requests wait here for machines with room.",
            ("routed", "resent"),
            for_job=True,
        ),
        moves={"spilled": Move("borrow", "keeper_frm", "machine")},
    ),
    counters=COUNTERS,
    layers=(
        LOAD_LAYER,
        OUTAGE_LAYER,
        Layer(
            "at_manager",
            "Waiting in its sub-cluster",
            "level",
            "Tasks in the queue of the sub-cluster's manager.",
            unit="waiting",
            full=QUEUE_SHOWN,
            whole=True,
            role="group_backlog",
        ),
    ),
    by_resource=True,
    reasons=reasons.ALL,
    marks=(reasons.SPILL_MARK, reasons.RESENT_MARK, reasons.FAULT_MARK),
    series=(
        Series("waiting_most", "Longest queue of a sub-cluster", "tasks"),
        Series("waiting_least", "Shortest queue of a sub-cluster", "tasks"),
        Series("policy_age", "Age of the policy", "s"),
    ),
)
