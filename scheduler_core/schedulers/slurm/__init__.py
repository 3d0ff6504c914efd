"""Slurm: multifactor priorities, one pass in order, and backfill around the jobs that do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.schedulers.slurm.params import SlurmParams
from scheduler_core.schedulers.slurm.reasons import REASONS
from scheduler_core.schedulers.slurm.signature import SIGNATURE
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import LOAD_LAYER, OUTAGE_LAYER, Counter, SchedulerSpec, Series
from scheduler_core.world.work import Work

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol


def _load() -> Protocol:
    from scheduler_core.schedulers.slurm.protocol import SlurmProtocol

    return SlurmProtocol(SPEC)


SPEC = SchedulerSpec(
    name="slurm",
    signature=SIGNATURE,
    label="Slurm",
    family="batch",
    paper="Slurm",
    summary="Jobs go in the order of multifactor priorities, and all tasks of a job start together. Backfill lets jobs "
    "start early that delay no reservation.",
    params=SlurmParams,
    queue_note="Under {label}, queues are accounts, and shares count only by the weight of fair share.",
    supports=frozenset(
        {
            "constraints",
            "gangs",
            "interference",
            "machine_faults",
            "parameter_changes",
            "priorities",
            "share_changes",
            "standing",
        }
    ),
    load=_load,
    counters=(
        Counter("in_order", "Jobs started in order", "Jobs that started when all jobs before them had started."),
        Counter("cuts", "Passes cut short", "Passes after an event that stopped before the last waiting job."),
        Counter("backfilled", "Jobs backfilled", "Jobs that a backfill pass started."),
        Counter("passes", "Backfill passes", "Backfill passes."),
        Counter("reservations", "Reservations", "Starts in the future that backfill passes planned."),
        Counter("overruns", "Limits overrun", "Running tasks found beyond their time limit, in all passes together."),
    ),
    layers=(LOAD_LAYER, OUTAGE_LAYER),
    work=Work(decision="choose"),
    by_resource=True,
    reasons=REASONS,
    marks=(FAULT,),
    series=(Series("jobs_pending", "Jobs waiting", "jobs"),),
)
