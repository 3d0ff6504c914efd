"""Why tasks of this family run or wait: the codes that the kernel writes, and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

UNSCHEDULABLE, LEFT, STOPPED, MISFIT, LOST, SHORT = range(1, 7)
ON_DATA, IN_RACK, ANYWHERE, MOVED, RELAXED = range(10, 15)

COMMON = (
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for it, even empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "workload"),
    ),
    Reason(
        LEFT,
        "left",
        "In the cheapest schedule of round {x} its unit flows through its job's unscheduled node: {y} tasks of "
        "all jobs wait so.",
        ("x", "y"),
        edits=("topology.clusters", "scheduler.params"),
    ),
    Reason(
        MISFIT,
        "misfit",
        "The flow had a slot for it on machine {machine}, but what it needs does not fit there beside what runs.",
        ("machine",),
        edits=("scheduler.params.slots",),
    ),
    Reason(
        LOST,
        "lost",
        "Machine {machine} failed after {x_s} of work: it waits again.",
        ("machine", "x_s"),
        mark="fault",
        edits=("events",),
    ),
    Reason(
        ANYWHERE,
        "anywhere",
        "The cheapest flow of round {x} leads over the cluster to machine {machine}.",
        ("x", "machine"),
    ),
    Reason(
        RELAXED,
        "relaxed",
        "Machine {machine} lacks {count_x} of the soft constraints that it asks for: it runs {y_s} there.",
        ("machine", "count_x", "y_s"),
        edits=("constraints.soft", "topology.clusters"),
    ),
)
OF_SHARES = (
    Reason(
        SHORT,
        "short",
        "Its job's share is {x} of its tasks at once, but no flow lets more than {y} of them run: the machines that "
        "could run them are full, out of service or too few.",
        ("x", "y"),
        edits=("topology.clusters", "scheduler.params.slots", "events"),
    ),
)
OF_DATA = (
    Reason(
        ON_DATA,
        "on_data",
        "The cheapest flow of round {x} leads to machine {machine}, which has its data.",
        ("x", "machine"),
    ),
    Reason(
        IN_RACK,
        "in_rack",
        "The cheapest flow of round {x} leads to machine {machine}, in a rack that has its data.",
        ("x", "machine"),
    ),
)
OF_PREEMPTION = (
    Reason(
        STOPPED,
        "stopped",
        "In the cheapest schedule of round {x} others run instead of it: stopped on machine {machine} after "
        "{y_s} of work.",
        ("x", "machine", "y_s"),
        mark="preemption",
        edits=("scheduler.params.stay_cost",),
    ),
    Reason(
        MOVED,
        "moved",
        "In the cheapest schedule of round {x} it runs elsewhere: stopped on machine {machine} after {y_s} of work.",
        ("x", "machine", "y_s"),
        mark="preemption",
        edits=("scheduler.params.stay_cost",),
    ),
)
PREEMPTION = Mark(
    "preemption", "Preemption", "A task was stopped so that another runs, or to run elsewhere.", role="preemption"
)
