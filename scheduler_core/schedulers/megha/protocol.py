"""Megha for the driver: packing of its state, its layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.describe import partitions_of
from scheduler_core.engine.events import schedule
from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import NOBODY, TASK_WAITING, Ints, World, records
from scheduler_core.engine.tasks import paint_load
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.megha import WAITING, MeghaParams
from scheduler_core.schedulers.megha import kernel as loop
from scheduler_core.schedulers.megha.state import (
    CHANGE,
    GLOBAL_MASTER,
    LOAN,
    LOCAL_MASTER,
    PARTITION,
    RULES,
    SEEN_CLUSTER,
    SEEN_PARTITION,
    SIZE_CLASS,
    TASK_LIST,
    MeghaState,
)

_FIRST_CHANGES = 1024


class MeghaProtocol:
    """See scheduler_core.engine.protocol.Protocol."""

    def event_room(self, experiment: Experiment, largest_job: int) -> int:
        return 0

    def pack(self, experiment: Experiment, cluster: Cluster, world: World, queue_owner: npt.NDArray[np.int32]) -> MeghaState:
        masters, clusters = cluster.global_masters, len(cluster.cluster_names)
        machines, resources = world.capacity.shape
        sizes, queues = len(world.demand), len(queue_owner)
        partition = records(clusters * masters, PARTITION)
        home = np.zeros(machines, np.int32)
        for number in range(clusters):
            first, end = int(cluster.cluster_first[number]), int(cluster.cluster_first[number + 1])
            for owner, start, count in partitions_of(first, end, masters):
                partition[number * masters + owner] = (start, start + count)
                home[start : start + count] = number * masters + owner
        state = MeghaState(
            rules=_rules(experiment),
            gm=records(masters, GLOBAL_MASTER),
            partition=partition,
            home=home,
            view=np.repeat(world.free[np.newaxis], masters, axis=0),
            candidate=np.zeros((masters, machines // 64 + 2), np.uint64),
            smallest=_smallest_demand(world),
            seen_partition=records((masters, clusters * masters), SEEN_PARTITION),
            seen_cluster=records((masters, clusters), SEEN_CLUSTER),
            lm=records(clusters, LOCAL_MASTER),
            change=records((clusters, _FIRST_CHANGES), CHANGE),
            served=np.argsort(queue_owner, kind="stable").astype(np.int32),
            waiting=records((queues, sizes), TASK_LIST),
            size_class=records((masters, sizes), SIZE_CLASS),
            owner_of_queue=queue_owner,
            lent=np.zeros((machines, resources), np.int64),
            loan=records(machines, LOAN),
        )
        for column in ("first", "last"):
            state.waiting[column] = NOBODY
        state.size_class["failed_at_stamp"] = NOBODY
        state.size_class["failed_task"] = NOBODY
        state.seen_cluster["asked_first"] = NOBODY
        state.loan["borrower"] = NOBODY
        state.seen_partition["cursor"] = partition["first"]
        owned = np.bincount(queue_owner, minlength=masters)
        state.gm["queues"] = owned
        state.gm["first_queue"] = np.cumsum(owned) - owned
        _first_candidates(state)
        for number in range(clusters):
            # Local Masters' clocks are spread over one period, as clocks of separate machines are.
            beat = state.rules[0].heartbeat_ns * (number + 1) // clusters
            schedule(world, int(beat), loop.HEARTBEAT, number, 0)
        return state

    def advance(self, world: World, state: MeghaState, until_ns: int, max_events: int) -> int:
        return loop.advance(world, state, until_ns, max_events)

    def paint(self, world: World, state: MeghaState, layer: int, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            out[:] = np.minimum(state.home % len(state.gm), 254)
        elif layer == 1:
            paint_load(world, out)
        elif layer == 2:
            _paint_share(state.lent, world.capacity, out)
        else:
            borrower = state.loan["borrower"]
            out[:] = np.where(borrower < 0, 255, np.minimum(borrower, 254))

    def counters(self, world: World, state: MeghaState) -> dict[str, int]:
        rules = state.rules[0]
        return {
            "repartitions": int(rules.repartitions),
            "inconsistencies_internal": int(rules.refused_internal),
            "inconsistencies_external": int(rules.refused_external),
            "heartbeats": int(rules.heartbeats),
            "matches": int(rules.matches),
            "failed_matches": int(rules.failed_matches),
        }

    def series(self, world: World, state: MeghaState) -> dict[str, float]:
        rules = state.rules[0]
        return {
            "inconsistencies": float(rules.refused_internal + rules.refused_external),
            "repartitions": float(rules.repartitions),
        }

    def grow(self, world: World, state: MeghaState) -> MeghaState:
        """Double the rings of changes; every entry keeps its version."""
        old = state.change
        capacity = old.shape[1]
        new = records((len(old), 2 * capacity), CHANGE)
        for cluster, lm in enumerate(state.lm):
            versions = np.arange(max(0, lm.version - capacity), lm.version)
            new[cluster, versions % (2 * capacity)] = old[cluster, versions % capacity]
        state.rules[0].changes_full = 0
        return state._replace(change=new)

    def why_waiting(self, world: World, state: MeghaState, task: int) -> dict[str, Any] | None:
        row = world.task[task]
        if row.state != TASK_WAITING:
            return None
        gm = int(state.owner_of_queue[world.job[row.job].queue])
        size = state.size_class[gm, row.demand]
        if size.failed_at_stamp != state.gm[gm].view_stamp:
            return None
        return {"reason": WAITING, "to": gm, "x": int(size.waiting)}

    def inspect(self, world: World, state: MeghaState) -> dict[str, Any]:
        waiting = state.size_class["waiting"].sum(axis=1)
        return {
            "global_masters": [
                {
                    "name": f"GM {number}",
                    "tasks_waiting": int(waiting[number]),
                    "believes_free": state.view[number].sum(axis=0).tolist(),
                    "machines_it_sees_wrong": int((state.view[number] != world.free).any(axis=1).sum()),
                    "busy_until_ns": int(gm.busy_until_ns),
                }
                for number, gm in enumerate(state.gm)
            ],
            "local_masters": [
                {"cluster": number, "changes": int(lm.version), "not_yet_seen": (int(lm.version)
                 - state.seen_cluster[:, number]["version"]).tolist()}
                for number, lm in enumerate(state.lm)
            ],
        }


def _rules(experiment: Experiment) -> Any:
    params = MeghaParams(**experiment.scheduler.params)
    rules = records(1, RULES)
    rules["delay_ns"] = round(experiment.network.message_delay_s * 1e9)
    rules["heartbeat_ns"] = max(1, round(params.heartbeat_s * 1e9))
    rules["match_ns"] = round(params.match_us * 1e3)
    rules["scan_ps"] = round(params.scan_ns * 1e3)
    rules["matching"] = NOBODY
    return rules


def _smallest_demand(world: World) -> Ints:
    """The least any task asks of each resource, at least one unit of something: what makes a machine worth a look."""
    possible = world.demand[world.possible == 1]
    if not len(possible):
        return np.zeros(world.demand.shape[1], np.int64)
    return np.asarray(possible.min(axis=0), np.int64)


def _first_candidates(state: MeghaState) -> None:
    able = (state.view[0] >= state.smallest).all(axis=1)
    machines = np.flatnonzero(able)
    bits = np.left_shift(np.uint64(1), (machines & 63).astype(np.uint64))
    for gm in range(len(state.gm)):
        np.bitwise_or.at(state.candidate[gm], machines >> 6, bits)
        state.seen_partition[gm]["candidates"] = np.bincount(state.home[machines], minlength=len(state.partition))
        own = state.home[machines] % len(state.gm) == gm
        state.gm[gm].internal_candidates = int(own.sum())
        state.gm[gm].external_candidates = int((~own).sum())


@kernel
def _paint_share(part, whole, out):  # type: ignore[no-untyped-def]
    for machine in range(part.shape[0]):
        level = 0
        for r in range(part.shape[1]):
            if whole[machine, r] > 0:
                level = max(level, part[machine, r] * 255 // whole[machine, r])
        out[machine] = level
