"""Why Omega's tasks run or wait: the codes that the kernel writes, and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

COMMITTED, UNSCHEDULABLE, CONFLICT, CHANGED, ROLLED_BACK, NO_ROOM, INCOMPLETE, LOST = range(1, 9)

_TIMES = ("scheduler.params.job_s", "scheduler.params.task_s", "scheduler.params.service_job_s")

ALL = (
    Reason(
        COMMITTED,
        "committed",
        "Scheduler {to} saw room on machine {machine} in its copy of the cell, and {x_s} later, at the commit, "
        "it was still there. Conflicts of this job before: {y}.",
        ("to", "machine", "x_s", "y"),
        edits=_TIMES,
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for it, even empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        CONFLICT,
        "conflict",
        "A conflict on machine {machine}: {taken} since scheduler {to} made its copy, so its claim was refused.",
        ("machine", "taken", "to"),
        mark="conflict",
        edits=(*_TIMES, "scheduler.params.placement"),
    ),
    Reason(
        CHANGED,
        "changed",
        "A conflict on machine {machine}: it had another sequence number than in the copy of scheduler {to}, "
        "because {taken} since; it would still have fit.",
        ("machine", "to", "taken"),
        mark="conflict",
        edits=("scheduler.params.conflicts", *_TIMES),
    ),
    Reason(
        ROLLED_BACK,
        "rolled_back",
        "Scheduler {to} commits all of this job or nothing, and {x} of the {y} claims of its transaction were refused: "
        "this one was given back.",
        ("to", "x", "y"),
        edits=("scheduler.params.commit", "workload"),
    ),
    Reason(
        NO_ROOM,
        "no_room",
        "Scheduler {to} found too little room in its copy of the cell: {x} tasks of this job wait until something "
        "ends.",
        ("to", "x"),
        edits=("topology.clusters",),
    ),
    Reason(
        INCOMPLETE,
        "incomplete",
        "Scheduler {to} saw room for {x} of the {y} tasks of its job only; as it commits all or nothing, it "
        "waits until something ends.",
        ("to", "x", "y"),
        edits=("scheduler.params.commit", "topology.clusters", "workload"),
    ),
    Reason(
        LOST,
        "lost",
        "Machine {machine} failed after {x_s} of work: it waits for scheduler {to} again.",
        ("machine", "x_s", "to"),
        mark="fault",
        edits=("events",),
    ),
)
CONFLICT_MARK = Mark("conflict", "Conflict", "A claim was refused: somebody else had taken the machine since the copy.")
