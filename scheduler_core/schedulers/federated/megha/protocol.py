"""Megha's three sets of rules for the driver: the experiment's profile selects one; the state records which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.engine.records import World
from scheduler_core.experiment import Experiment
from scheduler_core.schedulers.federated.megha.aware.protocol import AwareProtocol
from scheduler_core.schedulers.federated.megha.aware.state import AwareState
from scheduler_core.schedulers.federated.megha.paper.protocol import PaperProtocol
from scheduler_core.schedulers.federated.megha.paper.state import MeghaState
from scheduler_core.schedulers.federated.megha.public.protocol import PublicProtocol
from scheduler_core.schedulers.federated.megha.public.state import PublicState
from scheduler_core.schedulers.federated.megha.shared.base_protocol import BaseProtocol
from scheduler_core.schedulers.federated.megha.shared.params import MeghaParams
from scheduler_core.world.protocol import Protocol
from scheduler_core.world.start import Start
from scheduler_core.world.turning import Turn

_PAPER, _PUBLIC, _AWARE = PaperProtocol(), PublicProtocol(), AwareProtocol()
_BY_PROFILE: dict[str, Protocol] = {"paper": _PAPER, "public-simulator": _PUBLIC, "constraint-aware": _AWARE}
_BY_STATE: dict[type, Protocol] = {MeghaState: _PAPER, PublicState: _PUBLIC, AwareState: _AWARE}


class MeghaProtocol(BaseProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    def event_room(self, experiment: Experiment, params: MeghaParams, largest_job: int) -> int:
        return _BY_PROFILE[params.profile].event_room(experiment, params, largest_job)

    def pack(self, start: Start[MeghaParams]) -> Any:
        return _BY_PROFILE[start.params.profile].pack(start)

    def advance(self, world: World, state: Any, until_ns: int, max_events: int) -> int:
        return _BY_STATE[type(state)].advance(world, state, until_ns, max_events)

    def grow(self, world: World, state: Any) -> Any:
        return _BY_STATE[type(state)].grow(world, state)

    def why_waiting(self, world: World, state: Any, task: int) -> dict[str, Any] | None:
        return _BY_STATE[type(state)].why_waiting(world, state, task)

    def inspect(self, world: World, state: Any) -> dict[str, Any]:
        return _BY_STATE[type(state)].inspect(world, state)

    def turns(self, params: MeghaParams) -> Mapping[str, Turn]:
        return _PAPER.turns(params) if params.profile == "paper" else {}
