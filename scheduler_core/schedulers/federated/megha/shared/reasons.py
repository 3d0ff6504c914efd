"""Reasons why Megha's tasks run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import (
    Reason,
)

MATCHED = 1
LENT = 2
REFUSED_INTERNAL = 3
REFUSED_EXTERNAL = 4
WAITING = 5
UNSCHEDULABLE = 6
PREEMPTED = 7
MADE_ROOM = 8
NO_ROOM_MADE = 9
RELAUNCHED = 10
RETURNED_TO_QUEUE = 11
RELAXED = 12

ALL = (
    Reason(
        MATCHED,
        "matched",
        "Global Master {to} matched the task to machine {machine} in its own partition of {cluster}, after passing "
        "{x} machines.",
        ("to", "machine", "cluster", "x"),
        edits=("scheduler.params.match_us",),
    ),
    Reason(
        LENT,
        "lent",
        "Global Master {to} saw no free machine in its own partitions and borrowed machine {machine} of {cluster} "
        "from Global Master {frm}.",
        ("to", "machine", "cluster", "frm"),
        mark="repartition",
        edits=("topology.clusters", "queues"),
    ),
    Reason(
        REFUSED_INTERNAL,
        "refused_internal",
        "The Local Master of {cluster} refused the request of Global Master {to} for machine {machine}. The view of "
        "Global Master {to} was stale: {taken} when the request came.",
        ("cluster", "machine", "to", "taken"),
        mark="refusal",
        edits=("scheduler.params.heartbeat_s", "topology.global_masters"),
    ),
    Reason(
        REFUSED_EXTERNAL,
        "refused_external",
        "The Local Master of {cluster} refused the request of Global Master {to} for machine {machine}, which belongs "
        "to Global Master {frm}. The view of Global Master {to} was stale: {taken} when the request came.",
        ("cluster", "machine", "frm", "to", "taken"),
        mark="refusal",
        edits=("scheduler.params.heartbeat_s", "topology.global_masters"),
    ),
    Reason(
        WAITING,
        "waiting",
        "Global Master {to} sees no eligible machine with enough free resources{cause}; {x} tasks of this kind wait "
        "in its "
        "queues until its view changes.",
        ("to", "cause", "x"),
        edits=("topology.clusters", "queues", "workload"),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        PREEMPTED,
        "preempted",
        "The task was preempted on machine {machine} of {cluster} for task {x}. In the view of Global Master "
        "{owner_to}, queue "
        "{queue_frm} held {y_high_share} of the datacenter, above its share, and queue {queue_to} held "
        "{y_low_share}, below its share.",
        ("machine", "cluster", "x", "owner_to", "queue_frm", "y_high_share", "queue_to", "y_low_share"),
        mark="preemption",
        edits=("queues", "scheduler.params.fairness"),
    ),
    Reason(
        MADE_ROOM,
        "made_room",
        "Global Master {to} saw no free machine, and the task's queue is below its share. The Local Master of "
        "{cluster} "
        "therefore freed machine {machine} and preempted {y} tasks of queue {queue_frm}, task {x} first.",
        ("to", "cluster", "machine", "y", "queue_frm", "x"),
        edits=("queues", "scheduler.params.fairness"),
    ),
    Reason(
        NO_ROOM_MADE,
        "no_room_made",
        "Global Master {to} asked the Local Master of {cluster} to preempt tasks of queue {queue_frm} on machine "
        "{machine}. The view of Global Master {to} was stale: preempting them would not have freed enough.",
        ("to", "cluster", "machine", "queue_frm"),
        mark="refusal",
        edits=("scheduler.params.heartbeat_s",),
    ),
    Reason(
        RELAUNCHED,
        "relaunched",
        "After {x_s} of work, {loss_frm}; the Local Master of {cluster} restarted the task on machine {machine}.",
        ("loss_frm", "x_s", "cluster", "machine"),
        mark="fault",
        edits=("events",),
    ),
    Reason(
        RETURNED_TO_QUEUE,
        "returned",
        "After {x_s} of work, {loss}. The Local Master of {cluster} had no other machine "
        "for the task and returned it to the queue of Global Master {to}.",
        ("loss", "x_s", "cluster", "to"),
        mark="fault",
        edits=("events", "topology.clusters"),
    ),
    Reason(
        RELAXED,
        "relaxed",
        "Machine {machine} lacks {count_x} of the task's soft constraints, so the task runs for {y_s} there.",
        ("machine", "count_x", "y_s"),
        edits=("constraints.soft", "topology.clusters"),
    ),
)
