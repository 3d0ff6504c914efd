"""The DAG family's interface to the driver: packing, layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import paint_outage
from scheduler_core.engine.lacking import lacking
from scheduler_core.engine.records import TASK_WAITING, World
from scheduler_core.engine.tasks import paint_load, paint_resource
from scheduler_core.experiment import Experiment
from scheduler_core.metrics.dags import Given
from scheduler_core.schedulers.dag import kernel as loop
from scheduler_core.schedulers.dag.given import given_of
from scheduler_core.schedulers.dag.packing import pack_state
from scheduler_core.schedulers.dag.reasons import HELD_UP, NO_ROOM, PUT_OFF, WAITS_FOR_DATA
from scheduler_core.schedulers.dag.settings import Policy
from scheduler_core.schedulers.dag.state import LOCAL, PLAN, DagState
from scheduler_core.world.start import Start

_OUTAGE = 1
"""Number of the layer that shows outages; those of resources come behind it."""


class DagProtocol:
    """See scheduler_core.world.protocol.Protocol."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def event_room(self, experiment: Experiment, params: Any, largest_job: int) -> int:
        return EVENT_HEADROOM

    def pack(self, start: Start[Any]) -> DagState:
        self._given = np.flatnonzero(start.world.capacity.sum(axis=0) > 0)  # resources that have a layer
        return pack_state(start, self._policy)

    def advance(self, world: World, state: DagState, until_ns: int, max_events: int) -> int:
        return loop.advance(world, state, until_ns, max_events)

    def paint(self, world: World, state: DagState, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            paint_load(world, machines, out)
        elif layer == _OUTAGE:
            paint_outage(world, machines, out)
        else:
            paint_resource(world, int(self._given[layer - 2]), machines, out)

    def counters(self, world: World, state: DagState) -> dict[str, int]:
        rules = state.rules[0]
        counted = {"decisions": int(rules.decisions), "lost": int(rules.lost)}
        if rules.first_phase == PLAN:
            counted |= {"plans": int(rules.plans), "from_leftover": int(rules.from_leftover)}
        if rules.first_phase in (LOCAL, PLAN):
            counted |= {name: int(rules[name]) for name in ("on_node", "in_rack", "remote")}
        return counted

    def series(self, world: World, state: DagState) -> dict[str, float]:
        return {"unfinished_jobs": float(state.rules[0].unfinished), "open_jobs": float(state.rules[0].active)}

    def given(self, world: World, state: DagState) -> Given | None:
        """Return what jobs left of their shares, for the run's figures."""
        return given_of(state) if self._policy.first_phase == PLAN else None

    def grow(self, world: World, state: DagState) -> DagState:
        return state

    def why_waiting(self, world: World, state: DagState, task: int) -> dict[str, Any] | None:
        row = world.task[task]
        stage = state.stage[state.stage_of[task]]
        if row.state != TASK_WAITING:
            return None
        if stage.waits_for > 0:
            return {"reason": HELD_UP, "y": int(stage.waits_for)}
        if stage.told in (0, PUT_OFF, WAITS_FOR_DATA):
            return None
        told = {"reason": int(stage.told), "x": int(stage.tasks - stage.started)}
        return told | {"y": lacking(world, int(row.demand))} if stage.told == NO_ROOM else told

    def inspect(self, world: World, state: DagState) -> dict[str, Any]:
        rules = state.rules[0]
        running, ready = (state.held > 0).any(axis=1), state.stage["waits_for"] == 0
        return {
            "unfinished_jobs": int(rules.unfinished),
            "jobs_that_run": int(running.sum()),
            "open_stages": int((ready & (state.stage["started"] < state.stage["tasks"])).sum()),
            "decisions": int(rules.decisions),
        }
