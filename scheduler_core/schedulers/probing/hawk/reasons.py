"""Why Hawk's tasks run or wait: the codes that the kernel writes, and their sentences."""

from __future__ import annotations

from scheduler_core.schedulers.shared.probing import (
    HYBRID_REASONS,
    STARTED,
)
from scheduler_core.world.spec import Reason

LAUNCHED_STOLEN, STOLE = range(STARTED + 1, STARTED + 3)

ALL = (
    *HYBRID_REASONS,
    Reason(
        LAUNCHED_STOLEN,
        "launched_stolen",
        "Worker {machine} had taken the probe over from worker {frm}, where it stood behind a long task; it had "
        "waited {x_s} in both queues.",
        ("machine", "frm", "x_s"),
        mark="probe",
        edits=("scheduler.params.steal_contacts",),
    ),
    Reason(
        STOLE,
        "stole",
        "Idle worker {machine} took {x} probes over from worker {frm}, the first of them one of its job; "
        "that was worker number {y} that it asked.",
        ("machine", "frm", "x", "y"),
        mark="steal",
        edits=("scheduler.params.steal_contacts",),
    ),
)
