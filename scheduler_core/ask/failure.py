"""When does a failure hurt a promise most? The worst instant is searched: a grid first, then finer around the worst."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import model_validator

from scheduler_core.ask.answers import number_words
from scheduler_core.ask.checks import refuse_event
from scheduler_core.ask.points import Make, Point, Points, difference, lacking
from scheduler_core.ask.question import Asked, Question, Ran, Run
from scheduler_core.cluster.build import build_cluster
from scheduler_core.experiment.fields import Index, Name, Part, PositiveSeconds, refuse, whole
from scheduler_core.studies.statistics import UNDECIDED

_COARSE = 24
_WORST = 3
_FINEST_S = 60.0
_ROUNDS = 6
_TARGETS = ("machine", "rack", "cluster", "local_master", "global_master")


class Options(Part):
    """What fails, and for how long. Absent: the busiest rack, for 10 minutes."""

    machine: Index | None = None
    """Number of the machine that fails."""
    rack: Index | None = None
    """Number of the rack that fails."""
    cluster: Name | None = None
    """Name of the cluster that fails."""
    local_master: Name | None = None
    """Name of the cluster whose Local Master fails."""
    global_master: Index | None = None
    """Number of the Global Master that fails."""
    duration: PositiveSeconds = 600.0
    """Seconds until it is back."""
    instants: Annotated[int, whole(1_000, 3)] = _COARSE
    """How many instants the first grid has."""

    @model_validator(mode="after")
    def _one_target(self) -> Options:
        given = [name for name in _TARGETS if getattr(self, name) is not None]
        if len(given) > 1:
            raise refuse(f"names {len(given)} targets", f"one of {', '.join(_TARGETS)}")
        return self


def _target(asked: Asked) -> dict[str, Any] | None:
    """Return the target that the options name; None for the busiest rack."""
    named = {name: getattr(asked.options, name) for name in _TARGETS}
    return next(({name: value} for name, value in named.items() if value is not None), None)


def _event(asked: Asked, at_s: float, target: dict[str, Any]) -> dict[str, Any]:
    return {"at_s": at_s, "kind": "fail", "target": target, "duration_s": asked.options.duration}


def _values(asked: Asked) -> int:
    refuse_event(asked, _event(asked, 0.0, _target(asked) or {"rack": 0}))
    return int(1 + asked.options.instants + 2 * _WORST * _ROUNDS)


def _busiest_rack(asked: Asked, now: Point) -> int:
    """Return the rack whose machines ran tasks for the longest time, over all seeds."""
    rack_of = build_cluster(asked.experiment, limits=asked.limits).rack_of
    busy = np.zeros(int(rack_of.max()) + 1)
    for one in now.ran:
        placed = one.machines >= 0
        busy += np.bincount(rack_of[one.machines[placed]], one.ran_ns[placed], len(busy))
    return int(busy.argmax())


def _span_s(now: Point) -> float:
    return max((one.numbers.get("makespan_s") or 0.0) for one in now.ran)


def _maker(asked: Asked, target: dict[str, Any]) -> Make:
    base = asked.experiment.to_dict()

    def make(at_s: float, seed: int) -> dict[str, Any]:
        events = base["events"] if at_s < 0 else [*base["events"], _event(asked, at_s, target)]
        return base | {"seed": seed, "events": events}

    return make


def _made(asked: Asked, found: Mapping[str, Any], tried: Mapping[str, Any]) -> dict[str, Any]:
    return _maker(asked, found["target"])(tried["value"], asked.seeds[0])


def _steps(asked: Asked) -> Generator[Sequence[Run], Sequence[Ran], dict[str, Any]]:
    target = _target(asked)
    chosen: dict[str, Any] = {} if target is None else dict(target)
    points = Points(asked, _maker(asked, chosen))
    now = yield from points.one(-1.0, placements=target is None)
    points.unplaced = tuple(lacking(one) for one in now.ran)
    if target is None:
        chosen["rack"] = _busiest_rack(asked, now)
    finest = yield from _searched(points, _span_s(now), asked.options.instants)
    del points.known[-1.0]
    times = sorted(points.known)
    worst = times[int(np.argmax([_badness(asked, points.known[at]) for at in times]))]
    low, high = _equally_bad(points, times, worst)
    found = points.known[worst]
    return {
        "answer": worst,
        "low": low,
        "high": high,
        "fails_at": next((at for at in times if not points.known[at].kept), None),
        "monotone": None,
        "keeps": found.kept,
        "target": chosen,
        "duration_s": asked.options.duration,
        "resolution_s": finest,
        "now": now.to_dict() | {"value": None},
        "tried": points.tried(),
        "sentence": _sentence(asked, chosen, worst, found, now),
    }


def _searched(points: Points, span_s: float, instants: int) -> Generator[Sequence[Run], Sequence[Ran], float]:
    """Try a grid of instants, then halve its step around the worst ones; return the last step in seconds."""
    unit = _FINEST_S if span_s > 20 * _FINEST_S else max(span_s, 1e-6) / 128
    wide = max(1, round(span_s / unit / instants))  # whole units, so that instants of different steps coincide

    def at_s(units: int) -> float:
        return round(units * unit, 6)

    yield from points.get(at_s(number * wide) for number in range(instants) if number * wide * unit <= span_s)
    known = {at_s(units): units for units in range(int(span_s / unit) + 1)}
    while wide > 1:
        wide = (wide + 1) // 2
        tried = [at for at in points.known if at >= 0]
        worst = sorted(tried, key=lambda at: (-_badness(points.asked, points.known[at]), at))[:_WORST]
        near = {known[at] + side * wide for at in worst for side in (-1, 1)}
        yield from points.get(at_s(units) for units in sorted(near) if 0 <= units * unit <= span_s)
    return unit


def _badness(asked: Asked, point: Point) -> float:
    """Return a number that is larger for a worse outcome; tasks that never end are worst."""
    if point.measured is None or any(one.finished == "stuck" for one in point.ran):
        return float("inf")
    return -point.measured if asked.promise.rising else point.measured


def _equally_bad(points: Points, times: list[float], worst: float) -> tuple[float | None, float | None]:
    """Return the first and last instant around the worst that cannot be told from it by their paired difference.

    One seed has no intervals, so nothing is known about the instants: None.
    """
    if len(points.asked.seeds) < 2:
        return None, None

    def alike(at: float) -> bool:
        found = difference(points.known[at], points.known[worst])
        return found is not None and found["verdict"] in (UNDECIDED, "same")

    place = times.index(worst)
    low = high = place
    while low > 0 and alike(times[low - 1]):
        low -= 1
    while high < len(times) - 1 and alike(times[high + 1]):
        high += 1
    return times[low], times[high]


def _sentence(asked: Asked, target: dict[str, Any], worst: float, found: Point, now: Point) -> str:
    [(kind, which)] = target.items()
    what = f"{kind.replace('_', ' ')} {which}"
    kept = "keeps" if found.kept else "breaks"
    return (
        f"A failure of {what} for {asked.options.duration:g} s hurts most at {worst:g} s: {asked.promise.measure} is "
        f"{number_words(found.measured)} instead of {number_words(now.measured)}. The run {kept} the promise."
    )


QUESTION = Question(
    "failure",
    "When does a failure hurt most?",
    "Find the instant at which a failure hurts a promise most.",
    Options,
    _values,
    _steps,
    _made,
)
