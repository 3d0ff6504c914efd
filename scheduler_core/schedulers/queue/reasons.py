"""Reasons why tasks of the single-queue schedulers run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

UNSCHEDULABLE, NO_ROOM, STOPPED, LOST, LATE, RELAXED, NOT_TOGETHER, NO_RACK = range(1, 9)
DRAWN, EMPTIEST, FULLEST, SCORED, MADE_ROOM, TOGETHER, FIRST_FIT = range(10, 17)
BEHIND = 9

COMMON = (
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "workload"),
    ),
    Reason(
        NO_ROOM,
        "no_room",
        "No eligible machine has room for the task now{lack}; {x} tasks of its queue with the same demand wait.",
        ("lack", "x"),
        edits=("topology.clusters", "scheduler.params.slots"),
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
        LATE,
        "late",
        "Machine {machine} was chosen for the task, but could no longer take it when the decision was made.",
        ("machine",),
        edits=("events", "scheduler.params.decision_us"),
    ),
    Reason(
        RELAXED,
        "relaxed",
        "Machine {machine} lacks {count_x} of the task's soft constraints, so the task runs for {y_s} there.",
        ("machine", "count_x", "y_s"),
        edits=("constraints.soft", "topology.clusters"),
    ),
    Reason(
        NOT_TOGETHER,
        "not_together",
        "The {x} tasks of the job start together or not at all, and only {y} of them have room now.",
        ("x", "y"),
        edits=("topology.clusters", "scheduler.params.gang_wait_s", "workload"),
    ),
    Reason(
        NO_RACK,
        "no_rack",
        "No machine in a rack that the job's rule allows has room for the task now; {x} tasks of the job wait.",
        ("x",),
        edits=("constraints.racks", "topology.clusters"),
    ),
    Reason(
        TOGETHER,
        "together",
        "All {x} tasks of the job found room at the same time; this task starts on machine {machine}.",
        ("x", "machine"),
        edits=("scheduler.params.gang_wait_s",),
    ),
)
_STRATEGY = ("scheduler.params.strategy",)
BY_CHANCE = (Reason(DRAWN, "drawn", "Machine {machine} was drawn at random among those with room.", ("machine",)),)
IN_ORDER = (
    Reason(
        FIRST_FIT,
        "first_fit",
        "The task was the first of the queue that fits. Machine {machine} is the first machine with room for it.",
        ("machine",),
    ),
    Reason(
        BEHIND,
        "behind",
        "Task {x} is at the head of the queue and fits nowhere now. No task overtakes it.",
        ("x",),
        edits=("scheduler.params.overtake", "topology.clusters"),
        now=True,
    ),
)
BY_USE = (
    Reason(
        EMPTIEST,
        "emptiest",
        "Of {x} machines with room, machine {machine} is the least used.",
        ("x", "machine"),
        edits=_STRATEGY,
        among="x",
    ),
    Reason(
        FULLEST,
        "fullest",
        "Of {x} machines with room, machine {machine} is the most used.",
        ("x", "machine"),
        edits=_STRATEGY,
        among="x",
    ),
)
BY_SCORE = (
    Reason(
        SCORED,
        "scored",
        "Machine {machine} has the best score of the {x} machines with room: {y_tenths} of 100.",
        ("machine", "x", "y_tenths"),
        edits=("scheduler.params",),
        among="x",
    ),
)
OF_PREEMPTION = (
    Reason(
        MADE_ROOM,
        "made_room",
        "No machine had room. Preempting tasks of lower priority does the least harm on machine {machine}; {x} "
        "tasks were preempted.",
        ("machine", "x"),
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
