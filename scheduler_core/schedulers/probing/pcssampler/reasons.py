"""Reasons why PCSsampler's tasks run or wait: the kernel's codes and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Reason

KNOWN, UNSCHEDULABLE, SAMPLED, STARTED, REFUSED = range(1, 6)

ALL = (
    Reason(
        KNOWN,
        "known",
        "Scheduler {to} knew of room for the task at machine {machine}, from a report {x_s} old.",
        ("to", "machine", "x_s"),
        edits=("scheduler.params.remember_s", "scheduler.params.schedulers"),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for the task, even when empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        SAMPLED,
        "sampled",
        "Scheduler {to} knew of no room for the task and probed {y} machines; machine {machine} was then the best one "
        "known, with {x} in front.",
        ("to", "y", "machine", "x"),
        edits=("scheduler.params.probes", "scheduler.params.remember_s"),
    ),
    Reason(
        STARTED,
        "started",
        "Machine {machine} had room for the task, which had waited there for {x_s}, behind {y} others at first.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.probes",),
    ),
    Reason(
        REFUSED,
        "refused",
        "Machine {machine} no longer had room: the report that scheduler {to} relied on was {x_s} old.",
        ("machine", "to", "x_s"),
        mark="refusal",
        edits=("scheduler.params.remember_s",),
    ),
)
