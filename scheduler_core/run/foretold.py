"""Turn a run that stopped early into a prediction of the whole run: ranges, growth, and reasons for gaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.engine.records import Ints, World
from scheduler_core.experiment import Experiment
from scheduler_core.run.driver import Simulation
from scheduler_core.run.foresight import PERCENTS, Foreseen, Growth, Seen, foresee

#: From twice as many tasks on, the estimate thins out tasks, and slots with them where many exist.
_MOST_TASKS, _FEWEST_SLOTS = 60_000, 50
#: With more kinds of demands, the estimate does not pack machine by machine.
_MOST_KINDS = 1_000
REASONS = {
    "few": "too few tasks have started so far",
    "filling": "the machines are still filling up",
    "uneven": "some tasks are passed over, and their waits are not known yet",
    "wide": "the waits still change too much",
    "stages": "tasks of this workload wait for other tasks",
    "constraints": "constraints keep tasks from some of the machines",
    "events": "planned events change the rest of the run",
    "stop": "the experiment ends before its workload does",
}
"""Why a range cannot be told, by the reason's name."""


def foretold(experiment: Experiment, simulation: Simulation) -> dict[str, Any]:
    """Predict the wait times of the whole run (contract.PreviewForetold) from a run that stopped early."""
    reason = _unlike(experiment, simulation)
    seen = None if reason else _seen_of(simulation.world, simulation.now_ns)
    if seen is None:
        return _told(Foreseen(dict.fromkeys(PERCENTS)), reason or "few")
    found = foresee(seen)
    return _told(found, found.reason)


def growth_at_least(simulation: Simulation) -> float | None:
    """Return the least growth of the waiting work, in seconds of all machines per minute, under any scheduler.

    The growth is the work that arrives beyond what the machines can do, so it needs no kernel. The result is None at a
    load below 1, and if machines and workload are not built yet.
    """
    world = getattr(simulation, "world", None)
    seen = None if world is None else _seen_of(world, 0)
    return 60 * (seen.load - 1) if seen is not None and 1 < seen.load < np.inf else None


def _unlike(experiment: Experiment, simulation: Simulation) -> str | None:
    """Return the first feature that the queue model does not cover; None if it covers all."""
    if simulation.stages is not None:
        return "stages"
    if experiment.constraints is not None and bool(simulation.world.asks[:-1].any()):
        return "constraints"
    if any(event.kind != "burst" for event in experiment.events):
        return "events"
    return "stop" if experiment.stop.when != "drained" else None


def _seen_of(world: World, now_ns: int) -> Seen | None:
    """Return the known facts from the world, without tasks that no machine can hold."""
    slots_of = _slots_of(world)
    kind = np.ascontiguousarray(world.task["demand"])
    fits = slots_of[kind] > 0
    if not fits.any():
        return None
    kind, duration = kind[fits], world.task["duration_ns"][fits] / 1e9
    shares = duration / slots_of[kind]
    slots = max(round(float(duration.sum() / shares.sum())), 1) if shares.sum() > 0 else int(slots_of[kind].mean())
    start = world.task["first_start_ns"][fits]
    every = max(1, min(len(kind) // _MOST_TASKS, slots // _FEWEST_SLOTS))
    return Seen(
        arrival=(world.job["arrival_ns"][world.task["job"][fits]] / 1e9)[::every],
        duration=(shares * slots)[::every],
        started=np.where(start >= 0, start / 1e9, np.nan)[::every],
        slots=slots // every,
        now=now_ns / 1e9,
    )


def _slots_of(world: World) -> Ints:
    """Return how many tasks of each class of demand the machines hold at once."""
    kinds = len(world.demand) - 1
    if kinds > _MOST_KINDS:
        whole = world.capacity.sum(axis=0)
        rough: Ints = (whole / np.maximum(world.demand[:-1], 1e-9)).min(axis=1).astype(np.int64)
        return rough
    shapes, machines = np.unique(world.capacity, axis=0, return_counts=True)
    found = np.zeros(kinds, np.int64)
    for kind in range(kinds):
        wanted = world.demand[kind] > 0
        room = (shapes[:, wanted] // world.demand[kind][wanted]).min(axis=1)
        found[kind] = int(room @ machines)
    return found


def _told(found: Foreseen, reason: str | None) -> dict[str, Any]:
    ranges = {name: None if one is None else {"low_s": one[0], "high_s": one[1]} for name, one in found.ranges.items()}
    return {
        "allocation_delay": ranges,
        "growth": None if found.growth is None else _growth(found.growth),
        "reason": reason,
        "says": "" if reason is None else f"Cannot tell: {REASONS[reason]}.",
    }


def _growth(growth: Growth) -> dict[str, Any]:
    rate = None if growth.rate is None else {"low_s": 60 * growth.rate[0], "high_s": 60 * growth.rate[1]}
    return {"of": growth.of, "cause": growth.cause, "in_a_minute": rate}
