"""Why Sparrow's tasks run or wait: the codes that the kernel writes, and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Reason

LAUNCHED = 1
UNSCHEDULABLE = 2
PLACED = 3
STARTED = 4

ALL = (
    Reason(
        LAUNCHED,
        "launched",
        "Worker {machine} was the first free one to ask; the probe had waited {x_s} behind {y} others.",
        ("machine", "x_s", "y"),
        mark="probe",
        edits=("scheduler.params.probe_ratio",),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for it, even empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        PLACED,
        "placed",
        "Of the workers probed that were left, none had answered with fewer than the {x} tasks in front "
        "of worker {machine}; the task joined its queue.",
        ("x", "machine"),
        edits=("scheduler.params.probe_ratio", "scheduler.params.late_binding"),
    ),
    Reason(
        STARTED,
        "started",
        "Worker {machine} had room for it; it had waited there {x_s}, behind {y} others when it came.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.late_binding",),
    ),
)
