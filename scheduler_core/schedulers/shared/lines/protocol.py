"""What schedulers with lines at machines share towards the driver."""

from __future__ import annotations

from typing import Any

from scheduler_core.engine.incidents import look_for
from scheduler_core.engine.lines import empty_lines
from scheduler_core.engine.records import LISTS, QUEUES, Records, World
from scheduler_core.world.protocol import DefaultProtocol


class LinedProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol; one of one's own packs its rules and `lines_for` the machines."""

    def lines_for(self, world: World) -> Records:
        """Give each machine an empty line, and let incidents ask for what stands in it."""
        look_for(world, LISTS | QUEUES)
        return empty_lines(len(world.machine) + 1)

    def amounts(self, world: World, state: Any, layer: str, machines: Any) -> Any:
        """Return how many tasks stand in line."""
        return state.line["length"][machines]

    def lines(self, world: World, state: Any) -> Records:
        """Return the machines' lines."""
        return state.line[: len(world.machine)]
