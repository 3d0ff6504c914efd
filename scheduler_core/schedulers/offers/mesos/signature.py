"""The signature of Mesos."""

from __future__ import annotations

from scheduler_core.world.signature import MEAN_WAIT, Band, Figure, Neighbor, Opens, Signature, Turn

_PARAMS = {"interval_s": 0}

SIGNATURE = Signature(
    year=2011,
    decides="several",
    knows="The master: the use of each framework. A framework: its offers",
    work="equal-jobs",
    change={
        "workload.arrivals.offered_load": 0.7,
        "queues": [{"name": "a", "share": 0.5}, {"name": "b", "share": 0.3}, {"name": "c", "share": 0.2}],
    },
    says=(
        "A master offers free machines to one framework (the owner of a queue) at a time. The framework takes "
        "what it has tasks for and declines the rest; only then does the master offer these machines to the next "
        "one.",
        "While a framework decides, no other framework gets the offer. If frameworks take a second to decide, tasks "
        "wait at least 20 times as long.",
    ),
    waits=(
        "A task waits in the queue of its framework until the master offers this framework a machine that suits "
        "the task. Meanwhile, another framework may hold the offer of a free machine."
    ),
    params=_PARAMS,
    number=MEAN_WAIT,
    touched=Figure("Offers declined", ("counters.declined",), ("counters.offers",), "%"),
    least_touched=0.5,
    against=Neighbor("mesos", Band(most=0.05), {**_PARAMS, "decision_s": 1}, "Mesos with slow frameworks"),
    turn=Turn(
        "scheduler.params.interval_s",
        0,
        1,
        "With a round of offers only every second, tasks wait at least ten times as long.",
        Band(least=10),
    ),
    opens=Opens(moment="longest_wait"),
    unseen="Nothing is declined here: each framework has a task for every machine that it is offered.",
)
