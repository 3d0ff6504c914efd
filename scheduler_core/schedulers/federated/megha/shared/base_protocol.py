"""What the driver shows of Megha under every profile: layers, counters and series."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import paint_outage
from scheduler_core.engine.jit import kernel
from scheduler_core.engine.records import World
from scheduler_core.engine.tasks import paint_load
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.federated.megha.shared.params import MeghaParams


class BaseProtocol:
    """See scheduler_core.world.protocol.Protocol. The states of all profiles have the columns that it reads."""

    columns: ClassVar[dict[str, str]] = {"owner": "place.owner", "lent": "lent", "borrower": "place.borrower"}

    def event_room(self, experiment: Experiment, params: MeghaParams, largest_job: int) -> int:
        # The event loops of the public programs look for the room of each step themselves.
        return EVENT_HEADROOM

    def paint(self, world: World, state: Any, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            out[:] = np.minimum(state.place["owner"][machines], 254)
        elif layer == 1:
            paint_load(world, machines, out)
        elif layer == 2:
            _paint_share(state.lent, world.capacity, machines, out)
        elif layer == 3:
            borrower = state.place["borrower"][machines]
            out[:] = np.where(borrower < 0, 255, np.minimum(borrower, 254))
        else:
            paint_outage(world, machines, out)

    def counters(self, world: World, state: Any) -> dict[str, int]:
        rules = state.rules[0]
        return {
            "repartitions": int(rules.repartitions),
            "inconsistencies_internal": int(rules.refused_internal),
            "inconsistencies_external": int(rules.refused_external),
            "preemptions": int(rules.preemptions),
            "preemption_attempts": int(rules.preemption_attempts),
            "relaunches": int(rules.relaunches),
            "heartbeats": int(rules.heartbeats),
            "matches": int(rules.matches),
            "failed_matches": int(rules.failed_matches),
            "relaxed": int(rules.relaxed),
        }

    def series(self, world: World, state: Any) -> dict[str, float]:
        rules = state.rules[0]
        return {
            "inconsistencies": float(rules.refused_internal + rules.refused_external),
            "repartitions": float(rules.repartitions),
            "preemptions": float(rules.preemptions),
        }

    def grow(self, world: World, state: Any) -> Any:
        return state


@kernel
def _paint_share(part: Any, whole: Any, machines: Any, out: Any) -> None:
    for number in range(len(machines)):
        machine = machines[number]
        level = 0
        for r in range(part.shape[1]):
            if whole[machine, r] > 0:
                level = max(level, part[machine, r] * 255 // whole[machine, r])
        out[number] = level
