"""Reasons why Omega's tasks run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

COMMITTED, UNSCHEDULABLE, CONFLICT, CHANGED, ROLLED_BACK, NO_ROOM, INCOMPLETE, LOST = range(1, 9)

_TIMES = ("scheduler.params.job_s", "scheduler.params.task_s", "scheduler.params.service_job_s")

ALL = (
    Reason(
        COMMITTED,
        "committed",
        "Scheduler {to} saw room on machine {machine} in its copy of the datacenter's state, and the commit {x_s} "
        "later succeeded. "
        "Earlier conflicts of this job: {y}.",
        ("to", "machine", "x_s", "y"),
        edits=_TIMES,
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        CONFLICT,
        "conflict",
        "Conflict on machine {machine}: {taken} after scheduler {to} made its copy, so the claim was refused.",
        ("machine", "taken", "to"),
        mark="conflict",
        edits=(*_TIMES, "scheduler.params.placement"),
    ),
    Reason(
        CHANGED,
        "changed",
        "Conflict on machine {machine}: its sequence number differs from the copy of scheduler {to}, because {taken} "
        "since. The task would still have fit.",
        ("machine", "to", "taken"),
        mark="conflict",
        edits=("scheduler.params.conflicts", *_TIMES),
    ),
    Reason(
        ROLLED_BACK,
        "rolled_back",
        "Scheduler {to} commits a whole job or nothing, so this claim was undone. Refused claims of the transaction: "
        "{x} of {y}.",
        ("to", "x", "y"),
        edits=("scheduler.params.commit", "workload"),
    ),
    Reason(
        NO_ROOM,
        "no_room",
        "Scheduler {to} found too little room in its copy of the state; {x} tasks of this job wait until another "
        "task "
        "ends.",
        ("to", "x"),
        edits=("topology.clusters",),
    ),
    Reason(
        INCOMPLETE,
        "incomplete",
        "Scheduler {to} found room for only {x} of the {y} tasks of the job. It commits a whole job or nothing, so "
        "it waits until another task ends.",
        ("to", "x", "y"),
        edits=("scheduler.params.commit", "topology.clusters", "workload"),
    ),
    Reason(
        LOST,
        "lost",
        "After {x_s} of work, {loss}; the task waits for scheduler {to} again.",
        ("loss", "x_s", "to"),
        mark="fault",
        edits=("events",),
    ),
)
CONFLICT_MARK = Mark(
    "conflict", "Conflict", "A claim was refused: another scheduler had taken the machine since the copy."
)
