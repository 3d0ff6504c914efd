"""What Omega counts."""

from __future__ import annotations

from scheduler_core.world.spec import Counter

COUNTERS = (
    Counter("transactions", "Transactions", "Commits that schedulers sent, each for one job."),
    Counter("commits", "Successful commits", "Transactions of which at least one claim was accepted."),
    Counter("conflicts", "Conflicts", "Transactions of which at least one claim was refused."),
    Counter("refused_claims", "Claims refused", "Tasks whose machine was not as in the copy any more."),
    Counter(
        "retried_tasks",
        "Tasks retried",
        "Tasks of conflicting transactions that have to be placed again; under all or nothing all of them.",
    ),
    Counter(
        "jobs_scheduled",
        "Jobs scheduled",
        "Jobs whose tasks were all placed. The conflict fraction is conflicts over these.",
    ),
    Counter("vain_decisions", "Decisions in vain", "Decisions without a commit: the copy had too little room."),
)
