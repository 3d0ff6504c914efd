"""The signature of Pigeon."""

from __future__ import annotations

from scheduler_core.world.signature import JOB_DELAY, Band, Figure, Neighbor, Opens, Signature, Turn

SIGNATURE = Signature(
    year=2019,
    decides="several",
    knows="Each master: its own group of workers, exactly",
    work="short-and-long",
    change={  # with 100 machines and 150 jobs, seeds differ too much
        "topology.clusters[0].machines[0].count": 200,
        "workload.jobs": 300,
    },
    says=(
        "The machines are split into groups, each with a master that knows its group exactly. Every job spreads "
        "its tasks over all groups. A master has one queue for short tasks and one for long ones, and keeps some "
        "machines for short tasks.",
        "Only short tasks may use reserved workers. The mean delay of a job is less than a third of that under "
        "Sparrow.",
    ),
    waits=(
        "A task waits at the master of its group while all machines there that may run it are busy, even if "
        "another group has idle machines."
    ),
    params={"short_cutoff_s": 5, "group_size": 20, "reserved_per_group": 2},
    number=JOB_DELAY,
    touched=Figure("Tasks on reserved workers", ("counters.on_reserved",), ("tasks.total",), "%"),
    against=Neighbor("sparrow", Band(most=0.33)),
    turn=Turn(
        "scheduler.params.group_size",
        20,
        5,
        "With groups of 5 workers instead of 20, some groups have queues while others are idle: jobs are delayed at "
        "least "
        "1.5 times as long.",
        Band(least=1.5),
    ),
    opens=Opens(layer="reserved", moment="two_queues", then="reserved_machine"),
    unseen="Every short task found an ordinary worker of its group here: nothing needs a reserved one.",
)
