"""Sparrow for the driver: packing of its state, its layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.records import NOBODY, World, records
from scheduler_core.engine.tasks import paint_load
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.sparrow import SparrowParams
from scheduler_core.schedulers.sparrow import kernel as loop
from scheduler_core.schedulers.sparrow.kernel import PROBE_RECORD, RULES, WORKER, SparrowState


class SparrowProtocol:
    """See scheduler_core.engine.protocol.Protocol."""

    def event_room(self, experiment: Experiment, largest_job: int) -> int:
        params = SparrowParams(**experiment.scheduler.params)
        return EVENT_HEADROOM + max(2, int(np.ceil(params.probe_ratio * largest_job)))

    def pack(
        self, experiment: Experiment, cluster: Cluster, world: World, queue_owner: npt.NDArray[np.int32]
    ) -> SparrowState:
        params = SparrowParams(**experiment.scheduler.params)
        _refuse_mixed_jobs(world)
        machines = len(world.machine)
        largest = int(world.job["tasks"].max()) if len(world.job) else 0
        rules = records(1, RULES)
        rules["delay_ns"] = round(experiment.network.message_delay_s * 1e9)
        rules["probes_per_1000_tasks"] = round(params.probe_ratio * 1000)
        rules["public"] = params.profile == "public-simulator"
        rules["room"] = self.event_room(experiment, largest)
        able = [np.flatnonzero((world.capacity >= demand).all(axis=1)) for demand in world.demand[:-1]]
        worker = records(machines, WORKER)
        worker["first"] = worker["last"] = NOBODY
        probe = records(2 * int(rules["room"][0]) + machines, PROBE_RECORD)
        state = SparrowState(
            rules=rules,
            worker=worker,
            probe=probe,
            next_task=world.job["first_task"].astype(np.int32),
            able=np.concatenate(able).astype(np.int32) if able else np.zeros(0, np.int32),
            able_first=np.concatenate([[0], np.cumsum([len(a) for a in able])]).astype(np.int64),
            sampled_for=np.zeros(machines, np.int32),
        )
        _add_to_free_list(state, 0)
        return state

    def advance(self, world: World, state: SparrowState, until_ns: int, max_events: int) -> int:
        return loop.advance(world, state, until_ns, max_events)

    def paint(self, world: World, state: SparrowState, layer: int, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            paint_load(world, out)
        else:
            np.minimum(state.worker["length"] * 8, 255, out=out, casting="unsafe")

    def counters(self, world: World, state: SparrowState) -> dict[str, int]:
        return {"probes": int(state.rules[0].probes), "noops": int(state.rules[0].noops)}

    def series(self, world: World, state: SparrowState) -> dict[str, float]:
        return {"probes_waiting": float(state.rules[0].probes_waiting)}

    def grow(self, world: World, state: SparrowState) -> SparrowState:
        """Double the pool of probes."""
        old = state.probe
        probe = records(2 * len(old), PROBE_RECORD)
        probe[: len(old)] = old
        state = state._replace(probe=probe)
        _add_to_free_list(state, len(old))
        return state

    def why_waiting(self, world: World, state: SparrowState, task: int) -> dict[str, Any] | None:
        return None

    def inspect(self, world: World, state: SparrowState) -> dict[str, Any]:
        length = state.worker["length"]
        return {
            "probes_waiting": int(length.sum()),
            "longest_queue": int(length.max(initial=0)),
            "workers_with_a_queue": int((length > 0).sum()),
        }


def _refuse_mixed_jobs(world: World) -> None:
    """A probe asks for room before it is known which task it will get, so the tasks of a job have to be alike."""
    first = world.task["demand"][world.job["first_task"]]
    mixed = np.flatnonzero(world.task["demand"] != first[world.task["job"]])
    if len(mixed):
        job = int(world.task[mixed[0]].job)
        raise ExperimentError([Problem(
            "workload", f"the tasks of job {job} differ in what they demand", "jobs whose tasks are alike",
            "a probe keeps room before it knows which task it gets; choose another scheduler or split the job",
        )])


def _add_to_free_list(state: SparrowState, first: int) -> None:
    """Put probes first .. end in front of the unused ones, in ascending order."""
    count = len(state.probe) - first
    rules = state.rules[0]
    state.probe["next"][first:] = np.arange(first + 1, len(state.probe) + 1)
    state.probe["next"][-1] = rules.free_probe if rules.unused_probes else NOBODY
    rules.free_probe = first
    rules.unused_probes += count
