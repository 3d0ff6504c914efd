"""What load can an experiment bear? The jobs stay the same; they arrive faster or slower."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Annotated, Any

from scheduler_core.ask.answers import answer_of, number_words
from scheduler_core.ask.points import Points, lacking
from scheduler_core.ask.question import Asked, Question, Ran, Run
from scheduler_core.ask.search import Boundary, Scale, boundary, most_values
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment.fields import Number, Part

NOW = "now"
_STEP = 0.01
_MOST = 4.0


class Options(Part):
    """How finely and how far loads are tried."""

    step: Annotated[float, Number(0, 10, above=True)] = _STEP
    """Distance between two neighboring loads."""
    most: Annotated[float, Number(0, 100, above=True)] = _MOST
    """Largest load to try."""


def with_load(workload: dict[str, Any], load: float) -> dict[str, Any]:
    """Return a workload's JSON with another load: as a fraction of capacity, or for listed jobs as a speed-up."""
    if workload["kind"] == "trace":
        return workload | {"offered_load": load}
    if workload["kind"] == "inline":
        return workload | {"jobs": [job | {"arrival_s": job["arrival_s"] / load} for job in workload["jobs"]]}
    return workload | {"arrivals": workload["arrivals"] | {"rate_per_s": None, "offered_load": load}}


def arrives_at_once(workload: dict[str, Any]) -> bool:
    """Return whether all jobs of a workload's JSON arrive at time 0, so that no load can change."""
    if workload["kind"] == "inline":
        return max((float(job["arrival_s"]) for job in workload["jobs"]), default=0.0) == 0.0
    return bool(workload["kind"] != "trace" and workload["arrivals"]["kind"] == "at_once")


def _refuse_at_once(asked: Asked) -> None:
    workload = asked.experiment.to_dict()["workload"]
    if arrives_at_once(workload):
        path = "workload.jobs" if workload["kind"] == "inline" else "workload.arrivals.kind"
        raise ExperimentError(
            [Problem(path, "has all jobs arrive at time 0, so the load cannot change", "jobs that arrive over time")]
        )


def _start(asked: Asked) -> int:
    """Return the step nearest to the experiment's own load; to 0.7 where it does not state one."""
    workload = asked.experiment.to_dict()["workload"]
    known = {"inline": 1.0, "trace": workload.get("offered_load")}
    own = known.get(workload["kind"]) or workload.get("arrivals", {}).get("offered_load") or 0.7
    return max(1, min(_most(asked), round(float(own) / float(asked.options.step))))


def _most(asked: Asked) -> int:
    return max(1, int(asked.options.most / asked.options.step + 1e-9))


def _values(asked: Asked) -> int:
    _refuse_at_once(asked)
    return 1 + most_values(1, min(_most(asked), 2 * _start(asked)))


def _data(base: dict[str, Any], load: float | None, seed: int) -> dict[str, Any]:
    """Return the experiment's JSON with a load, or as it is."""
    workload = base["workload"]
    return base | {"seed": seed, "workload": workload if load is None else with_load(workload, load)}


def _made(asked: Asked, found: Mapping[str, Any], tried: Mapping[str, Any]) -> dict[str, Any]:
    return _data(asked.experiment.to_dict(), tried["value"], asked.seeds[0])


def _steps(asked: Asked) -> Generator[Sequence[Run], Sequence[Ran], dict[str, Any]]:
    base, step = asked.experiment.to_dict(), asked.options.step

    def load(index: int) -> float:
        return round(index * float(step), 9)

    def make(index: int, seed: int) -> dict[str, Any]:
        return _data(base, load(index) if index else None, seed)

    points = Points(asked, make, told=lambda index: load(index) if index else None)
    now = yield from points.one(0)  # as it is: its load may lie between two steps
    points.unplaced = tuple(lacking(one) for one in now.ran)
    # Smaller loads keep the promise, so the search runs from the largest load down.
    most = _most(asked)
    found = yield from boundary(Scale(points, -most, -1, -_start(asked), lambda index: -index))
    del points.known[0]
    unit = "times as fast" if base["workload"]["kind"] == "inline" else "of capacity"
    return answer_of(asked, points, found, now=now, value=lambda index: load(-index)) | {
        "unit": unit,
        "sentence": _sentence(asked, points, found, load, unit),
    }


def _sentence(asked: Asked, points: Points, found: Boundary, load: Callable[[int], float], unit: str) -> str:
    def told(index: int) -> str:
        return f"{load(-index):g} {unit}"

    measure = asked.promise.measure
    if found.answer is None:
        least = points.known[1].measured
        return f"Even a load of {told(-1)} breaks the promise: {measure} is {number_words(least)}."
    bears = f"A load of {told(found.answer)} keeps the promise"
    if found.fails_at is None:
        return f"{bears}, and it is the largest that was tried."
    kept, broken = (number_words(points.known[-index].measured) for index in (found.answer, found.fails_at))
    return f"{bears} ({measure} is {kept}); {told(found.fails_at)} breaks it ({broken})."


QUESTION = Question(
    "load",
    "What load keeps the promise?",
    "Find the largest load that keeps a promise.",
    Options,
    _values,
    _steps,
    _made,
)
