"""Yacc-D for the driver: packing of its state, its layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import paint_outage
from scheduler_core.engine.records import NOBODY, Records, World, records
from scheduler_core.engine.tasks import paint_load
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.probing.yacc import kernel as loop
from scheduler_core.schedulers.probing.yacc.counters import COUNTERS
from scheduler_core.schedulers.probing.yacc.params import ORDERS, YaccParams
from scheduler_core.schedulers.probing.yacc.state import NEWS, OWN, PROBE, PROGRESS, RULES, SENDER, WORKER, YaccState
from scheduler_core.schedulers.shared.probing import QUEUE_SHOWN
from scheduler_core.schedulers.shared.probing.central import WHOLE
from scheduler_core.schedulers.shared.probing.hybrid import hybrid_arrays
from scheduler_core.schedulers.shared.probing.packing import grow_probes
from scheduler_core.workload.stages import Stages


class YaccProtocol:
    """See scheduler_core.world.protocol.Protocol."""

    def event_room(self, experiment: Experiment, largest_job: int) -> int:
        return EVENT_HEADROOM

    def pack(
        self,
        experiment: Experiment,
        cluster: Cluster,
        world: World,
        queue_owner: npt.NDArray[np.int32],
        stages: Stages | None = None,
    ) -> YaccState:
        params = YaccParams(**experiment.scheduler.params)
        progress = records(len(world.job), PROGRESS)
        progress["news"] = -1
        machines = len(world.machine)
        sender = records(params.schedulers, SENDER)
        sender["first"] = sender["last"] = NOBODY
        sender["room"] = machines * (params.queue_bound + WHOLE)
        own = records((params.schedulers, machines), OWN)
        own["news"] = -1
        state = YaccState(
            rules=_rules(experiment, params), news=records(machines, NEWS), own=own, sender=sender, progress=progress,
            **hybrid_arrays(experiment, world, params, WORKER, PROBE),
        )  # fmt: skip
        return grow_probes(state, 2 * EVENT_HEADROOM + machines)

    def advance(self, world: World, state: YaccState, until_ns: int, max_events: int) -> int:
        return loop.advance(world, state, until_ns, max_events)

    def paint(self, world: World, state: YaccState, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            paint_load(world, machines, out)
            return
        if layer == 3:
            paint_outage(world, machines, out)
            return
        level = 256 // QUEUE_SHOWN if layer == 1 else 255 / int(state.rules[0].bound)
        np.minimum(state.worker["length"][machines] * level, 255, out=out, casting="unsafe")

    def counters(self, world: World, state: YaccState) -> dict[str, int]:
        return {counter.name: int(state.rules[0][counter.name]) for counter in COUNTERS}

    def series(self, world: World, state: YaccState) -> dict[str, float]:
        return {"queued": float(state.rules[0].waiting), "kept_back": float(state.rules[0].kept_back)}

    def grow(self, world: World, state: YaccState) -> YaccState:
        """Double the pool of what carries tasks to workers."""
        return grow_probes(state, 2 * len(state.probe))

    def why_waiting(self, world: World, state: YaccState, task: int) -> dict[str, Any] | None:
        return None

    def inspect(self, world: World, state: YaccState) -> dict[str, Any]:
        length = state.worker["length"]
        return {
            "waiting_at_workers": int(length.sum()),
            "waiting_at_schedulers": int(state.rules[0].kept_back),
            "longest_queue": int(length.max(initial=0)),
            "full_queues": int((length >= state.rules[0].bound).sum()),
        }


def _rules(experiment: Experiment, params: YaccParams) -> Records:
    rules = records(1, RULES)
    rules["delay_ns"], rules["room"] = round(experiment.network.message_delay_s * 1e9), EVENT_HEADROOM
    rules["bound"], rules["choices"] = params.queue_bound, params.choices
    rules["period_ns"], rules["cap"] = round(params.heartbeat_s * 1e9), round(params.starvation_cap * 1000)
    rules["order"] = ORDERS.index(params.order)
    rules["asleep"] = 1
    return rules
