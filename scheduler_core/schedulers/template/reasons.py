"""Reasons for the template's choice of a machine: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.schedulers.shared.lines.reasons import FIRST_OWN, LINED_REASONS
from scheduler_core.world.spec import Reason

SENT = FIRST_OWN

ALL = (
    Reason(
        SENT,
        "sent",
        "Of {y} machines drawn, machine {machine} had the fewest tasks: {x}.",
        ("y", "machine", "x"),
        edits=("scheduler.params.choices",),
    ),
    *LINED_REASONS,
)
