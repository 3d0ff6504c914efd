"""The signature of Yacc-D."""

from __future__ import annotations

from scheduler_core.world.signature import LONG_WAITS, Band, Figure, Neighbour, Opens, Signature, Turn

SIGNATURE = Signature(
    year=2016,
    decides="several",
    knows="Queues as workers last published them, and its own tasks since",
    work="short-and-long",
    says=(
        "Workers hold short bounded queues and serve the job with the least work left first.",
        "One task in ten waits less than 0.6 times as long as under Sparrow.",
    ),
    params={"heartbeat_s": 0.5},
    number=LONG_WAITS,
    touched=Figure("Tasks that went ahead of others", ("counters.overtaking",), ("counters.sent",), "%"),
    against=Neighbour("sparrow", Band(most=0.6)),
    turn=Turn(
        "scheduler.params.heartbeat_s",
        0.5,
        3.0,
        "With a heartbeat of 3 s in place of 0.5 s schedulers know older queues: the longest tenth of the waits is at "
        "least 1.4 times as long.",
        Band(least=1.4),
    ),
    opens=Opens(layer="bound", moment="first_overtake"),
    unseen="No queue holds two jobs here, so the order of queues does not matter.",
)
