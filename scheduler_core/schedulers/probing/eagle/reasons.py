"""Why Eagle's tasks run or wait: the codes that the kernel writes, and their sentences."""

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
        "Worker {machine} had just run another task of its job; the probe stayed there and asked for the next. "
        "It had come {x_s} before.",
        ("machine", "x_s"),
        mark="probe",
        edits=("scheduler.params.sticky",),
    ),
    Reason(
        OVERTOOK,
        "overtook",
        "Worker {machine} took it before {y} others in front, because its job had less work left; its probe had "
        "waited {x_s}.",
        ("machine", "y", "x_s"),
        mark="overtaking",
        edits=("scheduler.params.shortest_first", "scheduler.params.bypass_cap"),
    ),
    Reason(
        REFUSED_PROBE,
        "refused",
        "Probes of its job met a long task where they came and were sent to others: {x} in round {y}.",
        ("x", "y"),
        mark="refusal",
        edits=("scheduler.params.rounds", "scheduler.params.long_partition_share"),
    ),
    Reason(
        BYPASSED,
        "bypassed",
        "Worker {machine} had served other jobs past its probe, {y} s of work by their estimates; it had waited {x_s}.",
        ("machine", "y", "x_s"),
        mark="probe",
        edits=("scheduler.params.bypass_cap", "scheduler.params.shortest_first"),
    ),
)
