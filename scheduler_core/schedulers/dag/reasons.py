"""Reasons why tasks of the DAG family start or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Reason

UNSCHEDULABLE, OPENED, NO_ROOM, OVER_SHARE, HELD_UP, LOST = range(1, 7)
LEAST_SHARE, LEAST_OF_ONE, LEAST_QUEUE, SHORTEST, LEAST_WORK, LONGEST_PATH = range(10, 16)
PACKED, POOREST, FEWEST, TROUBLESOME = range(16, 20)
IN_GROUP = 24
MUST, LEFT_OVER, PUT_OFF, BESIDE = range(20, 24)
ON_NODE, IN_RACK, FAR, WAITS_FOR_DATA = range(30, 34)

Y_SHARE = 32
"""Shares are the higher half of `y`, in millionths."""

COMMON = (
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "workload"),
    ),
    Reason(HELD_UP, "held_up", "The task waits until {y} other stages of its job have ended.", ("y",)),
    Reason(
        OPENED,
        "opened",
        "The task's stage waited for {y} other stages of its job; the last of them ended {x_s} after the job arrived.",
        ("y", "x_s"),
    ),
    Reason(
        NO_ROOM,
        "no_room",
        "No eligible machine has room for the task now{lack}; {x} tasks of its stage wait.",
        ("lack", "x"),
        edits=("topology.clusters",),
    ),
    Reason(
        LOST,
        "lost",
        "After {x_s} of work, {loss}; the task waits again, among the first of its stage.",
        ("loss", "x_s"),
        mark="fault",
        edits=("events",),
    ),
)
OF_SHARE = Reason(
    OVER_SHARE,
    "over_share",
    "With one more task, the job would exceed its share; {x} tasks of its stage wait.",
    ("x",),
    edits=("scheduler.params.work_conserving",),
)
OF_GROUPS = Reason(
    IN_GROUP,
    "in_group",
    "At each level of the queue hierarchy, the queue with the smallest share by weight came next; the task's queue "
    "had {y_high_share}. Machine {machine} was the first with room.",
    ("y_high_share", "machine"),
    edits=("queues",),
)
STARTS = {
    LEAST_SHARE: Reason(
        LEAST_SHARE, "least_share",
        "Of the jobs with a fitting task, this job had the smallest dominant share by weight, {y_high_share}. "
        "Machine {machine} was the first with room.", ("y_high_share", "machine")),
    LEAST_OF_ONE: Reason(
        LEAST_OF_ONE, "least_of_one",
        "Of the jobs with a fitting task, this job used the least of the shared resource, {y_high_share} by weight. "
        "Machine {machine} was the first with room.", ("y_high_share", "machine"),
        edits=("scheduler.params.resource",)),
    LEAST_QUEUE: Reason(
        LEAST_QUEUE, "least_queue",
        "The task's queue used the smallest part of its capacity, {y_high_share}, and the task's job came first in "
        "it. Machine {machine} was the first with room.", ("y_high_share", "machine"), edits=("queues",)),
    SHORTEST: Reason(
        SHORTEST, "shortest",
        "Of the jobs with a fitting task, this job is the shortest: {x_s} along its critical path. Machine {machine} "
        "was the first with room.", ("x_s", "machine")),
    LEAST_WORK: Reason(
        LEAST_WORK, "least_work",
        "Of the jobs with a fitting task, this job had the least work left: it would keep the whole datacenter busy "
        "for {x_s}. Machine "
        "{machine} was the first with room.", ("x_s", "machine")),
    LONGEST_PATH: Reason(
        LONGEST_PATH, "longest_path",
        "The task's job came first, and the longest path to its end, {x_s}, starts with this stage. Machine "
        "{machine} was the first with room.", ("x_s", "machine")),
    PACKED: Reason(
        PACKED, "packed",
        "The task had the best score of all fitting tasks on machine {machine}: its alignment with the free resources "
        "is {y_high_share}, and its job has work left that would keep the whole datacenter busy for "
        "{x_s}.", ("machine", "y_high_share", "x_s"),
        edits=("scheduler.params.epsilon", "scheduler.params.fairness", "scheduler.params.barrier")),
    TROUBLESOME: Reason(
        TROUBLESOME, "troublesome",
        "The task had the best score of all fitting tasks on machine {machine}, by its stage's rank in the job and "
        "its alignment with the free resources, {y_high_share}. Its job has work left that would keep the whole "
        "datacenter busy for {x_s}.",
        ("machine", "y_high_share", "x_s"), edits=("scheduler.params.epsilon", "scheduler.params.fairness")),
    POOREST: Reason(
        POOREST, "poorest",
        "Of the jobs that may use machine {machine}, this job had the smallest share by weight, {y_high_share}; {x} "
        "machines could run the task.", ("machine", "y_high_share", "x"), edits=("constraints", "topology.clusters")),
    FEWEST: Reason(
        FEWEST, "fewest",
        "The task reads no data, and its job came first: it held the least of what is shared fairly, running tasks "
        "or a resource. Machine {machine} was the first with room.", ("machine",)),
}  # fmt: skip
OF_LOCALITY = (
    Reason(
        ON_NODE,
        "on_node",
        "Machine {machine} stores the task's data; the job had waited for {x_s} for such a machine.",
        ("machine", "x_s"),
    ),
    Reason(
        IN_RACK,
        "in_rack",
        "Machine {machine} is in a rack with the task's data; the job had waited for {x_s} for a machine with the "
        "data.",
        ("machine", "x_s"),
        edits=("scheduler.params.wait_s",),
    ),
    Reason(
        FAR,
        "far",
        "No machine with the task's data or in the racks of its data had room, and the job had waited for {x_s}. "
        "Machine {machine} was the first with room.",
        ("machine", "x_s"),
        edits=("scheduler.params.wait_s", "scheduler.params.rack_wait_s"),
    ),
    Reason(
        WAITS_FOR_DATA,
        "waits_for_data",
        "There is room, but not near the data of the {y} tasks of this stage. The job lets others go first, for at "
        "most {x_s}.",
        ("y", "x_s"),
        edits=("scheduler.params.wait_s", "scheduler.params.rack_wait_s"),
    ),
)
OF_ALTRUISM = (
    Reason(
        MUST,
        "must_start",
        "The task could not wait any longer: its job would have ended later than with its full share. The job held "
        "{y_high_share} of the datacenter, and the task started on machine {machine}.",
        ("y_high_share", "machine"),
        edits=("scheduler.params.altruism",),
    ),
    Reason(
        LEFT_OVER,
        "left_over",
        "Other jobs had given away this room on machine {machine}, because they would not end earlier with it. The "
        "room went to the task's job; that job's remaining work would fill the whole datacenter for {x_s}.",
        ("machine", "x_s"),
        edits=("scheduler.params.leftover",),
    ),
    Reason(
        PUT_OFF,
        "put_off",
        "The job gives this part of its share away for now. The first of the {y} tasks of this stage that wait may "
        "start up to {x_s} later, at {at_x}, and the job still ends no later.",
        ("y", "x_s", "at_x"),
        edits=("scheduler.params.altruism",),
    ),
    Reason(
        BESIDE,
        "beside_data",
        "Of the jobs with a fitting task, this job had the smallest dominant share by weight, {y_high_share}. Machine "
        "{machine} stores the task's data, or is in a rack with them.",
        ("y_high_share", "machine"),
    ),
)
