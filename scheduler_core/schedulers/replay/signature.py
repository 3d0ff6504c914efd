"""The signature of the replay."""

from __future__ import annotations

from scheduler_core.world.signature import MEAN_WAIT, Band, Figure, Neighbor, Opens, Signature, Turn

SIGNATURE = Signature(
    year=None,
    decides="one",
    knows="The recorded start of each task",
    work="recorded",
    says=(
        "Nobody decides: each task starts when the recording says it did. In this recording, the cluster's scheduler "
        "looked at the waiting jobs every ten seconds and started all that had room.",
        "On average, tasks waited at least 10 times as long as under one queue that looks at every arrival and end.",
    ),
    waits="A task waits as long as it waited when it was recorded, or until a machine has room, if none has then.",
    number=MEAN_WAIT,
    touched=Figure("Tasks that started as recorded", ("counters.on_time",), ("tasks.total",), "%"),
    against=Neighbor("fifo", Band(least=10)),
    turn=Turn(
        "topology.clusters[0].machines[0].count",
        40,
        20,
        "With half the machines, tasks start later than recorded, and they wait at least twice as long on average.",
        Band(least=2),
    ),
    opens=Opens(moment="longest_wait"),
    unseen="No task starts as recorded here: the workload tells no starts.",
)
