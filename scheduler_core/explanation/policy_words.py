"""The words of a policy with the value that each has right now, for an editor."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from scheduler_core.engine.records import TASK_RUNNING, TASK_WAITING, World
from scheduler_core.experiment import Experiment
from scheduler_core.explanation.own_policy import advanced, require_policy
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.policy import WORDS
from scheduler_core.run.driver import Simulation
from scheduler_core.schedulers.own.params import RESERVED

_MACHINES, _PAIRS = ("machine", "rack"), "victim"
_MOST_VICTIMS = 10_000
_COLUMNS = ("source", "task_column", "job_column", "machine_column", "whole")


def policy_words(
    experiment: Experiment, t_s: float, *, limits: Limits = DEFAULT_LIMITS, **options: Any
) -> dict[str, Any]:
    """Return the value of every word of policies at `t_s` seconds, for the task that waits longest then.

    The result has `task`, `waits` (False where no task waits: the task is then the one that started last, or the first
    of all), `t_s`, and `words`: for each word the smallest and the largest value. They differ only for words of
    machines and racks, taken over all machines, and for words of running tasks. None stands for no value: no task runs,
    or the run has no data that lies on machines. Machines are as the task's scheduler sees them. Raises ExperimentError
    for an experiment under another scheduler.
    """
    require_policy(experiment)
    simulation = advanced(experiment, round(t_s * 1e9), limits, options)
    # The clock of a run stands at its last event; nothing happens between it and the instant.
    simulation.world.control["now_ns"] = max(simulation.now_ns, min(round(t_s * 1e9), simulation.stop_ns))
    task, waits = _task_of(simulation)
    told: dict[str, Any] = {"t_s": t_s, "task": task, "waits": waits, "words": {}}
    return told if task is None else {**told, "words": _values(simulation, task, limits, options)}


def _task_of(simulation: Simulation) -> tuple[int | None, bool]:
    """Return the waiting task whose job arrived first and True; else another task and False."""
    tasks = simulation.world.task
    waiting = np.flatnonzero(tasks["state"] == TASK_WAITING)
    if len(waiting):
        return int(waiting[0]), True
    return (int(tasks["last_start_ns"].argmax()) if len(tasks) else None), False


def _values(
    simulation: Simulation, task: int, limits: Limits, options: dict[str, Any]
) -> dict[str, tuple[float, float] | None]:
    from scheduler_core.schedulers.own.asking import word_range

    world = simulation.world
    state = simulation.state._replace(**_columns_of(simulation.experiment, limits, options))
    viewer = int(state.kind[state.entry[world.task[task].kind].kind].scheduler)
    first = np.zeros(1, np.int64)
    machines = np.arange(len(world.machine))
    running = np.flatnonzero(world.task["state"] == TASK_RUNNING)[:_MOST_VICTIMS].astype(np.int64)
    out = np.zeros(2)
    found: dict[str, tuple[float, float] | None] = {}
    counted = _counted(world, task)
    for word in WORDS:
        if word.text in counted:
            found[word.text] = counted[word.text]
            continue
        over = machines if word.of in _MACHINES else first
        victims = running if word.of == _PAIRS else np.array([task])
        word_range(world, state, word.number, viewer, task, over, victims, out)
        known = not math.isnan(out[0]) and (state.pace[0].placed == 1 or word.name != "has_data")
        found[word.text] = (float(out[0]), float(out[1])) if known else None
    return found


def _counted(world: World, task: int) -> dict[str, tuple[float, float]]:
    """Return the values of words for which a run keeps no account unless its policy reads them."""
    runs = world.task[(world.task["state"] == TASK_RUNNING) & (world.task["job"] == world.task["job"][task])]
    here = np.bincount(runs["machine"], minlength=len(world.machine))
    total = world.capacity.sum(axis=0)
    held = world.demand[runs["demand"]].sum(axis=0)
    share = float((held / np.maximum(total, 1))[total > 0].max(initial=0.0))
    return {"machine.same_job": (float(here.min()), float(here.max())), "job.dominant_share": (share, share)}


def _columns_of(experiment: Experiment, limits: Limits, options: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of all words that never change; a run has those alone that its policy reads."""
    params = {name: value for name, value in experiment.scheduler.params.items() if name in RESERVED}
    scheduler = experiment.scheduler.model_copy(update={"params": {**params, "policy": _reading_all()}})
    # The settings of the policy itself are no longer there to be changed.
    events = tuple(event for event in experiment.events if event.kind != "set")
    reading = experiment.model_copy(update={"scheduler": scheduler, "events": events})
    simulation = Simulation(reading, frames=0, limits=limits, **options)
    simulation.prepare()
    return {name: getattr(simulation.state, name) for name in _COLUMNS}


@functools.cache
def _reading_all() -> str:
    """Return a policy that reads every word that never changes. It is not run."""
    lines, here = [], [word.text for word in WORDS if word.fixed and word.of != _PAIRS]
    for number in range(0, len(here), 10):
        lines.append(f"part{number} = " + " + ".join(here[number : number + 10]))
    victims = " + ".join(word.text for word in WORDS if word.fixed and word.of == _PAIRS)
    score = " + ".join(f"part{number}" for number in range(0, len(here), 10))
    return "\n".join([*lines, f"score: {score}", f"preempt: {victims}"])
