"""What Mesos counts."""

from __future__ import annotations

from scheduler_core.world.spec import Counter

COUNTERS = (
    Counter("rounds", "Rounds of allocation", "Times that the master looked for machines to offer."),
    Counter("offers", "Machines offered", "A machine counts each time that it is offered to a framework."),
    Counter("declined", "Offers declined", "Offers of a machine of which a framework used nothing."),
    Counter("rescinded", "Offers rescinded", "Offers of machines that went out of service before the answer came."),
    Counter("lost", "Tasks lost", "Tasks whose machine failed under them; they started again later."),
)
