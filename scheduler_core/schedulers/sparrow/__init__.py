"""Sparrow: decentralised scheduling by batch sampling and late binding.

A scheduler sends probes for a job of m tasks to probe_ratio * m workers. A probe waits in its worker's queue; when it
is served, the worker asks the scheduler for a task. The first m workers to ask get the tasks, the others nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scheduler_core.schedulers.spec import LOAD_LAYER, Counter, Layer, Params, Reason, SchedulerSpec, Series

if TYPE_CHECKING:
    from scheduler_core.engine.protocol import Protocol
    from scheduler_core.experiment import Experiment
    from scheduler_core.workload import Workload

LAUNCHED = 1
UNSCHEDULABLE = 2


class SparrowParams(Params):
    """Parameters of Sparrow."""

    profile: Literal["paper", "public-simulator"] = Field(
        "paper", title="Profile",
        description="Whose rules are followed: the paper's, or those of the public simulator of Eagle's authors in its "
        "Sparrow mode. There a worker runs one task, may get several probes of one job, and hears at once whether a "
        "task is left for it; durations are whole seconds.",
    )
    probe_ratio: float = Field(
        2.0, ge=1, le=100, title="Probe ratio",
        description="Probes sent for each task of a job. More probes find shorter queues and cost more messages.",
        json_schema_extra={"unit": "probes per task"},
    )


def _load() -> Protocol:
    from scheduler_core.schedulers.sparrow.protocol import SparrowProtocol

    return SparrowProtocol()


def _reads(experiment: Experiment, workload: Workload) -> Workload:
    from scheduler_core.workload.public_reading import as_public_simulators_read

    public = experiment.scheduler.params.get("profile") == "public-simulator"
    return as_public_simulators_read(workload) if public else workload


SPEC = SchedulerSpec(
    name="sparrow",
    label="Sparrow",
    family="probing",
    paper="Sparrow: distributed, low latency scheduling",
    summary="Stateless schedulers probe a few workers at random; the first workers to ask get the tasks.",
    params=SparrowParams,
    load=_load,
    reads=_reads,
    counters=(
        Counter("probes", "Probes", "Probes sent to workers."),
        Counter("noops", "Probes in vain", "Probes answered with nothing, because the job had no task left."),
    ),
    layers=(
        LOAD_LAYER,
        Layer("queue", "Queue length", "level", "Probes that wait at the worker, from none (0) to 32 or more (255)."),
    ),
    reasons=(
        Reason(LAUNCHED, "launched",
               "Worker {machine} was the first free one to ask; the probe had waited {x_s} behind {y} others.",
               ("machine", "x_s", "y"), edits=("scheduler.params.probe_ratio",)),
        Reason(UNSCHEDULABLE, "unschedulable", "No machine of this datacenter is large enough for it, even empty.",
               (), edits=("topology.clusters", "workload")),
    ),
    series=(Series("probes_waiting", "Probes waiting", "probes"),),
)
