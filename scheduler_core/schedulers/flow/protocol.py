"""The schedulers that solve a flow, for the driver: packing, answers of the reference, layers, counters and series."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.cluster import Cluster
from scheduler_core.engine import consult
from scheduler_core.engine.events import EVENT_HEADROOM
from scheduler_core.engine.incidents import SET_PARAMS, changed_params, paint_outage
from scheduler_core.engine.records import NOBODY, TASK_WAITING, Ints, World, records
from scheduler_core.engine.replicas import REPLICAS, draw_replicas, first_of_racks
from scheduler_core.engine.tasks import paint_load, paint_resource
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment, effective_queues
from scheduler_core.flow.arrays import Net, empty_net, larger
from scheduler_core.flow.network import FlowNetwork
from scheduler_core.schedulers.flow import kernel as loop
from scheduler_core.schedulers.flow.graph import lay_out
from scheduler_core.schedulers.flow.state import (
    FLOW_JOB,
    FLOW_MACHINE,
    FLOW_TASK,
    RULES,
    FlowState,
)
from scheduler_core.workload.stages import Stages

_OF_PARAMS = ("core_cost", "rack_cost", "wait_cost", "load_cost", "short_cost", "priority_cost", "stay_cost")
_OUTAGE = 1
"""Number of the layer that shows outages; those of resources come behind it."""
_MOST_SLOTS = 1 << 20
_MOST_ARCS = 4_000_000


class FlowProtocol:
    """See scheduler_core.engine.protocol.Protocol. `always` are rules that a scheduler has whatever its parameters."""

    def __init__(self, always: dict[str, Any], counters: tuple[str, ...]) -> None:
        self._always, self._counters = always, counters

    def event_room(self, experiment: Experiment, largest_job: int) -> int:
        return EVENT_HEADROOM

    def pack(
        self, experiment: Experiment, cluster: Cluster, world: World, queue_owner: npt.NDArray[np.int32],
        stages: Stages | None = None,
    ) -> FlowState:
        params, tasks = experiment.scheduler.params | self._always, len(world.task)
        rules = _rules(experiment, params)
        setting = _settings(experiment, params, world)
        # What a later event may need is there from the start.
        reads = bool(max(np.maximum(one["core_cost"], one["rack_cost"]).max() for one in (rules, setting)))
        rules["reads"] = reads
        rules["spread"] = bool(max(one["load_cost"].max() for one in (rules, setting)))
        replica = np.full((1, REPLICAS), NOBODY, np.int32)
        if reads:
            replica = draw_replicas(world, np.ones(tasks, np.int8))
        machine = records(len(world.machine), FLOW_MACHINE)
        machine["slots"] = _slots(world, params.get("slots"))
        job = records(len(world.job), FLOW_JOB)
        job["node"], job["queue"] = NOBODY, world.job["queue"]
        task = records(tasks, FLOW_TASK)
        task["node"] = task["here"] = NOBODY
        arcs = int(machine["slots"].sum()) if rules["spread"][0] else len(machine)
        set_of, gather_arc = _sets(world)
        sets = int(set_of.max(initial=NOBODY)) + 1
        room = 2 * (arcs + 2 * len(machine) + sets + len(gather_arc)) + 4096
        state = FlowState(
            rules=rules, machine=machine, rack=np.zeros(len(first_of_racks(world)) - 1, np.int32),
            gather=np.zeros(sets, np.int32), gather_arc=gather_arc, set_of=set_of, task=task,
            task_of=np.full(room, NOBODY, np.int32), job=job, replica=replica,
            queue_share=np.array([queue.share for queue in effective_queues(experiment)]),
            setting=setting, **empty_net(room, room, 8 * room)._asdict(),
        )  # fmt: skip
        if not lay_out(state, np.ascontiguousarray(world.machine["rack"])):
            raise AssertionError("the network of an empty datacenter has too little room")
        return state

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
        return {name: int(counted[name] if name in counted else rules[name]) for name in self._counters}

    def series(self, world: World, state: FlowState) -> dict[str, float]:
        rules, network = state.rules[0], state.network[0]
        return {
            "solver_ms": rules.last_solver_ns / 1e6, "flow_cost": rules.flow_cost / 1e3,
            "network_arcs": float(network.live_arcs), "left_waiting": float(rules.unplaced),
        }

    def grow(self, world: World, state: FlowState) -> FlowState:
        net = _net(state)
        made = larger(net, 2 * len(net.node), 2 * len(net.arc), 2 * len(net.half))
        task_of = np.full(len(made.node), NOBODY, np.int32)
        task_of[: len(state.task_of)] = state.task_of
        return state._replace(task_of=task_of, **made._asdict())

    def why_waiting(self, world: World, state: FlowState, task: int) -> dict[str, Any] | None:
        told, rules = int(state.task[task].told), state.rules[0]
        if world.task[task].state != TASK_WAITING or told == 0:
            return None
        return {"reason": told, "x": int(rules.rounds), "y": int(rules.unplaced)}

    def inspect(self, world: World, state: FlowState) -> dict[str, Any]:
        rules, network = state.rules[0], state.network[0]
        return {
            "rounds": int(rules.rounds), "nodes": int(network.live_nodes), "arcs": int(network.live_arcs),
            "left_waiting": int(rules.unplaced), "flow_cost": float(rules.flow_cost / 1e3),
            "solver_s": float(rules.solver_ns / 1e9),
        }


def _solve_cold(world: World, state: FlowState) -> None:
    """Have the reference solve the network, and take its flow over."""
    network = FlowNetwork.of(_net(state))
    network.adopt_cold()
    rules = state.rules[0]
    rules.cold_solves += 1
    arcs = int(state.network[0].live_arcs)
    rules.at = int(rules.per_arc_ns * arcs * max(1, arcs).bit_length())
    loop.take_over(world, state)


def _net(state: FlowState) -> Net:
    """The network in the state."""
    return Net(*(getattr(state, name) for name in Net._fields))


def _given(world: World) -> list[int]:
    return [int(r) for r in np.flatnonzero(world.capacity.sum(axis=0))]


def _slots(world: World, slots: int | None) -> Ints:
    """How many tasks a machine takes: as asked, else as many of the smallest as it holds."""
    least = world.demand[-1]
    asked = least > 0
    held = (world.capacity[:, asked] // least[asked]).min(axis=1) if asked.any() else np.full(len(world.machine), 1)
    found: Ints = np.minimum(held, slots if slots else _MOST_SLOTS)
    return found


def _sets(world: World) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """(the set of machines that could run each demand, NOBODY for all or none; rows of set and machine)."""
    kinds, kind_of = np.unique(
        np.column_stack((world.capacity, world.machine["offers"])), axis=0, return_inverse=True
    )
    holds = (kinds[:, None, :-1] >= world.demand[None]).all(axis=2)
    offers = (world.asks[None] & ~kinds[:, None, -1]) == 0
    able = (holds & offers).T  # (demand classes, kinds of machines)
    some = able.any(axis=1) & ~able.all(axis=1)
    patterns, pattern_of = np.unique(able[some], axis=0, return_inverse=True)
    set_of = np.full(len(able), NOBODY, np.int32)
    set_of[some] = pattern_of
    found = np.argwhere(patterns[:, kind_of]) if len(patterns) else np.zeros((0, 2))
    if len(found) > _MOST_ARCS:
        raise ExperimentError([Problem(
            "constraints", f"make {len(patterns):,} sets of machines, {len(found):,} arcs in the network",
            f"at most {_MOST_ARCS:,}", "fewer constraints, or fewer kinds of machines")])
    return set_of, np.ascontiguousarray(found, np.int32)


def _rules(experiment: Experiment, params: dict[str, Any]) -> Any:
    rules = records(1, RULES)
    rules["delay_ns"] = round(experiment.network.message_delay_s * 1e9)
    rules["room"] = EVENT_HEADROOM
    rules["last_ns"] = rules["striking"] = rules["requeue"] = NOBODY
    _fill(rules, params)
    return rules


def _fill(rules: Any, params: dict[str, Any]) -> None:
    rules["interval_ns"] = round(params["interval_s"] * 1e9)
    rules["cold"] = params["solver"] == "cold"
    rules["preempts"], rules["fair"] = params.get("preemption", False), params.get("fair", False)
    for name in _OF_PARAMS:
        rules[name] = params.get(name, 0.0)
    modelled = params["solver_time"] == "modelled"
    rules["per_scan_ns"] = 10.0 if modelled else 0.0
    rules["per_arc_ns"] = 50.0 if modelled else 0.0
    rules["base_cost"] = 1_000_000.0


def _settings(experiment: Experiment, params: dict[str, Any], world: World) -> Any:
    params, changes = dict(params), changed_params(experiment)
    found = records(max(len(changes), 1), RULES)
    for row in world.incident:
        if row.what == SET_PARAMS:
            params |= changes[row.x]
            _fill(found[row.x : row.x + 1], params)
    return found


