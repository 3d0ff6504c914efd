"""What the driver needs of a scheduler: pack its state, advance it, paint its layers, grow its buffers."""

from __future__ import annotations

from typing import Any
from typing import Protocol as _Protocol

from scheduler_core.cluster import Cluster
from scheduler_core.engine.records import World
from scheduler_core.experiment import Experiment
from scheduler_core.workload.stages import Stages


class Protocol(_Protocol):
    """One scheduler at run time. Stateless: everything that changes is in the arrays it packs."""

    def event_room(self, experiment: Experiment, largest_job: int) -> int:
        """How many events one step may schedule at most: the driver keeps that much room."""
        ...

    def pack(
        self, experiment: Experiment, cluster: Cluster, world: World, queue_owner: Any, stages: Stages | None
    ) -> Any:
        """The scheduler's own state, a NamedTuple of arrays; schedules its first events.

        `stages` says which tasks wait for which; it is None for schedulers that do not support `dag`.
        """
        ...

    def advance(self, world: World, state: Any, until_ns: int, max_events: int) -> int:
        """Process events up to and including `until_ns`; why it came back (engine.events)."""
        ...

    def paint(self, world: World, state: Any, layer: int, machines: Any, out: Any) -> None:
        """Write layer number `layer` of the declaration, of the machines (their numbers), into `out`, uint8.

        Between key frames only machines that were touched are painted: engine.tasks.touch.
        """
        ...

    def counters(self, world: World, state: Any) -> dict[str, int]:
        """The counters that the declaration lists, so far."""
        ...

    def series(self, world: World, state: Any) -> dict[str, float]:
        """The values now of the series that the declaration lists (those it adds)."""
        ...

    def grow(self, world: World, state: Any) -> Any:
        """The state with larger buffers, after `advance` returned STATE_FULL."""
        ...

    def why_waiting(self, world: World, state: Any, task: int) -> dict[str, Any] | None:
        """Why the task waits at this moment: {"reason": code, and the row's fields}; None when no decision holds it."""
        ...

    def inspect(self, world: World, state: Any) -> dict[str, Any]:
        """What the scheduler itself knows now, as plain data for people."""
        ...
