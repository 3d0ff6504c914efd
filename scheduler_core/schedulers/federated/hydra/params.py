"""The parameters of Hydra."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from scheduler_core.world.spec import Params


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
