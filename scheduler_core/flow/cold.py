"""The reference solver: OR-tools' cost scaling, from scratch (Goldberg, An efficient implementation, 1997)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.flow.solution import INFEASIBLE, OPTIMAL, UNBALANCED, Solution

Ints = npt.NDArray[np.int64]


class Cold:
    """A network for one solve by OR-tools.

    `arcs` has the columns tail, head, low, cap and cost; `supply` is what each node gives, by number. All int64.
    """

    def __init__(self, arcs: dict[str, Ints], supply: Ints) -> None:
        self._arcs, self._supply = arcs, supply.copy()
        self._solver: Any = None

    def solve(self) -> Solution:
        """Build OR-tools' own network and solve it. OverflowError when its numbers are too large for OR-tools."""
        from ortools.graph.python import min_cost_flow

        arcs, left = self._arcs, self._supply.copy()
        # A lower bound flows in any case: the rest is a network without lower bounds.
        np.subtract.at(left, arcs["tail"], arcs["low"])
        np.add.at(left, arcs["head"], arcs["low"])
        self._solver = solver = min_cost_flow.SimpleMinCostFlow()
        solver.add_arcs_with_capacity_and_unit_cost(
            arcs["tail"].astype(np.int32), arcs["head"].astype(np.int32), arcs["cap"] - arcs["low"], arcs["cost"]
        )
        solver.set_nodes_supplies(np.arange(len(left), dtype=np.int32), left)
        found = solver.solve()
        if found == solver.OPTIMAL:
            cost = solver.optimal_cost() + int((arcs["low"] * arcs["cost"]).sum())
            return Solution(OPTIMAL, int(cost), int(np.maximum(self._supply, 0).sum()))
        if found in (solver.UNBALANCED, solver.INFEASIBLE):
            return Solution(UNBALANCED if found == solver.UNBALANCED else INFEASIBLE, 0, 0)
        raise OverflowError(f"OR-tools cannot solve the network: {found}")

    def flows(self) -> Ints:
        """Return what flows over each arc, after an optimal solve."""
        number = np.arange(len(self._arcs["tail"]), dtype=np.int32)
        return np.asarray(self._solver.flows(number), np.int64) + self._arcs["low"]
