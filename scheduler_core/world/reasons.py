"""Reasons that several schedulers share. A scheduler's own codes avoid these numbers."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

HANDED_BACK, LOST = 900, 901

LOST_REASON = Reason(
    LOST,
    "lost",
    "After {x_s} of work, {loss}; the work is lost, and the task waits again.",
    ("loss", "x_s"),
    mark="fault",
    edits=("events",),
)
HANDED_BACK_REASON = Reason(
    HANDED_BACK,
    "handed_back",
    "Machine {machine} went out of service and returned the task before it started; the task had waited there for "
    "{x_s}.",
    ("machine", "x_s"),
    edits=("events",),
)
FAULT = Mark(
    "fault", "Fault", "A machine failed, or an event stopped a task: running tasks lost their work.", role="fault"
)
OUTAGE_REASONS = (LOST_REASON, HANDED_BACK_REASON)
"""What faults and drains make happen to tasks under schedulers with queues at machines."""


def unschedulable(code: int) -> Reason:
    """Return the reason of a task that no machine could hold, under a scheduler's own code."""
    return Reason(
        code,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    )
