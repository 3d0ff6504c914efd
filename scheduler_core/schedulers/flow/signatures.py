"""The signatures of the flow schedulers."""

from __future__ import annotations

from dataclasses import replace

from scheduler_core.world.signature import IMPORTANT_DELAY, MEDIAN_WAIT, Band, Figure, Neighbor, Opens, Signature, Turn

_FAR = ("counters.in_rack", "counters.remote")
REMOTE = Figure("Tasks that read over the network", _FAR, ("counters.local", *_FAR), "%")
STOPPED = Figure("Preemptions per task", ("counters.preemptions",), ("tasks.total",), "%")
_IGNORED = replace(REMOTE, label="Tasks that read over the network, under a policy that ignores data")
_LOCAL = Figure("Tasks beside their data", ("counters.local",), ("counters.local", *_FAR), "%")
_DATA = {"input_gb": 1.0, "rack_gb_s": 0.5, "core_gb_s": 0.2}
_RANDOM = Neighbor("random-queue", Band(most=0.33), _DATA)
_OPENS = Opens("flow", "load", "at_data", "near_data")
_ROUNDS = Opens("flow", "load", "usual_wait")
_NO_DATA = "Tasks read no data here: every machine costs the same."

SIGNATURES: dict[str, Signature] = {
    "quincy": Signature(
        year=2009,
        decides="one",
        knows="All machines, the places of data, and how long tasks wait",
        work="data",
        says=(
            "One scheduler decides about all tasks at once, in rounds. Every machine has a price for every task: "
            "low on machines with the task's data, higher in the same rack, highest far away. A solver finds the "
            "placement with the lowest sum of prices.",
            "At most a third as many tasks read over the network as when machines are chosen at random.",
        ),
        waits=(
            "A task waits only while all machines are busy, or until the next round: in this run, waiting costs more "
            "than any free machine."
        ),
        params=_DATA,
        short="a solver weighs reading data against waiting, for all tasks at once",
        number=REMOTE,
        touched=_LOCAL,
        against=_RANDOM,
        turn=Turn(
            "scheduler.params.rack_cost",
            1.0,
            0.0,
            "When reading within the rack costs nothing, at least 1.5 times as many tasks read over the network.",
            Band(least=1.5),
        ),
        opens=_OPENS,
        unseen=_NO_DATA,
    ),
    "firmament": Signature(
        year=2016,
        decides="one",
        knows="All machines, and the costs that the chosen policy sets",
        work="data",
        says=(
            "One scheduler decides about all tasks at once, in rounds. A policy sets a price for every task on "
            "every machine, and a solver finds the placement with the lowest sum. The policy of this run sets a "
            "higher price for fuller machines and ignores data.",
            "Ignoring data has a cost: at least three times as many tasks read over the network as under Quincy.",
        ),
        waits="A task waits in the queue while all machines are busy, or until the next round decides.",
        params={**_DATA, "policy": "load"},
        number=_IGNORED,
        against=Neighbor("quincy", Band(least=3), _DATA),
        turn=Turn(
            "scheduler.params.policy",
            "load",
            "quincy",
            "With the policy of data and waiting, at most a third as many tasks read over the network.",
            Band(most=0.33),
        ),
        opens=_ROUNDS,
    ),
    "sirius-fairness": Signature(
        year=None,
        decides="one",
        knows="All machines, and the max-min share of each job",
        work="priorities",
        says=(
            "One scheduler decides about all tasks at once, in rounds. Each job has a fair number of slots. A solver "
            "must fill exactly these slots at the lowest price, so tasks of a job that has too many are preempted.",
            "The median wait time of a task is less than a thousandth of that under Quincy.",
        ),
        waits=(
            "A task waits while its job has its fair number of slots, or again after it was preempted for a job "
            "that had too few."
        ),
        number=MEDIAN_WAIT,
        touched=STOPPED,
        against=Neighbor("quincy", Band(most=0.001)),
        turn=Turn(
            "scheduler.params.interval_s",
            0.0,
            2.0,
            "With rounds 2 s apart, jobs get their fair share back later: the median wait is at least ten times as "
            "long.",
            Band(least=10),
        ),
        opens=Opens("flow", "load", "first_throw"),
        unseen="No job has more than its fair share here: nothing is preempted.",
    ),
    "sirius-placement": Signature(
        year=None,
        decides="one",
        knows="All machines, and what each is worth to each task",
        work="gpus",
        says=(
            "One scheduler decides about all tasks at once, in rounds. A machine with a GPU is worth more to the "
            "tasks that prefer one. A solver finds the placement with the highest total value.",
            "Tasks wait for a machine with a GPU if waiting costs less. At most 0.6 times as many tasks run without "
            "one as in a random queue.",
        ),
        waits="A task waits for a machine with a GPU while that is worth more than a start on another machine now.",
        params={"utilities": [{"constraint": "gpu", "utility": 4.0}], "leave_cost": 3.0, "unsized_data": True},
        number=Figure("Tasks without the GPU that they prefer", ("counters.relaxed",), ("tasks.total",), "%"),
        against=Neighbor("random-queue", Band(most=0.6)),
        turn=Turn(
            "scheduler.params.leave_cost",
            3.0,
            8.0,
            "If waiting costs 8 instead of 3, at least 1.5 times as many tasks run without a GPU.",
            Band(least=1.5),
        ),
        opens=_ROUNDS,
        unseen="No machine is worth more than another here.",
        needs="preferences",
    ),
    "sirius-priority": Signature(
        year=None,
        decides="one",
        knows="All machines, and the priority of each task",
        work="priorities",
        says=(
            "One scheduler decides about all tasks at once, in rounds. Waiting has a price, and for an important "
            "task (of high priority) it is higher than any other. So the solver preempts less important tasks to "
            "make room.",
            "The median delay of a job is less than a hundredth of that under Quincy. This median is the delay of a "
            "job of high priority.",
        ),
        waits=(
            "An unimportant task waits while important ones hold the machines, or again after it was preempted for "
            "one. An important task waits only for the next round."
        ),
        number=IMPORTANT_DELAY,
        touched=STOPPED,
        against=Neighbor("quincy", Band(most=0.01)),
        turn=Turn(
            "queues[0].priority",
            2,
            1,
            "With one priority for all, nothing is preempted, and the median job delay is at least 100 times as long.",
            Band(least=100),
        ),
        opens=Opens("flow", "load", "first_throw"),
        unseen="No task of low priority blocks one of high priority here: nothing is preempted.",
    ),
    "sirius-mixed": Signature(
        year=None,
        decides="one",
        knows="All machines, and every objective with its weight",
        work="priorities",
        says=(
            "One scheduler decides about all tasks at once, in rounds. Distance to data, waiting, fairness and "
            "importance each add to the price of a place, and a solver finds the lowest sum. Here importance "
            "(priority) weighs most, so less important tasks are preempted.",
            "The median delay of a job is less than a hundredth of that under Quincy. This median is the delay of a "
            "job of high priority.",
        ),
        waits=(
            "An unimportant task waits while important ones hold the machines, or again after it was preempted for one."
        ),
        params={"priority_cost": 1000.0, "preemption": True},
        number=IMPORTANT_DELAY,
        touched=STOPPED,
        against=Neighbor("quincy", Band(most=0.01)),
        turn=Turn(
            "scheduler.params.priority_cost",
            1000.0,
            0.0,
            "Without the weight of priority, the median job delay is at least 100 times as long.",
            Band(least=100),
        ),
        opens=Opens("flow", "load", "first_throw"),
        unseen="No task of low priority blocks one of high priority here: nothing is preempted.",
    ),
}
