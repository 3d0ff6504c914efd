"""A pipeline's interface to the driver: packing, layers, counters, series, and operations by stage."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import look_for, paint_outage
from scheduler_core.engine.records import DRAINS, TASK_WAITING, World
from scheduler_core.engine.tasks import paint_load, paint_resource
from scheduler_core.experiment import Experiment
from scheduler_core.refarch.stages import STAGES
from scheduler_core.schedulers.pipeline import kernel as loop
from scheduler_core.schedulers.pipeline.clock import measured, share_out
from scheduler_core.schedulers.pipeline.packing import pack_state
from scheduler_core.schedulers.pipeline.reasons import HELD_UP, NO_ROOM, NOT_LET_IN
from scheduler_core.schedulers.pipeline.state import PipelineState
from scheduler_core.world.start import Start

_OUTAGE = 1
_POOL = 2
"""Numbers of the layers that show outages and the pool; those of resources come behind them."""
TIMED = ("J2", "J3", "T1", "T2", "R3", "R4", "R5", "T4")
"""Stages whose time is a counter, in whole microseconds; the time of every stage is a series, and in the summary."""


class PipelineProtocol:
    """See scheduler_core.world.protocol.Protocol."""

    def event_room(self, experiment: Experiment, params: Any, largest_job: int) -> int:
        return EVENT_HEADROOM

    def pack(self, start: Start[Any]) -> PipelineState:
        look_for(start.world, DRAINS)
        return pack_state(start)

    def advance(self, world: World, state: PipelineState, until_ns: int, max_events: int) -> int:
        began = time.thread_time()
        reason = loop.advance(world, state, until_ns, max_events)
        if max_events > 0:  # else the call serves compiling only
            share_out(state, time.thread_time() - began)
        return reason

    def paint(self, world: World, state: PipelineState, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            paint_load(world, machines, out)
        elif layer == _OUTAGE:
            paint_outage(world, machines, out)
        elif layer == _POOL:
            out[:] = np.array([0, 128, 255], np.uint8)[state.lease[machines]]  # OUT, COMING, IN
        else:
            given = np.flatnonzero(world.capacity.sum(axis=0) > 0)
            paint_resource(world, int(given[layer - _POOL - 1]), machines, out)

    def counters(self, world: World, state: PipelineState) -> dict[str, int]:
        rules, times = state.rules[0], _times_ns(state)
        counted = {
            name: int(rules[name])
            for name in (
                "iterations",
                "submitted",
                "lost",
                "preemptions",
                "migrations",
                "given_up",
                "brokered",
                "leases",
                "releases",
                "passed_on",
                "copies",
                "copies_won",
            )
        }
        return counted | {f"{stage.lower()}_us": int(times[stage] // 1_000) for stage in TIMED}

    def series(self, world: World, state: PipelineState) -> dict[str, float]:
        rules = state.rules[0]
        return {
            "eligible": float(rules.eligible),
            "not_let_in": float(rules.incoming),
            "pool": float(rules.pool),
            "iteration_ms": rules.last_spent_ns / 1e6,
        } | {f"{stage.lower()}_us": time / 1e3 for stage, time in _times_ns(state).items()}

    def figures(self, world: World, state: PipelineState) -> dict[str, dict[str, float]]:
        """Return what each stage did: calls, operations of its plain algorithm, and their modeled time."""
        times = _times_ns(state)
        return {
            stage.id: {"calls": int(row.calls), "operations": int(row.operations), "time_s": times[stage.id] / 1e9}
            for stage, row in zip(STAGES, state.stage, strict=True)
            if row.calls
        }

    def measured(self, world: World, state: PipelineState) -> dict[str, Any] | None:
        """Return the real time of each stage, which differs from run to run."""
        return measured(state)

    def grow(self, world: World, state: PipelineState) -> PipelineState:
        return state

    def why_waiting(self, world: World, state: PipelineState, task: int) -> dict[str, Any] | None:
        if world.task[task].state != TASK_WAITING:
            return None
        job, node, rules = state.job[world.task[task].job], state.node[state.task[task].node], state.rules[0]
        if not job.inside:
            return {"reason": NOT_LET_IN, "x": int(rules.jobs_in), "y": int(rules.tasks_in)}
        if node.waits_for > 0:
            return {"reason": HELD_UP, "y": int(node.waits_for)}
        line = state.line[state.task[task].line]
        return {"reason": NO_ROOM, "x": int(line.count), "y": 0} if line.shut else None

    def inspect(self, world: World, state: PipelineState) -> dict[str, Any]:
        rules = state.rules[0]
        return {
            "iterations": int(rules.iterations),
            "jobs_not_let_in": int(rules.incoming),
            "jobs_under_way": int(rules.jobs_in),
            "tasks_eligible": int(rules.eligible),
            "machines_in_pool": int(rules.pool),
            "cost": _cost(world, state),
            "last_iteration": {
                "eligible": int(rules.last_length),
                "submitted": int(rules.last_placed),
                "time_s": float(rules.last_spent_ns / 1e9),
            },
            "stages": self.figures(world, state),
        }


def _cost(world: World, state: PipelineState) -> float:
    """Return what brokered tasks and leased machines have cost until now."""
    rules = state.rules[0]
    seconds = rules.machine_s + rules.pool * (world.control[0].now_ns - rules.pool_ns) / 1e9
    return float(rules.cost + rules.r6_price * seconds)


def _times_ns(state: PipelineState) -> dict[str, float]:
    spent = state.stage["operations"] * state.cost_ns
    return {stage.id: float(spent[place]) for place, stage in enumerate(STAGES)}
