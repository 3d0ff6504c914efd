"""The counters of Mesos."""

from __future__ import annotations

from scheduler_core.world.spec import Counter

COUNTERS = (
    Counter("rounds", "Rounds of allocation", "Times that the master looked for machines to offer."),
    Counter("offers", "Machines offered", "Machines offered to frameworks; each offer of a machine counts."),
    Counter("declined", "Offers declined", "Offered machines of which a framework used nothing."),
    Counter("rescinded", "Offers rescinded", "Offers of machines that went out of service before the answer came."),
    Counter("lost", "Tasks lost", "Tasks whose machine failed under them; they started again later."),
)
