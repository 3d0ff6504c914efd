"""Reasons why tasks start or wait in a replay: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.reasons import unschedulable
from scheduler_core.world.spec import Reason

UNSCHEDULABLE, AS_RECORDED, MACHINE_FOUND, MOVED, BEHIND, FULL, NO_START, LOST, LATER, NEVER_STARTS = range(1, 11)

REASONS = (
    unschedulable(UNSCHEDULABLE),
    Reason(
        AS_RECORDED,
        "as_recorded",
        "The recording starts the task now, on machine {machine}.",
        ("machine",),
        edits=("workload",),
    ),
    Reason(
        MACHINE_FOUND,
        "machine_found",
        "The recording starts the task now and does not say where. Machine {machine} is the first one with room.",
        ("machine",),
        edits=("workload",),
    ),
    Reason(
        MOVED,
        "moved",
        "The recording starts the task now, on a machine that has no room for it here. Machine {machine} is the first "
        "one with room.",
        ("machine",),
        edits=("topology.clusters", "workload"),
    ),
    Reason(
        BEHIND,
        "behind",
        "The recorded start was {x_s} ago, when no machine had room. Machine {machine} is the first one with room now.",
        ("x_s", "machine"),
        edits=("topology.clusters", "workload"),
    ),
    Reason(
        FULL,
        "full",
        "The recorded start was {x_s} ago, and no machine has room for the task. It starts as soon as one has.",
        ("x_s",),
        edits=("topology.clusters", "workload"),
    ),
    Reason(
        NO_START,
        "no_start",
        "The recording does not tell this task's start, so the task starts on arrival, on machine {machine}.",
        ("machine",),
        edits=("scheduler.params.without_start", "workload"),
    ),
    Reason(
        LOST,
        "lost",
        "After {x_s} of work, {loss}; the task waits again.",
        ("loss", "x_s"),
        mark="fault",
        edits=("events",),
    ),
    Reason(
        LATER,
        "later",
        "The recording starts the task in {y_s}.",
        ("y_s",),
        edits=("workload",),
        now=True,
    ),
    Reason(
        NEVER_STARTS,
        "never_starts",
        "The recording does not tell a start of this task, so it waits until the run ends.",
        (),
        edits=("scheduler.params.without_start", "workload"),
        now=True,
    ),
)
