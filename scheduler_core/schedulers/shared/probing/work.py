"""Where tasks of schedulers with worker queues wait, for a picture that draws each task."""

from __future__ import annotations

from dataclasses import replace

from scheduler_core.world.work import IN_QUEUE, Keeper, Leg, Move, Work

OF_JOBS = Keeper("job", "Job's own scheduler", "Each job has a scheduler of its own, which keeps nothing back.")
OF_SHORT_JOBS = replace(
    OF_JOBS,
    central="Central scheduler",
    central_help="It places long jobs. Each task goes to the machine where its estimated wait is shortest.",
    placed_by="placed",
)
BY_PROBES = (*IN_QUEUE, Leg("communication", "way", 1 / 3), Leg("worker", "worker"), Leg("communication", "way", 2 / 3))
"""A probe goes out, waits at a worker, asks, and fetches the task: three messages."""

HANDED_BACK = {"handed_back": Move("shed", "machine", "keeper", wrong=True)}
PROBED = Work(OF_JOBS, BY_PROBES, HANDED_BACK)
HYBRID = replace(PROBED, keeper=OF_SHORT_JOBS, long_above="short_cutoff_s")
"""Short jobs send probes; one scheduler places long jobs."""
SENT = Work(OF_JOBS, moves=HANDED_BACK)
