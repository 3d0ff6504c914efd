"""Reasons why Hydra's tasks run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

GIVEN, SPILLED, UNSCHEDULABLE, ROUTED, RESENT, LOST = range(1, 7)

_BEATS = ("scheduler.params.node_heartbeat_s", "scheduler.params.manager_heartbeat_s")

ALL = (
    Reason(
        GIVEN,
        "given",
        "Sub-cluster {cluster_bare}, the home of the task's job, granted machine {machine} at that machine's "
        "heartbeat, "
        "{x_s} after the request. The job's manager fetched the grant, and the task starts {y_s} later.",
        ("cluster_bare", "machine", "x_s", "y_s"),
        edits=_BEATS,
    ),
    Reason(
        SPILLED,
        "spilled",
        "Sub-cluster {cluster_bare} instead of the job's home, {frm}, granted machine {machine}, {x_s} after the "
        "proxy's "
        "request. The job's manager fetched the grant, and the task starts {y_s} later.",
        ("frm", "cluster_bare", "machine", "x_s", "y_s"),
        mark="spill",
        edits=("scheduler.params.proxy", *_BEATS),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        ROUTED,
        "routed",
        "The router chose sub-cluster {to} as the job's home: in the policy, {x_s} old, it had room for {y} of the "
        "smallest tasks.",
        ("to", "x_s", "y"),
        edits=("scheduler.params.routing", "scheduler.params.policy_s"),
    ),
    Reason(
        RESENT,
        "resent",
        "The task had waited for {x_s} at sub-cluster {frm}, and a new policy saw room at sub-cluster {to}; the task "
        "is now requested there.",
        ("x_s", "frm", "to"),
        mark="resent",
        edits=("scheduler.params.resend_s",),
    ),
    Reason(
        LOST,
        "lost",
        "After {x_s} of work, {loss}; the job's manager requests another machine.",
        ("loss", "x_s"),
        mark="fault",
        edits=("events",),
    ),
)
SPILL_MARK = Mark("spill", "Granted elsewhere", "A task got a machine outside of its job's home sub-cluster.")
RESENT_MARK = Mark("resent", "Requested elsewhere", "A task that had waited is requested from another sub-cluster.")
FAULT_MARK = Mark(
    "fault", "Fault", "A machine failed, or an event stopped a task: running tasks lost their work.", role="fault"
)
