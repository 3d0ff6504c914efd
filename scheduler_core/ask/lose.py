"""Where does this scheduler lose? The work changes step by step toward what another scheduler does better."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scheduler_core.ask.answers import number_words
from scheduler_core.ask.load import arrives_at_once, with_load
from scheduler_core.ask.points import Points, difference, lacking
from scheduler_core.ask.question import Asked, Question, Ran, Run
from scheduler_core.errors import ExperimentError, Problem, did_you_mean, listed
from scheduler_core.experiment.fields import Name, Part
from scheduler_core.experiment.places import with_changes
from scheduler_core.schedulers import SCHEDULERS
from scheduler_core.studies.grid import taken_over

Work = tuple[tuple[str, float], ...]
"""The changed numbers of the work by their paths, in order."""
Tried = tuple[bool, Work]
"""Whether the other scheduler runs, and the work."""

LOAD = "load"
_LOADS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95)
_SHARES = (0.0, 0.25, 0.5, 1.0)
_SHARE = "constraints.task_share"
_SIZES = {"tasks_per_job": "tasks per job", "duration_s": "task duration"}
_ENDS = frozenset({"min", "max"})
_OF_SIZES = frozenset({"value", "mean", "median"})
_FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)
_ROUNDS = 4
_FLOOR = 0.01
"""The part of today's larger number that is added to both, so that a loss from nothing to next to nothing is none."""


@dataclass(frozen=True)
class Axis:
    """One thing about the work that may change: its name, its own value, the values to try in order, and their unit."""

    name: str
    own: float
    values: tuple[float, ...]
    unit: str = ""

    @property
    def place(self) -> int:
        """The place of the value that is nearest to its own."""
        return min(range(len(self.values)), key=lambda at: abs(self.values[at] - self.own))


class Options(Part):
    """With which scheduler the experiment's own is compared."""

    against: Name = "fifo"
    """The other scheduler, with its default parameters and what means the same under both."""


def _against(asked: Asked) -> dict[str, Any]:
    """Return the other scheduler as an experiment names it. Raises ExperimentError."""
    own, name = asked.experiment.scheduler, asked.options.against
    names = [spec.name for spec in SCHEDULERS if not spec.anywhere]
    if name not in names or name == own.name:
        what = "is the experiment's own scheduler" if name == own.name else f"is not known{did_you_mean(name, names)}"
        raise ExperimentError([Problem("against", what, listed([one for one in names if one != own.name]))])
    return {"name": name, "params": taken_over(own.params, name)}


def axes_of(data: dict[str, Any]) -> dict[str, Axis]:
    """Return what may change about the work of an experiment's JSON, by path."""
    found: dict[str, Axis] = {}
    workload, constraints = data["workload"], data["constraints"]
    if not arrives_at_once(workload):
        stated = workload.get("offered_load") or workload.get("arrivals", {}).get("offered_load")
        found[LOAD] = Axis(LOAD, float(stated or 0.7), _LOADS)
    if workload["kind"] == "synthetic":
        found |= _sizes(workload)
    if constraints is not None and constraints.get("task_share") is not None:
        own = float(constraints["task_share"])
        found[_SHARE] = Axis("share of tasks with constraints", own, tuple(sorted({*_SHARES, own})))
    return found


def _sizes(workload: dict[str, Any]) -> dict[str, Axis]:
    """Return the numbers of the distributions of tasks and durations, of the whole work and of its classes."""
    classes = enumerate(workload.get("classes") or [])
    parts = [("workload", "", workload)]
    parts += [(f"workload.classes[{at}]", f"{one.get('name') or at}: ", one) for at, one in classes]
    found: dict[str, Axis] = {}
    for place, of, part in parts:
        for field, words in _SIZES.items():
            for key, own in (part.get(field) or {}).items():
                if key in _ENDS or isinstance(own, bool) or not isinstance(own, int | float) or own <= 0:
                    continue
                sized = key in _OF_SIZES
                whole, unit = field == "tasks_per_job" and sized, " s" if field == "duration_s" and sized else ""
                values = tuple(own * factor for factor in _FACTORS if not whole or own * factor >= 1)  # no half task
                name = f"{of}{words}" if key == "value" else f"{of}{words} ({key})"
                found[f"{place}.{field}.{key}"] = Axis(name, float(own), values or (float(own),), unit)
    return found


def _changed(data: dict[str, Any], work: Work) -> dict[str, Any]:
    changes = dict(work)
    load = changes.pop(LOAD, None)
    changed = with_changes(data, changes)
    return changed if load is None else changed | {"workload": with_load(changed["workload"], load)}


def _values(asked: Asked) -> int:
    _against(asked)
    return 2 + 2 * (1 + 2 * len(axes_of(asked.experiment.to_dict())) * _ROUNDS)


def _made(asked: Asked, found: Mapping[str, Any], tried: Mapping[str, Any]) -> dict[str, Any]:
    work = tuple(sorted(tried["work"].items()))
    return _changed(asked.experiment.to_dict(), work) | {"seed": asked.seeds[0]}


def _steps(asked: Asked) -> Generator[Sequence[Run], Sequence[Ran], dict[str, Any]]:
    base, other = asked.experiment.to_dict(), _against(asked)
    axes = axes_of(base)

    def make(tried: Tried, seed: int) -> dict[str, Any]:
        against, work = tried
        scheduler = other if against else base["scheduler"]
        return _changed(base, work) | {"seed": seed, "scheduler": scheduler}

    points = Points(asked, make)
    now = yield from points.get([(False, ()), (True, ())])
    points.unplaced = tuple(lacking(one) for one in now[0].ran)
    if now[1].ran[0].problems:
        raise ExperimentError(now[1].ran[0].problems)
    floor = _FLOOR * max(now[0].measured or 0.0, now[1].measured or 0.0)
    worst = yield from _worst(points, floor, axes)
    fresh = yield from _on_fresh_seeds(asked, make, worst)
    loses = fresh is not None and fresh["verdict"] == _worse(asked.promise.rising)
    return {
        "answer": dict(worst) if loses else None,
        "against": other["name"],
        "low": fresh["low"] if loses and fresh else None,
        "high": fresh["high"] if loses and fresh else None,
        "fails_at": None,
        "monotone": None,
        "now": _told(points, (), floor, axes),
        "confirmed": fresh,
        "tried": _ranked(points, floor, axes),
        "sentence": _sentence(asked, points, _words(worst, axes), worst, loses),
    }


def _worst(points: Points, floor: float, axes: dict[str, Axis]) -> Generator[Sequence[Run], Sequence[Ran], Work]:
    """Go from the experiment's own work to the neighbor on which the scheduler loses most, while it loses more."""
    place = {path: axis.place for path, axis in axes.items()}
    worst: Work = ()
    for _ in range(_ROUNDS):
        steps = {
            _work(worst, path, axis.values[place[path] + step], axis.own): (path, step)
            for path, axis in axes.items()
            for step in (-1, 1)
            if 0 <= place[path] + step < len(axis.values)
        }
        yield from points.get([(against, work) for work in steps for against in (False, True)])
        best = max(steps, key=lambda work: _loss(points, work, floor), default=worst)
        if _loss(points, best, floor) <= _loss(points, worst, floor):
            break
        path, step = steps[best]
        place[path] += step
        worst = best
    return worst


def _work(work: Work, path: str, value: float, own: float) -> Work:
    """Return a work with another value of one axis; the experiment's own value is no change."""
    others = {other: told for other, told in work if other != path}
    return tuple(sorted((others if value == own else others | {path: value}).items()))


def _loss(points: Points, work: Work, floor: float) -> float:
    """Return how many times worse the scheduler is than the other one; 0 where either has no number.

    Where the seeds cannot tell the two apart it is at most 1, so that chance leads the search nowhere.
    """
    own, other = (points.known[(against, work)] for against in (False, True))
    found = difference(own, other)
    if found is None:
        return 0.0
    rising = points.asked.promise.rising
    worse, better = (other, own) if rising else (own, other)
    below = (better.measured or 0.0) + floor
    times = ((worse.measured or 0.0) + floor) / below if below > 0 else 1.0
    return times if found["verdict"] == _worse(rising) else min(times, 1.0)


def _worse(rising: bool) -> str:
    """Return the verdict of a difference, this scheduler minus the other one, under which this one is worse."""
    return "less" if rising else "more"


def _on_fresh_seeds(asked: Asked, make: Any, work: Work) -> Generator[Sequence[Run], Sequence[Ran], Any]:
    """Compare both schedulers again under seeds that did not choose the work: the worst of many is partly chance."""
    first = asked.seeds[-1] + 1
    fresh = Points(replace(asked, seeds=tuple(range(first, first + len(asked.seeds)))), make)
    own, other = yield from fresh.get([(False, work), (True, work)])
    found = difference(own, other)
    return None if found is None else found | {"seeds": list(fresh.asked.seeds)}


def _told(points: Points, work: Work, floor: float, axes: dict[str, Axis]) -> dict[str, Any]:
    own, other = (points.known[(against, work)] for against in (False, True))
    told = own.to_dict() | {"value": _words(work, axes), "work": dict(work), "against": other.measured}
    return told | {"times": _loss(points, work, floor), "difference": difference(own, other)}


def _ranked(points: Points, floor: float, axes: dict[str, Axis]) -> list[dict[str, Any]]:
    works = dict.fromkeys(work for _, work in points.known)
    found = [_told(points, work, floor, axes) for work in works]
    return sorted(found, key=lambda one: -float(one["times"]))


def _words(work: Work, axes: dict[str, Axis]) -> str:
    return ", ".join(f"{axes[path].name} {value:g}{axes[path].unit}" for path, value in work) or "as it is"


def _sentence(asked: Asked, points: Points, words: str, worst: Work, loses: bool) -> str:
    name, measure = asked.options.against, asked.promise.measure
    if not loses:
        return f"On no work that was tried does {asked.experiment.scheduler.name} lose to {name} beyond chance."
    own, other = (number_words(points.known[(against, worst)].measured) for against in (False, True))
    return f"It loses most to {name} with {words}: {measure} is {own}, under {name} {other}."


QUESTION = Question(
    "lose",
    "Where does this scheduler lose?",
    "Find the work on which the scheduler loses most against another one: loads, sizes of jobs and tasks, constraints.",
    Options,
    _values,
    _steps,
    _made,
)
