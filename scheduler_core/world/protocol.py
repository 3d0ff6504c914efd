"""The driver's interface to a scheduler: pack its state, advance it, paint its layers, grow its buffers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar
from typing import Protocol as _Protocol

import numpy as np

from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import paint_outage
from scheduler_core.engine.lines import empty_lines
from scheduler_core.engine.records import NOBODY, TASK_WAITING, Records, World, records
from scheduler_core.engine.tasks import paint_load, paint_resource
from scheduler_core.experiment import Experiment
from scheduler_core.world.spec import SchedulerSpec
from scheduler_core.world.start import Start
from scheduler_core.world.turning import Turn


class Protocol(_Protocol):
    """One scheduler at run time. It has no state of its own: everything that changes is in the arrays that it packs."""

    def event_room(self, experiment: Experiment, params: Any, largest_job: int) -> int:
        """Return the most events that one step may schedule; the driver keeps that much room."""
        ...

    def pack(self, start: Start[Any]) -> Any:
        """Return the scheduler's own state, a NamedTuple of arrays, and schedule its first events."""
        ...

    def advance(self, world: World, state: Any, until_ns: int, max_events: int) -> int:
        """Process events up to and including `until_ns`; return why it stopped (engine.events)."""
        ...

    def paint(self, world: World, state: Any, layer: int, machines: Any, out: Any) -> None:
        """Write layer number `layer` of the declaration for the given machine numbers into `out` (uint8).

        Between key frames the driver paints only touched machines (engine.tasks.touch).
        """
        ...

    def counters(self, world: World, state: Any) -> dict[str, int]:
        """Return the counters that the declaration lists, so far."""
        ...

    def series(self, world: World, state: Any) -> dict[str, float]:
        """Return the present values of the series that the declaration adds."""
        ...

    def grow(self, world: World, state: Any) -> Any:
        """Return the state with larger buffers, after `advance` returned STATE_FULL."""
        ...

    def why_waiting(self, world: World, state: Any, task: int) -> dict[str, Any] | None:
        """Return why the task waits now: {"reason": code, and the row's fields}; None if no decision holds it."""
        ...

    def inspect(self, world: World, state: Any) -> dict[str, Any]:
        """Return what the scheduler itself knows now, as plain data for people."""
        ...


class DefaultProtocol:
    """The default interface to the driver. A subclass names its `loop`, packs its state, and overrides what differs.

    The defaults read the state by name: `state.rules[0]` has a column for each declared counter and series.
    """

    loop: Any
    """The module with the compiled `advance`."""

    columns: ClassVar[Mapping[str, str]] = {}
    """The scheduler's own layers that show an array of the state as it is, by name: `worker.length`, or an array alone.
    Only these can be painted without Python (run.touchable)."""

    def __init__(self, spec: SchedulerSpec) -> None:
        self.spec = spec

    def event_room(self, experiment: Experiment, params: Any, largest_job: int) -> int:
        """Return room for one event for each task of a job."""
        return EVENT_HEADROOM + largest_job

    def rules(self, start: Start[Any], kind: np.dtype[Any]) -> Records:
        """Return one row of a scheduler's rules, with the message delay (`delay_ns`) and the event `room` of a step."""
        rules = records(1, kind)
        rules["delay_ns"] = round(start.experiment.network.message_delay_s * 1e9)
        rules["room"] = self.event_room(start.experiment, start.params, int(start.world.job["tasks"].max(initial=0)))
        return rules

    def advance(self, world: World, state: Any, until_ns: int, max_events: int) -> int:
        """Run the module's `advance`."""
        return int(self.loop.advance(world, state, until_ns, max_events))

    def paint(self, world: World, state: Any, layer: int, machines: Any, out: Any) -> None:
        """Paint the load, outages, and `amounts` of the other declared layers; then the layers of the resources."""
        if layer >= len(self.spec.layers):
            given = np.flatnonzero(world.capacity.sum(axis=0))
            paint_resource(world, int(given[layer - len(self.spec.layers)]), machines, out)
            return
        declared = self.spec.layers[layer]
        if declared.role == "load":
            paint_load(world, machines, out)
        elif declared.role == "service":
            paint_outage(world, machines, out)
        else:
            level = 256 // declared.full if declared.full else 255
            np.minimum(self.amounts(world, state, declared.name, machines) * level, 255, out=out, casting="unsafe")

    def amounts(self, world: World, state: Any, layer: str, machines: Any) -> Any:
        """Return a scheduler's own layer for the machines, in the layer's unit, or as a share from 0 to 1."""
        raise NotImplementedError(layer)

    def counters(self, world: World, state: Any) -> dict[str, int]:
        """Return the counters from the columns of the rules."""
        return {counter.name: int(state.rules[0][counter.name]) for counter in self.spec.counters}

    def series(self, world: World, state: Any) -> dict[str, float]:
        """Return the series from the columns of the rules."""
        return {series.name: float(state.rules[0][series.name]) for series in self.spec.series}

    def grow(self, world: World, state: Any) -> Any:
        """Return the state unchanged, because nothing grows."""
        return state

    def why_waiting(self, world: World, state: Any, task: int) -> dict[str, Any] | None:
        """Return the declared reason `waits`, with the machine in whose queue the task is and `x` tasks in front."""
        reason = next((one.code for one in self.spec.reasons if one.now and one.name == "waits"), None)
        if reason is None or world.task[task].state != TASK_WAITING:
            return None
        following = world.task["next"].tolist()
        for machine, first in enumerate(self.lines(world, state)["first"].tolist()):
            ahead, other = 0, first
            while other not in (task, NOBODY):
                ahead, other = ahead + 1, following[other]
            if other == task:
                return {"reason": reason, "machine": machine, "x": ahead}
        return None

    def lines(self, world: World, state: Any) -> Records:
        """Return the machines' queues of tasks (engine.lines.LINE), by machine; none by default."""
        return empty_lines(0)

    def inspect(self, world: World, state: Any) -> dict[str, Any]:
        """Return the counters and the series."""
        return {**self.counters(world, state), **self.series(world, state)}

    def turns(self, params: Any) -> Mapping[str, Turn]:
        """Return the parameters whose whole effect lies in the rules, by name, for a run with these parameters.

        A page changes them without the server (world.turning). Name a parameter only if the arrays that `pack` gives
        for another value differ in what its writes set, and otherwise in the room that they have. By default none is
        named: every change needs new arrays.
        """
        return {}
