"""Hydra's interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.engine.events import EVENT_HEADROOM, schedule
from scheduler_core.engine.incidents import paint_outage
from scheduler_core.engine.records import NEVER, NOBODY, Records, World, records
from scheduler_core.engine.tasks import paint_load, paint_resource
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.federated.hydra import kernel as loop
from scheduler_core.schedulers.federated.hydra.counters import COUNTERS
from scheduler_core.schedulers.federated.hydra.params import QUEUE_SHOWN, HydraParams
from scheduler_core.schedulers.federated.hydra.state import (
    HOME,
    HYDRA_JOB,
    LOOK,
    POLICY,
    RULES,
    SETTING,
    SPILL,
    HydraState,
)
from scheduler_core.schedulers.shared.heartbeats.state import KIND, NODE_TASK, SUB
from scheduler_core.world.planned import settings_after_events
from scheduler_core.world.start import Start

_OUTAGE, _QUEUE = 1, 2
_PROXIES = {"home": HOME, "policy": POLICY, "spill": SPILL}


class HydraProtocol:
    """See scheduler_core.world.protocol.Protocol."""

    def event_room(self, experiment: Experiment, params: HydraParams, largest_job: int) -> int:
        return EVENT_HEADROOM

    def pack(self, start: Start[HydraParams]) -> HydraState:
        experiment, cluster, world = start.experiment, start.cluster, start.world
        params, machines, subs = start.params, len(world.machine), len(cluster.cluster_names)
        rules = records(1, RULES)
        rules["delay_ns"], rules["room"] = round(experiment.network.message_delay_s * 1e9), EVENT_HEADROOM
        _fill(rules, params)
        kind = records((subs, len(world.demand)), KIND)
        kind["first"] = kind["last"] = NOBODY
        kind["able"] = _able(world, subs)
        task = records(len(world.task), NODE_TASK)
        for column in ("sub", "beside", "before"):
            task[column] = NOBODY
        state = HydraState(
            rules=rules, setting=settings_after_events(start, SETTING, _fill),
            sub=_subs(world, cluster), kind=kind,
            present=np.zeros((subs, len(world.demand)), np.int32), task=task,
            job=records(len(world.job), HYDRA_JOB), resident=np.full(machines, NOBODY, np.int32),
            bits=np.zeros((2, machines // 64 + 1), np.uint64), lent=np.zeros((1, world.free.shape[1]), np.int64),
            room=np.zeros((subs, world.free.shape[1]), np.int64),
        )  # fmt: skip
        able = np.zeros((machines // 64 + 1) * 64, np.bool_)
        able[:machines] = (world.free >= world.demand[-1]).all(axis=1)
        state.bits[:] = np.packbits(able, bitorder="little").view("<u8")
        schedule(world, int(rules[0].policy_ns), LOOK, 0, 0)
        return state

    def advance(self, world: World, state: HydraState, until_ns: int, max_events: int) -> int:
        return loop.advance(world, state, until_ns, max_events)

    def paint(self, world: World, state: HydraState, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            paint_load(world, machines, out)
        elif layer == _OUTAGE:
            paint_outage(world, machines, out)
        elif layer == _QUEUE:
            waiting = state.sub["waiting"][world.machine["cluster"][machines]]
            np.minimum(waiting * (256 // QUEUE_SHOWN), 255, out=out, casting="unsafe")
        else:
            given = np.flatnonzero(world.capacity.sum(axis=0))
            paint_resource(world, int(given[layer - _QUEUE - 1]), machines, out)

    def counters(self, world: World, state: HydraState) -> dict[str, int]:
        rules = state.rules[0]
        return {counter.name: int(rules[counter.name]) for counter in COUNTERS}

    def series(self, world: World, state: HydraState) -> dict[str, float]:
        waiting = state.sub["waiting"]
        return {
            "waiting_most": float(waiting.max()),
            "waiting_least": float(waiting.min()),
            "policy_age": float(world.control[0].now_ns - state.rules[0].policy_at_ns) / 1e9,
        }

    def grow(self, world: World, state: HydraState) -> HydraState:
        return state

    def why_waiting(self, world: World, state: HydraState, task: int) -> dict[str, Any] | None:
        return None

    def inspect(self, world: World, state: HydraState) -> dict[str, Any]:
        return {
            "sub_clusters": [{"waiting": int(sub.waiting), "room_by_policy": int(sub.known)} for sub in state.sub],
            "policy_age_s": float(world.control[0].now_ns - state.rules[0].policy_at_ns) / 1e9,
        }


def _able(world: World, subs: int) -> npt.NDArray[np.int64]:
    """Return how many machines of each sub-cluster could hold each class of demand: (subs, classes)."""
    found = np.zeros((subs, len(world.demand)), np.int64)
    for number, (demand, asks) in enumerate(zip(world.demand, world.asks, strict=True)):
        able = (world.capacity >= demand).all(axis=1) & ((world.machine["offers"] & asks) == asks)
        found[:, number] = np.bincount(world.machine["cluster"][able], minlength=subs)
    return found


def _subs(world: World, cluster: Cluster) -> Records:
    found = records(len(cluster.cluster_names), SUB)
    found["first"], found["end"] = cluster.cluster_first[:-1], cluster.cluster_first[1:]
    found["next_ns"], found["asked_by"] = NEVER, NOBODY
    least = world.demand[-1]
    asked = least > 0
    for number, (first, end) in enumerate(zip(found["first"], found["end"], strict=True)):
        room = (int(end) - int(first)) << 20
        if asked.any():
            room = min(room, int((world.free[first:end, asked].sum(axis=0) // least[asked]).min()))
        found["known"][number] = found["saw"][number] = room
    return found


def _fill(rules: Records, params: HydraParams) -> None:
    """Write what parameters say into a row of rules, or of those that events may set."""
    times = {
        "policy": "policy_s",
        "resend": "resend_s",
        "node": "node_heartbeat_s",
        "manager": "manager_heartbeat_s",
        "start": "manager_start_s",
    }
    for name, given in times.items():
        rules[f"{name}_ns"] = round(getattr(params, given) * 1e9)
    rules["by_policy"], rules["proxy"] = params.routing == "policy", _PROXIES[params.proxy]
