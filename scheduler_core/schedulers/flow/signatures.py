"""The signatures of schedulers that solve a flow."""

from __future__ import annotations

from scheduler_core.world.signature import MEDIAN_DELAY, MEDIAN_WAIT, Band, Figure, Neighbour, Opens, Signature, Turn

_FAR = ("counters.in_rack", "counters.remote")
REMOTE = Figure("Tasks that read over the network", _FAR, ("counters.local", *_FAR), "%")
STOPPED = Figure("Preemptions a task", ("counters.preemptions",), ("tasks.total",), "%")
_LOCAL = Figure("Tasks beside their data", ("counters.local",), ("counters.local", *_FAR), "%")
_DATA = {"input_gb": 1.0, "rack_gb_s": 0.5, "core_gb_s": 0.2}
_RANDOM = Neighbour("random-queue", Band(most=0.33), _DATA)
_OPENS = Opens("flow", "load", "usual_wait")
_NO_DATA = "Tasks read no data here: every machine costs the same."

SIGNATURES: dict[str, Signature] = {
    "quincy": Signature(
        year=2009,
        decides="one",
        knows="All machines, where data lie, and how long tasks wait",
        work="data",
        says=(
            "Each place has a cost by its distance to the task's data, and the min-cost flow places all tasks at once.",
            "At most a third as many tasks read over the network as with random machines.",
        ),
        params=_DATA,
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
        knows="All machines, and the costs of the policy of the moment",
        work="data",
        says=(
            "One flow network serves several policies; the policy of this run spreads load and does not look at data.",
            "At least three times as many tasks read over the network as under Quincy.",
        ),
        params={**_DATA, "policy": "load"},
        number=REMOTE,
        against=Neighbour("quincy", Band(least=3), _DATA),
        turn=Turn(
            "scheduler.params.policy",
            "load",
            "quincy",
            "With the policy of data and waiting, at most a third as many tasks read over the network.",
            Band(most=0.33),
        ),
        opens=_OPENS,
    ),
    "sirius-fairness": Signature(
        year=None,
        decides="one",
        knows="All machines, and the max-min share of each job",
        work="priorities",
        says=(
            "Bounds in the network let exactly each job's fair share run, and tasks beyond it are stopped.",
            "Half of the tasks wait less than a fifth as long as under Quincy.",
        ),
        number=MEDIAN_WAIT,
        touched=STOPPED,
        against=Neighbour("quincy", Band(most=0.2)),
        turn=Turn(
            "scheduler.params.interval_s",
            0.0,
            2.0,
            "With rounds 2 s apart shares are restored late: the median wait is at least ten times as long.",
            Band(least=10),
        ),
        opens=Opens("flow", "load", "first_throw"),
        unseen="No job has more than its fair share here: nothing is stopped.",
    ),
    "sirius-placement": Signature(
        year=None,
        decides="one",
        knows="All machines, and what each is worth to each task",
        work="gpus",
        says=(
            "Machines are worth something to some tasks, and the flow gathers as much worth as it can.",
            "Tasks wait for a machine with a GPU rather than take any other one.",
        ),
        params={"utilities": [{"constraint": "gpu", "utility": 4.0}], "leave_cost": 4.0},
        number=Figure("Tasks without the GPU they wish for", ("counters.relaxed",), ("tasks.total",), "%"),
        against=Neighbour("random-queue", Band(most=0.83)),
        turn=Turn(
            "scheduler.params.leave_cost",
            4.0,
            8.0,
            "A higher cost of waiting makes more tasks run without a GPU.",
            Band(least=1.1),
        ),
        opens=_OPENS,
        unseen="No machine is worth more than another here.",
        needs="preferences",
    ),
    "sirius-priority": Signature(
        year=None,
        decides="one",
        knows="All machines, and the priority of each task",
        work="priorities",
        says=(
            "To let a task of high priority wait costs more than anything else, so tasks of low priority are stopped.",
            "The median job, one of high priority, is delayed less than a hundredth as long as under Quincy.",
        ),
        number=MEDIAN_DELAY,
        touched=STOPPED,
        against=Neighbour("quincy", Band(most=0.01)),
        turn=Turn(
            "queues[0].priority",
            2,
            1,
            "With one priority for all nothing is stopped, and the median job is delayed at least 100 times as long.",
            Band(least=100),
        ),
        opens=Opens("flow", "load", "first_throw"),
        unseen="No task of low priority stands in the way of one of high priority here: nothing is stopped.",
    ),
    "sirius-mixed": Signature(
        year=None,
        decides="one",
        knows="All machines, and every objective with its weight",
        work="priorities",
        says=(
            "Data, waiting, fairness and priority are weights in one network; here priority weighs most.",
            "The median job, one of high priority, is delayed less than a hundredth as long as under Quincy.",
        ),
        params={"priority_cost": 1000.0, "preemption": True},
        number=MEDIAN_DELAY,
        touched=STOPPED,
        against=Neighbour("quincy", Band(most=0.01)),
        turn=Turn(
            "scheduler.params.priority_cost",
            1000.0,
            0.0,
            "Without the weight of priority the median job is delayed at least 100 times as long.",
            Band(least=100),
        ),
        opens=Opens("flow", "load", "first_throw"),
        unseen="No task of low priority stands in the way of one of high priority here: nothing is stopped.",
    ),
}
