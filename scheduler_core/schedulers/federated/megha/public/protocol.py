"""Megha's interface to the driver under the rules of its authors' public simulator."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import NOBODY, TASK_WAITING, World, records
from scheduler_core.schedulers.federated.megha.public import kernel as loop
from scheduler_core.schedulers.federated.megha.public.state import (
    GLOBAL_MASTER,
    PLACE,
    QUEUED_JOB,
    RULES,
    PublicState,
)
from scheduler_core.schedulers.federated.megha.shared.base_protocol import BaseProtocol
from scheduler_core.schedulers.federated.megha.shared.layout import first_events, lay_out
from scheduler_core.schedulers.federated.megha.shared.params import MeghaParams
from scheduler_core.schedulers.federated.megha.shared.reasons import WAITING
from scheduler_core.workload.public_reading import DEPHASING_NS
from scheduler_core.world.start import Start


class PublicProtocol(BaseProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    def pack(self, start: Start[MeghaParams]) -> PublicState:
        experiment, params, cluster, world = start.experiment, start.params, start.cluster, start.world
        masters, clusters = cluster.global_masters, len(cluster.cluster_names)
        partition, place = lay_out(cluster, len(world.machine), PLACE)
        words = int(partition["words"].sum())
        others_word = clusters // 64 + 1
        rules = records(1, RULES)
        rules["delay_ns"] = round(experiment.network.message_delay_s * 1e9)
        rules["heartbeat_ns"] = max(1, round(params.heartbeat_s * 1e9))
        rules["delay_s"], rules["heartbeat_s"] = rules["delay_ns"] / 1e9, rules["heartbeat_ns"] / 1e9
        rules["others_word"] = others_word
        free = np.zeros(words, np.uint64)
        np.bitwise_or.at(free, place["word"], np.left_shift(np.uint64(1), place["bit"].astype(np.uint64)))
        sizes = np.bincount(place["partition"], minlength=len(partition)).astype(np.int32)
        state = PublicState(
            rules=rules,
            gm=records(masters, GLOBAL_MASTER),
            job=records(len(world.job), QUEUED_JOB),
            place=place,
            partition=partition,
            word_partition=np.repeat(np.arange(len(partition), dtype=np.int32), partition["words"]),
            free=np.repeat(free[np.newaxis], masters + 1, axis=0),
            free_count=np.repeat(sizes[np.newaxis], masters, axis=0),
            open=np.zeros((masters, others_word + len(partition) // 64 + 1), np.uint64),
            dirty=np.zeros((masters, words), np.int32),
            is_dirty=np.zeros((masters, words), np.uint8),
            unmatched=np.zeros((1, len(world.task) // 64 + 1), np.uint64),
            fits_anywhere=_fits_anywhere(world),
            lent=np.zeros_like(world.free),
        )
        _open_partitions(state, sizes)
        for column in ("first_job", "last_job", "ended_first"):
            state.gm[column] = NOBODY
        state.job["gm"] = world.job["tasks"] % masters
        state.job["arrival_s"] = _arrivals_s(world.job["arrival_ns"])
        if len(world.job):
            # The heartbeat enters the queue later than the arrival of its time, so it is above.
            arrival_ns = int(world.job[0].arrival_ns)
            first_events(world, ((arrival_ns, loop.HEARTBEAT), (arrival_ns, loop.ARRIVAL)))
        return state

    def advance(self, world: World, state: PublicState, until_ns: int, max_events: int) -> int:
        return loop.advance(world, state, until_ns, max_events)

    def why_waiting(self, world: World, state: PublicState, task: int) -> dict[str, Any] | None:
        """Return why a task waits: its GM sees no free able machine; None if it waits for the job in front."""
        row = world.task[task]
        if row.state != TASK_WAITING:
            return None
        gm, place = int(state.job[row.job].gm), state.place
        seen = (state.free[gm, place["word"]] >> place["bit"].astype(np.uint64)) & np.uint64(1) == 1
        asks, demand = world.asks[row.demand], world.demand[row.demand]
        able = ((world.machine["offers"] & asks) == asks) & (world.capacity >= demand).all(axis=1)
        if (seen & able).any():
            return None
        waiting = (world.task["state"] == TASK_WAITING) & (world.task["demand"] == row.demand)
        of_gm = state.job["gm"][world.task["job"]] == gm
        return {"reason": WAITING, "to": gm, "x": int((waiting & of_gm).sum())}

    def inspect(self, world: World, state: PublicState) -> dict[str, Any]:
        wrong = np.bitwise_count(state.free[:-1] ^ state.free[-1]).sum(axis=1)
        return {
            "global_masters": [
                {
                    "name": f"GM {number}",
                    "jobs_waiting": int(gm.jobs),
                    "machines_it_sees_free": int(state.free_count[number].sum()),
                    "machines_it_sees_wrong": int(wrong[number]),
                }
                for number, gm in enumerate(state.gm)
            ]
        }


def _fits_anywhere(world: World) -> npt.NDArray[np.uint8]:
    least, offers = world.capacity.min(axis=0), np.bitwise_and.reduce(world.machine["offers"])
    able: npt.NDArray[np.bool_] = (world.demand <= least).all(axis=1) & ((world.asks & offers) == world.asks)
    return able.astype(np.uint8)


def _open_partitions(state: PublicState, sizes: npt.NDArray[np.int32]) -> None:
    masters, others_word = len(state.gm), int(state.rules[0].others_word)
    for number in np.flatnonzero(sizes):
        owner, one = int(state.partition[number].owner), np.uint64(1)
        for gm in range(masters):
            at = int(number) // masters if gm == owner else int(number)
            word = at // 64 + (0 if gm == owner else others_word)
            state.open[gm, word] |= one << np.uint64(at % 64)
            state.gm[gm]["own_open" if gm == owner else "others_open"] += 1


def _arrivals_s(arrival_ns: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return arrivals as the public simulator has them, s: repeats of one are moved by hundredths.

    Arrivals a hundredth apart are taken for such repeats.
    """
    arrival_s = arrival_ns / 1e9
    for job in np.flatnonzero(np.diff(arrival_ns) == DEPHASING_NS) + 1:
        arrival_s[job] = arrival_s[job - 1] + DEPHASING_NS / 1e9
    return arrival_s
