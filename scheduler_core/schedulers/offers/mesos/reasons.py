"""Reasons why tasks of Mesos' frameworks run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.reasons import LOST_REASON, unschedulable
from scheduler_core.world.spec import Reason

ACCEPTED, DECLINED, RESCINDED, UNSCHEDULABLE = range(1, 5)

ALL = (
    Reason(
        ACCEPTED,
        "accepted",
        "Framework {queue_to} accepted machine {machine} for the task. Machines in the offer: {x}.",
        ("queue_to", "machine", "x"),
        edits=("queues", "scheduler.params.interval_s"),
    ),
    Reason(
        DECLINED,
        "declined",
        "Framework {queue_to} was offered {x} machines, and none had room for the task; {y} tasks of this framework "
        "wait.",
        ("queue_to", "x", "y"),
        edits=("topology.clusters", "scheduler.params.refuse_s"),
    ),
    Reason(
        RESCINDED,
        "rescinded",
        "Framework {queue_to} accepted machine {machine} for the task, but the machine had gone out of service.",
        ("queue_to", "machine"),
        edits=("events",),
    ),
    LOST_REASON,
    unschedulable(UNSCHEDULABLE),
)
