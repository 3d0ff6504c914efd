"""Answer quickly while a person drags a control: simulate the beginning of the run and measure it."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.engine.records import histogram_edges_ns
from scheduler_core.experiment import Experiment, ResolveTrace, effective_queues
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.built import KeptBuilds
from scheduler_core.run.driver import OnSlice, Simulation
from scheduler_core.run.foretold import foretold
from scheduler_core.run.tables import TaskColumns

PREVIEW_TASKS = 20_000
#: Small slices: a newer question interrupts within milliseconds.
_SLICE_EVENTS = 10_000


def run_preview(
    experiment: Experiment,
    *,
    tasks: int = PREVIEW_TASKS,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
    builds: KeptBuilds | None = None,
    on_slice: OnSlice | None = None,
    on_begin: OnSlice | None = None,
) -> dict[str, Any]:
    """Simulate until `tasks` tasks are over (or all, if there are fewer) and return the measurements at that instant.

    The preview reduces nothing else. Machines, queues, scheduler and seed are the experiment's own, so the measurements
    equal those of the whole run at that instant. `reduced` says which part of the run they cover, None for all of it.
    `foretold` predicts the wait times of the whole run (run.foretold), None if the preview covers it. `hist` is as in
    key frames. `shares` are fractions of the resources in use over time. It calls `on_begin` before it builds anything
    or compiled. Raises ExperimentError, and every exception that `on_slice` raises.
    """
    simulation = Simulation(
        experiment, resolve_trace=resolve_trace, frames=0, limits=limits, slice_events=_SLICE_EVENTS, builds=builds
    )
    if on_begin is not None:
        on_begin(simulation)
    simulation.prepare()
    control = simulation.world.control
    total = len(simulation.world.task)
    control["tasks_wanted"] = np.minimum(control["tasks_wanted"], tasks)
    summary = simulation.finish(on_slice).summary
    bins = simulation.world.histogram
    shown = np.flatnonzero(bins)
    hist = {"edges": histogram_edges_ns().tolist(), "idx": shown.tolist(), "val": bins[shown].tolist()}
    whole = total <= tasks
    return {
        "t_ns": simulation.now_ns,
        "reduced": None if whole else _reduced(tasks, total, simulation.now_ns),
        "foretold": None if whole else foretold(experiment, simulation),
        "summary": summary,
        "hist": {"allocation_delay": hist},
        "shares": _shares(experiment, simulation),
        "notes": list(simulation.notes),
    }


def _reduced(tasks: int, total: int, now_ns: int) -> dict[str, Any]:
    says = (
        f"The first {now_ns / 1e9:.3g} s of the run, until {tasks:,} of its {total:,} tasks were over; "
        "same seed, machines, queues and scheduler"
    )
    return {"tasks": tasks, "of_tasks": total, "simulated_s": now_ns / 1e9, "says": says}


def _shares(experiment: Experiment, simulation: Simulation) -> list[dict[str, Any]]:
    """Return what each queue deserves and what it used: its tasks' dominant demands over their run time."""
    world = simulation.world
    tasks = TaskColumns(world)
    queues = effective_queues(experiment)
    ran_ns = np.where(tasks["end_ns"] >= 0, tasks["end_ns"], simulation.now_ns) - tasks["last_start_ns"]
    whole = np.maximum(world.capacity.sum(axis=0), 1)
    dominant = (world.demand / whole).max(axis=1)[world.task["demand"]]
    used = np.bincount(
        tasks["queue"], np.where(tasks["last_start_ns"] >= 0, ran_ns * dominant, 0.0), minlength=len(queues)
    )
    started = np.bincount(tasks["queue"][tasks["first_start_ns"] >= 0], minlength=len(queues))
    deserved = np.array([queue.share for queue in queues])
    return [
        {
            "queue": queue.name,
            "deserved": float(deserved[number] / deserved.sum()),
            "used": float(used[number] / used.sum()) if used.sum() > 0 else 0.0,
            "tasks_started": int(started[number]),
        }
        for number, queue in enumerate(queues)
    ]
