"""Where the tasks of schedulers with queues at workers wait, for a picture in which tasks are things."""

from __future__ import annotations

from scheduler_core.world.work import IN_QUEUE, Keeper, Leg, Move, Work

OF_JOBS = Keeper("job", "Job's own scheduler", "Each job has a scheduler of its own, which keeps nothing back.")
BY_PROBES = (*IN_QUEUE, Leg("communication", "way", 1 / 3), Leg("worker", "worker"), Leg("communication", "way", 2 / 3))
"""A probe goes out, waits at a worker, asks, and fetches the task: three messages."""

HANDED_BACK = {"handed_back": Move("shed", "machine", "keeper", wrong=True)}
PROBED = Work(OF_JOBS, BY_PROBES, HANDED_BACK)
SENT = Work(OF_JOBS, moves=HANDED_BACK)
