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
        "Worker {machine} had stolen the probe from worker {frm}, where it stood behind a long task. The probe had "
        "waited for {x_s} in both queues.",
        ("machine", "frm", "x_s"),
        mark="probe",
        edits=("scheduler.params.steal_contacts",),
    ),
    Reason(
        STOLE,
        "stole",
        "Idle worker {machine} stole {x} probes from worker {frm}, a probe of this job first. It had asked {y} "
        "workers for work.",
        ("machine", "frm", "x", "y"),
        mark="steal",
        edits=("scheduler.params.steal_contacts",),
    ),
)
