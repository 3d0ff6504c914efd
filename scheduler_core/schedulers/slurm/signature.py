"""The signature of Slurm."""

from __future__ import annotations

from scheduler_core.world.signature import JOB_DELAY, Band, Figure, Neighbor, Opens, Signature, Turn

SIGNATURE = Signature(
    year=2003,
    decides="one",
    knows="All machines, the priority of each job, and how long each job may run",
    work="short-and-long",
    says=(
        "One scheduler takes the jobs in the order of their priorities. If the first one has no room for all its "
        "tasks, EASY backfill reserves room for it and starts jobs behind it that do not delay that start.",
        "On average, jobs are delayed at most 0.85 times as long as without backfill.",
    ),
    waits="A job waits until all its tasks have room at once, and until no reservation of another job needs that room.",
    change={"workload.jobs": 500},  # with 150 jobs, seeds differ more than backfill does
    params={"backfill": "easy", "bf_interval": 0, "bf_resolution": 0},
    number=JOB_DELAY,
    touched=Figure("Jobs backfilled", ("counters.backfilled",), ("jobs.total",), "%"),
    against=Neighbor("slurm", Band(most=0.85), {"backfill": "none"}, "Slurm without backfill"),
    turn=Turn(
        "scheduler.params.bf_interval",
        0,
        30,
        "If a backfill pass comes only every 30 s, jobs are delayed at least 1.2 times as long on average.",
        Band(least=1.2),
    ),
    opens=Opens(moment="longest_wait"),
    unseen="No job is backfilled here.",
)
