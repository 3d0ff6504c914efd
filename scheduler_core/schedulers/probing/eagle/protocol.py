"""Eagle's interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np

from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.records import NOBODY, World, records
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.probing.eagle import kernel as loop
from scheduler_core.schedulers.probing.eagle.params import EagleParams
from scheduler_core.schedulers.probing.eagle.state import (
    ENTRY,
    FIRST,
    LATEST,
    PROBE,
    RULES,
    SHORTEST,
    WORKER,
    EagleState,
)
from scheduler_core.schedulers.shared.probing.hybrid import (
    forgotten,
    hybrid_amounts,
    hybrid_arrays,
    hybrid_rules,
    hybrid_series,
    inspect_hybrid,
    most_at_once,
)
from scheduler_core.schedulers.shared.probing.packing import grow_probes
from scheduler_core.world.protocol import DefaultProtocol
from scheduler_core.world.spec import SchedulerSpec
from scheduler_core.world.start import Start

S = TypeVar("S", bound=Any)

_POWER = 2
"""Power of two of the entries that a queue has room for at first: a line of the processor's cache."""


class EagleProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol; `constrained`: Eagle-C."""

    loop = loop

    def __init__(self, spec: SchedulerSpec, constrained: bool = False) -> None:
        super().__init__(spec)
        self.constrained = constrained

    def event_room(self, experiment: Experiment, params: EagleParams, largest_job: int) -> int:
        """Return room for all probes of a job of one group; where groups are more, `pack` knows better."""
        return EVENT_HEADROOM + max(params.min_probes, math.ceil(params.probe_ratio) * largest_job)

    def pack(self, start: Start[EagleParams]) -> EagleState:
        experiment, params, world = start.experiment, start.params, start.world
        state = EagleState(**eagle_arrays(RULES, experiment, world, params, self.constrained))
        return grow_probes(state, 2 * int(state.rules[0].room) + len(world.machine))

    def amounts(self, world: World, state: EagleState, layer: str, machines: Any) -> Any:
        return hybrid_amounts(state, layer, machines)

    def series(self, world: World, state: EagleState) -> dict[str, float]:
        return hybrid_series(state)

    def grow(self, world: World, state: EagleState) -> EagleState:
        """Double what has run out: probes, or entries of queues."""
        return grow_eagle(state)

    def inspect(self, world: World, state: EagleState) -> dict[str, Any]:
        return inspect_hybrid(state)


def eagle_arrays(
    dtype: np.dtype[Any], experiment: Experiment, world: World, params: EagleParams, constrained: bool
) -> dict[str, Any]:
    """Return the arrays of EagleState, with rules of a type that begins like RULES; probes are still to be made."""
    forget = forgotten(params, world, constrained)
    rules = hybrid_rules(dtype, experiment, params, params.min_probes, len(world.machine), forget)
    rules["rounds"], rules["sticks"], rules["cap"] = params.rounds, params.sticky, round(params.bypass_cap * 1000)
    arrays = hybrid_arrays(experiment, world, params, WORKER, PROBE, forget)
    group, worker = arrays["group"], arrays["worker"]
    again = (params.rounds + 1) * params.min_probes if forget else 0
    rules["room"] = EVENT_HEADROOM + most_at_once(
        group, arrays["first_group"], params.probe_ratio, params.min_probes, again
    )
    worker["order"] = base_order(params, forget > 0)
    worker["first"] = worker["last"] = np.arange(len(worker)) << _POWER
    worker["power"], rules["longest"], rules["entries"] = _POWER, 1 << _POWER, len(worker) << _POWER
    long_tasks = int((group["end"] - group["next"])[group["long"] == 1].sum())
    return {
        "rules": rules,
        "entry": records(2 * int(rules[0].entries), ENTRY),
        "ratio": np.zeros(1, np.int64),
        "bit": np.full(len(worker), NOBODY, np.int32),
        "flip": np.zeros(2 * long_tasks + 1 + int(rules[0].room), np.int32),
        **arrays,
    }


def grow_eagle(state: S) -> S:
    """Return the state with twice what has run out: probes, changes of the bitmap, or entries of queues."""
    rules, old = state.rules[0], len(state.entry)
    if rules.flips + rules.room > len(state.flip):
        more: S = state._replace(flip=np.concatenate([state.flip, np.zeros_like(state.flip)]))
        return more
    if rules.unused_probes < rules.room:
        return grow_probes(state, 2 * len(state.probe))
    entry = records(2 * old, ENTRY)
    entry[:old] = state.entry
    grown: S = state._replace(entry=entry)
    return grown


def base_order(params: EagleParams, forgets: bool) -> int:
    """Return the order of queues where no constraint is scarce."""
    if not params.shortest_first:
        return FIRST
    return LATEST if forgets else SHORTEST
