"""Count the machines that cannot take a task now by cause, and find who holds the busy ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from scheduler_core.constraints import soft_mask
from scheduler_core.engine.records import DRAINED, FAILED, TASK_RUNNING
from scheduler_core.run.names import queue_name
from scheduler_core.run.telling import amount_words

if TYPE_CHECKING:
    from scheduler_core.run.driver import Simulation

_MOST_HOLDERS = 4
_Mask = npt.NDArray[np.bool_]


def ruled_out(simulation: Simulation, task: int) -> list[dict[str, Any]]:
    """Group all machines by the first thing that rules them out for the task.

    The order is: too small, wrong constraint, offline, busy; the last group are machines with room for the task.

    Each group: {why, machines, sentence}, and `by` (who holds them) for those that are busy.
    """
    world = simulation.world
    row = world.task[task]
    demand = world.demand[row.demand]
    asks = int(world.asks[row.demand]) & ~_soft(simulation)
    small = (world.capacity < demand).any(axis=1)
    lacking = ((world.machine["offers"] & asks) != asks) & ~small
    out = (world.machine["outage"] != 0) & ~small & ~lacking
    busy = (world.free < demand).any(axis=1) & ~(small | lacking | out)
    room = ~(small | lacking | out | busy)
    found: list[dict[str, Any]] = []
    if small.any():
        found.append(_group("too_small", small, _too_small(simulation, demand, small)))
    if lacking.any():
        found.append(_group("constraint", lacking, _lacking(simulation, asks, lacking)))
    if out.any():
        found.append(_group("offline", out, _offline(world, out)))
    if busy.any():
        found.append(_busy(simulation, busy))
    if room.any():
        count = int(room.sum())
        said = f"{machines(count)} {'has' if count == 1 else 'have'} room for it now."
        found.append(_group("room", room, said))
    return found


def _group(why: str, which: _Mask, said: str) -> dict[str, Any]:
    return {"why": why, "machines": int(which.sum()), "sentence": said}


def machines(count: int) -> str:
    """Return a number of machines in words."""
    return "1 machine" if count == 1 else f"{count:,} machines"


def _soft(simulation: Simulation) -> int:
    constraints = simulation.experiment.constraints
    return int(soft_mask(constraints)[0]) if constraints is not None and constraints.soft else 0


def _too_small(simulation: Simulation, demand: npt.NDArray[np.int64], which: _Mask) -> str:
    capacity = simulation.world.capacity[which]
    parts = [
        f"{machines(int(short.sum()))} with less than {amount_words(name, demand[r] / 1000)}"
        for r, name in enumerate(simulation.cluster.names)
        if (short := capacity[:, r] < demand[r]).any()
    ]
    return f"Too small even when empty: {_joined(parts)}."


def _lacking(simulation: Simulation, asks: int, which: _Mask) -> str:
    offers, names = simulation.world.machine["offers"][which], simulation.names.constraints
    parts = []
    for number in range(asks.bit_length()):
        if asks >> number & 1 and (count := int((offers >> number & 1 == 0).sum())):
            parts.append((count, names[number] if number < len(names) else str(number)))
    said = _joined([f"{name} on {lack:,}" for lack, name in sorted(parts, reverse=True)])
    count = int(which.sum())
    return f"{machines(count)} {'does' if count == 1 else 'do'} not offer all of its constraints; missing: {said}."


def _offline(world: Any, which: _Mask) -> str:
    flags = world.machine["outage"][which]
    failed = int((flags & FAILED != 0).sum())
    draining = int(((flags & FAILED == 0) & (flags & DRAINED != 0)).sum())
    parts = [f"{machines(count)} {word}" for count, word in ((failed, "failed"), (draining, "being drained")) if count]
    return f"Out of service: {_joined(parts)}."


def _busy(simulation: Simulation, which: _Mask) -> dict[str, Any]:
    """Return the busy machines and whose tasks hold them, by queue, or by job with a single queue."""
    world, task = simulation.world, simulation.world.task
    at = np.flatnonzero((task["state"] == TASK_RUNNING) & (task["machine"] >= 0))
    at = at[which[task["machine"][at]]]
    job = task["job"][at]
    queues = simulation.names.queues
    by_queue = len(queues) > 1
    holder = world.job["queue"][job] if by_queue else job
    who, tasks = np.unique(holder, return_counts=True)
    order = np.argsort(-tasks, kind="stable")[:_MOST_HOLDERS]
    by: list[dict[str, Any]] = []
    for place in order:
        number = int(who[place])
        held = len(np.unique(task["machine"][at[holder == number]]))
        name = queue_name(queues[number]) if by_queue else f"job {number:,}"
        by.append({"name": name, "tasks": int(tasks[place]), "machines": held})
    count = int(which.sum())
    kept = count - len(np.unique(task["machine"][at]))
    parts = [
        f"{one['name']} ({one['tasks']:,} {'task' if one['tasks'] == 1 else 'tasks'} on {machines(one['machines'])})"
        for one in by
    ]
    if len(who) > len(by):
        parts.append(f"{len(who) - len(by):,} more {'queues' if by_queue else 'jobs'}")
    said = f"{machines(count)} {'is' if count == 1 else 'are'} busy"
    said += f" with tasks of {_joined(parts)}" if parts else ""
    if kept:
        said += f"{'; ' + format(kept, ',') + ' of them' if parts else ','} reserved for tasks in transit"
    return {"why": "busy", "machines": count, "sentence": f"{said}.", "by": by}


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
