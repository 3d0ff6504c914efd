"""Reasons why Yacc-D's tasks run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

SENT, UNSCHEDULABLE, HELD, BOUNCED, STARTED, OVERTOOK, PROTECTED = range(1, 8)

ALL = (
    Reason(
        SENT,
        "sent",
        "Of {y} machines drawn, machine {machine} had the shortest known wait, {x_s}, and room in its queue; the task "
        "went there.",
        ("y", "machine", "x_s"),
        edits=("scheduler.params.choices", "scheduler.params.heartbeat_s"),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        HELD,
        "held",
        "The scheduler believes that the queues of all drawn workers are full. It keeps the task until the next "
        "publication.",
        (),
        edits=("scheduler.params.queue_bound", "scheduler.params.choices", "scheduler.params.heartbeat_s"),
    ),
    Reason(
        BOUNCED,
        "bounced",
        "The queue of machine {machine} was full when the task arrived: {y} tasks waited there. The task returns to "
        "its scheduler, which sends it again after the next publication.",
        ("machine", "y"),
        mark="bounce",
        edits=("scheduler.params.queue_bound", "scheduler.params.heartbeat_s"),
    ),
    Reason(
        STARTED,
        "started",
        "Machine {machine} had room for the task, which had waited there for {x_s}, behind {y} others at first.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.choices", "scheduler.params.queue_bound"),
    ),
    Reason(
        OVERTOOK,
        "overtook",
        "Machine {machine} ran the task before {y} others in front of it, because its job comes first in the queue "
        "order; the task had waited there for {x_s}.",
        ("machine", "y", "x_s"),
        mark="overtaking",
        edits=("scheduler.params.order", "scheduler.params.starvation_cap"),
    ),
    Reason(
        PROTECTED,
        "protected",
        "Machine {machine} ran the task although {y} tasks behind it come first in the queue order: others had "
        "overtaken it up to the cap. The task had waited there for {x_s}.",
        ("machine", "y", "x_s"),
        edits=("scheduler.params.starvation_cap", "scheduler.params.order"),
    ),
)
BOUNCE_MARK = Mark("bounce", "Task sent back", "A task arrived at a full queue.")
OVERTAKING_MARK = Mark("overtaking", "Overtaken", "A task overtook others in front, because its job goes first.")
