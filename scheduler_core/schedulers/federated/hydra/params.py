"""The parameters of Hydra."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from scheduler_core.experiment.options import options
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
        description="How a router draws a job's home sub-cluster.",
        json_schema_extra=options(
            {
                "policy": (
                    "By free room",
                    "In proportion to the room that the last policy saw. Full sub-clusters get fewer jobs.",
                ),
                "even": ("By size", "In proportion to the number of machines."),
            }
        ),
    )
    proxy: Literal["spill", "policy", "home"] = Field(
        "spill",
        title="Proxy",
        description="Where a job asks for machines. Asking elsewhere shortens waits when home sub-clusters are full.",
        json_schema_extra=options(
            {
                "spill": (
                    "Home first",
                    "At home for as many tasks as the last policy saw room for; elsewhere for the others.",
                ),
                "policy": ("Everywhere", "In all sub-clusters, in proportion to the room that the last policy saw."),
                "home": ("Home only", "Only at home, if home can run the task."),
            }
        ),
    )
    policy_s: float = _period(
        5.0,
        "Policy period",
        "Time between two policies of the global policy generator. Until the next policy, all routers and proxies "
        "act on the same outdated one.",
    )
    resend_s: float = Field(
        10.0,
        ge=0,
        le=86_400,
        title="Ask elsewhere after",
        description="Waiting time after which a task is requested from another sub-cluster in which a new policy sees "
        "room. All machines of its sub-cluster must have reported first. Shorter times rescue tasks from full "
        "sub-clusters sooner and cost requests.",
        json_schema_extra={"unit": "s"},
    )
    node_heartbeat_s: float = _period(
        1.0,
        "Machine heartbeat",
        "Time between two reports of a machine to its resource manager. A machine receives tasks, and reports "
        "ended ones, only with these. Longer intervals leave machines idle between tasks.",
    )
    manager_heartbeat_s: float = _period(
        1.0,
        "Manager heartbeat",
        "Time between two requests of a job's manager. Each request also fetches the machines that were granted "
        "since the last one. Longer intervals make every task start later.",
    )
    manager_start_s: float = Field(
        1.0,
        ge=0,
        le=3600,
        title="Start-up time of a manager",
        description="Time from a job's arrival at its home until its manager runs and asks for the first time. It is "
        "part of every job's first wait.",
        json_schema_extra={"unit": "s"},
    )
