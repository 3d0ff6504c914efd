"""Reasons why pods run or wait under kube-scheduler: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

UNSCHEDULABLE, NO_NODE, STOPPED, LOST, RELAXED, IN_QUEUE = range(1, 7)
SCORED, ONLY, MADE_ROOM = range(10, 13)

REASONS = (
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "workload"),
    ),
    Reason(
        NO_NODE,
        "no_node",
        "No machine passed the filters for the task at attempt {x}{told}",
        ("x", "told"),
        edits=("topology.clusters", "constraints", "scheduler.params.preemption"),
    ),
    Reason(
        IN_QUEUE,
        "in_queue",
        "The task is in the scheduling queue, and its next attempt comes when the tasks before it have been tried.",
        edits=("scheduler.params.decision_us", "scheduler.params.filter_ns"),
        now=True,
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
        RELAXED,
        "relaxed",
        "Machine {machine} lacks {count_x} of the task's soft constraints, so the task runs for {y_s} there.",
        ("machine", "count_x", "y_s"),
        edits=("constraints.soft", "topology.clusters"),
    ),
    Reason(
        SCORED,
        "scored",
        "Of the {x} machines that passed the filters, none has a higher score than machine {machine}: {y_tenths} of "
        "100.",
        ("machine", "x", "y_tenths"),
        edits=("scheduler.params",),
        among="x",
    ),
    Reason(
        ONLY,
        "only",
        "Machine {machine} was the only one that passed the filters, so it got the task without a score.",
        ("machine",),
    ),
    Reason(
        MADE_ROOM,
        "made_room",
        "No machine passed the filters; preempting {x} tasks of lower priority makes room on machine {machine}. It is "
        "chosen by its victims: fewest violated disruption budgets, then least important, smallest sum of priorities, "
        "fewest, latest start.",
        ("x", "machine"),
        edits=("scheduler.params.preemption",),
    ),
    Reason(
        STOPPED,
        "stopped",
        "The task was preempted on machine {machine} after {x_s} of work, for a task of queue {queue_to}, which goes "
        "first.",
        ("machine", "x_s", "queue_to"),
        mark="preemption",
        edits=("scheduler.params.preemption", "queues"),
    ),
)
PREEMPTION = Mark(
    "preemption", "Preemption", "A task was preempted so that one of higher priority runs.", role="preemption"
)
