"""The signature of the pipeline of stages."""

from __future__ import annotations

from scheduler_core.world.signature import JOB_TIME, Band, Neighbour, Opens, Signature, Turn

SIGNATURE = Signature(
    year=2018,
    decides="one",
    knows="What its stages ask for",
    work="large-and-small",
    says=(
        "Every task passes the same stages in turn, and each stage can be given another policy.",
        "With stages in their plain form small jobs queue behind large ones: jobs take at least 1.5 times as long as "
        "under SRTF.",
    ),
    number=JOB_TIME,
    against=Neighbour("srtf", Band(least=1.5)),
    turn=Turn(
        "scheduler.params.t2",
        "fifo",
        "srtf",
        "With the policy srtf in the stage that orders tasks, jobs take at most 0.7 times as long.",
        Band(most=0.7),
    ),
    opens=Opens("stages", "load", "longest_wait"),
)
