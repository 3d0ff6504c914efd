"""Reasons why Apollo's tasks run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

STARTED, UNSCHEDULABLE, CHOSEN, OPPORTUNISTIC, FILLED, UPGRADED, DUPLICATED = range(1, 8)

ALL = (
    Reason(
        STARTED,
        "started",
        "Machine {machine} had room for the task, {x_s} after the task first reached a machine; {y} others were in "
        "front of it in this queue.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.choices",),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        CHOSEN,
        "chosen",
        "The task's job chose machine {machine}. By the waits that machines had published, the task would wait "
        "for {x_s} there. Its estimated cost there was {y_s}: the time until its end, weighed with the penalty for a "
        "failure.",
        ("machine", "x_s", "y_s"),
        edits=("scheduler.params.choices", "scheduler.params.publish_s"),
    ),
    Reason(
        OPPORTUNISTIC,
        "opportunistic",
        "All {x} tokens of the task's job were in use. The task is opportunistic at machine {machine} and starts "
        "when no regular task waits there; the expected wait was {y_s}.",
        ("x", "machine", "y_s"),
        edits=("scheduler.params.tokens", "scheduler.params.choices"),
    ),
    Reason(
        FILLED,
        "filled",
        "Machine {machine} had room, and no regular task waited there. Of {y} waiting opportunistic tasks, it drew "
        "this one at random; the task had waited for {x_s}.",
        ("machine", "y", "x_s"),
        edits=("scheduler.params.tokens",),
    ),
    Reason(
        UPGRADED,
        "upgraded",
        "A token of the task's job came back: the task is now a regular one at machine {machine}, behind {y} others.",
        ("machine", "y"),
        edits=("scheduler.params.tokens",),
    ),
    Reason(
        DUPLICATED,
        "duplicated",
        "The task would have waited for {x_s} at machine {frm} instead of the expected {y_s}, so a copy went to "
        "machine {machine}.",
        ("x_s", "frm", "y_s", "machine"),
        mark="duplicate",
        edits=("scheduler.params.correct_s", "scheduler.params.correction"),
    ),
)
DUPLICATE_MARK = Mark("duplicate", "Duplicate", "A task whose expected wait was too long was sent to a second machine.")
