"""Why tasks of a pipeline start or wait: the codes that the kernel writes, and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

UNSCHEDULABLE, HELD_UP, ELIGIBLE, NO_ROOM, LOST, NOT_LET_IN, SUBMITTED, ONLY_ONE = range(1, 9)
TOOK_OVER, STOPPED, MOVED, GIVEN_UP, BROKERED = range(9, 14)
COPIED, COPY_WON, COPY_GOES_ON, KEPT_FOR, MOVED_ASIDE, HAS_ROOM_NOW, LEASE_ASKED, GIVEN_BACK = range(14, 22)
COPY_LOST, COPY_DRAINED = range(22, 24)

REASONS = (
    Reason(UNSCHEDULABLE, "unschedulable",
           "No machine of this datacenter is large enough for it, even empty{cause}.",
           ("cause",), edits=("topology.clusters", "workload")),
    Reason(NOT_LET_IN, "not_let_in", "J2 has not let its job in: {x} jobs are under way, with {y} tasks left.",
           ("x", "y"), edits=("scheduler.params.j2",)),
    Reason(HELD_UP, "held_up", "T1 does not find it eligible until {y} other stages of its job have ended.", ("y",)),
    Reason(ELIGIBLE, "eligible",
           "T1 finds it eligible: the last of the {y} stages that it waits for has ended, {x_s} after its job arrived.",
           ("y", "x_s")),
    Reason(NO_ROOM, "no_room", "R4 leaves no machine: none that may run it has room now{lack}; {x} tasks of its kind "
           "wait.", ("lack", "x"), edits=("topology.clusters",)),
    Reason(SUBMITTED, "submitted",
           "In iteration {x} T2 had it first of what fits, and R5 took machine {machine} of the candidates.",
           ("x", "machine"), edits=("scheduler.params.t2", "scheduler.params.r5")),
    Reason(ONLY_ONE, "only_one",
           "In iteration {x} T2 had it first of what fits, and R4 left only machine {machine}.", ("x", "machine"),
           edits=("scheduler.params.t2", "topology.clusters")),
    Reason(LOST, "lost", "Machine {machine} failed after {x_s} of work: it waits again.", ("machine", "x_s"),
           mark="fault", edits=("events",)),
    Reason(TOOK_OVER, "took_over",
           "In iteration {x} T10 stopped others on machine {machine}, the one on which the fewest had to be.",
           ("x", "machine"), edits=("scheduler.params.t10",)),
    Reason(STOPPED, "stopped",
           "T10 stopped it on machine {machine} after {x_s} of work, for a task that goes before it.",
           ("machine", "x_s"), mark="preemption", edits=("scheduler.params.t10", "scheduler.params.t10_times")),
    Reason(MOVED, "moved", "Machine {machine} drains: T12 stopped it there {x_s} after its start, and it queues again.",
           ("machine", "x_s"), mark="preemption", edits=("scheduler.params.t12", "events")),
    Reason(GIVEN_UP, "given_up", "T11 gave it up when it was lost the last of {x} times, with all that waits for it.",
           ("x",), mark="fault", edits=("scheduler.params.t11", "scheduler.params.t11_retries")),
    Reason(BROKERED, "brokered",
           "In iteration {x} no machine of our own had room: the broker took machine {machine} of the provider.",
           ("x", "machine"), edits=("scheduler.params.m1", "topology.clusters")),
    Reason(COPIED, "copied", "In iteration {x} T9 sent a copy of it to machine {machine}.", ("x", "machine"),
           edits=("scheduler.params.t9",)),
    Reason(COPY_WON, "copy_won", "The copy that T9 sent to machine {machine} has ended first; the other had run {x_s}.",
           ("machine", "x_s"), edits=("scheduler.params.t9",)),
    Reason(COPY_GOES_ON, "copy_goes_on",
           "The copy that T9 sent to machine {machine} goes on in its place; it has run {x_s}.", ("machine", "x_s"),
           edits=("scheduler.params.t9",)),
    Reason(COPY_LOST, "copy_lost",
           "Machine {machine} failed: the copy that T9 sent there is lost after {x_s} of work, the other goes on.",
           ("machine", "x_s"), edits=("events",)),
    Reason(COPY_DRAINED, "copy_drained",
           "Machine {machine} drains: T12 stopped the copy there {x_s} after its start, the other goes on.",
           ("machine", "x_s"), edits=("scheduler.params.t12", "events")),
    Reason(KEPT_FOR, "kept_for", "R4 predicts that machine {machine} has room first, in {x_s}, and keeps it for tasks "
           "of its kind.", ("machine", "x_s"), edits=("scheduler.params.r4", "scheduler.params.r4_s")),
    Reason(MOVED_ASIDE, "moved_aside",
           "T12 moved it to machine {machine}, {x_s} after its start, so that another task has room where it was.",
           ("machine", "x_s"), mark="preemption", edits=("scheduler.params.t12",)),
    Reason(HAS_ROOM_NOW, "has_room_now",
           "In iteration {x} T12 moved another task off machine {machine}, which has room now.", ("x", "machine"),
           edits=("scheduler.params.t12",)),
    Reason(LEASE_ASKED, "lease_asked",
           "It waits, and R7 wants {y} machines: R6 asks for machine {machine}, with which there are {x}.",
           ("y", "machine", "x"), edits=("scheduler.params.r7", "scheduler.params.r7_machines")),
    Reason(GIVEN_BACK, "given_back",
           "It was the last on machine {machine}, which idles: R7 wants {y}, and R6 gives it back; {x} are left.",
           ("machine", "y", "x"), edits=("scheduler.params.r7", "scheduler.params.r7_machines")),
)  # fmt: skip
PREEMPTION = Mark(
    "preemption", "Preemption", "A task was stopped so that another runs, or to run elsewhere.", role="preemption"
)
