"""The signature of Pigeon."""

from __future__ import annotations

from scheduler_core.world.signature import JOB_DELAY, Band, Figure, Neighbour, Opens, Signature, Turn

SIGNATURE = Signature(
    year=2019,
    decides="several",
    knows="Each master: its own group of workers, exactly",
    work="short-and-long",
    says=(
        "Every job is spread over all groups; a group's master has one queue for short tasks and one for long ones.",
        "Short tasks may use reserved workers, and jobs are delayed less than a third as long as under Sparrow.",
    ),
    params={"short_cutoff_s": 5, "group_size": 20, "reserved_per_group": 2},
    number=JOB_DELAY,
    touched=Figure("Tasks on reserved workers", ("counters.on_reserved",), ("tasks.total",), "%"),
    against=Neighbour("sparrow", Band(most=0.33)),
    turn=Turn(
        "scheduler.params.group_size",
        20,
        5,
        "With groups of 5 workers in place of 20, some groups have queues while others idle: jobs are delayed at least "
        "1.5 times as long.",
        Band(least=1.5),
    ),
    opens=Opens(layer="reserved", moment="longest_wait"),
    unseen="Every short task found an ordinary worker of its group here: nothing needs a reserved one.",
)
