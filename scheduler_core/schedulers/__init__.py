"""The schedulers. A new one is a folder that declares a `SchedulerSpec`, and one line in `SCHEDULERS`."""

from __future__ import annotations

from scheduler_core.errors import UnknownName
from scheduler_core.schedulers import dag, flow, pipeline, queue, spacetime, template
from scheduler_core.schedulers.federated import centralised, hydra, megha
from scheduler_core.schedulers.offers import mesos
from scheduler_core.schedulers.probing import apollo, eagle, hawk, mercury, pcssampler, phoenix, pigeon, sparrow, yacc
from scheduler_core.schedulers.shared_state import omega
from scheduler_core.world.spec import SchedulerSpec

SCHEDULERS: tuple[SchedulerSpec, ...] = (
    megha.SPEC,
    centralised.SPEC,
    sparrow.SPEC,
    sparrow.CONSTRAINED,
    pcssampler.SPEC,
    hawk.SPEC,
    hawk.CONSTRAINED,
    eagle.SPEC,
    eagle.CONSTRAINED,
    phoenix.SPEC,
    pigeon.SPEC,
    mercury.SPEC,
    apollo.SPEC,
    yacc.SPEC,
    omega.SPEC,
    hydra.SPEC,
    mesos.SPEC,
    dag.DRF,
    dag.WDRF,
    dag.MAX_MIN,
    dag.CAPACITY,
    dag.SJF,
    dag.SRTF,
    dag.CPM,
    dag.TETRIS,
    dag.TETRIS_FAIR,
    dag.DAGPS,
    dag.CARBYNE,
    dag.CHOOSY,
    dag.FAIR,
    dag.DELAY,
    spacetime.TETRISCHED,
    spacetime.ALSCHED,
    flow.QUINCY,
    flow.FIRMAMENT,
    flow.FAIRNESS,
    flow.PLACEMENT,
    flow.PRIORITY,
    flow.MIXED,
    pipeline.SPEC,
    queue.RANDOM,
    queue.FIFO,
    queue.SWARM,
    queue.KUBERNETES,
    queue.BORG,
)

UNLISTED: tuple[SchedulerSpec, ...] = (template.SPEC,)
"""Schedulers that experiments may name, but that nobody is offered."""

_BY_NAME = {spec.name: spec for spec in (*SCHEDULERS, *UNLISTED)}


def scheduler_by_name(name: str) -> SchedulerSpec:
    """Return the declaration of a scheduler. Raises UnknownName, which lists the valid names."""
    try:
        return _BY_NAME[name]
    except KeyError:
        raise UnknownName("scheduler", name, [spec.name for spec in SCHEDULERS]) from None


__all__ = ["SCHEDULERS", "UNLISTED", "SchedulerSpec", "UnknownName", "scheduler_by_name"]
