"""Which parameter of the scheduler helps a promise most? Each is changed alone, and compared under the same seeds."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, get_args, get_origin

from pydantic import Field

from scheduler_core.ask.answers import number_words
from scheduler_core.ask.points import Make, Point, Points, difference, lacking
from scheduler_core.ask.question import Asked, Question, Ran, Run
from scheduler_core.errors import ExperimentError, Problem, did_you_mean, listed
from scheduler_core.experiment.fields import Name, Part
from scheduler_core.experiment.places import PARAMS
from scheduler_core.schedulers import scheduler_by_name
from scheduler_core.studies.grid import ALIKE
from scheduler_core.studies.statistics import UNDECIDED

Change = tuple[str, Any]
"""A parameter's name and its value."""
NOW: Change = ("", None)
_NUMBER_FACTORS = (0.5, 2.0)
_OF_THE_WORLD = (ALIKE - {"short_cutoff_s", "long_partition_share"}) | {
    "charge", "cost_scale", "costs", "decision_s", "decision_time", "job_s", "manager_start_s", "profile",
    "rack_factor", "remote_factor", "service_job_s", "service_task_s", "slots", "solver", "solver_time", "speed",
    "task_s", "unsized_data",
}  # fmt: skip
_COST_ENDINGS = ("_us", "_ns")
_MOST_FARTHER = 4
_BEST = 3


class Options(Part):
    """Which parameters are tried."""

    only: Annotated[tuple[Name, ...], Field(max_length=100)] = ()
    """Names of the parameters to try. Absent: all that an operator sets, so neither costs of deciding nor the model of
    data and interference."""


def _names(asked: Asked) -> list[str]:
    fields = scheduler_by_name(asked.experiment.scheduler.name).params.model_fields
    for name in asked.options.only:
        if name not in fields:
            near = did_you_mean(name, fields)
            scheduler = asked.experiment.scheduler.name
            raise ExperimentError(
                [Problem("only", f"names '{name}', which {scheduler} does not have{near}", listed(fields))]
            )
    if asked.options.only:
        return list(asked.options.only)
    return [name for name in fields if name not in _OF_THE_WORLD and not name.endswith(_COST_ENDINGS)]


def _changes(asked: Asked) -> list[Change]:
    fields = scheduler_by_name(asked.experiment.scheduler.name).params.model_fields
    params = asked.experiment.scheduler.params
    return [(name, value) for name in _names(asked) for value in _others(fields[name].annotation, params.get(name))]


def _others(annotation: Any, value: Any) -> list[Any]:
    """Return other values of a parameter: the other choices, or half and double."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, str):
        return [one for one in _choices(annotation) if one != value][:4]
    if isinstance(value, int):
        return list(dict.fromkeys(one for one in (value // 2, value * 2 if value else 1) if one != value))
    return [value * factor for factor in _NUMBER_FACTORS] if isinstance(value, float) and value else []


def _choices(annotation: Any) -> Iterator[str]:
    for one in get_args(annotation):
        if isinstance(one, str):
            yield one
        elif get_origin(one) is not None:
            yield from _choices(one)


def _values(asked: Asked) -> int:
    return 3 + len(_changes(asked)) + _BEST * _MOST_FARTHER


def _maker(asked: Asked) -> Make:
    base = asked.experiment.to_dict()

    def make(change: Change, seed: int) -> dict[str, Any]:
        scheduler = base["scheduler"]
        if change != NOW:
            scheduler = scheduler | {"params": scheduler["params"] | {change[0]: change[1]}}
        return base | {"seed": seed, "scheduler": scheduler}

    return make


def _made(asked: Asked, found: Mapping[str, Any], tried: Mapping[str, Any]) -> dict[str, Any]:
    return _maker(asked)((tried["knob"], tried["value"]), asked.seeds[0])


def _steps(asked: Asked) -> Generator[Sequence[Run], Sequence[Ran], dict[str, Any]]:
    make = _maker(asked)
    points = Points(asked, make)
    now = yield from points.one(NOW)
    points.unplaced = tuple(lacking(one) for one in now.ran)
    yield from points.get(_changes(asked))
    yield from _farther(points, now)
    ranked = _ranked(points, now)
    best = ranked[0][0] if ranked else None
    fresh = None if best is None else (yield from _on_fresh_seeds(asked, make, best))
    helps = fresh is not None and fresh["verdict"] == ("more" if asked.promise.rising else "less")
    answer = {"knob": best[0], "path": PARAMS + best[0], "value": best[1]} if helps and best else None
    return {
        "answer": answer,
        "low": None if fresh is None or not helps else fresh["low"],
        "high": None if fresh is None or not helps else fresh["high"],
        "fails_at": None,
        "monotone": None,
        "now": _told(now, NOW, now),
        "confirmed": fresh,
        "tried": [_told(points.known[change], change, now) for change, _ in ranked]
        + [_told(point, change, now) for change, point in _without(points, ranked)],
        "sentence": _sentence(asked, points, best, now, helps, fresh),
    }


def _farther(points: Points, now: Point) -> Generator[Sequence[Run], Sequence[Ran], None]:
    """Go on in the direction of the best numbers, while it helps."""
    numbers = [(change, point) for change, point in _ranked(points, now) if _is_number(change[1])]
    names = list(dict.fromkeys(change[0] for change, _ in numbers))[:_BEST]
    for name in names:
        change, point = next((change, point) for change, point in numbers if change[0] == name)
        factor = 2.0 if _is_larger(points, change) else 0.5
        for _ in range(_MOST_FARTHER):
            value = change[1] * factor
            change = (name, int(value) if isinstance(change[1], int) else value)
            if change in points.known:
                break
            further = yield from points.one(change)
            if not _helps(points.asked, further, point):
                break
            point = further


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_larger(points: Points, change: Change) -> bool:
    own = points.asked.experiment.scheduler.params.get(change[0])
    return bool(change[1] > own) if own is not None else True


def _helps(asked: Asked, point: Point, other: Point) -> bool:
    if point.measured is None:
        return False
    return other.measured is None or asked.promise.better(point.measured, other.measured)


def _ranked(points: Points, now: Point) -> list[tuple[Change, Point]]:
    """Return the changes with a number, the most helpful first."""
    sign = -1.0 if points.asked.promise.rising else 1.0
    found = [
        (change, point)
        for change, point in points.known.items()
        if change != NOW and point.measured is not None and not point.lacks
    ]
    return sorted(found, key=lambda one: sign * (one[1].measured or 0.0))


def _without(points: Points, ranked: list[tuple[Change, Point]]) -> list[tuple[Change, Point]]:
    shown = {change for change, _ in ranked}
    return [(change, point) for change, point in points.known.items() if change != NOW and change not in shown]


def _on_fresh_seeds(asked: Asked, make: Any, best: Change) -> Generator[Sequence[Run], Sequence[Ran], Any]:
    """Compare the best change again under seeds that did not choose it: a winner among many is partly lucky."""
    first = asked.seeds[-1] + 1
    fresh = Points(replace(asked, seeds=tuple(range(first, first + len(asked.seeds)))), make)
    before, after = yield from fresh.get([NOW, best])
    found = difference(after, before)
    return None if found is None else found | {"seeds": list(fresh.asked.seeds)}


def _told(point: Point, change: Change, now: Point) -> dict[str, Any]:
    told = point.to_dict() | {"knob": change[0], "value": change[1]}
    return told | ({} if change == NOW else {"difference": difference(point, now)})


def _sentence(
    asked: Asked, points: Points, best: Change | None, now: Point, helps: bool, fresh: dict[str, Any] | None
) -> str:
    measure = asked.promise.measure
    if best is None:
        return "No parameter could be changed."
    point = points.known[best]
    if not helps:
        doubt = " on fresh seeds" if fresh is not None and fresh["verdict"] == UNDECIDED else ""
        return f"No single parameter helps distinguishably{doubt}: {measure} stays near {number_words(now.measured)}."
    kept = "keeps" if point.kept else "still breaks"
    return (
        f"{best[0]} = {best[1]} helps most: {measure} is {number_words(point.measured)} instead of "
        f"{number_words(now.measured)}, which {kept} the promise."
    )


QUESTION = Question(
    "knob",
    "Which parameter of the scheduler helps most?",
    "Find the parameter of the scheduler whose change helps a promise most.",
    Options,
    _values,
    _steps,
    _made,
)
