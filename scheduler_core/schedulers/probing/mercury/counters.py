"""The counters of Mercury."""

from __future__ import annotations

from scheduler_core.world.spec import Counter

COUNTERS = (
    Counter("given", "Guaranteed starts", "Tasks that the central scheduler assigned to a machine."),
    Counter("queued", "Queueable tasks sent", "Times that a queueable task was sent to a worker."),
    Counter("queueable", "Queueable starts", "Times that a queueable task started."),
    Counter("preemptions", "Preemptions", "Queueable tasks preempted for a guaranteed one."),
    Counter("shed", "Tasks shed", "Queueable tasks that an overloaded worker gave back."),
    Counter("node_beats", "Machine heartbeats used", "Heartbeats of machines at which guaranteed tasks waited."),
)
