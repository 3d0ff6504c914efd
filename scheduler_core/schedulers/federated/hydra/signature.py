"""The signature of Hydra."""

from __future__ import annotations

from scheduler_core.world.signature import LONG_WAITS, Band, Figure, Neighbour, Opens, Signature, Turn

_PARAMS = {"node_heartbeat_s": 0.2, "manager_heartbeat_s": 0.2, "manager_start_s": 0.1, "policy_s": 0.5}

SIGNATURE = Signature(
    year=2019,
    decides="several",
    knows="Each manager: its sub-cluster. Jobs: the last global policy",
    work="fleet",
    says=(
        "A job asks at home for as many tasks as the last policy saw room for, and elsewhere for the others.",
        "Tasks spill to other sub-clusters, and one in ten waits less than 0.8 times as long as with home alone.",
    ),
    params=_PARAMS,
    number=LONG_WAITS,
    touched=Figure("Tasks asked for elsewhere", ("counters.spilled",), ("tasks.total",), "%"),
    against=Neighbour("hydra", Band(most=0.8), {**_PARAMS, "proxy": "home"}, "Hydra, at home alone"),
    turn=Turn(
        "scheduler.params.policy_s",
        0.5,
        8.0,
        "With a policy every 8 s instead of twice a second, all jobs act on an outdated policy: the longest tenth of "
        "the waits is at least twice as long.",
        Band(least=2),
    ),
    opens=Opens(layer="at_manager", moment="first_borrow"),
    unseen="Every job finds room at home here: nothing spills.",
)
