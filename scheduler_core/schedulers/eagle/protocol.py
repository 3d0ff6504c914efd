"""Eagle for the driver: packing of its state, its layers, counters and series."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.records import NOBODY, Records, World, records
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.eagle import EagleParams
from scheduler_core.schedulers.eagle import kernel as loop
from scheduler_core.schedulers.eagle.state import FLIP, PROBE, RULES, WORKER, EagleState
from scheduler_core.schedulers.probing.hybrid import (
    hybrid_arrays,
    hybrid_rules,
    hybrid_series,
    inspect_hybrid,
    paint_hybrid,
)
from scheduler_core.schedulers.probing.packing import grow_probes
from scheduler_core.workload.stages import Stages

_COUNTERS = ("probes", "noops", "placed", "refused", "fallbacks", "sticky", "overtaking", "dropped", "behind_long")


class EagleProtocol:
    """See scheduler_core.engine.protocol.Protocol."""

    def event_room(self, experiment: Experiment, largest_job: int) -> int:
        """Room for all probes of a job of one group; where groups are more, `pack` knows better."""
        params = EagleParams(**experiment.scheduler.params)
        return EVENT_HEADROOM + max(params.min_probes, math.ceil(params.probe_ratio) * largest_job)

    def pack(
        self, experiment: Experiment, cluster: Cluster, world: World, queue_owner: npt.NDArray[np.int32],
        stages: Stages | None = None,
    ) -> EagleState:
        params = EagleParams(**experiment.scheduler.params)
        machines = len(world.machine)
        rules = hybrid_rules(RULES, experiment, params, params.min_probes, machines)
        rules["rounds"], rules["sticks"], rules["shortest"] = params.rounds, params.sticky, params.shortest_first
        rules["cap"] = round(params.bypass_cap * 1000)
        arrays = hybrid_arrays(experiment, world, params, WORKER, PROBE)
        group = arrays["group"]
        room = rules[0].room = EVENT_HEADROOM + _most_at_once(params, group, arrays["first_group"])
        arrays["worker"]["flip"] = NOBODY
        long_tasks = int((group["end"] - group["next"])[group["long"] == 1].sum())
        state = EagleState(rules=rules, flip=records(2 * long_tasks + 1, FLIP), **arrays)
        return grow_probes(state, 2 * int(room) + machines)

    def advance(self, world: World, state: EagleState, until_ns: int, max_events: int) -> int:
        return loop.advance(world, state, until_ns, max_events)

    def paint(self, world: World, state: EagleState, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        paint_hybrid(world, state, layer, machines, out)

    def counters(self, world: World, state: EagleState) -> dict[str, int]:
        return {name: int(state.rules[0][name]) for name in _COUNTERS}

    def series(self, world: World, state: EagleState) -> dict[str, float]:
        return hybrid_series(state)

    def grow(self, world: World, state: EagleState) -> EagleState:
        """Double the pool of probes."""
        return grow_probes(state, 2 * len(state.probe))

    def why_waiting(self, world: World, state: EagleState, task: int) -> dict[str, Any] | None:
        return None

    def inspect(self, world: World, state: EagleState) -> dict[str, Any]:
        return inspect_hybrid(state)


def _most_at_once(params: EagleParams, group: Records, first_group: npt.NDArray[np.int32]) -> int:
    """Most probes or long tasks that one job sends."""
    tasks = group["end"] - group["next"]
    probes = np.maximum(np.ceil(tasks * params.probe_ratio).astype(np.int64), params.min_probes)
    so_far = np.concatenate([[0], np.cumsum(np.where(group["long"] == 1, tasks, probes))])
    return int(np.diff(so_far[first_group]).max(initial=0))
