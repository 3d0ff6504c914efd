"""Sparrow: decentralised scheduling by batch sampling and late binding.

A scheduler sends probes for a job of m tasks to probe_ratio * m workers. A probe waits in its worker's queue; when it
is served, the worker asks the scheduler for a task. The first m workers to ask get the tasks, the others nothing.
Without late binding the workers answer at once with the lengths of their queues, and the tasks go to the shortest.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scheduler_core.schedulers.shared.probing import PROBE_MARK
from scheduler_core.world.spec import LOAD_LAYER, Counter, Layer, Params, Reason, SchedulerSpec, Series

if TYPE_CHECKING:
    from scheduler_core.experiment import Experiment
    from scheduler_core.workload import Workload
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol

LAUNCHED = 1
UNSCHEDULABLE = 2
PLACED = 3
STARTED = 4

QUEUE_SHOWN = 32
"""The longest queue that the map tells apart from longer ones."""


class SparrowParams(Params):
    """Parameters of Sparrow."""

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Whose rules are followed: the paper's, or those of the public simulator of Eagle's authors in its "
        "Sparrow mode. There a worker runs one task, may get several probes of one job, and hears at once whether a "
        "task is left for it; durations are whole seconds; sampling is by batch, with late binding, "
        "without cancellation.",
    )
    probe_ratio: float = Field(
        2.0,
        ge=1,
        le=100,
        title="Probe ratio",
        description="Probes sent for each task of a job. More probes find shorter queues and cost more messages.",
        json_schema_extra={"unit": "probes per task"},
    )
    sampling: Literal["batch", "per_task"] = Field(
        "batch",
        title="Sampling",
        description="Whether the tasks of a job that are alike share their probes, so that any of them may go to any "
        "worker probed, or each task has probes of its own (as many as the probe ratio, rounded up). Shared probes "
        "usually shorten waits, most for jobs of many tasks.",
    )
    late_binding: bool = Field(
        True,
        title="Late binding",
        description="Whether a probe waits in the worker's queue and fetches a task when it is served. Without it "
        "workers answer at once with the lengths of their queues, and tasks join the shortest, which may have grown. "
        "Late binding usually shortens the longest waits.",
    )
    cancellation: bool = Field(
        False,
        title="Call probes back",
        description="Whether a scheduler whose tasks are all handed out calls back the probes that still wait. "
        "It spares free workers a question in vain, and more messages than it costs; waits hardly move. Means nothing "
        "without late binding.",
    )


class SparrowCParams(SparrowParams):
    """Parameters of Sparrow-C."""

    profile: Literal["paper", "public-simulator"] = Field(
        "paper",
        title="Profile",
        description="Whose rules are followed: the paper's, or those of the public simulator of Phoenix's authors in "
        "its Sparrow mode. There a job gets 20 probes at least, a worker may get several of one job, runs one task, "
        "and hears at once whether a task is left for it; constraints of long jobs are forgotten; durations are "
        "whole seconds; sampling is by batch, with late binding, without cancellation.",
    )
    short_cutoff_s: float = Field(
        90.5811,
        ge=0,
        le=1e9,
        title="Longest short job",
        description="Jobs whose tasks take longer than this on average are long: they are told apart in the results, "
        "and the public simulator forgets their constraints. The default suits the Yahoo trace.",
        json_schema_extra={"unit": "s"},
    )


def _load(constrained: bool = False) -> Protocol:
    from scheduler_core.schedulers.probing.sparrow.protocol import SparrowProtocol

    return SparrowProtocol(SparrowCParams if constrained else SparrowParams)


def _board() -> Board:
    from scheduler_core.schedulers.probing.sparrow.state import SparrowState
    from scheduler_core.schedulers.shared.probing.board import board_of

    return board_of(SparrowState)


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
    supports=frozenset({"constraints", "rack_rules"}),
    supports_under={"public-simulator": frozenset({"constraints"})},
    load=_load,
    board=_board,
    probes=True,
    reads=_reads,
    counters=(
        Counter("probes", "Probes", "Probes sent to workers."),
        Counter("noops", "Probes in vain", "Probes answered with nothing, because the job had no task left."),
        Counter("cancelled", "Probes called back", "Probes that left their queue before they were served."),
    ),
    layers=(
        LOAD_LAYER,
        Layer(
            "queue",
            "Queue length",
            "level",
            "Probes that wait at the worker, without late binding tasks.",
            unit="waiting",
            full=QUEUE_SHOWN,
            role="backlog",
        ),
    ),
    marks=(PROBE_MARK,),
    reasons=(
        Reason(
            LAUNCHED,
            "launched",
            "Worker {machine} was the first free one to ask; the probe had waited {x_s} behind {y} others.",
            ("machine", "x_s", "y"),
            mark="probe",
            edits=("scheduler.params.probe_ratio",),
        ),
        Reason(
            UNSCHEDULABLE,
            "unschedulable",
            "No machine of this datacenter is large enough for it, even empty{cause}.",
            ("cause",),
            edits=("topology.clusters", "constraints", "workload"),
        ),
        Reason(
            PLACED,
            "placed",
            "Of the workers probed that were left, none had answered with fewer than the {x} tasks in front "
            "of worker {machine}; the task joined its queue.",
            ("x", "machine"),
            edits=("scheduler.params.probe_ratio", "scheduler.params.late_binding"),
        ),
        Reason(
            STARTED,
            "started",
            "Worker {machine} had room for it; it had waited there {x_s}, behind {y} others when it came.",
            ("machine", "x_s", "y"),
            edits=("scheduler.params.late_binding",),
        ),
    ),
    series=(Series("probes_waiting", "Waiting at workers", "probes or tasks"),),
)

CONSTRAINED = replace(
    SPEC,
    name="sparrow-c",
    label="Sparrow-C",
    summary="Sparrow where tasks have constraints: only workers that offer them are probed.",
    params=SparrowCParams,
    load=functools.partial(_load, True),
)
"""Differs from Sparrow in whose public simulator it follows, and tells short jobs from long ones in its results."""
