"""The counters of Apollo."""

from __future__ import annotations

from scheduler_core.world.spec import Counter

COUNTERS = (
    Counter("regular", "Regular tasks sent", "Tasks that were sent with a token."),
    Counter("opportunistic", "Opportunistic tasks sent", "Tasks that were sent without a token."),
    Counter(
        "filled",
        "Opportunistic starts",
        "Tasks that started without a token, on machines where no regular task waited.",
    ),
    Counter("upgrades", "Tokens passed on", "Opportunistic tasks that got a token of their job."),
    Counter("second_choices", "Not the best machine", "Tasks that were matched to a machine other than their best."),
    Counter("duplicates", "Duplicates", "Tasks sent to a second machine because their expected wait was too long."),
    Counter("dropped", "Copies dropped", "Copies of tasks that had started elsewhere."),
)
