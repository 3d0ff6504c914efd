"""Why tasks of this family start or wait: the codes that the kernel writes, and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Reason

UNSCHEDULABLE, OPENED, NO_ROOM, OVER_SHARE, HELD_UP, LOST = range(1, 7)
LEAST_SHARE, LEAST_OF_ONE, LEAST_QUEUE, SHORTEST, LEAST_WORK, LONGEST_PATH = range(10, 16)
PACKED, POOREST, FEWEST, TROUBLESOME = range(16, 20)
IN_GROUP = 24
MUST, LEFT_OVER, PUT_OFF = range(20, 23)
ON_NODE, IN_RACK, FAR, WAITS_FOR_DATA = range(30, 34)

Y_SHARE = 32
"""Shares are the higher half of `y`, in millionths."""

COMMON = (
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for it, even empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "workload"),
    ),
    Reason(HELD_UP, "held_up", "It waits until {y} other stages of its job have ended.", ("y",)),
    Reason(
        OPENED,
        "opened",
        "The last of the {y} stages that it waits for has ended, {x_s} after its job arrived.",
        ("y", "x_s"),
    ),
    Reason(
        NO_ROOM,
        "no_room",
        "No machine that may run it has room now{lack}; {x} tasks of its stage wait.",
        ("lack", "x"),
        edits=("topology.clusters",),
    ),
    Reason(
        LOST,
        "lost",
        "Machine {machine} failed after {x_s} of work: it waits again, as one of the first of its stage.",
        ("machine", "x_s"),
        mark="fault",
        edits=("events",),
    ),
)
OF_SHARE = Reason(
    OVER_SHARE,
    "over_share",
    "With one more task its job would have more than its share; {x} tasks of its stage wait.",
    ("x",),
    edits=("scheduler.params.work_conserving",),
)
OF_GROUPS = Reason(
    IN_GROUP,
    "in_group",
    "At each level of the groups of queues, the one with the least share by weight came next: at last its queue, with "
    "{y_high_share}. Machine {machine} was the first with room.",
    ("y_high_share", "machine"),
    edits=("queues",),
)
STARTS = {
    LEAST_SHARE: Reason(
        LEAST_SHARE, "least_share",
        "Of the jobs with a task that fits, its job had the least dominant share by weight, {y_high_share}: machine "
        "{machine} was the first with room.", ("y_high_share", "machine")),
    LEAST_OF_ONE: Reason(
        LEAST_OF_ONE, "least_of_one",
        "Of the jobs with a task that fits, its job had the least of the resource that is shared, {y_high_share} by "
        "weight: machine {machine} was the first with room.", ("y_high_share", "machine"),
        edits=("scheduler.params.resource",)),
    LEAST_QUEUE: Reason(
        LEAST_QUEUE, "least_queue",
        "Its queue used the smallest part of its capacity, {y_high_share}, and in it its job came first: machine "
        "{machine} was the first with room.", ("y_high_share", "machine"), edits=("queues",)),
    SHORTEST: Reason(
        SHORTEST, "shortest",
        "Of the jobs with a task that fits, its job takes the least time, {x_s} along its critical path: machine "
        "{machine} was the first with room.", ("x_s", "machine")),
    LEAST_WORK: Reason(
        LEAST_WORK, "least_work",
        "Of the jobs with a task that fits, its job had the least work left, {x_s} of the whole datacenter: machine "
        "{machine} was the first with room.", ("x_s", "machine")),
    LONGEST_PATH: Reason(
        LONGEST_PATH, "longest_path",
        "Its job came first, and the longest way to its end, {x_s}, begins with this stage: machine {machine} was "
        "the first with room.", ("x_s", "machine")),
    PACKED: Reason(
        PACKED, "packed",
        "On machine {machine} it scored best of what fits: aligned with what is free there by {y_high_share}, with "
        "{x_s} of the whole datacenter's work left of its job.", ("machine", "y_high_share", "x_s"),
        edits=("scheduler.params.epsilon", "scheduler.params.fairness", "scheduler.params.barrier")),
    TROUBLESOME: Reason(
        TROUBLESOME, "troublesome",
        "On machine {machine} it scored best of what fits, by its stage's place in its job's order and by how it is "
        "aligned with what is free there, {y_high_share}; {x_s} of the whole datacenter's work was left of its job.",
        ("machine", "y_high_share", "x_s"), edits=("scheduler.params.epsilon", "scheduler.params.fairness")),
    POOREST: Reason(
        POOREST, "poorest",
        "Of the jobs that may use machine {machine}, its job had the least share by weight, {y_high_share}; {x} "
        "machines could run it.", ("machine", "y_high_share", "x"), edits=("constraints", "topology.clusters")),
    FEWEST: Reason(
        FEWEST, "fewest",
        "It reads no data of its own, and its job came first by what its tasks hold: machine {machine} was the first "
        "with room.", ("machine",)),
}  # fmt: skip
OF_LOCALITY = (
    Reason(
        ON_NODE,
        "on_node",
        "Machine {machine} has its data; its job had waited {x_s} for such a machine.",
        ("machine", "x_s"),
    ),
    Reason(
        IN_RACK,
        "in_rack",
        "Machine {machine} is in the rack of its data; its job had waited {x_s} for a machine that has them.",
        ("machine", "x_s"),
        edits=("scheduler.params.wait_s",),
    ),
    Reason(
        FAR,
        "far",
        "No machine that has its data or is in their racks had room, and its job had waited {x_s}: machine "
        "{machine} was the first with room.",
        ("machine", "x_s"),
        edits=("scheduler.params.wait_s", "scheduler.params.rack_wait_s"),
    ),
    Reason(
        WAITS_FOR_DATA,
        "waits_for_data",
        "There is room, but not where the data of the {y} tasks of this stage are: its job lets others go first, "
        "for {x_s} at most.",
        ("y", "x_s"),
        edits=("scheduler.params.wait_s", "scheduler.params.rack_wait_s"),
    ),
)
OF_ALTRUISM = (
    Reason(
        MUST,
        "must_start",
        "Its job's plan needs it to start now, or the job would end later than its share allows. Its job had "
        "{y_high_share} of its dominant resource; the task started on machine {machine}.",
        ("y_high_share", "machine"),
        edits=("scheduler.params.altruism",),
    ),
    Reason(
        LEFT_OVER,
        "left_over",
        "No plan needed this room on machine {machine} now, so it was left over; of its job {x_s} of the whole "
        "datacenter's work was left.",
        ("machine", "x_s"),
        edits=("scheduler.params.leftover",),
    ),
    Reason(
        PUT_OFF,
        "put_off",
        "Its job gives up part of its share: by its plan the first of the {y} tasks of this stage that wait may "
        "start {x_s} later, at {at_x}, without making the job end later.",
        ("y", "x_s", "at_x"),
        edits=("scheduler.params.altruism",),
    ),
)
