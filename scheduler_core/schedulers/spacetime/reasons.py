"""Reasons why tasks start or wait: the codes of the cycle and the kernel, and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Reason

UNSCHEDULABLE, OPENED, HELD_UP = range(1, 4)
BEST, CHOSEN, GREEDY, RELAXED = range(10, 14)
PLANNED, NO_SET, OUTBID, PUT_OFF, SCATTERED = range(20, 25)

_LIMITS = ("scheduler.params.solver_limit", "scheduler.params.groups_per_cycle")

COMMON = (
    Reason(UNSCHEDULABLE, "unschedulable",
           "No machine of this datacenter is large enough for the task, even when empty{cause}.",
           ("cause",), edits=("topology.clusters", "workload")),
    Reason(HELD_UP, "held_up", "The task waits until {y} other groups of its job's tasks have ended.", ("y",)),
    Reason(OPENED, "opened",
           "The task's group waited for {y} other groups of its job; the last of them ended {x_s} after the job "
           "arrived.", ("y", "x_s")),
    Reason(BEST, "best_for_all",
           "Every waiting group could get its preferred option. {x} tasks of this group started together, this one "
           "on machine {machine}.",
           ("x", "machine")),
    Reason(CHOSEN, "chosen",
           "The most valuable plan starts {x} tasks of this group now; machine {machine} is one of "
           "theirs.", ("x", "machine")),
    Reason(GREEDY, "greedy",
           "The solver found no better plan than to start groups of tasks in order of their value: {x} tasks of this "
           "task's group. Machine {machine} had room.", ("x", "machine"), edits=_LIMITS),
    Reason(RELAXED, "relaxed",
           "Machine {machine} lacks {count_x} of the task's soft constraints, so the task runs for {y_s} there.",
           ("machine", "count_x", "y_s"), edits=("constraints.soft", "scheduler.params.fallback_value")),
    Reason(OUTBID, "outbid",
           "Suitable machines had room at the decision, but other tasks are worth more there; {x} tasks of this "
           "group wait.", ("x",)),
    Reason(PUT_OFF, "put_off",
           "The solver takes {x} groups of tasks at a time, and at least as many groups were ahead of this "
           "one.", ("x",),
           edits=_LIMITS[1:]),
    Reason(SCATTERED, "scattered",
           "The free capacity in the plan was spread over too many machines: no machine had enough left for {x} of "
           "the task's group.", ("x",)),
)  # fmt: skip
OF_ONE_INSTANT = (
    Reason(
        NO_SET,
        "no_room",
        "No suitable machine had room at the decision; {x} tasks of this group wait.",
        ("x",),
        edits=("topology.clusters",),
    ),
)
OF_PLANS = (
    Reason(
        PLANNED,
        "planned",
        "The most valuable plan starts {y} tasks of this group about {x_s} later, on machines that are busy or "
        "better used until then.",
        ("y", "x_s"),
        edits=("scheduler.params.plan_ahead_s",),
    ),
    Reason(
        NO_SET,
        "none_frees",
        "No suitable machine has room within the {y_s} that the plan looks ahead; {x} tasks of this group wait.",
        ("x", "y_s"),
        edits=("scheduler.params.plan_ahead_s", "topology.clusters"),
    ),
)
