"""Why Apollo's tasks run or wait: the codes that the kernel writes, and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Mark, Reason

STARTED, UNSCHEDULABLE, CHOSEN, OPPORTUNISTIC, FILLED, UPGRADED, DUPLICATED = range(1, 8)

ALL = (
    Reason(
        STARTED,
        "started",
        "Server {machine} had room for it, {x_s} after it had come to a server first; {y} others were in front of "
        "it in the queue here.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.choices",),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for it, even empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        CHOSEN,
        "chosen",
        "Its job matched it to server {machine}: a wait of {x_s} was expected there, by what servers had published, "
        "and its completion estimated to cost {y_s}.",
        ("machine", "x_s", "y_s"),
        edits=("scheduler.params.choices", "scheduler.params.publish_s"),
    ),
    Reason(
        OPPORTUNISTIC,
        "opportunistic",
        "All tokens of its job, {x}, were in use: it was matched to server {machine}, to start when that has "
        "nothing else to do; a wait of {y_s} was expected there.",
        ("x", "machine", "y_s"),
        edits=("scheduler.params.tokens", "scheduler.params.choices"),
    ),
    Reason(
        FILLED,
        "filled",
        "Server {machine} had room and nothing else to do; {y} opportunistic tasks waited there, and it was drawn; "
        "it had waited {x_s}.",
        ("machine", "y", "x_s"),
        edits=("scheduler.params.tokens",),
    ),
    Reason(
        UPGRADED,
        "upgraded",
        "A token of its job came back: from now on it is a regular task at server {machine}, behind {y} others.",
        ("machine", "y"),
        edits=("scheduler.params.tokens",),
    ),
    Reason(
        DUPLICATED,
        "duplicated",
        "At server {frm} it was going to have waited {x_s}, where {y_s} had been expected: it was sent to server "
        "{machine}, too.",
        ("x_s", "frm", "y_s", "machine"),
        mark="duplicate",
        edits=("scheduler.params.correct_s", "scheduler.params.correction"),
    ),
)
DUPLICATE_MARK = Mark("duplicate", "Duplicate", "A task that was going to wait too long was sent to a second server.")
