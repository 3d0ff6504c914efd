"""What Yacc-D counts."""

from __future__ import annotations

from scheduler_core.world.spec import Counter

COUNTERS = (
    Counter("sent", "Tasks sent", "Times that a task was sent to a worker."),
    Counter("bounced", "Tasks sent back", "Tasks that came to a queue that was full."),
    Counter(
        "held",
        "Tasks kept back",
        "Tasks that found no room when their job came, and waited at its scheduler for news.",
    ),
    Counter("overtaking", "Tasks that overtook", "Starts past others in front that still wait."),
    Counter(
        "protected",
        "Starts by the bound",
        "Starts of tasks that others would have gone past, had those not been kept waiting long enough.",
    ),
    Counter("publications", "Publications", "Times that all workers published their queues."),
)
