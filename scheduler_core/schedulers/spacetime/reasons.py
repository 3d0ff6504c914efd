"""Why tasks start or wait: the codes that the cycle and the kernel write, and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Reason

UNSCHEDULABLE, OPENED, HELD_UP = range(1, 4)
BEST, CHOSEN, GREEDY, RELAXED = range(10, 14)
PLANNED, NO_SET, OUTBID, PUT_OFF, SCATTERED = range(20, 25)

_LIMITS = ("scheduler.params.solver_limit", "scheduler.params.groups_per_cycle")

COMMON = (
    Reason(UNSCHEDULABLE, "unschedulable",
           "No machine of this datacenter is large enough for it, even empty{cause}.",
           ("cause",), edits=("topology.clusters", "workload")),
    Reason(HELD_UP, "held_up", "It waits until {y} other groups of its job's tasks have ended.", ("y",)),
    Reason(OPENED, "opened",
           "The last of the {y} groups of tasks that it waits for ended {x_s} after its job arrived.", ("y", "x_s")),
    Reason(BEST, "best_for_all",
           "All that waited could have what is worth most to it, {x} tasks of its group at once: machine {machine}.",
           ("x", "machine")),
    Reason(CHOSEN, "chosen",
           "The answer that is worth most in all starts {x} tasks of its group now: machine {machine} is one of those "
           "that it gives them.", ("x", "machine")),
    Reason(GREEDY, "greedy",
           "No better answer was found than to start groups in order of what they are worth, {x} tasks of this one: "
           "machine {machine} had room.", ("x", "machine"), edits=_LIMITS),
    Reason(RELAXED, "relaxed",
           "Machine {machine} lacks {count_x} of the soft constraints that it asks for: it runs {y_s} there.",
           ("machine", "count_x", "y_s"), edits=("constraints.soft", "scheduler.params.fallback_value")),
    Reason(OUTBID, "outbid",
           "Machines that it could use had room when it was decided, but what others do there is worth more; {x} tasks "
           "of its group wait.", ("x",)),
    Reason(PUT_OFF, "put_off",
           "The solver is given {x} groups of tasks at a time, and as many that came before it wait.", ("x",),
           edits=_LIMITS[1:]),
    Reason(SCATTERED, "scattered",
           "The free amounts that the answer gave it lie on too many machines: no machine had enough left for {x} of "
           "its tasks.", ("x",)),
)  # fmt: skip
OF_ONE_INSTANT = (
    Reason(
        NO_SET,
        "no_room",
        "No machines that it could use had room for it when it was decided; {x} tasks of its group wait.",
        ("x",),
        edits=("topology.clusters",),
    ),
)
OF_PLANS = (
    Reason(
        PLANNED,
        "planned",
        "The plan that is worth most starts {y} tasks of its group about {x_s} from then, on machines that are "
        "still busy or better used until then.",
        ("y", "x_s"),
        edits=("scheduler.params.plan_ahead_s",),
    ),
    Reason(
        NO_SET,
        "none_frees",
        "No machines that it could use have room for it within the {y_s} that the plan looks ahead; {x} tasks of "
        "its group wait.",
        ("x", "y_s"),
        edits=("scheduler.params.plan_ahead_s", "topology.clusters"),
    ),
)
