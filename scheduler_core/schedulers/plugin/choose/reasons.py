"""Reasons, counters and series of a scheduler that is one function."""

from __future__ import annotations

from scheduler_core.schedulers.shared.lines.reasons import FIRST_OWN, LINED_COUNTERS, LINED_REASONS, LINED_SERIES
from scheduler_core.world.spec import Counter, Reason, Series

SENT, DECLINED, BEHIND, NOWHERE = range(FIRST_OWN, FIRST_OWN + 4)

REASONS = (
    Reason(
        SENT,
        "sent",
        "Of {y} machines that could run it, choose took machine {machine}, which had {x} tasks.",
        ("y", "machine", "x"),
        among="y",
    ),
    Reason(
        DECLINED,
        "declined",
        "choose gave no machine at the last question. The scheduler asks again when a task ends.",
        now=True,
    ),
    Reason(BEHIND, "behind", "It waits at the scheduler, behind {x} tasks.", ("x",), now=True),
    Reason(NOWHERE, "nowhere", "All machines that could run it are out of service.", now=True),
    *LINED_REASONS,
)
COUNTERS = (
    *LINED_COUNTERS,
    Counter("questions", "Questions", "How often the scheduler called choose."),
    Counter("declined", "No machine", "Questions to which choose gave no machine."),
)
SERIES = (Series("waiting_here", "Tasks at the scheduler", "tasks"), *LINED_SERIES)
