"""Pigeon's interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import look_for, paint_outage
from scheduler_core.engine.records import (
    LISTS,
    NOBODY,
    QUEUES,
    TASK_UNSCHEDULABLE,
    TASK_WAITING,
    Records,
    World,
    records,
)
from scheduler_core.engine.tasks import paint_load
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.probing.pigeon import aware
from scheduler_core.schedulers.probing.pigeon import kernel as loop
from scheduler_core.schedulers.probing.pigeon.aware import AwareState
from scheduler_core.schedulers.probing.pigeon.aware_packing import pack_aware
from scheduler_core.schedulers.probing.pigeon.params import PigeonParams, first_of_groups
from scheduler_core.schedulers.probing.pigeon.reasons import WAITS_HIGH, WAITS_LOW
from scheduler_core.schedulers.probing.pigeon.state import (
    ABLE,
    GENERAL,
    HIGH,
    LIST,
    LOW,
    RESERVED,
    RULES,
    WORKER,
    PigeonState,
)
from scheduler_core.schedulers.shared.probing import QUEUE_SHOWN
from scheduler_core.schedulers.shared.probing.estimates import estimates_ns
from scheduler_core.schedulers.shared.probing.packing import machines_able
from scheduler_core.world.start import Start

_COUNTERS = ("direct", "on_reserved", "waited_high", "waited_low")


class PigeonProtocol:
    """See scheduler_core.world.protocol.Protocol."""

    def event_room(self, experiment: Experiment, params: PigeonParams, largest_job: int) -> int:
        """Return room for all tasks of a job."""
        return EVENT_HEADROOM + largest_job

    def pack(self, start: Start[PigeonParams]) -> Any:
        experiment, params, world = start.experiment, start.params, start.world
        worker, masters = _groups(len(world.machine), params)
        able, able_master, holders = _able(world, worker, masters)
        look_for(world, LISTS | QUEUES)
        _classify(experiment, world, params, able)
        rules = _rules(experiment, params, self.event_room(experiment, params, int(world.job["tasks"].max(initial=0))))
        if params.profile == "constraint-aware":
            return pack_aware(world, rules, worker, masters)
        lists = records((masters, 2), LIST)
        lists["first"] = lists["last"] = NOBODY
        state = PigeonState(
            rules=rules,
            worker=worker,
            queue=lists.copy().view(np.recarray),
            idle=lists,
            turns=np.zeros(masters, np.int64),
            able=able,
            able_master=able_master,
            drawn_for=np.zeros(masters, np.int32),
            chosen=np.zeros(masters, np.int32),
            holders=holders,
        )
        state.rules["outages"] = len(world.incident) > 0
        _all_idle(state)
        return state

    def advance(self, world: World, state: Any, until_ns: int, max_events: int) -> int:
        if isinstance(state, AwareState):
            return aware.advance(world, state, until_ns, max_events)
        return loop.advance(world, state, until_ns, max_events)

    def paint(self, world: World, state: PigeonState, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            paint_load(world, machines, out)
        elif layer == 1:
            waiting = state.queue["length"].sum(axis=1)[state.worker["master"][machines]]
            np.minimum(waiting * (256 // QUEUE_SHOWN), 255, out=out, casting="unsafe")
        elif layer == 4:
            paint_outage(world, machines, out)
        elif layer == 2:
            np.minimum(state.worker["longs"][machines] * 32, 255, out=out, casting="unsafe")
        else:
            out[:] = np.where(state.worker["reserved"][machines] == 1, 255, 0)

    def counters(self, world: World, state: PigeonState) -> dict[str, int]:
        return {name: int(state.rules[0][name]) for name in _COUNTERS}

    def series(self, world: World, state: PigeonState) -> dict[str, float]:
        rules = state.rules[0]
        return {"short_waiting": float(rules.high_waiting), "long_waiting": float(rules.low_waiting)}

    def grow(self, world: World, state: PigeonState) -> PigeonState:
        """Return the state unchanged: nothing grows."""
        return state

    def why_waiting(self, world: World, state: PigeonState, task: int) -> dict[str, Any] | None:
        if world.task[task].state != TASK_WAITING:
            return None
        which, after = int(world.task[task].kind), world.task["next"].tolist()
        for master, first in enumerate(state.queue["first"][:, which].tolist()):
            before, other = 0, first
            while other not in (task, NOBODY):
                before, other = before + 1, after[other]
            if other == task:
                shorts = int(state.queue[master, HIGH].length)
                return {"reason": (WAITS_HIGH, WAITS_LOW)[which], "to": master, "x": before, "y": shorts}
        return None  # it is on its way to a master

    def inspect(self, world: World, state: PigeonState) -> dict[str, Any]:
        length = state.queue["length"]
        return {
            "groups": len(length),
            "short_waiting": int(length[:, HIGH].sum()),
            "long_waiting": int(length[:, LOW].sum()),
            "longest_short_queue": int(length[:, HIGH].max()),
            "longest_long_queue": int(length[:, LOW].max()),
        }


def _rules(experiment: Experiment, params: PigeonParams, room: int) -> Records:
    rules = records(1, RULES)
    rules["delay_ns"] = round(experiment.network.message_delay_s * 1e9)
    rules["public"] = params.profile == "public-simulator"
    rules["weight"] = params.weight
    rules["room"] = room
    rules["parked"] = NOBODY
    return rules


def _groups(machines: int, params: PigeonParams) -> tuple[Records, int]:
    """Return the workers with their masters, and the number of masters."""
    edges = np.array(first_of_groups(machines, params.group_size))
    masters = len(edges) - 1
    worker = records(machines, WORKER)
    worker["master"] = np.repeat(np.arange(masters), np.diff(edges))
    place = np.arange(machines) - edges[worker["master"]]
    worker["reserved"] = place < np.minimum(params.reserved_per_group, np.diff(edges) - 1)[worker["master"]]
    return worker, masters


Numbers = npt.NDArray[np.int32]


def _able(world: World, worker: Records, masters: int) -> tuple[Records, Numbers, Numbers]:
    """Return the masters that can hold each demand: with any worker, and with one for long tasks.

    Where machines may go out of service, also with how many workers, (demands, 2, masters).
    """
    demands = len(world.demand) - 1
    able, lists, listed = records((demands, 2), ABLE), [np.zeros(0, np.int64)], 0
    in_service = np.zeros((demands, 2, masters) if len(world.incident) else (1, 1, 1), np.int32)
    for number in range(demands):
        holders = machines_able(world, world.demand[number], int(world.asks[number]))
        for which, of_class in ((HIGH, holders), (LOW, holders[worker["reserved"][holders] == 0])):
            found = np.unique(worker["master"][of_class])
            able[number, which].first, able[number, which].masters = listed, len(found)
            if len(world.incident):
                in_service[number, which] = np.bincount(worker["master"][of_class], minlength=masters)
            lists.append(found)
            listed += len(found)
    able["in_service"] = able["masters"]
    return able, np.concatenate(lists).astype(np.int32), in_service


def _classify(experiment: Experiment, world: World, params: PigeonParams, able: Records) -> None:
    """Write the queue of each task into its `kind`; long ones that only reserved workers could hold count as short."""
    estimate = estimates_ns(params, experiment.seed, world.job["mean_ns"])
    long = (estimate > round(params.short_cutoff_s * 1e9))[world.task["job"]]
    can = world.task["state"] != TASK_UNSCHEDULABLE
    demand = world.task["demand"][can]
    world.task["kind"][can] = np.where(long[can] & (able["masters"][demand, LOW] > 0), LOW, HIGH)


def _all_idle(state: PigeonState) -> None:
    """Mark every worker as having room, in ascending order."""
    worker, idle = state.worker, state.idle
    worker["listed"], worker["next"] = 1, NOBODY
    for master in range(len(idle)):
        for kind in (GENERAL, RESERVED):
            mine = np.flatnonzero((worker["master"] == master) & (worker["reserved"] == kind))
            if len(mine):
                worker["next"][mine[:-1]] = mine[1:]
                idle["first"][master, kind], idle["last"][master, kind] = mine[0], mine[-1]
