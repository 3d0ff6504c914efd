"""Measure the room on machines during a run: what tasks held, how evenly, and the largest request that still fitted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.incidents import DRAIN_MACHINES, FAIL_MACHINES, RESTORE_MACHINES
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
    places, kind, begin, end = _intervals(world, instants)
    out = _out(world, instants)
    found: dict[str, Any] = {"held": {}, "spread": {}, "fits": {name: {} for name in types}}
    amount = np.ones(len(places), np.int64)
    found["machines_used"] = float((_levels(places, begin, end, amount, len(world.capacity)) > 0).sum(axis=1).mean())
    for r, resource in enumerate(names):
        capacity = world.capacity[:, r]
        if not capacity.any():
            continue
        held = _levels(places, begin, end, world.demand[kind, r], len(capacity))
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


def _intervals(world: World, instants: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return machine and demand of the tasks that held one, and the first instants with and without them."""
    task = world.task
    runs = task["state"] == TASK_RUNNING
    some = np.flatnonzero(runs | (task["state"] == TASK_DONE))
    rows = task[some]
    begin = np.searchsorted(instants, rows["last_start_ns"], "left")
    end = np.where(runs[some], len(instants), np.searchsorted(instants, rows["end_ns"], "left"))
    held = (begin < end) & (rows["machine"] >= 0)
    places, kind = np.asarray(rows["machine"][held], np.int64), np.asarray(rows["demand"][held], np.int64)
    return places, kind, begin[held], end[held]


def _levels(places: Ints, begin: Ints, end: Ints, amount: Ints, machines: int) -> Ints:
    """Return the sum of the amounts on each machine at each instant: int64 (instants, machines)."""
    steps = np.zeros((INSTANTS + 1) * machines, np.int64)
    np.add.at(steps, begin * machines + places, amount)
    np.subtract.at(steps, end * machines + places, amount)
    level: Ints = np.cumsum(steps.reshape(INSTANTS + 1, machines), axis=0)[:INSTANTS]
    return level


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
