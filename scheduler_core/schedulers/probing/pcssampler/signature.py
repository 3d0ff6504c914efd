"""The signature of PCSsampler."""

from __future__ import annotations

from scheduler_core.world.signature import MEAN_WAIT, Band, Figure, Neighbour, Opens, Signature, Turn

SIGNATURE = Signature(
    year=None,
    decides="several",
    knows="What workers told this scheduler, until it is too old",
    work="short-and-long",
    says=(
        "Each scheduler remembers what workers told it and sends tasks straight to those with room.",
        "It samples only for the rest, and tasks wait less than 0.7 times as long as with plain probes.",
    ),
    params={"schedulers": 2},
    number=MEAN_WAIT,
    touched=Figure("Tasks sent from memory", ("counters.known",), ("counters.known", "counters.sampled"), "%"),
    against=Neighbour("sparrow", Band(most=0.7), {"late_binding": False}, "Sparrow without late binding"),
    turn=Turn(
        "scheduler.params.remember_s",
        600.0,
        0.1,
        "Schedulers that forget after 0.1 s sample for nearly every task, which then waits at least 1.5 times as long.",
        Band(least=1.5),
    ),
    opens=Opens(layer="known", moment="usual_wait"),
    unseen="No scheduler knew of room here, so every task was sampled.",
)
