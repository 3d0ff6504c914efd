"""Why Pigeon's tasks run or wait: the codes that the kernel writes, and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Reason

LAUNCHED, UNSCHEDULABLE, ON_RESERVED, FROM_HIGH, FROM_LOW, WAITS_HIGH, WAITS_LOW = range(1, 8)

ALL = (
    Reason(
        LAUNCHED,
        "launched",
        "Worker {machine} was idle in group {to} when it came to the master there.",
        ("machine", "to"),
        edits=("scheduler.params.group_size",),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for it, even empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        ON_RESERVED,
        "on_reserved",
        "No other worker of group {to} was idle, but worker {machine}, which runs short tasks only; it had "
        "waited {x_s} at the master.",
        ("to", "machine", "x_s"),
        mark="reserved",
        edits=("scheduler.params.reserved_per_group",),
    ),
    Reason(
        FROM_HIGH,
        "from_short_queue",
        "Worker {machine} became free in group {to}; it had waited {x_s} among {y} short tasks.",
        ("machine", "to", "x_s", "y"),
        edits=("scheduler.params.group_size", "scheduler.params.reserved_per_group"),
    ),
    Reason(
        FROM_LOW,
        "from_long_queue",
        "Worker {machine} became free in group {to}, and it was the turn of long tasks; it had waited {x_s} "
        "among {y} of them.",
        ("machine", "to", "x_s", "y"),
        edits=("scheduler.params.weight", "scheduler.params.reserved_per_group", "scheduler.params.short_cutoff_s"),
    ),
    Reason(
        WAITS_HIGH,
        "in_short_queue",
        "It waits at the master of group {to} in the queue of short tasks, with {x} tasks in front of it: only "
        "workers of that group can take it.",
        ("to", "x"),
        edits=(
            "scheduler.params.group_size",
            "scheduler.params.reserved_per_group",
            "scheduler.params.short_cutoff_s",
        ),
        now=True,
    ),
    Reason(
        WAITS_LOW,
        "in_long_queue",
        "It waits at the master of group {to} in the queue of long tasks, with {x} tasks in front of it: only "
        "workers of that group can take it that are not reserved, and {y} short tasks wait there, too.",
        ("to", "x", "y"),
        edits=(
            "scheduler.params.group_size",
            "scheduler.params.weight",
            "scheduler.params.reserved_per_group",
            "scheduler.params.short_cutoff_s",
        ),
        now=True,
    ),
)
