"""The counters of Phoenix."""

from __future__ import annotations

from scheduler_core.schedulers.probing import eagle
from scheduler_core.world.spec import Counter

_EAGLES = tuple(counter for counter in eagle.SPEC.counters if counter.name != "lacking")

COUNTERS = (
    *_EAGLES,
    Counter(
        "reorders", "Reordered by scarcity (CRV)", "Tasks that overtook others because their constraints are scarcer."
    ),
    Counter("negotiated", "Tasks negotiated", "Tasks admitted without their soft constraints."),
    Counter(
        "lacking",
        "Tasks without a constraint",
        "Tasks of short jobs started on workers without one of their constraints: negotiated ones and, under the "
        "rules of the authors' program, those whose constraints it ignored.",
    ),
    Counter(
        "switches",
        "Switches",
        "Times that the order by CRV (constraint resource vector: demand for each "
        "kind of machine over its supply) was switched on or off for all workers.",
    ),
)
