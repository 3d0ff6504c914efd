"""Sparrow: decentralized scheduling by batch sampling and late binding.

A scheduler sends probes for a job of m tasks to probe_ratio * m workers. A probe waits in its worker's queue; when it
is served, the worker asks the scheduler for a task. The first m workers to ask get the tasks, the others nothing.
Without late binding the workers answer at once with the lengths of their queues, and the tasks go to the shortest.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

from scheduler_core.schedulers.probing.sparrow import reasons
from scheduler_core.schedulers.probing.sparrow.params import QUEUE_SHOWN, SparrowCParams, SparrowParams
from scheduler_core.schedulers.probing.sparrow.signature import SPARROW, SPARROW_C
from scheduler_core.schedulers.shared.probing import PROBE_MARK
from scheduler_core.schedulers.shared.probing.work import PROBED
from scheduler_core.world.reasons import FAULT, OUTAGE_REASONS
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, Layer, SchedulerSpec, Series

if TYPE_CHECKING:
    from scheduler_core.experiment import Experiment
    from scheduler_core.workload import Workload
    from scheduler_core.world.board import Board
    from scheduler_core.world.protocol import Protocol


def _load(constrained: bool = False) -> Protocol:
    from scheduler_core.schedulers.probing.sparrow.protocol import SparrowProtocol

    return SparrowProtocol(SPEC, SparrowCParams if constrained else SparrowParams)


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
    signature=SPARROW,
    label="Sparrow",
    family="probing",
    paper="Sparrow: distributed, low latency scheduling",
    summary="Each job asks a few random machines. Its tasks go to the first of them that become free.",
    params=SparrowParams,
    supports=frozenset({"constraints", "interference", "rack_rules", "machine_faults", "share_changes"}),
    supports_under={"public-simulator": frozenset({"constraints"})},
    load=_load,
    board=_board,
    work=PROBED,
    probes=True,
    reads=_reads,
    counters=(
        Counter("probes", "Probes", "Probes sent to workers."),
        Counter("noops", "Wasted probes", "Probes answered with nothing, because the job had no task left."),
        Counter("cancelled", "Cancelled probes", "Probes that left their queue before they were served."),
    ),
    layers=(
        LOAD_LAYER,
        Layer(
            "queue",
            "Queue length",
            "level",
            "Probes that wait at the worker (without late binding: tasks).",
            unit="waiting",
            full=QUEUE_SHOWN,
            role="backlog",
        ),
        OUTAGE_LAYER,
    ),
    marks=(PROBE_MARK, FAULT),
    reasons=(*reasons.ALL, *OUTAGE_REASONS),
    series=(Series("probes_waiting", "Waiting at workers", "probes or tasks"),),
)

CONSTRAINED = replace(
    SPEC,
    name="sparrow-c",
    signature=SPARROW_C,
    label="Sparrow-C",
    summary="Sparrow for tasks with constraints: it probes only machines that offer them.",
    params=SparrowCParams,
    load=functools.partial(_load, True),
)
"""Differs from Sparrow in whose public simulator it follows, and tells short jobs from long ones in its results."""
