"""Mercury's interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.engine import rng
from scheduler_core.engine.events import EVENT_HEADROOM, schedule
from scheduler_core.engine.incidents import held
from scheduler_core.engine.records import NEVER, NOBODY, Records, World, records
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.probing.mercury import kernel as loop
from scheduler_core.schedulers.probing.mercury.params import MercuryParams
from scheduler_core.schedulers.probing.mercury.state import PUBLISH, RULES, WORKER, MercuryState
from scheduler_core.schedulers.shared.heartbeats.state import KIND, NODE_TASK, SUB
from scheduler_core.schedulers.shared.probing.hybrid import hybrid_arrays
from scheduler_core.schedulers.shared.probing.packing import grow_probes
from scheduler_core.schedulers.shared.probing.state import PROBE_RECORD
from scheduler_core.world.protocol import DefaultProtocol
from scheduler_core.world.start import Start


class MercuryProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    loop = loop

    def event_room(self, experiment: Experiment, params: MercuryParams, largest_job: int) -> int:
        return EVENT_HEADROOM

    def pack(self, start: Start[MercuryParams]) -> MercuryState:
        experiment, params, world = start.experiment, start.params, start.world
        machines, classes = len(world.machine), len(world.demand)
        sub = records(1, SUB)
        sub["end"], sub["next_ns"] = machines, NEVER
        kind = records((1, classes), KIND)
        kind["first"] = kind["last"] = NOBODY
        task = records(len(world.task), NODE_TASK)
        for column in ("sub", "beside", "before"):
            task[column] = NOBODY
        state = MercuryState(
            rules=_rules(experiment, params), sub=sub, kind=kind, present=np.zeros((1, classes), np.int32), task=task,
            resident=np.full(machines, NOBODY, np.int32), bits=np.zeros((2, machines // 64 + 1), np.uint64),
            lent=np.zeros((max(2, machines), world.free.shape[1]), np.int64),
            published_ns=np.zeros(machines, np.int64),
            **hybrid_arrays(experiment, world, params, WORKER, PROBE_RECORD),
        )  # fmt: skip
        if params.guaranteed == "drawn":
            _draw_guaranteed(experiment.seed, params.guaranteed_percent, state)
        able = np.zeros((machines // 64 + 1) * 64, np.bool_)
        able[:machines] = (world.free >= world.demand[-1]).all(axis=1)
        state.bits[:] = np.packbits(able, bitorder="little").view("<u8")
        schedule(world, int(state.rules[0].node_ns), PUBLISH, 0, 0)
        return grow_probes(state, 2 * EVENT_HEADROOM + machines)

    def amounts(self, world: World, state: MercuryState, layer: str, machines: Any) -> Any:
        if layer == "queue":
            return state.worker["length"][machines]
        guaranteed = held(world)[machines] - state.lent[machines]
        return (guaranteed / np.maximum(world.capacity[machines], 1)).max(axis=1)

    def series(self, world: World, state: MercuryState) -> dict[str, float]:
        return {
            "guaranteed_waiting": float(state.sub[0].waiting), "queueable_waiting": float(state.rules[0].waiting),
        }  # fmt: skip

    def grow(self, world: World, state: MercuryState) -> MercuryState:
        """Double the pool of what carries tasks to workers."""
        return grow_probes(state, 2 * len(state.probe))

    def inspect(self, world: World, state: MercuryState) -> dict[str, Any]:
        length = state.worker["length"]
        return {
            "guaranteed_waiting": int(state.sub[0].waiting),
            "queueable_waiting": int(length.sum()),
            "longest_queue": int(length.max(initial=0)),
            "mean_wait_s": float(state.rules[0].mean_ns / 1e9),
        }


def _rules(experiment: Experiment, params: MercuryParams) -> Records:
    rules = records(1, RULES)
    rules["delay_ns"], rules["room"] = round(experiment.network.message_delay_s * 1e9), EVENT_HEADROOM
    rules["node_ns"], rules["choices"] = round(params.heartbeat_s * 1e9), params.choices
    rules["shed_ns"] = round(params.shed_s * 1e9) if params.shedding else NEVER
    return rules


def _draw_guaranteed(seed: int, percent: float, state: MercuryState) -> None:
    """Draw the jobs with only guaranteed tasks; the others are queueable."""
    for job in range(len(state.first_group) - 1):
        guaranteed = rng.uniform(seed, rng.STREAM_GUARANTEED, job, 0) * 100 < percent
        state.group["long"][state.first_group[job] : state.first_group[job + 1]] = guaranteed
