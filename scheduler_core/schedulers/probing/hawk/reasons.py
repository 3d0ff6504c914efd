"""Reasons why Hawk's tasks run or wait: the kernel's codes and their sentences."""

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
        "Machine {machine} had stolen the task's probe from machine {frm}, where it stood behind a long task. The "
        "probe had waited for {x_s} in both queues.",
        ("machine", "frm", "x_s"),
        mark="probe",
        edits=("scheduler.params.steal_contacts",),
    ),
    Reason(
        STOLE,
        "stole",
        "Machine {machine} had no work and asked {y} machines for some. It stole {x} probes from behind a long task at "
        "machine {frm}; the probe of this task's job came first.",
        ("machine", "frm", "x", "y"),
        mark="steal",
        edits=("scheduler.params.steal_contacts",),
    ),
)
