"""The flow schedulers' interface to the driver: packing, reference answers, layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine import consult
from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import paint_outage
from scheduler_core.engine.records import NOBODY, TASK_WAITING, World
from scheduler_core.engine.tasks import paint_load, paint_resource
from scheduler_core.experiment import Experiment
from scheduler_core.flow.arrays import larger
from scheduler_core.flow.network import FlowNetwork
from scheduler_core.schedulers.flow import kernel as loop
from scheduler_core.schedulers.flow.packing import pack_state
from scheduler_core.schedulers.flow.reasons import LEFT, SHORT
from scheduler_core.schedulers.flow.state import FlowState, net_of
from scheduler_core.schedulers.shared.pacing import NEAR_COUNTERS, PACE_COUNTERS
from scheduler_core.world.start import Start

_OUTAGE = 1
"""Number of the layer that shows outages; those of resources come behind it."""


class FlowProtocol:
    """See scheduler_core.world.protocol.Protocol. `always` are rules that a scheduler has whatever its parameters."""

    def __init__(self, always: dict[str, Any], counters: tuple[str, ...]) -> None:
        self._always, self._counters = always, counters

    def event_room(self, experiment: Experiment, params: Any, largest_job: int) -> int:
        return EVENT_HEADROOM

    def pack(self, start: Start[Any]) -> FlowState:
        return pack_state(start, start.given | self._always)

    def advance(self, world: World, state: FlowState, until_ns: int, max_events: int) -> int:
        return consult.advance(loop.advance, _solve_cold, world, state, until_ns, max_events)

    def paint(self, world: World, state: FlowState, layer: int, machines: Any, out: npt.NDArray[np.uint8]) -> None:
        if layer == 0:
            paint_load(world, machines, out)
        elif layer == _OUTAGE:
            paint_outage(world, machines, out)
        else:
            paint_resource(world, _given(world)[layer - _OUTAGE - 1], machines, out)

    def counters(self, world: World, state: FlowState) -> dict[str, int]:
        rules, network = state.rules[0], state.network[0]
        counted = {"arcs_changed": network.changed, "arcs_visited": network.scanned}
        counted |= {one.name: state.pace[0][one.name] for one in (*PACE_COUNTERS, *NEAR_COUNTERS)}
        return {name: int(counted[name] if name in counted else rules[name]) for name in self._counters}

    def series(self, world: World, state: FlowState) -> dict[str, float]:
        rules, network = state.rules[0], state.network[0]
        return {
            "solver_ms": rules.last_solver_ns / 1e6,
            "flow_cost": rules.flow_cost / 1e3,
            "network_arcs": float(network.live_arcs),
            "left_waiting": float(rules.unplaced),
        } | ({"short_jobs": float(rules.short_jobs)} if "unfair" in self._counters else {})

    def grow(self, world: World, state: FlowState) -> FlowState:
        net = net_of(state)
        made = larger(net, 2 * len(net.node), 2 * len(net.arc), 2 * len(net.half))
        task_of = np.full(len(made.node), NOBODY, np.int32)
        task_of[: len(state.task_of)] = state.task_of
        return state._replace(task_of=task_of, **made._asdict())

    def why_waiting(self, world: World, state: FlowState, task: int) -> dict[str, Any] | None:
        told, rules = int(state.task[task].told), state.rules[0]
        if world.task[task].state != TASK_WAITING or told == 0:
            return None
        job = state.job[world.task[task].job]
        if told == LEFT and job.short > 0:
            return {"reason": SHORT, "x": int(job.share), "y": int(job.share - job.short)}
        return {"reason": told, "x": int(rules.rounds), "y": int(rules.unplaced)}

    def inspect(self, world: World, state: FlowState) -> dict[str, Any]:
        rules, network = state.rules[0], state.network[0]
        return {
            "rounds": int(rules.rounds),
            "nodes": int(network.live_nodes),
            "arcs": int(network.live_arcs),
            "left_waiting": int(rules.unplaced),
            "flow_cost": float(rules.flow_cost / 1e3),
            "solver_s": float(rules.solver_ns / 1e9),
        }


def _solve_cold(world: World, state: FlowState) -> None:
    """Solve the network with the reference solver, and adopt its flow."""
    network = FlowNetwork.of(net_of(state))
    network.adopt_cold()
    rules = state.rules[0]
    rules.cold_solves += 1
    arcs = int(state.network[0].live_arcs)
    rules.at = int(rules.per_arc_ns * arcs * max(1, arcs).bit_length())
    loop.take_over(world, state)


def _given(world: World) -> list[int]:
    return [int(r) for r in np.flatnonzero(world.capacity.sum(axis=0))]
