"""The signature of Omega."""

from __future__ import annotations

from scheduler_core.world.signature import JOB_DELAY, MEDIAN_WAIT, Band, Figure, Neighbor, Opens, Signature, Turn

_PARAMS = {"schedulers": 4, "split": "key", "job_s": 0.1, "task_s": 0.01}

SIGNATURE = Signature(
    year=2013,
    decides="several",
    knows="All machines, as they were when it began to decide",
    work="equal-jobs",
    change={"workload.arrivals.offered_load": 0.7, "workload.tasks": 3000},  # with 1500, half of the seeds disagree
    says=(
        "Four schedulers decide at the same time, each on its own copy of the state of all machines. When two "
        "choose the same place, the first gets it; the second is refused, takes a new copy and tries again.",
        "Conflicts cost retries, but the median wait time of a task is less than half of that with one scheduler.",
    ),
    waits=(
        "A task waits in the box of its scheduler behind other tasks, because a scheduler decides about one job at a "
        "time. After a refusal, the task waits again."
    ),
    params=_PARAMS,
    number=MEDIAN_WAIT,
    touched=Figure("Claims refused", ("counters.refused_claims",), ("counters.refused_claims", "tasks.total"), "%"),
    against=Neighbor("omega", Band(most=0.5), {**_PARAMS, "schedulers": 1}, "Omega with one scheduler"),
    turn=Turn(
        "scheduler.params.placement",
        "random",
        "first",
        "When every scheduler looks at the first machine first, all want the same one: jobs are delayed at least 1.4 "
        "times as long.",
        Band(least=1.4),
        JOB_DELAY,
    ),
    opens=Opens(layer="conflicts", moment="worst_bounce"),
    unseen="No two schedulers want the same machine at once here: no conflicts.",
)
