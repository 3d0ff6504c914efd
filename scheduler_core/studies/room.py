"""Measure the room on machines during a run: what tasks held, how evenly, and the largest request that still fitted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.incidents import DRAIN_MACHINES, FAIL_MACHINES, RESTORE_MACHINES
from scheduler_core.engine.jit import inner, kernel
from scheduler_core.engine.records import NEVER, TASK_DONE, TASK_RUNNING, World
from scheduler_core.run.driver import Simulation

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

INSTANTS = 64
"""The machines are looked at after each of as many equal parts of the run; the last look is at its end."""
MOST_TYPES = 12
"""Types of machines beyond these are left out; the ones with most machines stay."""


def end_ns(simulation: Simulation) -> int:
    """Return the end of a run that has ended, in ns: the time that stopped it, else its last event."""
    assert simulation.result is not None
    last = int(simulation.world.control[0].now_ns)
    by_time = simulation.result.summary["finished"] == "stopped-at" and simulation.stop_ns != NEVER
    return max(last, simulation.stop_ns) if by_time else last


def room_of(simulation: Simulation) -> dict[str, Any] | None:
    """Return how machines were used at some instants of a run that has ended; None in a fluid pool.

    The last attempt of each task counts; earlier ones, which a preemption or a failure has stopped, do not. Machines
    out of service have no room.
    """
    world, names = simulation.world, simulation.cluster.names
    now_ns = end_ns(simulation)
    if simulation.experiment.topology.pooled or now_ns <= 0:
        return None
    types = dict(_types(world.capacity, names))
    looked = [-(-now_ns * (number + 1) // INSTANTS) for number in range(INSTANTS)]
    instants = np.array(looked, np.int64)
    levels = _levels(world, instants)
    out = _out(world, instants)
    found: dict[str, Any] = {"held": {}, "spread": {}, "fits": {name: {} for name in types}}
    found["machines_used"] = float((levels[0] > 0).sum(axis=1).mean())
    for r, resource in enumerate(names):
        capacity = world.capacity[:, r]
        if not capacity.any():
            continue
        held = levels[1 + r]
        found["held"][resource] = float(held.sum(axis=1).mean() / capacity.sum())
        own = capacity > 0
        found["spread"][resource] = float((held[:, own] / capacity[own]).std(axis=1).mean())
        free = np.where(out, 0, capacity - held)
        for name, mine in types.items():
            largest = np.maximum(free[:, mine].max(axis=1), 0) / 1000
            if capacity[mine].any():
                found["fits"][name][resource] = {
                    "mean": float(largest.mean()), "least": float(largest.min()), "end": float(largest[-1]),
                }  # fmt: skip
    return found


def _types(capacity: Ints, names: tuple[str, ...]) -> Iterator[tuple[str, Ints]]:
    """Yield the types of machines by what they have, the most frequent first: name, and the machines' numbers."""
    kinds, of, counts = np.unique(capacity, axis=0, return_inverse=True, return_counts=True)
    for number in np.argsort(-counts, kind="stable")[:MOST_TYPES].tolist():
        have = zip(names, kinds[number].tolist(), strict=True)
        name = ", ".join(f"{amount / 1000:g} {resource}" for resource, amount in have if amount)
        yield name or "nothing", np.flatnonzero(of.ravel() == number)


@inner
def _first_from(instants, time_ns) -> int:  # type: ignore[no-untyped-def]
    """Return the number of the first instant at or after a time; their number if there is none."""
    low, high = 0, len(instants)
    while low < high:
        middle = (low + high) // 2
        if instants[middle] < time_ns:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _add_steps(task, demand, instants, steps) -> None:  # type: ignore[no-untyped-def]
    """Add what each task held at the first instant with it, and take it away at the first one without it.

    Rows of `steps` are the number of tasks and the amount of each resource: (1 + resources, instants + 1, machines).
    """
    count = len(instants)
    for i in range(len(task)):
        row = task[i]
        runs = row.state == TASK_RUNNING
        if row.machine < 0 or not (runs or row.state == TASK_DONE):
            continue
        begin = _first_from(instants, row.last_start_ns)
        if begin == count or (not runs and row.end_ns <= instants[begin]):
            continue  # most tasks: no instant lies between their start and their end
        end = count if runs else _first_from(instants, row.end_ns)
        steps[0, begin, row.machine] += 1
        steps[0, end, row.machine] -= 1
        for r in range(demand.shape[1]):
            steps[1 + r, begin, row.machine] += demand[row.demand, r]
            steps[1 + r, end, row.machine] -= demand[row.demand, r]


def _levels(world: World, instants: Ints) -> Ints:
    """Return how many tasks each machine held at each instant, and how much: (1 + resources, instants, machines)."""
    machines, resources = world.capacity.shape
    steps = np.zeros((1 + resources, len(instants) + 1, machines), np.int64)
    _add_steps(world.task, world.demand, instants, steps)
    levels: Ints = np.cumsum(steps[:, : len(instants)], axis=1)
    return levels


def _out(world: World, instants: Ints) -> Mask:
    """Return which machines are out of service at each instant: (instants, machines), or (1, 1) if none ever is."""
    rows = world.incident[np.isin(world.incident["what"], (FAIL_MACHINES, DRAIN_MACHINES, RESTORE_MACHINES))]
    if not len(rows):
        return np.zeros((1, 1), bool)
    found, why = np.zeros((len(instants), len(world.capacity)), bool), np.zeros(len(world.capacity), np.int64)
    done = 0
    for row in rows:
        at = int(np.searchsorted(instants, row.time_ns, "left"))
        found[done:at] = why != 0
        done = max(done, at)
        mine = why[row.first : row.end]
        why[row.first : row.end] = mine & ~row.x if row.what == RESTORE_MACHINES else mine | row.x
    found[done:] = why != 0
    return found
