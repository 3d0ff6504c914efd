"""Why there? What a user's own policy makes of every machine for one task: each term of the score, each refusal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from scheduler_core.engine.records import NEVER, TASK_WAITING
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment
from scheduler_core.explanation.sentences import sentences
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.run.driver import Simulation
from scheduler_core.run.telling import amount_words
from scheduler_core.schedulers import SCHEDULERS, scheduler_by_name

_MOST_CANDIDATES = 50


_CHOICES = ("chosen", "first_fit", "made_room", "by_fallback", "sent")
"""Reasons of decisions that give a task a machine."""


def policy_view(
    experiment: Experiment,
    t_s: float,
    task: int | None = None,
    *,
    most: int = _MOST_CANDIDATES,
    limits: Limits = DEFAULT_LIMITS,
    **options: Any,
) -> dict[str, Any]:
    """Return what the policy of an experiment makes of the machines for a task at `t_s` seconds.

    Without `task`: for the task that waits longest then, None if none waits. The result has `task`, `words` (each word
    that the policy reads with its value there), `candidates` (the best `most` machines in order, with the score and
    every term of it, None for undefined) and `turned_away` (for each kind of machine how many are out of service, lack
    a constraint that the task asks for, have no room, are refused by the filter, and may be used). Raises
    ExperimentError for an experiment under another scheduler.
    """
    require_policy(experiment)
    simulation = advanced(experiment, round(t_s * 1e9), limits, options)
    chosen = _longest_waiting(simulation) if task is None else task
    return _view(simulation, chosen, t_s, most)


def policy_decision(
    experiment: Experiment,
    task: int,
    at_s: float | None = None,
    *,
    most: int = _MOST_CANDIDATES,
    limits: Limits = DEFAULT_LIMITS,
    **options: Any,
) -> dict[str, Any]:
    """Return what the policy made of the machines when it last gave `task` a machine, up to `at_s` seconds.

    The machines are as the deciding scheduler saw them before the event in which the task got one: all of them, also
    where it asked a sample alone. The result is that of `policy_view` with `machine`, the number of the one that the
    task got, `reason`, the name of that decision, `earlier`, how many other tasks got a machine earlier in the same
    event, and `news`, the view of the machines (truth, stale or sample). For a task that had no machine yet, `machine`
    and `reason` are None, and the machines are those of `at_s`, or of the end of the run. Raises ExperimentError for an
    experiment under another scheduler, and for a task that the run does not have.
    """
    require_policy(experiment)
    until_ns = NEVER - 1 if at_s is None else round(at_s * 1e9)
    watched = advanced(experiment, until_ns, limits, options | {"watch_task": task})
    choices, news = _choices(watched, task), experiment.scheduler.params.get("news", "truth")
    if not choices:
        at = watched.now_ns / 1e9 if at_s is None else at_s
        return {**_view(watched, task, at, most), "machine": None, "reason": None, "earlier": 0, "news": news}
    choice = choices[-1]
    before_ns = round(choice["t_s"] * 1e9) - 1
    ahead = advanced(experiment, before_ns, limits, options | {"watch_task": task})
    steps = 0
    while len(_choices(ahead, task)) < len(choices) and ahead.step():
        steps += 1
    # The event that placed the task is known only once it is over: another run stops before it.
    before = advanced(experiment, before_ns, limits, options)
    for _ in range(steps - 1):
        before.step()
    view = _view(before, task, choice["t_s"], most)
    found = {"machine": choice["machine"], "reason": choice["reason"], "earlier": _earlier(before, task)}
    return {**view, **found, "news": news}


def _earlier(simulation: Simulation, task: int) -> int:
    """Return how many other tasks get a machine in the next event before `task` does."""
    simulation.take_decisions()
    simulation.step()
    codes = [one.code for one in simulation.spec.reasons if one.name in _CHOICES]
    rows = simulation.take_decisions()
    given = rows["task"][np.isin(rows["reason"], codes)].tolist()
    return given.index(task) if task in given else len(given)


def _choices(simulation: Simulation, task: int) -> list[dict[str, Any]]:
    """Return the decisions so far that gave a watched task a machine."""
    return [one for one in sentences(simulation, task) if one["reason"] in _CHOICES]


def require_policy(experiment: Experiment) -> None:
    """Raise ExperimentError unless the experiment's scheduler has a policy of a user."""
    if not scheduler_by_name(experiment.scheduler.name).has_policy:
        having = ", ".join(one.name for one in SCHEDULERS if one.has_policy)
        problem = Problem("scheduler.name", f"is {experiment.scheduler.name}, which has no policy", having)
        raise ExperimentError([problem])


def advanced(experiment: Experiment, until_ns: int, limits: Limits, options: dict[str, Any]) -> Simulation:
    """Return the run of an experiment up to an instant."""
    simulation = Simulation(experiment, frames=0, limits=limits, **options)
    simulation.prepare()
    simulation.advance_to(min(until_ns, simulation.stop_ns))
    return simulation


def _view(simulation: Simulation, task: int | None, t_s: float | None, most: int) -> dict[str, Any]:
    empty: dict[str, Any] = {"task": task, "t_s": t_s, "words": [], "candidates": [], "turned_away": []}
    return empty if task is None else {**empty, **_judged(simulation, task, most)}


def _longest_waiting(simulation: Simulation) -> int | None:
    """Return the waiting task whose job arrived first; None if no task waits."""
    waiting = np.flatnonzero(simulation.world.task["state"] == TASK_WAITING)
    return int(waiting[0]) if len(waiting) else None


def _judged(simulation: Simulation, task: int, most: int) -> dict[str, Any]:
    from scheduler_core.schedulers.own.asking import USABLE, VERDICTS, judge, word_value
    from scheduler_core.schedulers.own.params import policy_of

    world, state = simulation.world, simulation.state
    policy = policy_of(simulation.experiment.scheduler.params)
    score = policy.hooks.get("score")
    viewer = int(state.kind[state.entry[world.task[task].kind].kind].scheduler)
    verdicts, found = np.zeros(len(world.machine), np.int64), []
    for machine in range(len(world.machine)):
        verdicts[machine] = judge(world, state, viewer, task, machine)
        if verdicts[machine] == USABLE:
            value = float(state.register[score.result]) if score else 0.0
            terms = [
                {"text": text, "value": _plain(sign * float(state.register[row]))} for text, sign, row in policy.terms
            ]
            found.append((value, machine, terms))
    found.sort(key=lambda one: (math.isnan(one[0]), -one[0], int(world.machine["running"][one[1]]), one[1]))
    best = found[0][1] if found else 0
    words = [
        {"word": word.text, "unit": word.unit, "value": _plain(word_value(world, state, word.number, task, best))}
        for word in policy.words
        if word.of != "victim"
    ]
    return {
        "words": words,
        "candidates": [
            {"machine": machine, "score": _plain(value), "terms": terms} for value, machine, terms in found[:most]
        ],
        "turned_away": _by_kind(simulation, verdicts, VERDICTS),
    }


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value


def _by_kind(simulation: Simulation, verdicts: Any, names: dict[str, int]) -> list[dict[str, Any]]:
    """Count the machines of each kind by what becomes of them; machines of one size are one kind."""
    sizes, kind = np.unique(simulation.world.capacity, axis=0, return_inverse=True)
    return [
        {
            "kind": ", ".join(
                amount_words(name, size[r] / 1000) for r, name in enumerate(simulation.cluster.names) if size[r]
            ),
            "machines": int((kind.ravel() == number).sum()),
            **{name: int((verdicts[kind.ravel() == number] == code).sum()) for name, code in names.items()},
        }
        for number, size in enumerate(sizes)
    ]
