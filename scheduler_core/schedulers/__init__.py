"""The schedulers. A new one is a folder that declares a `SchedulerSpec`, and one line in `BUILT_IN`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from scheduler_core.errors import UnknownName
from scheduler_core.schedulers import dag, flow, kubernetes, own, pipeline, queue, replay, slurm, spacetime, template
from scheduler_core.schedulers.federated import centralised, hydra, megha
from scheduler_core.schedulers.offers import mesos
from scheduler_core.schedulers.plugin.loading import plugin, plugins, reserve
from scheduler_core.schedulers.probing import apollo, eagle, hawk, mercury, pcssampler, phoenix, pigeon, sparrow, yacc
from scheduler_core.schedulers.shared_state import omega
from scheduler_core.world.spec import SchedulerSpec

BUILT_IN: tuple[SchedulerSpec, ...] = (
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
    kubernetes.SPEC,
    queue.KUBERNETES,
    queue.BORG,
    slurm.SPEC,
    replay.SPEC,
    own.SPEC,
)

UNLISTED: tuple[SchedulerSpec, ...] = (template.SPEC,)
"""Schedulers that experiments may name, but that nobody is offered."""

_BY_NAME = {spec.name: spec for spec in (*BUILT_IN, *UNLISTED)}
reserve(_BY_NAME)


class _Listed(Sequence[SchedulerSpec]):
    """The built-in schedulers, and behind them the plugins that are loaded at the time."""

    def _all(self) -> tuple[SchedulerSpec, ...]:
        return (*BUILT_IN, *(each.spec for each in plugins()))

    def __len__(self) -> int:
        """Return the number of schedulers."""
        return len(self._all())

    @overload
    def __getitem__(self, place: int) -> SchedulerSpec: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[SchedulerSpec, ...]: ...
    def __getitem__(self, place: int | slice) -> SchedulerSpec | tuple[SchedulerSpec, ...]:
        """Return the scheduler at a place of the list."""
        return self._all()[place]


SCHEDULERS: Sequence[SchedulerSpec] = _Listed()
"""All schedulers that users are offered: those of this library, then the loaded plugins."""


def scheduler_by_name(name: str) -> SchedulerSpec:
    """Return the declaration of a scheduler; load a plugin's entry point by its name. Raises UnknownName."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    if (found := plugin(name)) is not None:
        return found.spec
    raise UnknownName("scheduler", name, [spec.name for spec in SCHEDULERS])


__all__ = ["BUILT_IN", "SCHEDULERS", "UNLISTED", "SchedulerSpec", "UnknownName", "scheduler_by_name"]
