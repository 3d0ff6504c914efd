"""Reasons why tasks of the flow schedulers run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

UNSCHEDULABLE, LEFT, STOPPED, MISFIT, LOST, SHORT = range(1, 7)
ON_DATA, IN_RACK, ANYWHERE, MOVED, RELAXED = range(10, 15)

COMMON = (
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "workload"),
    ),
    Reason(
        LEFT,
        "left",
        "In the optimal flow of round {x}, the task's unit passes its job's unscheduled node, so the task waits; {y} "
        "tasks of all jobs wait like this.",
        ("x", "y"),
        edits=("topology.clusters", "scheduler.params"),
    ),
    Reason(
        MISFIT,
        "misfit",
        "The flow gave the task a slot on machine {machine}, but the task's demand does not fit beside the running "
        "tasks.",
        ("machine",),
        edits=("scheduler.params.slots",),
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
        ANYWHERE,
        "anywhere",
        "The min-cost flow of round {x} leads through the cluster node to machine {machine}.",
        ("x", "machine"),
    ),
    Reason(
        RELAXED,
        "relaxed",
        "Machine {machine} lacks {count_x} of the task's soft constraints, so the task runs for {y_s} there.",
        ("machine", "count_x", "y_s"),
        edits=("constraints.soft", "topology.clusters"),
    ),
)
OF_SHARES = (
    Reason(
        SHORT,
        "short",
        "The job's share is {x} of its tasks at once, but no flow lets more than {y} of them run: the suitable "
        "machines are full, out of service or too few.",
        ("x", "y"),
        edits=("topology.clusters", "scheduler.params.slots", "events"),
    ),
)
OF_DATA = (
    Reason(
        ON_DATA,
        "on_data",
        "The min-cost flow of round {x} leads to machine {machine}, which stores the task's data.",
        ("x", "machine"),
    ),
    Reason(
        IN_RACK,
        "in_rack",
        "The min-cost flow of round {x} leads to machine {machine}, in a rack with the task's data.",
        ("x", "machine"),
    ),
)
OF_PREEMPTION = (
    Reason(
        STOPPED,
        "stopped",
        "In the optimal flow of round {x}, other tasks run instead of this one; it was preempted on machine "
        "{machine} "
        "after {y_s} of work.",
        ("x", "machine", "y_s"),
        mark="preemption",
        edits=("scheduler.params.stay_cost",),
    ),
    Reason(
        MOVED,
        "moved",
        "In the optimal flow of round {x}, the task runs elsewhere; it was preempted on machine {machine} after "
        "{y_s} "
        "of work.",
        ("x", "machine", "y_s"),
        mark="preemption",
        edits=("scheduler.params.stay_cost",),
    ),
)
PREEMPTION = Mark(
    "preemption", "Preemption", "A task was preempted for another task, or to run elsewhere.", role="preemption"
)
