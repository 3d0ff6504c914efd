"""The signature of the pipeline scheduler."""

from __future__ import annotations

from scheduler_core.world.signature import JOB_TIME, Band, Neighbor, Opens, Signature, Turn

SIGNATURE = Signature(
    year=2018,
    decides="one",
    knows="Depends on the policies chosen",
    work="large-and-small",
    says=(
        "One scheduler passes every task through the same steps (stages): admit it, order the queue, leave "
        "machines out, choose one. Each stage can have another rule. Here every stage has its plainest rule, "
        "so tasks are served in the order of arrival.",
        "With stages in their plain form, small jobs queue behind large ones: jobs take at least 1.5 times as long "
        "as under SRTF.",
    ),
    waits="A task waits in the queue behind all tasks that came before it, while the machines are full.",
    number=JOB_TIME,
    against=Neighbor("srtf", Band(least=1.5)),
    turn=Turn(
        "scheduler.params.t2",
        "fifo",
        "srtf",
        "With SRTF as the policy of the stage “Sort tasks”, jobs take at most 0.7 times as long.",
        Band(most=0.7),
    ),
    opens=Opens("stages", "load", "longest_wait"),
)
