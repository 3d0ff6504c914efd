"""A copy, as columns, of a network just after a round's solve, and the meaning of its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import World
from scheduler_core.flow.arrays import GONE
from scheduler_core.flow.network import FlowNetwork
from scheduler_core.schedulers.flow.costs import UNIT
from scheduler_core.schedulers.flow.state import NODES_OF_MACHINES, FlowState, net_of

Ints = npt.NDArray[np.int64]

TASK, UNSCHEDULED, CLUSTER, SET, OTHER, RACK, MACHINE, SINK = range(8)
KINDS = ("task", "unscheduled", "cluster", "set", "other", "rack", "machine", "sink")
LAYERS = ("Tasks", "Jobs and aggregators", "Racks", "Machines", "Sink")
LAYER_OF = (0, 1, 1, 1, 1, 2, 3, 4)
"""The layer of each kind of node."""


@dataclass(frozen=True)
class Solved:
    """What a round came to. Nodes by row: `live`, `kind` and `number` (which task, job, machine ...), `supply`.

    `arcs` are FlowNetwork.arcs(); costs in thousandths. `changed` and `visited` count since the run began.
    """

    round: int
    t_ns: int
    solver_ns: int
    feasible: bool
    cost: int
    changed: int
    visited: int
    live: npt.NDArray[np.bool_]
    kind: Ints
    number: Ints
    supply: Ints
    arcs: dict[str, Ints]


def take(world: World, state: FlowState) -> Solved:
    """Copy the round's result just after its solve."""
    rules, network, nodes = state.rules[0], state.network[0], int(state.network[0].nodes)
    kind, number = entities(state)
    return Solved(
        round=int(rules.rounds),
        t_ns=int(world.control[0].now_ns),
        solver_ns=int(rules.last_solver_ns),
        feasible=int(rules.stuck) == 0,
        cost=int(rules.flow_cost),
        changed=int(network.changed),
        visited=int(network.scanned),
        live=state.node.state[:nodes] != GONE,
        kind=kind,
        number=number,
        supply=state.node.supply[:nodes].copy(),
        arcs=FlowNetwork.of(net_of(state)).arcs(),
    )


def entities(state: FlowState) -> tuple[Ints, Ints]:
    """Return (kind, number) of each node; an unknown kind is OTHER, numbered by its row."""
    nodes, machines, racks = int(state.network[0].nodes), len(state.machine), len(state.rack)
    owner = state.task_of[:nodes].astype(np.int64)
    kind, number = np.full(nodes, OTHER, np.int64), np.arange(nodes, dtype=np.int64)
    place = NODES_OF_MACHINES - owner
    for what, first, end in (
        (MACHINE, 0, machines),
        (RACK, machines, machines + racks),
        (SET, machines + racks, machines + racks + len(state.gather)),
    ):
        these = (owner <= NODES_OF_MACHINES) & (place >= first) & (place < end)
        kind[these], number[these] = what, place[these] - first
    kind[owner >= 0], number[owner >= 0] = TASK, owner[owner >= 0]
    job = np.asarray(state.job["node"])
    there = np.flatnonzero(job >= 0)
    kind[job[there]], number[job[there]] = UNSCHEDULED, there
    for what, node in ((CLUSTER, int(state.rules[0].cluster)), (SINK, int(state.rules[0].sink))):
        kind[node], number[node] = what, 0
    return kind, number


def label(kind: int, number: int) -> str:
    """Return the name of a node."""
    words = {
        TASK: f"task {number:,}",
        UNSCHEDULED: f"job {number:,} waits",
        CLUSTER: "cluster",
        SET: f"set {number:,}",
        OTHER: f"node {number:,}",
        RACK: f"rack {number:,}",
        MACHINE: f"machine {number:,}",
        SINK: "sink",
    }
    return words[kind]


def units(cost: Any) -> float:
    """Convert a cost of the network, in thousandths, to units."""
    return float(cost) / UNIT
