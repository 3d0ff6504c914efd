"""Where does this scheduler lose? The work changes step by step toward what another scheduler does better."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

from scheduler_core.ask.answers import number_words
from scheduler_core.ask.load import arrives_at_once, with_load
from scheduler_core.ask.points import Point, Points, difference, lacking
from scheduler_core.ask.question import Asked, Question, Ran, Run
from scheduler_core.errors import ExperimentError, Problem, did_you_mean, listed
from scheduler_core.experiment.fields import Name, Part
from scheduler_core.experiment.places import with_changes
from scheduler_core.schedulers import SCHEDULERS, scheduler_by_name
from scheduler_core.studies.grid import ALIKE

Work = tuple[tuple[str, float], ...]
"""The changed numbers of the work by their paths, in order."""
Tried = tuple[bool, Work]
"""Whether the other scheduler runs, and the work."""

LOAD = "load"
_LOADS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95)
_SHARES = (0.0, 0.25, 0.5, 1.0)
_SHARE = "constraints.task_share"
_SIZES = ("tasks_per_job", "duration_s")
_NOT_A_SIZE = frozenset({"min", "max"})
_FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)
_ROUNDS = 4
_FLOOR = 0.01
"""The part of today's number that is added to both, so that a loss from nothing to next to nothing is none."""


class Options(Part):
    """With which scheduler the experiment's own is compared."""

    against: Name = "fifo"
    """The other scheduler, with its default parameters and what means the same under both."""


def _against(asked: Asked) -> dict[str, Any]:
    """Return the other scheduler as an experiment names it. Raises ExperimentError."""
    own, name = asked.experiment.scheduler, asked.options.against
    names = [spec.name for spec in SCHEDULERS]
    if name not in names or name == own.name:
        what = "is the experiment's own scheduler" if name == own.name else f"is not known{did_you_mean(name, names)}"
        raise ExperimentError([Problem("against", what, listed([one for one in names if one != own.name]))])
    known = scheduler_by_name(name).params.model_fields
    return {"name": name, "params": {key: own.params[key] for key in ALIKE if key in own.params and key in known}}


def _axes(data: dict[str, Any]) -> dict[str, list[float]]:
    """Return what may change about the work, by path: the values in order, with its own value among them."""
    found: dict[str, list[float]] = {}
    workload, constraints = data["workload"], data["constraints"]
    if not arrives_at_once(workload):
        found[LOAD] = list(_LOADS)
    if workload["kind"] == "synthetic":
        for path, value in _sizes(workload):
            found[path] = [value * factor for factor in _FACTORS]
    if constraints is not None and constraints.get("task_share") is not None:
        found[_SHARE] = list(dict.fromkeys(sorted({*_SHARES, constraints["task_share"]})))
    return found


def _sizes(workload: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Return the numbers of the distributions of tasks and durations, of the whole work or of its classes."""
    classes = workload.get("classes") or []
    parts = [("workload", workload), *((f"workload.classes[{at}]", one) for at, one in enumerate(classes))]
    for place, part in parts:
        for name in _SIZES:
            for key, value in (part.get(name) or {}).items():
                if key not in _NOT_A_SIZE and isinstance(value, int | float) and not isinstance(value, bool) and value:
                    yield f"{place}.{name}.{key}", float(value)


def _own(path: str, values: list[float], data: dict[str, Any]) -> float:
    """Return the experiment's own value of an axis; a load of 0.7 where it does not state one."""
    if path == LOAD:
        workload = data["workload"]
        return float(workload.get("offered_load") or workload.get("arrivals", {}).get("offered_load") or 0.7)
    return float(data["constraints"]["task_share"]) if path == _SHARE else values[_FACTORS.index(1.0)]


def _nearest(values: list[float], value: float) -> int:
    return min(range(len(values)), key=lambda at: abs(values[at] - value))


def _changed(data: dict[str, Any], work: Work) -> dict[str, Any]:
    changes = dict(work)
    load = changes.pop(LOAD, None)
    changed = with_changes(data, changes)
    return changed if load is None else changed | {"workload": with_load(changed["workload"], load)}


def _values(asked: Asked) -> int:
    _against(asked)
    return 2 + 2 * (1 + 2 * len(_axes(asked.experiment.to_dict())) * _ROUNDS)


def _steps(asked: Asked) -> Generator[Sequence[Run], Sequence[Ran], dict[str, Any]]:
    base, other = asked.experiment.to_dict(), _against(asked)

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
    worst = yield from _worst(asked, points, floor, base)
    fresh = yield from _on_fresh_seeds(asked, make, worst)
    loses = fresh is not None and fresh["verdict"] == _worse(asked.promise.rising)
    return {
        "answer": {**dict(worst)} if loses else None,
        "against": other["name"],
        "low": fresh["low"] if loses and fresh else None,
        "high": fresh["high"] if loses and fresh else None,
        "fails_at": None,
        "monotone": None,
        "now": _told(points, (), floor),
        "confirmed": fresh,
        "tried": _ranked(points, floor),
        "sentence": _sentence(asked, points, worst, other["name"], loses),
    }


def _worst(
    asked: Asked, points: Points, floor: float, data: dict[str, Any]
) -> Generator[Sequence[Run], Sequence[Ran], Work]:
    """Go from the experiment's own work to the neighbor on which the scheduler loses most, while it loses more."""
    axes = _axes(data)
    own = {path: _own(path, values, data) for path, values in axes.items()}
    place = {path: _nearest(values, own[path]) for path, values in axes.items()}
    worst: Work = ()
    for _ in range(_ROUNDS):
        steps = {
            _work(worst, path, axes[path][place[path] + step], own[path]): (path, step)
            for path in axes
            for step in (-1, 1)
            if 0 <= place[path] + step < len(axes[path])
        }
        yield from points.get([(against, work) for work in steps for against in (False, True)])
        best = max(steps, key=lambda work: _loss(points, work, floor), default=worst)
        if _loss(points, best, floor) <= _loss(points, worst, floor):
            break
        path, step = steps[best]
        place[path] += step
        worst = best
    return worst


def _work(work: Work, which: str, value: float, own: float) -> Work:
    """Return a work with another value of one axis; the experiment's own value is no change."""
    changed = {**dict(work), which: value}
    return tuple(sorted((path, value) for path, value in changed.items() if path != which or value != own))


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


def _told(points: Points, work: Work, floor: float) -> dict[str, Any]:
    own, other = (points.known[(against, work)] for against in (False, True))
    told = own.to_dict() | {"value": _words(work), "work": dict(work)}
    return told | {"against": other.measured, "times": _loss(points, work, floor), "difference": difference(own, other)}


def _ranked(points: Points, floor: float) -> list[dict[str, Any]]:
    works = dict.fromkeys(work for _, work in points.known)
    found = [_told(points, work, floor) for work in works]
    return sorted(found, key=lambda one: -float(one["times"]))


def _words(work: Work) -> str:
    return ", ".join(f"{path.removeprefix('workload.')} {value:g}" for path, value in work) or "as it is"


def _sentence(asked: Asked, points: Points, worst: Work, name: str, loses: bool) -> str:
    own, other = (points.known[(against, worst)] for against in (False, True))
    measure = asked.promise.measure
    if not loses:
        return f"On no work that was tried does {asked.experiment.scheduler.name} lose to {name} beyond chance."
    return f"It loses most to {name} with {_words(worst)}: {measure} is {_number(own)}, under {name} {_number(other)}."


def _number(point: Point) -> str:
    return number_words(point.measured)


QUESTION = Question(
    "lose",
    "Where does this scheduler lose?",
    "Find the work on which the scheduler loses most against another one: loads, sizes of jobs and tasks, constraints.",
    Options,
    _values,
    _steps,
)
