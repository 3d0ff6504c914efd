"""The signature of Yacc-D."""

from __future__ import annotations

from scheduler_core.world.signature import LONG_WAITS, Band, Figure, Neighbor, Opens, Signature, Turn

SIGNATURE = Signature(
    year=2016,
    decides="several",
    knows="Queues as workers last published them, and its own tasks since",
    work="short-and-long",
    change={  # with 100 machines and 150 jobs, eight seeds in ten disagree
        "topology.clusters[0].machines[0].count": 400,
        "workload.jobs": 600,
    },
    says=(
        "Machines have short queues of limited length and publish them at regular reports (heartbeats). Several "
        "schedulers send tasks where they expect the shortest wait. A machine serves first the job that has the "
        "least work left.",
        "The p90 wait is at most 0.6 times as long as under Sparrow.",
    ),
    waits=(
        "A task waits in the queue of its machine and lets jobs with less work left go ahead. If all queues seem "
        "full, it waits with its scheduler."
    ),
    params={"heartbeat_s": 0.5},
    number=LONG_WAITS,
    touched=Figure("Tasks that went ahead of others", ("counters.overtaking",), ("counters.sent",), "%"),
    least_touched=0.01,
    against=Neighbor("sparrow", Band(most=0.6)),
    turn=Turn(
        "scheduler.params.heartbeat_s",
        0.5,
        3.0,
        "With a heartbeat of 3 s instead of 0.5 s, schedulers know older queues: the p90 wait is at least 1.4 times "
        "as long.",
        Band(least=1.4),
    ),
    opens=Opens(layer="bound", moment="first_overtake"),
    unseen="No queue holds two jobs here, so the order of queues does not matter.",
)
