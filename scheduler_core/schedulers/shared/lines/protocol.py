"""The driver interface that schedulers with queues at machines share."""

from __future__ import annotations

from typing import Any

from scheduler_core.engine.incidents import look_for
from scheduler_core.engine.lines import empty_lines
from scheduler_core.engine.records import LISTS, QUEUES, Records, World
from scheduler_core.world.protocol import DefaultProtocol


class LinedProtocol(DefaultProtocol):
    """See scheduler_core.world.protocol.Protocol; one of one's own packs its rules and `lines_for` the machines."""

    def lines_for(self, world: World) -> Records:
        """Create an empty queue for each machine, and let incidents look for its entries."""
        look_for(world, LISTS | QUEUES)
        return empty_lines(len(world.machine) + 1)

    def amounts(self, world: World, state: Any, layer: str, machines: Any) -> Any:
        """Return how many tasks stand in line."""
        return state.line["length"][machines]

    def lines(self, world: World, state: Any) -> Records:
        """Return the machines' lines."""
        return state.line[: len(world.machine)]
