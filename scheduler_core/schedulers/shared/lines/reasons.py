"""Reasons, layers, counters and series of every scheduler with queues at machines."""

from __future__ import annotations

from scheduler_core.world.reasons import OUTAGE_REASONS, unschedulable
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, Layer, Reason, Series

UNSCHEDULABLE, STARTED, WAITS = 1, 2, 3
FIRST_OWN = 10
"""Codes of a scheduler's own begin here."""

LINED_REASONS = (
    unschedulable(UNSCHEDULABLE),
    Reason(STARTED, "started", "Machine {machine} had room for it after {x_s} in its line.", ("machine", "x_s")),
    Reason(WAITS, "waits", "It waits in the line of machine {machine}, behind {x} tasks.", ("machine", "x"), now=True),
    *OUTAGE_REASONS,
)
LINED_LAYERS = (LOAD_LAYER, OUTAGE_LAYER, Layer("line", "Line", "level", "Tasks in line.", unit="tasks", full=32))
LINED_COUNTERS = (Counter("sent", "Tasks sent", "Tasks sent to a machine, some of them more than once."),)
LINED_SERIES = (Series("waiting_in_line", "Tasks in lines", "tasks"),)
LINED_SUPPORTS = frozenset({"constraints", "interference", "machine_faults", "share_changes"})
"""What every scheduler with lines supports; shares of queues mean nothing to them."""
