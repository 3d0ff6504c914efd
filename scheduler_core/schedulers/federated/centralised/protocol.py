"""The centralized scheduler's interface to the driver: Megha's kernel with one master of each kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.incidents import FAIL_LOCAL_MASTER, RECOVER_GLOBAL_MASTER, paint_outage
from scheduler_core.engine.records import World
from scheduler_core.engine.tasks import paint_load
from scheduler_core.schedulers.federated.megha.paper.protocol import PaperProtocol
from scheduler_core.schedulers.federated.megha.paper.state import MeghaState
from scheduler_core.schedulers.federated.megha.shared.params import MeghaParams
from scheduler_core.world.start import Start


class CentralizedProtocol(PaperProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    def pack(self, start: Start[MeghaParams]) -> MeghaState:
        cluster, world = start.cluster, start.world
        world.machine["cluster"] = 0
        what = world.incident["what"]
        masters = (what >= FAIL_LOCAL_MASTER) & (what <= RECOVER_GLOBAL_MASTER)
        world.incident["first"][masters], world.incident["end"][masters] = (
            0,
            1,
        )  # whoever is named: there is one of each
        whole = replace(
            cluster,
            cluster_of=np.zeros_like(cluster.cluster_of),
            cluster_names=("all",),
            global_masters=1,
            cluster_first=np.array([0, cluster.machines], np.int64),
        )
        return super().pack(start.with_cluster(whole, np.zeros_like(start.owners)))

    def paint(self, world: World, state: MeghaState, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            paint_load(world, machines, out)
        else:
            paint_outage(world, machines, out)

    def counters(self, world: World, state: MeghaState) -> dict[str, int]:
        found = super().counters(world, state)
        return {name: value for name, value in found.items() if name not in _SPARED}

    def series(self, world: World, state: MeghaState) -> dict[str, float]:
        return {name: value for name, value in super().series(world, state).items() if name not in _SPARED}

    def inspect(self, world: World, state: MeghaState) -> dict[str, Any]:
        found = super().inspect(world, state)
        return {"scheduler": found["global_masters"][0], "server": found["local_masters"][0]}


_SPARED = {"repartitions", "inconsistencies_external"}
