"""Yacc-D's interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

from typing import Any

from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.records import NOBODY, Records, World, records
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.probing.yacc import kernel as loop
from scheduler_core.schedulers.probing.yacc.params import ORDERS, YaccParams
from scheduler_core.schedulers.probing.yacc.state import NEWS, OWN, PROBE, PROGRESS, RULES, SENDER, WORKER, YaccState
from scheduler_core.schedulers.shared.probing.central import WHOLE
from scheduler_core.schedulers.shared.probing.hybrid import hybrid_arrays
from scheduler_core.schedulers.shared.probing.packing import grow_probes
from scheduler_core.world.protocol import DefaultProtocol
from scheduler_core.world.start import Start


class YaccProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    loop = loop

    def event_room(self, experiment: Experiment, params: YaccParams, largest_job: int) -> int:
        return EVENT_HEADROOM

    def pack(self, start: Start[YaccParams]) -> YaccState:
        experiment, params, world = start.experiment, start.params, start.world
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

    def amounts(self, world: World, state: YaccState, layer: str, machines: Any) -> Any:
        length = state.worker["length"][machines]
        return length if layer == "queue" else length / int(state.rules[0].bound)

    def series(self, world: World, state: YaccState) -> dict[str, float]:
        return {"queued": float(state.rules[0].waiting), "kept_back": float(state.rules[0].kept_back)}

    def grow(self, world: World, state: YaccState) -> YaccState:
        """Double the pool of what carries tasks to workers."""
        return grow_probes(state, 2 * len(state.probe))

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
