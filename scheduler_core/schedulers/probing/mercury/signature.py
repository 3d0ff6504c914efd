"""The signature of Mercury."""

from __future__ import annotations

from scheduler_core.world.signature import Band, Figure, Neighbor, Opens, Signature, Turn

_LONG = Figure("Mean delay of long jobs", ("by_class.long.job_delay_s.mean",))
_SHORT = Figure("Mean delay of short jobs", ("by_class.short.job_delay_s.mean",))

SIGNATURE = Signature(
    year=2015,
    decides="hybrid",
    knows="For guaranteed tasks: machines that report room. For queueable tasks: the queues that workers last "
    "published",
    work="short-and-long",
    change={  # with 100 machines and 150 jobs, seeds differ too much
        "topology.clusters[0].machines[0].count": 200,
        "workload.jobs": 300,
    },
    says=(
        "Tasks of long jobs are guaranteed: a central scheduler gives them a machine of their own. Tasks of short "
        "jobs are sent to the queues of machines that seem to have little to do. They fill gaps. If a guaranteed "
        "task needs the machine, the short task there is preempted.",
        "Long jobs are delayed less than half as long as under Sparrow-C; short ones fill the gaps.",
    ),
    waits=(
        "A short task waits in the queue of its machine, or again after a guaranteed task preempted it. A "
        "guaranteed task waits until a machine without other guaranteed tasks reports."
    ),
    params={"short_cutoff_s": 5, "heartbeat_s": 1, "shed_s": 5},
    number=_LONG,
    touched=Figure("Guaranteed tasks", ("counters.given",), ("counters.given", "counters.queued"), "%"),
    against=Neighbor("sparrow-c", Band(most=0.5), {"short_cutoff_s": 5}),
    turn=Turn(
        "scheduler.params.shedding",
        True,
        False,
        "Without shedding from long queues, short jobs are delayed at least 1.4 times as long.",
        Band(least=1.4),
        _SHORT,
    ),
    opens=Opens(layer="guaranteed", moment="first_throw"),
    unseen="No job is guaranteed here, so every task waits in worker queues.",
)
