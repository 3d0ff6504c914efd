"""Reasons why Pigeon's tasks run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Reason

LAUNCHED, UNSCHEDULABLE, ON_RESERVED, FROM_HIGH, FROM_LOW, WAITS_HIGH, WAITS_LOW = range(1, 8)

ALL = (
    Reason(
        LAUNCHED,
        "launched",
        "Machine {machine} of group {to} was idle when the task reached the group's master.",
        ("machine", "to"),
        edits=("scheduler.params.group_size",),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        ON_RESERVED,
        "on_reserved",
        "Only machine {machine} of group {to}, reserved for short tasks, was idle; the task had waited for {x_s} at "
        "the master.",
        ("to", "machine", "x_s"),
        mark="reserved",
        edits=("scheduler.params.reserved_per_group",),
    ),
    Reason(
        FROM_HIGH,
        "from_short_queue",
        "Machine {machine} of group {to} became free; the task had waited for {x_s} among {y} short tasks.",
        ("machine", "to", "x_s", "y"),
        edits=("scheduler.params.group_size", "scheduler.params.reserved_per_group"),
    ),
    Reason(
        FROM_LOW,
        "from_long_queue",
        "Machine {machine} of group {to} became free, and a long task was next; the task had waited for {x_s} among "
        "{y} long tasks.",
        ("machine", "to", "x_s", "y"),
        edits=("scheduler.params.weight", "scheduler.params.reserved_per_group", "scheduler.params.short_cutoff_s"),
    ),
    Reason(
        WAITS_HIGH,
        "in_short_queue",
        "The task waits at the master of group {to} in the queue of short tasks, behind {x} others. Only machines of "
        "that group can run it.",
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
        "The task waits at the master of group {to} in the queue of long tasks, behind {x} others. Only unreserved "
        "machines of that group can run it, and {y} short tasks wait there too.",
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
