"""Reasons why Eagle's tasks run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.schedulers.shared.probing import (
    HYBRID_REASONS,
    STARTED,
)
from scheduler_core.world.spec import Reason

STUCK, OVERTOOK, REFUSED_PROBE, BYPASSED, REORDERED = range(STARTED + 1, STARTED + 6)

ALL = (
    *HYBRID_REASONS,
    Reason(
        STUCK,
        "stuck",
        "Machine {machine} had just run another task of the same job. The sticky probe, which arrived {x_s} before, "
        "asked for the next task.",
        ("machine", "x_s"),
        mark="probe",
        edits=("scheduler.params.sticky",),
    ),
    Reason(
        OVERTOOK,
        "overtook",
        "Machine {machine} ran the task before {y} others in front of it, because its job had less work left; the "
        "probe had waited for {x_s}.",
        ("machine", "y", "x_s"),
        mark="overtaking",
        edits=("scheduler.params.shortest_first", "scheduler.params.bypass_cap"),
    ),
    Reason(
        REFUSED_PROBE,
        "refused",
        "{x} probes of the task's job met machines with long tasks in round {y} and were sent to other machines.",
        ("x", "y"),
        mark="refusal",
        edits=("scheduler.params.rounds", "scheduler.params.long_partition_share"),
    ),
    Reason(
        BYPASSED,
        "bypassed",
        "Machine {machine} served the task's probe in its turn. Before that, other jobs with {y} s of estimated "
        "work had overtaken the probe, and it had waited for {x_s}.",
        ("machine", "y", "x_s"),
        mark="probe",
        edits=("scheduler.params.bypass_cap", "scheduler.params.shortest_first"),
    ),
)
