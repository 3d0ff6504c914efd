"""The signatures of Hawk and Hawk-C."""

from __future__ import annotations

from scheduler_core.world.signature import JOB_DELAY, Band, Figure, Neighbor, Opens, Signature, Turn

_STOLEN = Figure("Probes stolen", ("counters.stolen",), ("counters.probes",), "%")
_PARAMS = {"short_cutoff_s": 5, "long_partition_share": 0.9}
_TURN = Turn(
    "scheduler.params.steal_contacts",
    10,
    1,
    "If an idle machine asks only one other machine instead of ten, it steals less, and jobs are delayed at least a "
    "fifth longer.",
    Band(least=1.2),
)
_UNSEEN = "No probe waits behind a long task here, so there is nothing to steal."

HAWK = Signature(
    year=2015,
    decides="hybrid",
    knows="Long jobs: all queues of long tasks. Short jobs: nothing",
    work="short-and-long",
    change={  # with 100 machines and 150 jobs, three seeds in ten disagree
        "topology.clusters[0].machines[0].count": 200,
        "workload.jobs": 300,
        "workload.arrivals.offered_load": 0.85,
    },
    says=(
        "Long and short jobs are told apart. One central scheduler places long tasks where the wait is shortest, "
        "but never on the machines that are kept for short ones. Short tasks leave probes (places in the queue) at "
        "machines chosen at random; a machine without work steals probes that stand behind a long task.",
        "The mean delay of a job is at most 0.6 times that under Sparrow.",
    ),
    waits=(
        "A short task waits behind a long task in the queue of its machine, until the long one ends or an idle "
        "machine steals its probe. A long task waits for other long tasks."
    ),
    params=_PARAMS,
    short="long jobs are placed centrally, and idle machines steal short tasks from behind long ones",
    number=JOB_DELAY,
    touched=_STOLEN,
    against=Neighbor("sparrow", Band(most=0.6)),
    turn=_TURN,
    opens=Opens(layer="long", moment="central_placement", then="most_helped"),
    unseen=_UNSEEN,
)

HAWK_C = Signature(
    year=2015,
    decides="hybrid",
    knows="Which machines offer what a task asks for; queues of long tasks",
    work="picky",
    change={  # with 100 machines and 150 jobs, seeds differ too much
        "topology.clusters[0].machines[0].count": 200,
        "workload.jobs": 300,
    },
    says=(
        "One central scheduler places long tasks where the wait is shortest; short tasks leave probes at machines "
        "chosen at random. Only machines that offer what a task needs count. A machine without work steals probes "
        "that stand behind a long task, if it may run their tasks.",
        "Although only suitable machines count, the mean delay of a job is less than half of that under Sparrow-C.",
    ),
    waits=(
        "A short task waits behind a long task at a machine that suits it, until the long one ends or an idle "
        "machine of the right kind steals its probe."
    ),
    params=_PARAMS,
    short="long jobs are placed centrally, and idle machines steal short tasks that suit them",
    number=JOB_DELAY,
    touched=_STOLEN,
    against=Neighbor("sparrow-c", Band(most=0.5), {"short_cutoff_s": 5}),
    turn=_TURN,
    opens=Opens(layer="long", moment="central_placement", then="most_helped"),
    unseen=_UNSEEN,
)
