"""The signatures of Sparrow and Sparrow-C."""

from __future__ import annotations

from scheduler_core.world.signature import JOB_DELAY, LONG_WAITS, Band, Figure, Neighbor, Opens, Signature, Turn

_LATE = Figure("Probes whose task went elsewhere", ("counters.noops",), ("counters.probes",), "%")

SPARROW = Signature(
    year=2013,
    decides="several",
    knows="Nothing; it asks two machines for each task",
    work="short-and-long",
    says=(
        "Nobody knows which machines are free. A job asks machines chosen at random, two for each of its tasks, "
        "and leaves a note (a probe) in the queue of each. The machine that reaches a note first gets the task; the "
        "other notes get nothing and are wasted.",
        "Half of the probes are wasted. Still, the mean delay of a job is at most 0.7 times its mean delay without "
        "late binding.",
    ),
    waits=(
        "A task waits while all the machines that were asked are busy or have other notes in front, even if "
        "machines that were not asked are idle."
    ),
    short="each job asks two random machines for every task, and no scheduler knows the queues",
    number=JOB_DELAY,
    touched=_LATE,
    least_touched=0.45,
    against=Neighbor("sparrow", Band(most=0.7), {"late_binding": False}, "Sparrow without late binding"),
    turn=Turn(
        "scheduler.params.probe_ratio",
        2.0,
        4.0,
        "Four probes per task instead of two cut the delay of jobs by a third or more.",
        Band(most=0.67),
    ),
    opens=Opens(layer="queue", moment="probes_race", then="longest_wait"),
)

SPARROW_C = Signature(
    year=2013,
    decides="several",
    knows="Which machines offer what a task asks for",
    work="picky",
    change={  # with 100 machines and 150 jobs, three seeds in ten disagree
        "topology.clusters[0].machines[0].count": 200,
        "workload.jobs": 300,
        "workload.arrivals.offered_load": 0.75,
    },
    says=(
        "A job asks machines chosen at random, but only machines that offer what its tasks need. It leaves a note "
        "(a probe) in the queue of each; the machine that reaches a note first gets the task.",
        "Short tasks wait behind long ones: the p90 wait is at least twice as long as under Eagle-C.",
    ),
    waits="A task waits behind others at the few machines that suit it, even if machines of other kinds are idle.",
    params={"short_cutoff_s": 5},
    short="each job asks two random machines of those that suit the task",
    number=LONG_WAITS,
    touched=_LATE,
    against=Neighbor("eagle-c", Band(least=2), {"short_cutoff_s": 5, "long_partition_share": 0.9}),
    turn=Turn(
        "scheduler.params.probe_ratio",
        2.0,
        4.0,
        "Four probes per task instead of two cut the p90 wait by a third or more.",
        Band(most=0.67),
    ),
    opens=Opens(layer="queue", moment="longest_wait"),
)
