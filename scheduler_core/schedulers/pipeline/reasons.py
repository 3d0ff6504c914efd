"""Why tasks of a pipeline start or wait: the codes that the kernel writes, and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

UNSCHEDULABLE, HELD_UP, ELIGIBLE, NO_ROOM, LOST, NOT_LET_IN, SUBMITTED, ONLY_ONE = range(1, 9)
TOOK_OVER, STOPPED, MOVED, GIVEN_UP, BROKERED = range(9, 14)
COPIED, COPY_WON, COPY_GOES_ON, KEPT_FOR, MOVED_ASIDE, HAS_ROOM_NOW, LEASE_ASKED, GIVEN_BACK = range(14, 22)
COPY_LOST, COPY_DRAINED = range(22, 24)

REASONS = (
    Reason(UNSCHEDULABLE, "unschedulable",
           "No machine of this datacenter is large enough for the task, even when empty{cause}.",
           ("cause",), edits=("topology.clusters", "workload")),
    Reason(NOT_LET_IN, "not_let_in", "J2 has not admitted the task's job: {x} jobs are active, with {y} tasks left.",
           ("x", "y"), edits=("scheduler.params.j2",)),
    Reason(HELD_UP, "held_up", "T1 makes the task eligible when {y} other stages of its job have ended.", ("y",)),
    Reason(ELIGIBLE, "eligible",
           "T1 made the task eligible: the last of the {y} stages before it ended {x_s} after its job arrived.",
           ("y", "x_s")),
    Reason(NO_ROOM, "no_room", "R4 leaves no machine: no eligible machine has room for the task now{lack}; {x} tasks "
    "of its kind wait.", ("lack", "x"), edits=("topology.clusters",)),
    Reason(SUBMITTED, "submitted",
           "In iteration {x}, the task was the first fitting one in the order of T2, and R5 chose machine {machine} "
           "of the candidates.",
           ("x", "machine"), edits=("scheduler.params.t2", "scheduler.params.r5")),
    Reason(ONLY_ONE, "only_one",
           "In iteration {x}, the task was the first fitting one in the order of T2, and R4 left only machine "
           "{machine}.", ("x", "machine"),
           edits=("scheduler.params.t2", "topology.clusters")),
    Reason(LOST, "lost", "Machine {machine} failed after {x_s} of work; the task waits again.", ("machine", "x_s"),
           mark="fault", edits=("events",)),
    Reason(TOOK_OVER, "took_over",
           "In iteration {x}, T10 stopped other tasks on machine {machine}, where the fewest had to stop.",
           ("x", "machine"), edits=("scheduler.params.t10",)),
    Reason(STOPPED, "stopped",
           "T10 stopped the task on machine {machine} after {x_s} of work, for a task that goes first.",
           ("machine", "x_s"), mark="preemption", edits=("scheduler.params.t10", "scheduler.params.t10_times")),
    Reason(MOVED, "moved", "Machine {machine} is draining: T12 stopped the task {x_s} after its start, and it returns "
    "to the queue.",
           ("machine", "x_s"), mark="preemption", edits=("scheduler.params.t12", "events")),
    Reason(GIVEN_UP, "given_up", "T11 gave the task up after it was lost {x} times, together with all tasks that "
    "depend on it.",
           ("x",), mark="fault", edits=("scheduler.params.t11", "scheduler.params.t11_retries")),
    Reason(BROKERED, "brokered",
           "In iteration {x}, no own machine had room: the broker took machine {machine} of the provider.",
           ("x", "machine"), edits=("scheduler.params.m1", "topology.clusters")),
    Reason(COPIED, "copied", "In iteration {x}, T9 sent a copy of the task to machine {machine}.", ("x", "machine"),
           edits=("scheduler.params.t9",)),
    Reason(COPY_WON, "copy_won", "The copy on machine {machine}, made by T9, ended first; the other had run for {x_s}.",
           ("machine", "x_s"), edits=("scheduler.params.t9",)),
    Reason(COPY_GOES_ON, "copy_goes_on",
           "The copy on machine {machine}, made by T9, replaces the task; it has run for {x_s}.", ("machine", "x_s"),
           edits=("scheduler.params.t9",)),
    Reason(COPY_LOST, "copy_lost",
           "Machine {machine} failed: the copy there, made by T9, is lost after {x_s} of work; the other continues.",
           ("machine", "x_s"), edits=("events",)),
    Reason(COPY_DRAINED, "copy_drained",
           "Machine {machine} is draining: T12 stopped the copy there {x_s} after its start; the other continues.",
           ("machine", "x_s"), edits=("scheduler.params.t12", "events")),
    Reason(KEPT_FOR, "kept_for", "R4 predicts that machine {machine} has room first, in {x_s}, and reserves it for "
    "similar tasks.", ("machine", "x_s"), edits=("scheduler.params.r4", "scheduler.params.r4_s")),
    Reason(MOVED_ASIDE, "moved_aside",
           "T12 moved the task to machine {machine}, {x_s} after its start, to make room for another task.",
           ("machine", "x_s"), mark="preemption", edits=("scheduler.params.t12",)),
    Reason(HAS_ROOM_NOW, "has_room_now",
           "In iteration {x}, T12 moved another task away from machine {machine}, which has room "
           "now.", ("x", "machine"),
           edits=("scheduler.params.t12",)),
    Reason(LEASE_ASKED, "lease_asked",
           "The task waits, and R7 wants {y} machines: R6 leases machine {machine}, which makes {x}.",
           ("y", "machine", "x"), edits=("scheduler.params.r7", "scheduler.params.r7_machines")),
    Reason(GIVEN_BACK, "given_back",
           "The task was the last on machine {machine}, which is now idle: R7 wants {y}, so R6 returns the machine. "
           "Machines left: {x}.",
           ("machine", "y", "x"), edits=("scheduler.params.r7", "scheduler.params.r7_machines")),
)  # fmt: skip
PREEMPTION = Mark(
    "preemption", "Preemption", "A task was stopped so that another task runs, or to run elsewhere.", role="preemption"
)
