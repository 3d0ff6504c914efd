"""Reasons why tasks of a pipeline start or wait: the kernel's codes and their sentences."""

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
    Reason(NOT_LET_IN, "not_let_in",
           "The task's job is not admitted yet (stage J2): {x} jobs are active, with {y} tasks left.",
           ("x", "y"), edits=("scheduler.params.j2",)),
    Reason(HELD_UP, "held_up",
           "Stage T1 lets the task start once {y} other stages in its job's graph have ended.", ("y",)),
    Reason(ELIGIBLE, "eligible",
           "Stage T1 lets the task start: in its job's graph, the last of the {y} stages before it ended {x_s} "
           "after the job arrived.",
           ("y", "x_s")),
    Reason(NO_ROOM, "no_room", "No eligible machine has room for the task now (stage R4){lack}; {x} tasks "
    "of its kind wait.", ("lack", "x"), edits=("topology.clusters",)),
    Reason(SUBMITTED, "submitted",
           "In iteration {x}, the task was the first fitting one in the order of stage T2, and stage R5 chose machine "
           "{machine} "
           "of the candidates.",
           ("x", "machine"), edits=("scheduler.params.t2", "scheduler.params.r5")),
    Reason(ONLY_ONE, "only_one",
           "In iteration {x}, the task was the first fitting one in the order of stage T2, and stage R4 left only "
           "machine "
           "{machine}.", ("x", "machine"),
           edits=("scheduler.params.t2", "topology.clusters")),
    Reason(LOST, "lost", "After {x_s} of work, {loss}; the task waits again.", ("loss", "x_s"),
           mark="fault", edits=("events",)),
    Reason(TOOK_OVER, "took_over",
           "In iteration {x}, stage T10 (Task preemption) preempted other tasks on machine {machine}, where "
           "the fewest had to go.",
           ("x", "machine"), edits=("scheduler.params.t10",)),
    Reason(STOPPED, "stopped",
           "Stage T10 (Task preemption) preempted the task on machine {machine} after {x_s} of work, for a "
           "task that goes first.",
           ("machine", "x_s"), mark="preemption", edits=("scheduler.params.t10", "scheduler.params.t10_times")),
    Reason(MOVED, "moved", "Machine {machine} is draining: stage T12 stopped the task {x_s} after its start, and it "
           "returns "
    "to the queue.",
           ("machine", "x_s"), mark="preemption", edits=("scheduler.params.t12", "events")),
    Reason(GIVEN_UP, "given_up", "The scheduler gave up the task (stage T11) after it was lost {x} times, and "
    "with it all tasks that depend on it.",
           ("x",), mark="fault", edits=("scheduler.params.t11", "scheduler.params.t11_retries")),
    Reason(BROKERED, "brokered",
           "In iteration {x}, no own machine had room: the broker took machine {machine} of the provider.",
           ("x", "machine"), edits=("scheduler.params.m1", "topology.clusters")),
    Reason(COPIED, "copied", "In iteration {x}, stage T9 (Task replication) sent a copy of the task to machine "
           "{machine}.", ("x", "machine"),
           edits=("scheduler.params.t9",)),
    Reason(COPY_WON, "copy_won", "The copy on machine {machine}, made by stage T9, ended first; the other had run for "
           "{x_s}.",
           ("machine", "x_s"), edits=("scheduler.params.t9",)),
    Reason(COPY_GOES_ON, "copy_goes_on",
           "The copy on machine {machine}, made by stage T9, replaces the task; it has run for "
           "{x_s}.", ("machine", "x_s"),
           edits=("scheduler.params.t9",)),
    Reason(COPY_LOST, "copy_lost",
           "Machine {machine} failed: the copy there, made by stage T9, is lost after {x_s} of work; the other "
           "continues.",
           ("machine", "x_s"), edits=("events",)),
    Reason(COPY_DRAINED, "copy_drained",
           "Machine {machine} is draining: stage T12 stopped the copy there {x_s} after its start; the other "
           "continues.",
           ("machine", "x_s"), edits=("scheduler.params.t12", "events")),
    Reason(KEPT_FOR, "kept_for", "Stage R4 (Filter by dynamic information) predicts that machine {machine} "
        "has room first, in {x_s}, and reserves it "
           "for "
    "similar tasks.", ("machine", "x_s"), edits=("scheduler.params.r4", "scheduler.params.r4_s")),
    Reason(MOVED_ASIDE, "moved_aside",
           "Stage T12 (Task migration) moved the task to machine {machine}, {x_s} after its start, to make "
           "room for another task.",
           ("machine", "x_s"), mark="preemption", edits=("scheduler.params.t12",)),
    Reason(HAS_ROOM_NOW, "has_room_now",
           "In iteration {x}, stage T12 (Task migration) moved another task away from machine {machine}, "
           "which has room "
           "now.", ("x", "machine"),
           edits=("scheduler.params.t12",)),
    Reason(LEASE_ASKED, "lease_asked",
           "The task waits, and stage R7 wants {y} machines: stage R6 leases machine {machine}, which makes {x}.",
           ("y", "machine", "x"), edits=("scheduler.params.r7", "scheduler.params.r7_machines")),
    Reason(GIVEN_BACK, "given_back",
           "The task was the last on machine {machine}, which is now idle: stage R7 wants {y}, so stage R6 returns "
           "the machine. "
           "Machines left: {x}.",
           ("machine", "y", "x"), edits=("scheduler.params.r7", "scheduler.params.r7_machines")),
)  # fmt: skip
PREEMPTION = Mark(
    "preemption", "Preemption", "A task was preempted for another task, or to run elsewhere.", role="preemption"
)
