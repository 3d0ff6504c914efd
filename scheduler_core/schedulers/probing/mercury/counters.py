"""What Mercury counts."""

from __future__ import annotations

from scheduler_core.world.spec import Counter

COUNTERS = (
    Counter("given", "Guaranteed starts", "Tasks that the central scheduler assigned to a node."),
    Counter("queued", "Queueable tasks sent", "Times that a queueable task was sent to a worker."),
    Counter("queueable", "Queueable starts", "Times that a queueable task started."),
    Counter("preemptions", "Preemptions", "Queueable tasks stopped for a guaranteed one."),
    Counter("shed", "Tasks shed", "Queueable tasks that an overloaded worker gave back."),
    Counter("node_beats", "Node heartbeats used", "Heartbeats of nodes at which guaranteed tasks waited."),
)
