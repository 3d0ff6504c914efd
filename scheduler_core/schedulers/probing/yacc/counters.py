"""The counters of Yacc-D."""

from __future__ import annotations

from scheduler_core.world.spec import Counter

COUNTERS = (
    Counter("sent", "Tasks sent", "Times that a task was sent to a worker."),
    Counter("bounced", "Tasks sent back", "Tasks that arrived at a full queue."),
    Counter(
        "held",
        "Tasks kept back",
        "Tasks that found no room when their job arrived and waited at its scheduler for the next publication.",
    ),
    Counter("overtaking", "Tasks that overtook", "Starts before tasks in front that still wait."),
    Counter(
        "protected",
        "Starts by the cap",
        "Starts of tasks that others would have overtaken if the cap had not been reached.",
    ),
    Counter("publications", "Publications", "Times that all workers published their queues."),
)
