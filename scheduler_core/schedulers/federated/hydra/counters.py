"""The counters of Hydra."""

from __future__ import annotations

from scheduler_core.world.spec import Counter

COUNTERS = (
    Counter("policies", "Policies", "Policies that the global policy generator has pushed."),
    Counter("at_home", "Granted at home", "Tasks that got a machine in their job's home sub-cluster."),
    Counter("spilled", "Granted elsewhere", "Tasks that got a machine in another sub-cluster, through the proxy."),
    Counter(
        "resent", "Requested elsewhere", "Tasks that were requested from another sub-cluster after they had waited."
    ),
    Counter("node_beats", "Machine heartbeats used", "Heartbeats of machines that could run a waiting task."),
)
