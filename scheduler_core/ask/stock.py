"""The machines of an experiment and what its tasks need of them, to choose machines that may be switched off."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.ask.budgets import Budgets, Guards, guards_of
from scheduler_core.ask.points import Point
from scheduler_core.ask.reasons import HAS_NO_END, NO_OTHER
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.limits import Limits
from scheduler_core.run.driver import Simulation
from scheduler_core.schedulers import scheduler_by_name
from scheduler_core.world.standing import SUPPORT


@dataclass(frozen=True)
class Stock:
    """Machines as arrays, and the demands of tasks.

    `able` is (demands, machines): whether a machine alone can run a task of a demand. `first_task` is the first task of
    each demand. `kind` numbers machines by capacity, constraints and cluster. `size` is a machine's largest share of
    the datacenter's capacity.
    """

    able: NDArray[np.bool_]
    first_task: NDArray[np.int64]
    kind: NDArray[np.int64]
    size: NDArray[np.float64]
    rack_of: NDArray[np.int32]
    held: dict[int, int] = field(default_factory=dict)
    """Machines with a task without an end that the scheduler cannot move, and the first such task."""
    evicts: bool = False
    """Whether tasks run at time 0 that the scheduler can move: then a machine that goes off evicts its tasks."""
    guards: Guards | None = None
    """Disruption budgets of the tasks that machines evict."""
    bound: frozenset[int] = frozenset()
    """Tasks that end with their machine."""
    budgets: Budgets = field(default_factory=Budgets)
    """What each machine takes from the budgets when it goes off."""

    @property
    def machines(self) -> int:
        """Count the machines."""
        return len(self.kind)

    @cached_property
    def racks(self) -> dict[int, tuple[int, ...]]:
        """Return the machines of each rack."""
        found: dict[int, list[int]] = {}
        for machine, rack in enumerate(self.rack_of.tolist()):
            found.setdefault(rack, []).append(machine)
        return {rack: tuple(members) for rack, members in found.items()}

    @cached_property
    def keepers(self) -> frozenset[int]:
        """Return machines that stay so that every task can run somewhere; rare demands choose first."""
        kept: set[int] = set()
        for demand in np.argsort(self.able.sum(axis=1), kind="stable"):
            able = np.flatnonzero(self.able[demand])
            if len(able) and not kept.intersection(able.tolist()):
                covers = self.able[:, able].sum(axis=0)
                kept.add(int(able[int(covers.argmax())]))
        return frozenset(kept or {0})

    def order(self, now: Point) -> list[int]:
        """Return the machines that may go, the first ones first: small ones, then idle ones, then the last ones."""
        busy = np.zeros(self.machines)
        for one in now.ran:
            placed = one.machines >= 0
            busy += np.bincount(one.machines[placed], one.ran_ns[placed], self.machines)
        numbers = np.arange(self.machines)
        order = np.lexsort((-numbers, busy, np.round(self.size, 12)))
        stay = self.keepers | self.held.keys()
        return self.budgets.together(int(machine) for machine in order if int(machine) not in stay)

    def evicting(self, now: Point, instants_ns: Iterable[float]) -> Stock:
        """Return the same machines with what they take from the budgets if they go off at these instants."""
        return self if self.guards is None else replace(self, budgets=self.guards.at(now.ran, instants_ns))

    def kinds(self, off: frozenset[int]) -> list[list[int]]:
        """Return the machines that stay by kind, the most frequent kind first."""
        found: dict[int, list[int]] = {}
        for machine in range(self.machines):
            if machine not in off:
                found.setdefault(int(self.kind[machine]), []).append(machine)
        return sorted(found.values(), key=lambda members: (-len(members), members[0]))

    def needed(self, machine: int, off: frozenset[int]) -> str | None:
        """Return why a machine must stay beside `off` whatever the promise; None if it need not.

        A task fits on no other machine or cannot move, or a disruption budget refuses an eviction.
        """
        if machine in self.held:
            return HAS_NO_END.format(number=f"{self.held[machine]:,}")
        if (refused := self.budgets.refuses(machine, off)) is not None:
            return refused
        others = np.ones(self.machines, bool)
        others[[machine, *off]] = False
        alone = np.flatnonzero(self.able[:, machine] & ~self.able[:, others].any(axis=1))
        if not len(alone):
            return None
        return NO_OTHER.format(number=f"{int(self.first_task[alone].min()):,}")


def stock_of(experiment: Experiment, limits: Limits, resolve_trace: ResolveTrace | None = None) -> Stock:
    """Return the machines and demands of an experiment. Raises ExperimentError."""
    simulation = Simulation(experiment, frames=0, limits=limits, resolve_trace=resolve_trace)
    simulation.prepare()
    world, cluster = simulation.world, simulation.cluster
    moves = SUPPORT in scheduler_by_name(experiment.scheduler.name).honors(experiment)
    standing = simulation.standing
    fixed = 0 if standing is None or moves else standing.services  # the first tasks of the workload
    held: dict[int, int] = {}
    for task in range(fixed):
        held.setdefault(int(world.task[task].machine), task)
    demands, first_task = np.unique(world.task["demand"][fixed:], return_index=True)
    first_task += fixed
    offers = world.machine["offers"]
    able = np.zeros((len(demands), cluster.machines), bool)
    for row, demand in enumerate(demands):
        asks = world.asks[demand]
        able[row] = ((offers & asks) == asks) & (world.capacity >= world.demand[demand]).all(axis=1)
    rows: Any = np.column_stack([world.capacity, offers, cluster.cluster_of])
    _, kind = np.unique(rows, axis=0, return_inverse=True)
    share = world.capacity / np.maximum(world.capacity.sum(axis=0), 1)
    evicts = moves and standing is not None and standing.running > 0
    size, of_kind = share.max(axis=1), kind.reshape(-1)
    bound = frozenset() if standing is None else frozenset(np.flatnonzero(standing.bound()).tolist())
    return Stock(
        able, first_task.astype(np.int64), of_kind, size, cluster.rack_of, held, evicts,
        guards_of(standing) if evicts else None, bound,
    )  # fmt: skip
