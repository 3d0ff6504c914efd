"""Reasons why tasks of a user's own policy run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.schedulers.own.state import MOST_STEPS_OF_ONE
from scheduler_core.world.reasons import HANDED_BACK_REASON, LOST_REASON, unschedulable
from scheduler_core.world.spec import Mark, Reason

UNSCHEDULABLE, NO_ROOM, FILTERED, CONFLICT, LATE, RELAXED, PREEMPTED, FELL_BACK, TOO_DEAR = range(1, 10)
CHOSEN, ONLY_FIRST, MADE_ROOM, BY_FALLBACK, SENT, STARTED = range(10, 16)

_POLICY = ("scheduler.params.policy",)
_VIEW = ("scheduler.params.news", "scheduler.params.heartbeat_s", "scheduler.params.sample")

ALL = (
    unschedulable(UNSCHEDULABLE),
    Reason(
        NO_ROOM,
        "no_room",
        "No eligible machine has room for the task now{lack}; {x} tasks like it wait.",
        ("lack", "x"),
        edits=("topology.clusters", *_VIEW),
    ),
    Reason(
        FILTERED,
        "filtered",
        "The policy's filter refuses each of the {y} machines that have room; {x} tasks like it wait.",
        ("y", "x"),
        edits=_POLICY,
    ),
    Reason(
        CONFLICT,
        "conflict",
        "Machine {machine} had no room left when the request came: the scheduler's view was {x_s} old.",
        ("machine", "x_s"),
        mark="refusal",
        edits=_VIEW,
    ),
    Reason(
        LATE,
        "late",
        "Machine {machine} was chosen for the task, but could no longer take it when the decision was made.",
        ("machine",),
        edits=("events", "scheduler.params.decision_us"),
    ),
    Reason(
        RELAXED,
        "relaxed",
        "Machine {machine} lacks {count_x} of the task's soft constraints, so the task runs for {y_s} there.",
        ("machine", "count_x", "y_s"),
        edits=("constraints.soft", "topology.clusters"),
    ),
    Reason(
        PREEMPTED,
        "preempted",
        "The policy preempted the task on machine {machine} after {x_s} of work, for a task of queue {queue_to}.",
        ("machine", "x_s", "queue_to"),
        mark="preemption",
        edits=_POLICY,
    ),
    Reason(
        FELL_BACK,
        "fell_back",
        "The policy has used up its {x} steps. From here on tasks go first come, first served, to the first machine "
        "with room.",
        ("x",),
        mark="fallback",
        edits=("scheduler.params.step_limit",),
    ),
    Reason(
        TOO_DEAR,
        "too_dear",
        f"One decision of the policy could take {{x}} steps; {MOST_STEPS_OF_ONE:,} are allowed. So it does not decide: "
        "tasks go first come, first served, to the first machine with room.",
        ("x",),
        mark="fallback",
        edits=_POLICY,
    ),
    Reason(
        CHOSEN,
        "chosen",
        "Machine {machine} has the best score of the {x} machines that the policy may use.",
        ("machine", "x"),
        edits=_POLICY,
        among="x",
    ),
    Reason(
        ONLY_FIRST,
        "first_fit",
        "Machine {machine} is the first with room that the policy may use.",
        ("machine",),
        edits=_POLICY,
    ),
    Reason(
        MADE_ROOM,
        "made_room",
        "No machine had room. The policy preempted {x} tasks on machine {machine} for this one.",
        ("x", "machine"),
        edits=_POLICY,
    ),
    Reason(
        BY_FALLBACK,
        "by_fallback",
        "Machine {machine} is the first with room. The policy does not decide: it has used up its steps, or "
        "needs too many.",
        ("machine",),
        edits=("scheduler.params.step_limit",),
    ),
    Reason(
        SENT,
        "sent",
        "The scheduler sent the task to machine {machine}, the best of the {x} machines that the policy may use.",
        ("machine", "x"),
        edits=_POLICY,
        among="x",
    ),
    Reason(STARTED, "started", "Machine {machine} had room for the task after {x_s} in its queue.", ("machine", "x_s")),
    LOST_REASON,
    HANDED_BACK_REASON,
)
PREEMPTION = Mark("preemption", "Preemption", "The policy preempted a task for another one.", role="preemption")
CONFLICTS = Mark("refusal", "Conflict", "A request was refused because the scheduler's view was stale.", role="refusal")
FALLBACK = Mark(
    "fallback", "Policy ended", "The policy has used up its steps, or one decision needs too many.", whole=True
)
