"""The signature of Hydra."""

from __future__ import annotations

from scheduler_core.world.signature import LONG_WAITS, Band, Figure, Neighbor, Opens, Signature, Turn

_PARAMS = {"node_heartbeat_s": 0.2, "manager_heartbeat_s": 0.2, "manager_start_s": 0.1, "policy_s": 0.5}

SIGNATURE = Signature(
    year=2019,
    decides="several",
    knows="Each manager: its sub-cluster. Jobs: the last global policy",
    work="fleet",
    change={"workload.tasks": 3000},  # with 1500, four seeds in ten disagree
    says=(
        "The datacenter is split into sub-clusters, each with a manager that knows only its own machines. A job "
        "asks at its home for as many tasks as have room there, and in other sub-clusters for the rest. A policy, "
        "sent to all sub-clusters at intervals, tells the job where there was room.",
        "Tasks spill over to other sub-clusters. The p90 wait is shorter than if jobs stay at home.",
    ),
    waits=(
        "A task waits at a manager until one of this manager's machines reports that it is free. If the policy "
        "was old, the job chose a sub-cluster that has filled up meanwhile."
    ),
    params=_PARAMS,
    number=LONG_WAITS,
    touched=Figure("Tasks asked for elsewhere", ("counters.spilled",), ("tasks.total",), "%"),
    against=Neighbor("hydra", Band(most=0.97), {**_PARAMS, "proxy": "home"}, "Hydra if jobs stay in their sub-cluster"),
    turn=Turn(
        "scheduler.params.policy_s",
        0.5,
        8.0,
        "With a policy every 8 s instead of twice a second, all jobs act on an outdated policy: the p90 wait is at "
        "least 1.5 times as long.",
        Band(least=1.5),
    ),
    opens=Opens(layer="at_manager", moment="first_borrow"),
    unseen="Every job finds room at home here: nothing spills.",
)
