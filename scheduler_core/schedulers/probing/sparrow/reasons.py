"""Reasons why Sparrow's tasks run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Reason

LAUNCHED = 1
UNSCHEDULABLE = 2
PLACED = 3
STARTED = 4

ALL = (
    Reason(
        LAUNCHED,
        "launched",
        "Machine {machine} was the first free one to ask for a task. The probe had waited there for {x_s}, behind {y} "
        "others.",
        ("machine", "x_s", "y"),
        mark="probe",
        edits=("scheduler.params.probe_ratio",),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        PLACED,
        "placed",
        "None of the remaining probed machines had a shorter queue than machine {machine}, with {x} tasks in front; "
        "the task joined that queue.",
        ("x", "machine"),
        edits=("scheduler.params.probe_ratio", "scheduler.params.late_binding"),
    ),
    Reason(
        STARTED,
        "started",
        "Machine {machine} had room for the task, which had waited there for {x_s}, behind {y} others at first.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.late_binding",),
    ),
)
