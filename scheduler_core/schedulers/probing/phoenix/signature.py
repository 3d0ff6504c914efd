"""The signature of Phoenix."""

from __future__ import annotations

from scheduler_core.world.signature import MEAN_WAIT, Band, Figure, Neighbor, Opens, Signature, Turn

_REORDERED = Figure("Tasks served first for a scarce constraint", ("counters.reorders",), ("tasks.total",), "%")
_PARAMS = {
    "short_cutoff_s": 5,
    "long_partition_share": 0.9,
    "wait_threshold_s": 0.5,
    "monitor_interval_s": 1,
    "load_threshold_percent": 100,
}

SIGNATURE = Signature(
    year=2017,
    decides="hybrid",
    knows="Demand for each constraint, and how many workers offer it",
    work="picky",
    change={  # with 100 machines and 150 jobs, one seed in five disagrees
        "topology.clusters[0].machines[0].count": 400,
        "workload.jobs": 600,
        "workload.arrivals.offered_load": 1.0,
    },
    says=(
        "Tasks ask machines that offer what they need. A monitor compares the demand for each kind of machine with "
        "the supply. Under high load, a machine first serves the task that needs the scarcest kind of machine.",
        "More than one task in twenty goes ahead for this reason. The mean wait is shorter than under Eagle-C.",
    ),
    waits=(
        "A task waits in the queue of a machine that suits it, and lets tasks that need a scarcer kind of machine "
        "go ahead."
    ),
    params=_PARAMS,
    number=_REORDERED,
    touched=_REORDERED,
    against=Neighbor("eagle-c", Band(most=0.99), {"short_cutoff_s": 5, "long_partition_share": 0.9}, number=MEAN_WAIT),
    turn=Turn(
        "scheduler.params.wait_threshold_s",
        0.5,
        100.0,
        "With a wait threshold of 100 s instead of 0.5 s, workers stop reordering: at most half as many "
        "tasks go ahead.",
        Band(most=0.5),
    ),
    opens=Opens(layer="scarcest", moment="first_overtake"),
    unseen="No task waits behind one that could run elsewhere here, so no constraint is scarce.",
)
