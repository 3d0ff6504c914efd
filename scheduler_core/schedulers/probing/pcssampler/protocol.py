"""PCSsampler's interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import look_for
from scheduler_core.engine.records import LISTS, NOBODY, QUEUES, World, records
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.probing.pcssampler import kernel as loop
from scheduler_core.schedulers.probing.pcssampler.params import PcsSamplerParams
from scheduler_core.schedulers.probing.pcssampler.state import (
    ENTRY,
    MESSAGE,
    RULES,
    SAMPLE,
    SCHEDULER,
    WORKER,
    PcsSamplerState,
)
from scheduler_core.schedulers.shared.probing.packing import eligible_machines, grow_probes
from scheduler_core.schedulers.shared.probing.state import GROUP, LINK
from scheduler_core.world.protocol import DefaultProtocol
from scheduler_core.world.start import Start


class PcsSamplerProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    loop = loop

    def event_room(self, experiment: Experiment, params: PcsSamplerParams, largest_job: int) -> int:
        """Return room for the probes of a task."""
        return EVENT_HEADROOM + params.probes

    def pack(self, start: Start[PcsSamplerParams]) -> PcsSamplerState:
        experiment, params, world = start.experiment, start.params, start.world
        machines, resources = world.free.shape
        look_for(world, LISTS | QUEUES)
        rules = records(1, RULES)
        rules["delay_ns"] = round(experiment.network.message_delay_s * 1e9)
        rules["room"] = self.event_room(experiment, params, 0)
        rules["schedulers"], rules["wanted"] = params.schedulers, params.probes
        rules["remember_ns"], rules["ends_told"] = round(params.remember_s * 1e9), params.ends_told
        eligible, listed = eligible_machines(world)
        worker, scheduler = records(machines, WORKER), records(params.schedulers, SCHEDULER)
        for table in (worker, scheduler):
            table["first"] = table["last"] = NOBODY
        state = PcsSamplerState(
            rules=rules, worker=worker, probe=records(0, MESSAGE), told=np.zeros((0, resources), np.int64),
            link=records(1, LINK), group=records(1, GROUP), order=np.zeros(1, np.int32), eligible=eligible,
            listed=listed, sampled_for=np.zeros(machines, np.int32), scheduler=scheduler,
            entry=records((params.schedulers, machines), ENTRY),
            room=np.zeros((params.schedulers, machines, resources), np.int64),
            sample=records(len(world.task), SAMPLE),
        )  # fmt: skip
        return _grow(state, 2 * int(rules[0].room) + machines)

    def amounts(self, world: World, state: PcsSamplerState, layer: str, machines: Any) -> Any:
        return state.worker["length" if layer == "queue" else "known_by"][machines]

    def series(self, world: World, state: PcsSamplerState) -> dict[str, float]:
        rules = state.rules[0]
        return {
            "waiting_at_workers": float(rules.waiting), "workers_known": float(rules.listed / rules.schedulers),
        }  # fmt: skip

    def grow(self, world: World, state: PcsSamplerState) -> PcsSamplerState:
        """Double the pool of messages."""
        return _grow(state, 2 * len(state.probe))

    def inspect(self, world: World, state: PcsSamplerState) -> dict[str, Any]:
        length = state.worker["length"]
        return {
            "waiting_at_workers": int(length.sum()),
            "longest_queue": int(length.max(initial=0)),
            "workers_known": [int(known.sum()) for known in state.entry["listed"]],
        }


def _grow(state: PcsSamplerState, length: int) -> PcsSamplerState:
    grown = grow_probes(state, length)
    told = np.zeros((length, state.told.shape[1]), np.int64)
    told[: len(state.told)] = state.told
    return grown._replace(told=told)
