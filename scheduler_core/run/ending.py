"""How a run ended, and which tasks wait for ever if it is stuck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import TASK_DONE, TASK_UNSCHEDULABLE, World
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.catalogues import constraint_names
from scheduler_core.experiment.sections import Queue
from scheduler_core.run.names import Names
from scheduler_core.run.telling import amount_words, cause

Ended = Literal["drained", "stopped-at", "stuck"]
_MOST_GROUPS = 20


def how_ended(world: World, stopped: bool, dropped: npt.NDArray[np.bool_] | None) -> Ended:
    """Return how a run ended; `stopped` says that its stop rule ended it while something could still happen.

    A run is stuck if tasks wait and nothing will ever change. Tasks that no machine can run wait, too, unless their
    jobs go on without them.
    """
    if stopped:
        return "stopped-at"
    return "stuck" if _waits(world, dropped).any() else "drained"


def _waits(world: World, dropped: npt.NDArray[np.bool_] | None) -> npt.NDArray[np.bool_]:
    waits: npt.NDArray[np.bool_] = world.task["state"] != TASK_DONE
    return waits if dropped is None else waits & ~dropped


def waiting_now(world: World, dropped: npt.NDArray[np.bool_] | None) -> int:
    """Return how many tasks have arrived and hold no machine, those that no machine can run included.

    Tasks that their jobs go on without do not wait.
    """
    control = world.control[0]
    never = int(control.tasks_unschedulable)
    if never and dropped is not None:
        arrived = world.job["arrival_ns"][world.task["job"]] <= control.now_ns
        never = max(0, never - int((dropped & arrived).sum()))
    return int(control.tasks_waiting) + never


def waiting_groups(
    world: World,
    queues: Sequence[Queue],
    resources: tuple[str, ...],
    experiment: Experiment,
    dropped: npt.NDArray[np.bool_] | None,
) -> tuple[dict[str, Any], ...]:
    """Return groups of tasks that wait for ever, the largest first: {queue, tasks, first_task, reason}.

    The tasks of a group have the same queue, demand and reason.
    """
    constraints = () if experiment.constraints is None else constraint_names(experiment.constraints)
    names = Names(resources, tuple(queue.name for queue in queues), (), constraints)
    rows = np.flatnonzero(_waits(world, dropped))
    task = world.task[rows]
    never = task["state"] == TASK_UNSCHEDULABLE
    queue = world.job["queue"][task["job"]]
    keys = np.column_stack([queue, task["demand"], never, np.where(never, task["place"], -1)])
    kinds, first, counts = np.unique(keys, axis=0, return_index=True, return_counts=True)
    found = []
    for place in np.argsort(-counts, kind="stable")[:_MOST_GROUPS]:
        of_queue, demand, is_never, code = (int(each) for each in kinds[place])
        asks = _asked(world, demand, names)
        reason = f"No machine can run them{cause(code, names)}." if is_never else _unserved(world, demand)
        found.append(
            {
                "queue": names.queues[of_queue],
                "tasks": int(counts[place]),
                "first_task": int(rows[first[place]]),
                "reason": f"Each needs {asks}. {reason}" if asks else reason,
            }
        )
    return tuple(found)


def _asked(world: World, demand: int, names: Names) -> str:
    amounts = [
        amount_words(name, int(amount) / 1000)
        for name, amount in zip(names.resources, world.demand[demand], strict=True)
        if amount
    ]
    return ", ".join(amounts)


def _unserved(world: World, demand: int) -> str:
    """Return why waiting tasks of a demand got no machine, by the machines as they are at the end."""
    asks = int(world.asks[demand])
    fits = ((world.machine["offers"] & asks) == asks) & (world.capacity >= world.demand[demand]).all(axis=1)
    out = fits & (world.machine["outage"] != 0)
    room = fits & ~out & (world.free >= world.demand[demand]).all(axis=1)
    if not fits.any():
        return "No machine is large enough and offers all of their constraints."
    if out.sum() == fits.sum():
        return f"All {int(out.sum()):,} machines that could run them are out of service."
    if room.any():
        return f"{int(room.sum()):,} machines have room, but the scheduler will not start them there."
    return "Tasks that never end hold all machines that could run them."
