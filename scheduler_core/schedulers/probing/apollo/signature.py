"""The signature of Apollo."""

from __future__ import annotations

from scheduler_core.world.signature import LONG_WAITS, Band, Figure, Neighbour, Opens, Signature, Turn

_ALL = ("counters.regular", "counters.opportunistic")

SIGNATURE = Signature(
    year=2014,
    decides="several",
    knows="The wait that each server published last",
    work="short-and-long",
    says=(
        "Servers publish how long a task would wait, and each job picks the shortest wait it knows of.",
        "One task in ten waits less than 0.7 times as long as under Sparrow; tasks beyond a job's tokens fill gaps.",
    ),
    params={"tokens": 6, "publish_s": 1},
    number=LONG_WAITS,
    touched=Figure("Opportunistic tasks", ("counters.opportunistic",), _ALL, "%"),
    against=Neighbour("sparrow", Band(most=0.7)),
    turn=Turn(
        "scheduler.params.publish_s",
        1,
        10,
        "With waits published every 10 s in place of every second, jobs crowd on servers that were free: the longest "
        "tenth of the waits is at least twice as long.",
        Band(least=2),
    ),
    opens=Opens(layer="opportunistic", moment="longest_wait"),
    unseen="Every job has tokens for all of its tasks here: no task is opportunistic.",
)
