"""Reasons why tasks run or wait under Slurm: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Reason

UNSCHEDULABLE, NO_ROOM, PLANNED, BEHIND, LOST, STARTED, BACKFILLED, WILL_START, NOT_TRIED = range(1, 10)
DEPENDENCY, DEPENDENCY_NEVER = range(10, 12)

REASONS = (
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "workload"),
    ),
    Reason(
        NO_ROOM,
        "no_room",
        "The job is next in the order of priorities. Its {x} tasks start together, and only {y} of them have room now.",
        ("x", "y"),
        edits=("topology.clusters", "workload", "scheduler.params.OverSubscribe"),
    ),
    Reason(
        PLANNED,
        "planned",
        "The job does not fit now. The backfill pass reserved room for its {x} tasks in {y_s}, when running jobs reach "
        "their time limits.",
        ("x", "y_s"),
        edits=("scheduler.params.bf_window", "topology.clusters"),
    ),
    Reason(
        WILL_START,
        "will_start",
        "The backfill pass plans to start the job's {x} tasks in {y_s}. Jobs before it have reservations, too.",
        ("x", "y_s"),
        edits=("scheduler.params.backfill", "topology.clusters"),
        now=True,
    ),
    Reason(
        BEHIND,
        "behind",
        "{x} jobs go before this one, by priority or time. The first of them has no room, and this job has not been "
        "found to fit around it.",
        ("x",),
        edits=("scheduler.params.backfill", "scheduler.params.bf_max_job_test", "topology.clusters"),
        now=True,
    ),
    Reason(
        NOT_TRIED,
        "not_tried",
        "The pass after the last event tried {x} jobs and stopped before this one. The full pass tries it in {y_s}, "
        "unless an event or backfill comes first.",
        ("x", "y_s"),
        edits=("scheduler.params.default_queue_depth", "scheduler.params.sched_interval"),
        now=True,
    ),
    Reason(
        DEPENDENCY,
        "dependency",
        "The job waits for other jobs: {x} of its dependencies are not met.",
        ("x",),
        edits=("workload",),
    ),
    Reason(
        DEPENDENCY_NEVER,
        "dependency_never",
        "The job never starts: it waits for another job to fail (afternotok), and no job fails here.",
        (),
        edits=("workload",),
    ),
    Reason(
        LOST,
        "lost",
        "After {x_s} of work, {loss}; the task waits again.",
        ("loss", "x_s"),
        mark="fault",
        edits=("events",),
    ),
    Reason(
        STARTED,
        "started",
        "The job was first in the order of priorities, with priority {y}. All its {x} waiting tasks had room; this one "
        "starts on machine {machine}.",
        ("y", "x", "machine"),
        edits=("scheduler.params",),
    ),
    Reason(
        BACKFILLED,
        "backfilled",
        "The backfill pass started all {x} waiting tasks of the job before other jobs, because none of their "
        "reservations is delayed. This task starts on machine {machine}.",
        ("x", "machine"),
        edits=("scheduler.params.backfill", "scheduler.params.bf_interval"),
    ),
)
