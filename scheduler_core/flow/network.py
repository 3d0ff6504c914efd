"""A flow network for Python callers: create it, change it and solve it, on arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.flow import edit, repair
from scheduler_core.flow.adopt import adopt
from scheduler_core.flow.arrays import GONE, SMALLEST_BLOCK, Net, empty_net, larger
from scheduler_core.flow.cold import Cold
from scheduler_core.flow.scaling import LEFT_OVER, scale
from scheduler_core.flow.solution import INFEASIBLE, OPTIMAL, UNBALANCED, Solution, Work

Ints = npt.NDArray[np.int64]

LIMIT = 1 << 40
"""Largest amount of a capacity, a supply or a cost: sums over millions of arcs stay within 64 bits."""

PATIENCE = 16
"""Halves looked at per arc of the network before the incremental solver leaves it to the reference."""


def _by_scaling(net: Net, budget: int) -> int:
    found = scale(net)
    return repair.solve(net, budget) if found == LEFT_OVER else found


SOLVERS: dict[str, Callable[[Net, int], int]] = {"ssp": repair.solve, "scaling": _by_scaling}
"""Solvers that start from the flow and the prices there are: shortest augmenting paths, and cost scaling."""

DEFAULT_SOLVER = "ssp"
"""The faster one, by `make bench`, rows `flow-*`."""

_LEAST_BUDGET = 1_000_000
_MOST = 2.0**61
_STATUSES = (OPTIMAL, INFEASIBLE, UNBALANCED)


class FlowNetwork:
    """A min-cost-flow network: nodes with supplies, arcs with bounds and costs, and an optimum that follows changes.

    The network numbers nodes and arcs and reuses the numbers of removed ones. All amounts are integers of at most
    `LIMIT`; callers that read untrusted files must check this bound.
    """

    def __init__(self, nodes: int = 64, arcs: int = 256) -> None:
        self.net: Net = empty_net(nodes, arcs, 8 * max(nodes, arcs))

    @classmethod
    def of(cls, net: Net) -> FlowNetwork:
        """Return the network that some arrays hold: it works on them."""
        made = cls.__new__(cls)
        made.net = net
        return made

    def add_nodes(self, supplies: Any) -> npt.NDArray[np.int32]:
        """Add nodes that give so much each (or take, if negative); their numbers."""
        wanted = np.ascontiguousarray(supplies, np.int64)
        made = np.zeros(len(wanted), np.int32)
        self._until_done(lambda done: edit.add_nodes(self.net, wanted, done, made), len(wanted))
        return made

    def add_arcs(self, rows: Any) -> npt.NDArray[np.int32]:
        """Add arcs, rows of (tail, head, low, cap, cost) with 0 <= low <= cap; their numbers."""
        wanted = np.ascontiguousarray(rows, np.int64).reshape(-1, 5)
        made = np.zeros(len(wanted), np.int32)
        self._until_done(lambda done: edit.add_arcs(self.net, wanted, done, made), len(wanted))
        return made

    def remove_arcs(self, arcs: Any) -> None:
        """Remove arcs."""
        edit.drop_arcs(self.net, np.ascontiguousarray(arcs, np.int64))

    def remove_nodes(self, nodes: Any) -> None:
        """Remove nodes with all their arcs."""
        edit.drop_nodes(self.net, np.ascontiguousarray(nodes, np.int64))

    def set_arcs(self, rows: Any) -> None:
        """Change arcs: rows of (arc, low, cap, cost)."""
        edit.set_arcs(self.net, np.ascontiguousarray(rows, np.int64).reshape(-1, 4))

    def set_supplies(self, rows: Any) -> None:
        """Change what nodes give: rows of (node, supply)."""
        edit.set_supplies(self.net, np.ascontiguousarray(rows, np.int64).reshape(-1, 2))

    def solve(self, solver: str = DEFAULT_SOLVER) -> Solution:
        """Bring flow and prices up to date after what has changed, by one of `SOLVERS`; all if never solved."""
        status = SOLVERS[solver](self.net, PATIENCE * int(self.net.network[0].live_arcs) + _LEAST_BUDGET)
        if status == repair.UNFINISHED:
            status = self._from_nothing()
        if status != repair.OPTIMAL:
            return Solution(_STATUSES[status], 0, 0)
        return Solution(OPTIMAL, int(self.net.network[0].cost), int(np.maximum(self.net.node.supply, 0).sum()))

    def _from_nothing(self) -> int:
        """Adopt the reference's flow with fitting prices, which is faster after many changes."""
        self.adopt_cold()
        return repair.solve(self.net, repair.NO_LIMIT)

    def adopt_cold(self) -> None:
        """Solve the network with the reference solver, and adopt its flow if there is a solution."""
        arcs = self.arcs()
        cold = Cold(arcs, self.net.node.supply)
        if cold.solve().status == OPTIMAL:
            adopt(self.net, arcs["arc"], cold.flows())

    def solve_cold(self) -> Solution:
        """Return what the reference says, from scratch; flow and prices stay as they are."""
        return Cold(self.arcs(), self.net.node.supply).solve()

    def ends(self, node: int) -> set[tuple[int, int]]:
        """Return tail and head of each arc at a node."""
        row = self.net.node[node]
        halves = self.net.half[row.first : row.first + row.count]
        return {(int(half.to), node) if half.arc & 1 else (node, int(half.to)) for half in halves}

    def too_large(self) -> str | None:
        """Return what is wrong when costs times flows, or prices, might leave 64 bits; else None."""
        arcs, supply = self.arcs(), self.net.node.supply
        cost, cap = np.abs(arcs["cost"]).astype(float), arcs["cap"].astype(float)
        cheap = arcs["cost"] < 0
        most = float(np.maximum(supply, 0).sum()) + arcs["low"].sum(dtype=float) + cap[cheap].sum()
        if (cost * np.where(cheap, cap, np.minimum(cap, most))).sum() > _MOST:
            return "its costs times its flows may exceed 64 bits"
        if cost.max(initial=0) * len(self.nodes()) > _MOST:
            return "the cost of a path through it may exceed 64 bits"
        return None

    @property
    def work(self) -> Work:
        """Counts of the work on the network since its creation."""
        counted = self.net.network[0]
        return Work(int(counted.searches), int(counted.scanned), int(counted.moved), int(counted.changed))

    def nodes(self) -> Ints:
        """Return the numbers of the existing nodes."""
        used = self.net.node[: self.net.network[0].nodes]
        return np.flatnonzero(used.state != GONE)

    def arcs(self) -> dict[str, Ints]:
        """Return all arcs, as columns: arc, tail, head, low, cap, cost, flow, reduced."""
        arc = self.net.arc[: self.net.network[0].arcs]
        number = np.flatnonzero(arc.cap >= 0)
        half = self.net.half[arc.half[number]]
        head, tail = half.to.astype(np.int64), self.net.half.to[half.mate].astype(np.int64)
        price = self.net.node.price
        return {
            "arc": number,
            "tail": tail,
            "head": head,
            "low": arc.low[number],
            "cap": arc.cap[number],
            "cost": half.cost.copy(),
            "flow": arc.low[number] + half.back,
            "reduced": half.cost + price[tail] - price[head],
        }

    def _until_done(self, add: Callable[[int], int], wanted: int) -> None:
        done = 0
        while (done := add(done)) < wanted:
            self._grow(wanted - done)

    def _grow(self, more: int) -> None:
        """Make room where there is little left."""
        net, used = self.net, self.net.network[0]
        nodes = _room(len(net.node), used.nodes, more)
        arcs = _room(len(net.arc), used.arcs, more)
        halves = _room(len(net.half), used.halves, 4 * more + SMALLEST_BLOCK)
        if halves == len(net.half):
            halves *= 2
        self.net = larger(net, nodes, arcs, halves)


def _room(there: int, used: int, more: int) -> int:
    return there if used + more <= there else max(2 * there, int(used) + more)
