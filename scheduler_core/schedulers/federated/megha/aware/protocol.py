"""Megha's interface to the driver under the rules of its authors' constraint-aware program."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, TASK_WAITING, World, records
from scheduler_core.schedulers.federated.megha.aware import kernel as loop
from scheduler_core.schedulers.federated.megha.aware.news import ARRIVAL, HEARTBEAT
from scheduler_core.schedulers.federated.megha.aware.state import (
    GLOBAL_MASTER,
    LOCAL_MASTER,
    NEWS,
    NOTE,
    PLACE,
    RULES,
    AwareState,
)
from scheduler_core.schedulers.federated.megha.shared.base_protocol import BaseProtocol
from scheduler_core.schedulers.federated.megha.shared.layout import first_events, lay_out
from scheduler_core.schedulers.federated.megha.shared.params import MeghaParams
from scheduler_core.schedulers.federated.megha.shared.reasons import WAITING
from scheduler_core.world.start import Start

FIRST_HEARTBEAT_NS = 50_000_000
"""How long before the first arrival the first heartbeat is sent."""


class AwareProtocol(BaseProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    def pack(self, start: Start[MeghaParams]) -> AwareState:
        """Pack the state at time zero: every Global Master knows the truth, and nothing is lent."""
        experiment, params, cluster, world = start.experiment, start.params, start.cluster, start.world
        masters, clusters = cluster.global_masters, len(cluster.cluster_names)
        partition, place = lay_out(cluster, len(world.machine), PLACE)
        words = int(partition["words"].sum())
        rules = records(1, RULES)
        rules["delay_ns"] = round(experiment.network.message_delay_s * 1e9)
        rules["heartbeat_ns"] = max(1, round(params.heartbeat_s * 1e9))
        rules["delay_s"], rules["heartbeat_s"] = rules["delay_ns"] / 1e9, rules["heartbeat_ns"] / 1e9
        rules["fewest"] = params.fewest_properties is True
        free = _members(place, np.ones(len(place), bool), words)
        sizes, size_of = np.unique(world.demand, axis=0, return_inverse=True)
        offers = world.machine["offers"]
        asked = max(int(np.bitwise_or.reduce(world.asks)).bit_length(), 1)
        place["properties"] = np.bitwise_count(offers)
        count = np.bincount(place["partition"], minlength=len(partition)).astype(np.int32)
        state = AwareState(
            rules=rules,
            gm=records(masters, GLOBAL_MASTER),
            lm=records(clusters, LOCAL_MASTER),
            news=records((masters, clusters), NEWS),
            note=records(2 * len(world.task) + 1, NOTE),
            place=place,
            partition=partition,
            free=np.repeat(free[np.newaxis], masters + 1, axis=0),
            free_count=np.repeat(count[np.newaxis], masters, axis=0),
            offer=np.stack([_members(place, (offers >> number) & 1 == 1, words) for number in range(asked)]),
            size=np.stack([_members(place, (world.capacity >= size).all(axis=1), words) for size in sizes]),
            size_of=size_of.ravel().astype(np.int32),
            lent=np.zeros_like(world.free),
        )
        state.gm["first"] = state.gm["last"] = NOBODY
        for column in ("first_note", "last_note", "sent_up_to"):
            state.lm[column] = NOBODY
        state.news["heard"] = state.news["sent_from"] = NOBODY
        if len(world.job):
            arrival_ns = int(world.job[0].arrival_ns)
            heartbeat_ns = max(arrival_ns - FIRST_HEARTBEAT_NS, 0)
            first_events(world, ((heartbeat_ns, HEARTBEAT), (arrival_ns, ARRIVAL)))
        return state

    def advance(self, world: World, state: AwareState, until_ns: int, max_events: int) -> int:
        return loop.advance(world, state, until_ns, max_events)

    def why_waiting(self, world: World, state: AwareState, task: int) -> dict[str, Any] | None:
        row = world.task[task]
        if row.state != TASK_WAITING:
            return None
        gm = int(row.job) % len(state.gm)
        alike = (world.task["state"] == TASK_WAITING) & (world.task["demand"] == row.demand)
        of_gm = world.task["job"] % len(state.gm) == gm
        return {"reason": WAITING, "to": gm, "x": int((alike & of_gm).sum())}

    def inspect(self, world: World, state: AwareState) -> dict[str, Any]:
        wrong = np.bitwise_count(state.free[:-1] ^ state.free[-1]).sum(axis=1)
        return {
            "global_masters": [
                {
                    "name": f"GM {number}",
                    "tasks_waiting": int(gm.waiting),
                    "machines_it_sees_free": int(state.free_count[number].sum()),
                    "machines_it_sees_wrong": int(wrong[number]),
                }
                for number, gm in enumerate(state.gm)
            ]
        }


def _members(place: Any, chosen: npt.NDArray[np.bool_], words: int) -> npt.NDArray[np.uint64]:
    """Return the chosen machines as bits, uint64 (words,), each partition at the beginning of a word."""
    bits = np.zeros(words, np.uint64)
    shifted = np.left_shift(np.uint64(1), place["bit"][chosen].astype(np.uint64))
    np.bitwise_or.at(bits, place["word"][chosen], shifted)
    return bits
