"""Hawk's interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.records import World
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.probing.hawk import kernel as loop
from scheduler_core.schedulers.probing.hawk.params import HawkParams
from scheduler_core.schedulers.probing.hawk.state import PROBE, RULES, WORKER, HawkState
from scheduler_core.schedulers.shared.probing.hybrid import (
    forgotten,
    hybrid_amounts,
    hybrid_arrays,
    hybrid_rules,
    hybrid_series,
    inspect_hybrid,
    most_at_once,
    probe_ratio_turn,
)
from scheduler_core.schedulers.shared.probing.packing import grow_probes
from scheduler_core.world.protocol import DefaultProtocol
from scheduler_core.world.spec import SchedulerSpec
from scheduler_core.world.start import Start
from scheduler_core.world.turning import Scaled, Turn


class HawkProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol; `constrained`: Hawk-C."""

    loop = loop

    def __init__(self, spec: SchedulerSpec, constrained: bool = False) -> None:
        super().__init__(spec)
        self.constrained = constrained

    def event_room(self, experiment: Experiment, params: HawkParams, largest_job: int) -> int:
        """Return room for all probes of a job of one group; where groups are more, `pack` knows better."""
        return EVENT_HEADROOM + max(params.min_probes, math.ceil(params.probe_ratio) * largest_job)

    def pack(self, start: Start[HawkParams]) -> HawkState:
        experiment, params, world = start.experiment, start.params, start.world
        machines = len(world.machine)
        forget = forgotten(params, world, self.constrained)
        rules = hybrid_rules(RULES, experiment, params, params.min_probes, machines, forget)
        rules["most_contacts"] = params.steal_contacts
        arrays = hybrid_arrays(experiment, world, params, WORKER, PROBE, forget)
        room = EVENT_HEADROOM + most_at_once(
            arrays["group"], arrays["first_group"], params.probe_ratio, params.min_probes
        )
        rules["room"] = room
        return grow_probes(HawkState(rules=rules, **arrays), 2 * room + machines)

    def amounts(self, world: World, state: HawkState, layer: str, machines: Any) -> Any:
        return hybrid_amounts(state, layer, machines)

    def series(self, world: World, state: HawkState) -> dict[str, float]:
        return hybrid_series(state)

    def grow(self, world: World, state: HawkState) -> HawkState:
        """Double the pool of probes."""
        return grow_probes(state, 2 * len(state.probe))

    def turns(self, params: HawkParams) -> Mapping[str, Turn]:
        if params.profile == "public-simulator":
            return {}
        contacts = Turn((Scaled("most_contacts", 1),))
        return {"probe_ratio": probe_ratio_turn(params.probe_ratio), "steal_contacts": contacts}

    def inspect(self, world: World, state: HawkState) -> dict[str, Any]:
        return inspect_hybrid(state)
