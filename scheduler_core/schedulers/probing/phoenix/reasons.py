"""Reasons why Phoenix's tasks run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.schedulers.probing.eagle import reasons as eagles
from scheduler_core.schedulers.probing.eagle.reasons import REORDERED
from scheduler_core.world.spec import Reason

NEGOTIATED, RELAXED, SWITCHED_ON, SWITCHED_OFF = range(REORDERED + 1, REORDERED + 5)

ALL = (
    *eagles.ALL,
    Reason(
        REORDERED,
        "reordered",
        "Machine {machine} ran the task before {y} others in front of it, because the job's constraints are scarcer; "
        "the probe had waited for {x_s}.",
        ("machine", "y", "x_s"),
        mark="reorder",
        edits=("scheduler.params.load_threshold_percent", "scheduler.params.wait_threshold_s"),
    ),
    Reason(
        NEGOTIATED,
        "negotiated",
        "Only {y} machines offer all constraints of the task's job, so the job was admitted without {count_x} soft "
        "constraints.",
        ("y", "count_x"),
        mark="negotiation",
        edits=("scheduler.params.negotiate", "scheduler.params.negotiate_ratio", "constraints.soft"),
    ),
    Reason(
        RELAXED,
        "relaxed",
        "Machine {machine} lacks {count_x} of the task's soft constraints, so the task runs for {y_s} there.",
        ("machine", "count_x", "y_s"),
        edits=("constraints.soft", "topology.clusters"),
    ),
    Reason(
        SWITCHED_ON,
        "crv_on",
        "{y_high_share} of the datacenter was in use: all machines serve the scarcest constraint first from now on.",
        ("y_high_share",),
        mark="crv_on",
        edits=("scheduler.params.load_threshold_percent",),
    ),
    Reason(
        SWITCHED_OFF,
        "crv_off",
        "{y_high_share} of the datacenter was in use: only machines that expect long waits still serve the scarcest "
        "constraint first.",
        ("y_high_share",),
        mark="crv_off",
        edits=("scheduler.params.load_threshold_percent",),
    ),
)
