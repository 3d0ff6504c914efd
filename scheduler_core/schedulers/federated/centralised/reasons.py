"""Reasons of the centralized scheduler: the codes of Megha's kernel, with sentences of its own."""

from __future__ import annotations

from scheduler_core.schedulers.federated.megha.shared import reasons as megha
from scheduler_core.world.spec import Reason

ALL = (
    Reason(
        megha.MATCHED,
        "matched",
        "The scheduler matched the task to machine {machine} of {cluster}, after passing {x} machines.",
        ("machine", "cluster", "x"),
        edits=("scheduler.params.match_us",),
    ),
    Reason(
        megha.REFUSED_INTERNAL,
        "refused_internal",
        "The cluster manager refused the scheduler's request for machine {machine}. The scheduler's view was stale: "
        "{taken} when the request came.",
        ("machine", "taken"),
        mark="refusal",
        edits=("scheduler.params.heartbeat_s", "topology.global_masters"),
    ),
    Reason(
        megha.WAITING,
        "waiting",
        "The scheduler sees no eligible machine with enough free resources{cause}; {x} tasks of this kind wait in its "
        "queues until its view changes.",
        ("cause", "x"),
        edits=("topology.clusters", "queues", "workload"),
    ),
    Reason(
        megha.UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        megha.PREEMPTED,
        "preempted",
        "The task was preempted on machine {machine} of {cluster} for task {x}. In the scheduler's view, queue "
        "{queue_frm} held {y_high_share} of the datacenter, above its share, and queue {queue_to} held {y_low_share}, "
        "below its share.",
        ("machine", "cluster", "x", "queue_frm", "y_high_share", "queue_to", "y_low_share"),
        mark="preemption",
        edits=("queues", "scheduler.params.fairness"),
    ),
    Reason(
        megha.MADE_ROOM,
        "made_room",
        "The scheduler saw no free machine, and the task's queue is below its share. The cluster manager therefore "
        "freed machine {machine} and preempted {y} tasks of queue {queue_frm}, task {x} first.",
        ("machine", "y", "queue_frm", "x"),
        edits=("queues", "scheduler.params.fairness"),
    ),
    Reason(
        megha.NO_ROOM_MADE,
        "no_room_made",
        "The scheduler asked the cluster manager to preempt tasks of queue {queue_frm} on machine {machine}. The "
        "scheduler's view was stale: preempting them would not have freed enough.",
        ("queue_frm", "machine"),
        mark="refusal",
        edits=("scheduler.params.heartbeat_s",),
    ),
    Reason(
        megha.RELAUNCHED,
        "relaunched",
        "After {x_s} of work, {loss_frm}; the cluster manager restarted the task on machine {machine}.",
        ("loss_frm", "x_s", "machine"),
        mark="fault",
        edits=("events",),
    ),
    Reason(
        megha.RETURNED_TO_QUEUE,
        "returned",
        "After {x_s} of work, {loss}. The cluster manager had no other machine for the task and "
        "returned it to the scheduler's queue.",
        ("loss", "x_s"),
        mark="fault",
        edits=("events", "topology.clusters"),
    ),
    Reason(
        megha.RELAXED,
        "relaxed",
        "Machine {machine} lacks {count_x} of the task's soft constraints, so the task runs for {y_s} there.",
        ("machine", "count_x", "y_s"),
        edits=("constraints.soft", "topology.clusters"),
    ),
)
