"""The signatures of Eagle and Eagle-C."""

from __future__ import annotations

from scheduler_core.world.signature import MEDIAN_DELAY, Band, Figure, Neighbor, Opens, Signature, Turn

_REFUSED = Figure("Probes refused by workers with long tasks", ("counters.refused",), ("counters.probes",), "%")
_PARAMS = {"short_cutoff_s": 5, "long_partition_share": 0.9}
_UNSEEN = "No probe meets a worker with a long task here: nothing to separate."

EAGLE = Signature(
    year=2016,
    decides="hybrid",
    knows="Which workers have long tasks, as reported with the last refusal",
    work="short-and-long",
    change={  # with 100 machines and 150 jobs, three seeds in ten disagree
        "topology.clusters[0].machines[0].count": 300,
        "workload.jobs": 450,
    },
    says=(
        "One central scheduler places long tasks; short tasks ask machines chosen at random. A machine with a "
        "long task refuses short ones and says where other long tasks are, so the scheduler asks elsewhere.",
        "The median delay of a job is less than half of that under Hawk.",
    ),
    waits=(
        "A short task waits behind other short ones, never behind a long task. A long task waits for other long "
        "ones at the machines that may run them."
    ),
    params=_PARAMS,
    number=MEDIAN_DELAY,
    touched=_REFUSED,
    against=Neighbor("hawk", Band(most=0.5), _PARAMS),
    turn=Turn(
        "scheduler.params.short_cutoff_s",
        5,
        60,
        "With a cutoff of 60 s, every job counts as short and no machine refuses: the median job delay grows to at "
        "least 1.4 times its former value.",
        Band(least=1.4),
    ),
    opens=Opens(layer="long", moment="first_bounce"),
    unseen=_UNSEEN,
)

EAGLE_C = Signature(
    year=2016,
    decides="hybrid",
    knows="Which workers offer what a task asks for, and which have long tasks",
    work="picky",
    change={  # with 100 machines and 150 jobs, three seeds in ten disagree
        "topology.clusters[0].machines[0].count": 300,
        "workload.jobs": 450,
        "workload.arrivals.offered_load": 0.85,
    },
    says=(
        "Short tasks ask machines chosen at random among those that offer what they need. A machine with a long "
        "task refuses short ones and says where other long tasks are. One central scheduler places the long "
        "tasks.",
        "The median delay of a job is less than half of that under Hawk-C.",
    ),
    waits=(
        "A short task waits behind other short ones at the few machines that suit it. A long task waits for other "
        "long ones."
    ),
    params=_PARAMS,
    short="short tasks avoid machines with long ones, and the shortest job goes first",
    number=MEDIAN_DELAY,
    touched=_REFUSED,
    against=Neighbor("hawk-c", Band(most=0.5), _PARAMS),
    turn=Turn(
        "scheduler.params.short_cutoff_s",
        5,
        60,
        "With a cutoff of 60 s, every job counts as short and no machine refuses: the median job delay grows to at "
        "least 1.4 times its former value.",
        Band(least=1.4),
    ),
    opens=Opens(layer="short_only", moment="first_bounce"),
    unseen=_UNSEEN,
)
