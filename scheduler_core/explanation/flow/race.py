"""Compare all solvers on each round of one run, on one graph.

Two solvers start from the flow of the previous round; OR-tools starts from scratch. The seconds are real seconds on
this machine. The page shows them, and they never enter a simulation.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from scheduler_core.engine.records import World
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.explanation.flow.rounds import (
    LEAST_BUDGET,
    Enough,
    OnRound,
    WatchedProtocol,
    run_until_enough,
    watched,
)
from scheduler_core.explanation.flow.solved import units
from scheduler_core.flow.arrays import Net, empty_net
from scheduler_core.flow.cold import Cold
from scheduler_core.flow.network import SOLVERS, FlowNetwork
from scheduler_core.flow.solution import Solution
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.driver import OnSlice
from scheduler_core.schedulers.flow.state import FlowState, net_of
from scheduler_core.world.protocol import Protocol

OnRow = Callable[[dict[str, Any]], None]
REAL_TIME = "Seconds of the machine that solves; no part of any outcome."


def flow_race(
    experiment: Experiment,
    on_row: OnRow,
    *,
    every: int = 1,
    most_s: float = 60.0,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    on_slice: OnSlice | None = None,
) -> dict[str, Any]:
    """Solve every `every`-th round of a run with all solvers; call `on_row` with a row for each, and return the totals.

    `most_s` bounds the real time in seconds. In a row, `t_s` has simulated time; `ssp_s`, `scaling_s` and `cold_s` are
    real time, and `ics_s` is the former name of `ssp_s`. Raises ExperimentError.
    """
    _warm_up()
    told: dict[str, Any] = {"rows": 0, "rounds": 0, "over": "end"}
    started = time.perf_counter()

    def give(row: dict[str, Any]) -> None:
        told["rows"] += 1
        on_row(row)

    def on_round(world: World, state: FlowState) -> None:
        told["rounds"] = int(state.rules[0].rounds)
        if time.perf_counter() - started > most_s:
            told["over"] = "time"
            raise Enough

    def make(inner: Protocol, made_of: Experiment, first: int, then: OnRound) -> WatchedProtocol:
        return _Racing(inner, made_of, first, then, give, max(1, every))

    simulation = watched(experiment, 1, on_round, resolve_trace=resolve_trace, limits=limits, make=make)
    run_until_enough(simulation, on_slice)
    return told | {"unit": REAL_TIME}


class _Racing(WatchedProtocol):
    """Solves each round by every solver; the run goes on with what its own solver found."""

    def __init__(
        self, inner: Protocol, experiment: Experiment, first: int, on_round: OnRound, on_row: OnRow, every: int
    ) -> None:
        super().__init__(inner, experiment, first, on_round)
        self._on_row, self._every = on_row, every
        self._changed = 0

    def solve(self, world: World, state: FlowState) -> int:
        rules, counted = state.rules[0], state.network[0]
        if int(rules.rounds) % self._every or (self.solver_now(world) != "cold" and rules.relaxed == 1):
            return super().solve(world, state)
        network = FlowNetwork.of(net_of(state))
        cold = Cold(network.arcs(), network.net.node.supply)
        began = time.perf_counter()
        reference = cold.solve()
        cold_s = time.perf_counter() - began
        changed = int(counted.changed)
        raced = {solver: _timed(network, solver) for solver in SOLVERS}
        found, ssp_s, visited = raced["ssp"]
        spent_ns = super().solve(world, state)
        self._on_row(
            {
                "round": int(rules.rounds),
                "t_s": int(world.control[0].now_ns) / 1e9,
                "ics_s": ssp_s,
                **{f"{solver}_s": took_s for solver, (_, took_s, _) in raced.items()},
                "cold_s": cold_s,
                "nodes": int(counted.live_nodes),
                "arcs": int(counted.live_arcs),
                "changed": changed - self._changed,
                "visited": visited,
                "status": found.status,
                "ics_cost": units(found.cost),
                "cold_cost": units(reference.cost),
                "same": all(one == reference for one, _, _ in raced.values()),
            }
        )
        self._changed = int(counted.changed)
        return spent_ns


def _timed(network: FlowNetwork, solver: str) -> tuple[Solution, float, int]:
    """Return (a solver's solution of a copy of a network, its real seconds, arc ends that it visited)."""
    copied = FlowNetwork.of(Net(*(column.copy() for column in network.net)))
    before, began = copied.work.scanned, time.perf_counter()
    found = copied.solve(solver)
    return found, time.perf_counter() - began, copied.work.scanned - before


def _warm_up() -> None:
    """Load all solvers before the clock counts: the first call reads compiled code and a library from disk."""
    one = {name: np.array([number]) for name, number in (("tail", 0), ("head", 1), ("low", 0), ("cap", 1), ("cost", 1))}
    Cold(one, np.array([1, -1])).solve()
    for solve in SOLVERS.values():
        solve(empty_net(1, 1, 1), LEAST_BUDGET)
