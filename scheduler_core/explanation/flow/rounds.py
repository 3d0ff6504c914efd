"""Simulate a run of a flow scheduler again, and report each round between solving and placing.

Rounds that nobody looks at run compiled. From the one on that is asked for, each comes to Python as rounds of the
baseline do (engine.consult), is solved by the same solver and told of the same work, so the outcome is the run's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from scheduler_core.engine import consult
from scheduler_core.engine.incidents import SET_PARAMS
from scheduler_core.engine.records import World
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.flow import repair
from scheduler_core.flow.network import PATIENCE, SOLVERS, FlowNetwork
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.driver import OnSlice, Simulation
from scheduler_core.schedulers import SCHEDULERS, scheduler_by_name
from scheduler_core.schedulers.flow import kernel as loop
from scheduler_core.schedulers.flow.state import IDLE, FlowState, net_of
from scheduler_core.world.planned import changed_params
from scheduler_core.world.protocol import Protocol

LEAST_BUDGET = 1_000_000
MOST_ARCS = 2_000_000
"""Networks with more arcs are not shown."""
NO_ROUND = 1 << 60
"""Later than all rounds."""

OnRound = Callable[[World, FlowState], None]


class Enough(Exception):
    """The wanted rounds are complete."""


class WatchedProtocol:
    """A flow scheduler's protocol that calls `on_round` after each solve from round `first` on, before it is placed."""

    def __init__(self, inner: Protocol, experiment: Experiment, first: int, on_round: OnRound) -> None:
        self._inner, self._first, self._on_round = inner, first, on_round
        self._solver: str = experiment.scheduler.params["solver"]
        self._changes = changed_params(experiment)
        self._watches = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def advance(self, world: World, state: FlowState, until_ns: int, max_events: int) -> int:
        """Process events, at most as many as cannot pass the first wanted round (a round has at least one)."""
        if not self._watches:
            left = self._first - 1 - int(state.rules[0].rounds)
            if left > 0:
                return self._inner.advance(world, state, until_ns, min(max_events, left))
            self._watches = True
            state.rules["cold"] = state.setting["cold"] = 1
        return consult.advance(loop.advance, self._answer, world, state, until_ns, max_events)

    def _answer(self, world: World, state: FlowState) -> None:
        rules = state.rules[0]
        arcs = int(state.network[0].live_arcs)
        if arcs > MOST_ARCS:
            raise ExperimentError(
                [
                    Problem(
                        "round",
                        f"its network has {arcs:,} arcs",
                        f"at most {MOST_ARCS:,}",
                        "fewer machines, slots or tasks",
                    )
                ]
            )
        rules.at = self.solve(world, state)
        loop.take_over(world, state)
        # Where shares as bounds have no flow, the bounds give way and the same round asks once more.
        if rules.phase == IDLE and rules.rounds >= self._first:
            self._on_round(world, state)

    def solve(self, world: World, state: FlowState) -> int:
        """Solve the round as the run itself does; what its work stands for, in ns."""
        rules, network = state.rules[0], FlowNetwork.of(net_of(state))
        solver = self.solver_now(world)
        if solver != "cold":
            budget = PATIENCE * int(network.net.network[0].live_arcs) + LEAST_BUDGET
            if SOLVERS[solver](network.net, budget) != repair.UNFINISHED:
                return int(rules.per_scan_ns * (network.net.network[0].scanned - rules.last_scanned))
        network.adopt_cold()
        rules.cold_solves += 1
        arcs = int(network.net.network[0].live_arcs)
        return int(rules.per_arc_ns * arcs * max(1, arcs).bit_length())

    def solver_now(self, world: World) -> str:
        """Return the solver of the rounds now."""
        solver = self._solver
        now_ns = int(world.control[0].now_ns)
        for row in world.incident:
            if row.what == SET_PARAMS and row.time_ns <= now_ns:
                solver = self._changes[row.x].get("solver", solver)
        return "ssp" if solver == "ics" else solver


Make = Callable[[Protocol, Experiment, int, OnRound], WatchedProtocol]


def watched(
    experiment: Experiment,
    first: int,
    on_round: OnRound,
    *,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    watch_task: int | None = None,
    make: Make = WatchedProtocol,
) -> Simulation:
    """Return a simulation that reports its rounds to `on_round`; an exception raised there stops it."""
    refuse_others(experiment)
    simulation = Simulation(experiment, resolve_trace=resolve_trace, frames=0, limits=limits, watch_task=watch_task)
    load = simulation.spec.load
    simulation.spec = replace(simulation.spec, load=lambda: cast(Protocol, make(load(), experiment, first, on_round)))
    return simulation


def refuse_others(experiment: Experiment) -> None:
    """Raise ExperimentError for a scheduler that solves no network."""
    spec = scheduler_by_name(experiment.scheduler.name)
    if not spec.network:
        known = ", ".join(one.name for one in SCHEDULERS if one.network)
        raise ExperimentError(
            [Problem("scheduler.name", f"{spec.label} solves no network", known, "choose one of them")]
        )


def run_until_enough(simulation: Simulation, on_slice: OnSlice | None = None) -> bool:
    """Simulate until a round raises Enough; False when the run ends without it."""
    try:
        for _ in simulation.run(on_slice):
            pass
    except Enough:
        return True
    return False


def rounds_before(experiment: Experiment, at_s: float, on_slice: OnSlice | None = None, **options: Any) -> int:
    """Return how many rounds have begun before an instant."""
    simulation = watched(experiment, NO_ROUND, lambda world, state: None, **options)
    simulation.advance_to(round(at_s * 1e9) - 1, on_slice)
    return int(simulation.state.rules[0].rounds)


def no_such_round(wanted: int, rounds: int) -> ExperimentError:
    """Return the error for a run without such a round."""
    allowed = f"1 to {rounds:,}" if rounds else "this run solves none"
    return ExperimentError([Problem("round", f"there is no round {wanted:,}", allowed)])
