"""Why Yacc-D's tasks run or wait: the codes that the kernel writes, and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

SENT, UNSCHEDULABLE, HELD, BOUNCED, STARTED, OVERTOOK, PROTECTED = range(1, 8)

ALL = (
    Reason(
        SENT,
        "sent",
        "Of {y} workers drawn, worker {machine} had the least wait that was known, {x_s}, and room in its queue: "
        "the task was sent there.",
        ("y", "machine", "x_s"),
        edits=("scheduler.params.choices", "scheduler.params.heartbeat_s"),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for it, even empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        HELD,
        "held",
        "As far as its scheduler knows, the queues that it looked at are full: it keeps the task back until the "
        "workers publish again.",
        (),
        edits=("scheduler.params.queue_bound", "scheduler.params.choices", "scheduler.params.heartbeat_s"),
    ),
    Reason(
        BOUNCED,
        "bounced",
        "The queue of worker {machine} had filled up while it was on its way, {y} tasks waited there: it is sent "
        "back to its scheduler, which sends it again when workers publish.",
        ("machine", "y"),
        mark="bounce",
        edits=("scheduler.params.queue_bound", "scheduler.params.heartbeat_s"),
    ),
    Reason(
        STARTED,
        "started",
        "Worker {machine} had room for it; it had waited there {x_s}, behind {y} others when it came.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.choices", "scheduler.params.queue_bound"),
    ),
    Reason(
        OVERTOOK,
        "overtook",
        "Worker {machine} took it before {y} others in front, because its job goes first by the order of the queue; "
        "it had waited there {x_s}.",
        ("machine", "y", "x_s"),
        mark="overtaking",
        edits=("scheduler.params.order", "scheduler.params.starvation_cap"),
    ),
    Reason(
        PROTECTED,
        "protected",
        "Worker {machine} took it although {y} behind it go first by the order of the queue: others had kept it "
        "waiting for as long as they may. It had waited there {x_s}.",
        ("machine", "y", "x_s"),
        edits=("scheduler.params.starvation_cap", "scheduler.params.order"),
    ),
)
BOUNCE_MARK = Mark("bounce", "Task sent back", "A task came to a queue that was full.")
OVERTAKING_MARK = Mark("overtaking", "Overtaken", "A task went past others in front, for its job goes first.")
