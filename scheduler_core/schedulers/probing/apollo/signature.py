"""The signature of Apollo."""

from __future__ import annotations

from scheduler_core.world.signature import LONG_WAITS, Band, Figure, Neighbor, Opens, Signature, Turn

_ALL = ("counters.regular", "counters.opportunistic")

SIGNATURE = Signature(
    year=2014,
    decides="several",
    knows="The wait that each machine published last",
    work="short-and-long",
    says=(
        "Every machine publishes at intervals how long a new task would wait there. Each job decides for itself "
        "and sends its tasks where the published wait is shortest. A job has a limited number of tokens, one for "
        "each of its regular tasks.",
        "The p90 wait is at most 0.7 times as long as under Sparrow; tasks beyond a job's tokens fill gaps.",
    ),
    waits=(
        "A task waits in the queue of its machine: other jobs saw the same short wait and came, too. A task without "
        "a token waits until no task with a token wants the place."
    ),
    params={"tokens": 6, "publish_s": 1},
    number=LONG_WAITS,
    touched=Figure("Opportunistic tasks", ("counters.opportunistic",), _ALL, "%"),
    against=Neighbor("sparrow", Band(most=0.7)),
    turn=Turn(
        "scheduler.params.publish_s",
        1,
        10,
        "With waits published every 10 s instead of every second, jobs crowd on machines that were free: the p90 "
        "wait "
        "is at least twice as long.",
        Band(least=2),
    ),
    opens=Opens(layer="opportunistic", moment="longest_wait"),
    unseen="Every job has tokens for all of its tasks here: no task is opportunistic.",
)
