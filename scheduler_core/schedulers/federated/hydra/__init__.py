"""Hydra: a federation of sub-clusters, each with a resource manager of its own, that jobs span through a proxy.

Everything goes by heartbeats: nodes report to their resource manager and get tasks then, jobs' managers ask and fetch.
A global policy generator looks at the sub-clusters now and then and pushes where jobs and what they ask for should go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from scheduler_core.schedulers.federated.hydra import reasons
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, Layer, Params, SchedulerSpec, Series

if TYPE_CHECKING:
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


def _period(default: float, title: str, description: str) -> Any:
    return Field(default, ge=0.01, le=3600, title=title, description=description, json_schema_extra={"unit": "s"})


QUEUE_SHOWN = 32
"""The longest queue of a sub-cluster that the map tells apart from longer ones."""


class HydraParams(Params):
    """Parameters of Hydra."""

    routing: Literal["policy", "even"] = Field(
        "policy",
        title="Routing",
        description="How a job's home sub-cluster is drawn: in proportion to the room that the last policy saw, or to "
        "the number of machines. By room, full sub-clusters get fewer jobs.",
    )
    proxy: Literal["spill", "policy", "home"] = Field(
        "spill",
        title="Proxy",
        description="Where a job asks for machines. Spill: at home for as many tasks as the last policy saw room for, "
        "elsewhere for the others; policy: everywhere in proportion to that room; home: only at home, where it can. "
        "Asking elsewhere shortens waits where homes are full.",
    )
    policy_s: float = _period(
        5.0,
        "Policy period",
        "How often the global policy generator looks at the sub-clusters and pushes a policy. "
        "Until the next one all routers and proxies act on the same old news.",
    )
    resend_s: float = Field(
        10.0,
        ge=0,
        le=86_400,
        title="Ask elsewhere after",
        description="A task that has waited so long at a sub-cluster, and at least until all nodes there have "
        "reported, is asked for elsewhere when a new policy sees room there. Shorter times rescue tasks sooner from "
        "full sub-clusters and cost requests.",
        json_schema_extra={"unit": "s"},
    )
    node_heartbeat_s: float = _period(
        1.0,
        "Node heartbeat",
        "How often a node reports to its resource manager. Only then is it given tasks, and "
        "only then is it known that tasks have ended. Longer heartbeats leave nodes idle between tasks.",
    )
    manager_heartbeat_s: float = _period(
        1.0,
        "Manager heartbeat",
        "How often a job's manager asks, and fetches what it has been given since. Longer "
        "heartbeats make every task start later.",
    )
    manager_start_s: float = Field(
        1.0,
        ge=0,
        le=3600,
        title="Start of a manager",
        description="Time from a job's coming to its home until its manager runs and asks for the first time. It is "
        "part of every job's first wait.",
        json_schema_extra={"unit": "s"},
    )


def _load() -> Protocol:
    from scheduler_core.schedulers.federated.hydra.protocol import HydraProtocol

    return HydraProtocol()


def _board() -> Board:
    from scheduler_core.schedulers.federated.hydra.board import BOARD

    return BOARD


SPEC = SchedulerSpec(
    name="hydra",
    label="Hydra",
    family="federated",
    paper="Hydra: a federated resource manager for data-center scale analytics",
    summary="Sub-clusters with resource managers of their own, jobs that span them, policies pushed every few seconds.",
    params=HydraParams,
    supports=frozenset({"constraints", "machine_faults", "parameter_changes"}),
    load=_load,
    board=_board,
    counters=(
        Counter("policies", "Policies", "Policies that the global policy generator has pushed."),
        Counter("at_home", "Given at home", "Tasks that got a machine in their job's home sub-cluster."),
        Counter("spilled", "Given elsewhere", "Tasks that got a machine in another sub-cluster, through the proxy."),
        Counter("resent", "Asked elsewhere", "Tasks that were asked for at another sub-cluster after they had waited."),
        Counter("node_beats", "Node heartbeats used", "Heartbeats of nodes at which tasks waited that they might run."),
    ),
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
