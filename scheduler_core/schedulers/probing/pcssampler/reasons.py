"""Why PCSsampler's tasks run or wait: the codes that the kernel writes, and their sentences."""

from __future__ import annotations

from scheduler_core.world.spec import Reason

KNOWN, UNSCHEDULABLE, SAMPLED, STARTED, REFUSED = range(1, 6)

ALL = (
    Reason(
        KNOWN,
        "known",
        "Scheduler {to} knew of room for it at worker {machine}, by what that had told {x_s} before.",
        ("to", "machine", "x_s"),
        edits=("scheduler.params.remember_s", "scheduler.params.schedulers"),
    ),
    Reason(
        UNSCHEDULABLE,
        "unschedulable",
        "No machine of this datacenter is large enough for it, even empty{cause}.",
        ("cause",),
        edits=("topology.clusters", "constraints", "workload"),
    ),
    Reason(
        SAMPLED,
        "sampled",
        "Scheduler {to} knew of no room for it and probed {y} workers: {machine} was the best one "
        "that it knew then, with {x} in front.",
        ("to", "y", "machine", "x"),
        edits=("scheduler.params.probes", "scheduler.params.remember_s"),
    ),
    Reason(
        STARTED,
        "started",
        "Worker {machine} had room for it; it had waited there {x_s}, behind {y} others when it came.",
        ("machine", "x_s", "y"),
        edits=("scheduler.params.probes",),
    ),
    Reason(
        REFUSED,
        "refused",
        "Worker {machine} had no room any more: what scheduler {to} knew was {x_s} old.",
        ("machine", "to", "x_s"),
        mark="refusal",
        edits=("scheduler.params.remember_s",),
    ),
)
