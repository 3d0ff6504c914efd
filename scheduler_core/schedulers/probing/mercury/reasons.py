"""Reasons why Mercury's tasks run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

GIVEN, UNSCHEDULABLE, QUEUED, STARTED, PREEMPTED, SHED = range(1, 7)

ALL = (
    Reason(
        GIVEN,
        "given",
        "The task is guaranteed. The central scheduler assigned it machine {machine} at that machine's heartbeat, "
        "after "
        "{x_s} in the central queue. Queueable tasks preempted for it: {y}.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.heartbeat_s", "scheduler.params.guaranteed"),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        QUEUED,
        "queued",
        "The task is queueable. Of {y} machines drawn, machine {machine} had the shortest published wait, {x_s}; the "
        "task joined its queue.",
        ("y", "machine", "x_s"),
        edits=("scheduler.params.choices",),
    ),
    Reason(
        STARTED,
        "started",
        "Machine {machine} had room for the task, which had waited there for {x_s}, behind {y} others at first.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.choices",),
    ),
    Reason(
        PREEMPTED,
        "preempted",
        "The task was preempted on machine {machine} after {y_s} of work, because guaranteed task {x} needed the "
        "room. "
        "It goes to another machine.",
        ("machine", "y_s", "x"),
        mark="preemption",
        edits=("scheduler.params.guaranteed",),
    ),
    Reason(
        SHED,
        "shed",
        "Machine {machine} returned the task after {x_s}: in the last publication, the machine's wait was {y_s} above "
        "the mean.",
        ("machine", "x_s", "y_s"),
        mark="shed",
        edits=("scheduler.params.shed_s", "scheduler.params.shedding"),
    ),
)
PREEMPTION_MARK = Mark(
    "preemption", "Preemption", "A queueable task was preempted for a guaranteed one.", role="preemption"
)
SHED_MARK = Mark("shed", "Task shed", "An overloaded worker gave a queueable task back.")
