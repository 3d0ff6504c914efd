"""Why Mercury's tasks run or wait: the codes that the kernel writes, and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

GIVEN, UNSCHEDULABLE, QUEUED, STARTED, PREEMPTED, SHED = range(1, 7)

ALL = (
    Reason(
        GIVEN,
        "given",
        "It is guaranteed: the central scheduler gave it machine {machine} at that node's heartbeat, after {x_s} in "
        "the central queue. Queueable tasks stopped there for it: {y}.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.heartbeat_s", "scheduler.params.guaranteed"),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for it, even empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        QUEUED,
        "queued",
        "It is queueable: of {y} workers drawn, worker {machine} had the least published wait, {x_s}; it was sent "
        "to the queue there.",
        ("y", "machine", "x_s"),
        edits=("scheduler.params.choices",),
    ),
    Reason(
        STARTED,
        "started",
        "Worker {machine} had room for it; it had waited there {x_s}, behind {y} others when it came.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.choices",),
    ),
    Reason(
        PREEMPTED,
        "preempted",
        "Stopped on machine {machine} after {y_s} of work, because guaranteed task {x} needed the room: it is sent "
        "elsewhere.",
        ("machine", "y_s", "x"),
        mark="preemption",
        edits=("scheduler.params.guaranteed",),
    ),
    Reason(
        SHED,
        "shed",
        "Worker {machine} gave it back after {x_s}: by the last publication it had {y_s} more to do than the mean.",
        ("machine", "x_s", "y_s"),
        mark="shed",
        edits=("scheduler.params.shed_s", "scheduler.params.shedding"),
    ),
)
PREEMPTION_MARK = Mark(
    "preemption", "Preemption", "A queueable task was stopped for a guaranteed one.", role="preemption"
)
SHED_MARK = Mark("shed", "Task shed", "A worker with too much to do gave a queueable task back.")
