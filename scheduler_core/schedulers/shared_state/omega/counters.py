"""The counters of Omega."""

from __future__ import annotations

from scheduler_core.world.spec import Counter

COUNTERS = (
    Counter("transactions", "Transactions", "Commits that schedulers sent, each for one job."),
    Counter("commits", "Commits accepted at least in part", "Transactions of which at least one claim was accepted."),
    Counter("conflicts", "Commits refused at least in part", "Transactions of which at least one claim was refused."),
    Counter("refused_claims", "Claims refused", "Tasks whose machine had changed since the copy."),
    Counter(
        "retried_tasks",
        "Tasks retried",
        "Tasks of conflicting transactions that must be placed again; with all-or-nothing commits, all tasks of the "
        "transaction.",
    ),
    Counter(
        "jobs_scheduled",
        "Jobs scheduled",
        "Jobs whose tasks were all placed. The conflict fraction is the number of conflicts divided by this.",
    ),
    Counter("vain_decisions", "Failed decisions", "Decisions without a commit: the copy had too little room."),
)
