"""How many machines keep a promise? The jobs and their arrivals stay the same on any number of machines."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Annotated, Any

from scheduler_core.ask.answers import answer_of, number_words
from scheduler_core.ask.fleet import Fleet, fleet_of
from scheduler_core.ask.points import Make, Points, lacking
from scheduler_core.ask.question import Asked, Question, Ran, Run
from scheduler_core.ask.search import Boundary, Scale, boundary, most_values
from scheduler_core.ask.works import Works
from scheduler_core.experiment.fields import Name, Part, whole

_MOST_TIMES = 64


class Options(Part):
    """Which machines are counted."""

    cluster: Name | None = None
    """Count the machines of this cluster, or of these clusters alike. Absent: all machines, in proportion."""
    type: Annotated[int, whole(10_000)] | None = None
    """Count one group of the cluster's machines, by its place from 1. Absent: all of them, in proportion."""
    most: Annotated[int, whole(10_000_000)] | None = None
    """Largest number of machines to try. Absent: 64 times the experiment's, or fewer where more change nothing."""


def _fleet(asked: Asked) -> Fleet:
    return fleet_of(asked.experiment.topology, asked.options.cluster, asked.options.type)


def _most(asked: Asked, fleet: Fleet) -> int:
    if asked.options.most is not None:
        return max(int(asked.options.most), fleet.least, 1)
    others = sum(group["count"] for one in fleet.clusters for group in one["machines"]) - fleet.count
    return int(max(fleet.count, min(fleet.count * _MOST_TIMES, asked.limits.machines - others)))


def _values(asked: Asked) -> int:
    fleet = _fleet(asked)
    return most_values(fleet.least, max(fleet.count, min(_most(asked, fleet), fleet.count * 2)))


def _maker(asked: Asked, fleet: Fleet) -> Make:
    works = Works(asked.experiment, hold=True, limits=asked.limits)

    def make(machines: int, seed: int) -> dict[str, Any]:
        return works.data(seed) | {"topology": fleet.with_machines(machines)}

    return make


def _made(asked: Asked, found: Mapping[str, Any], tried: Mapping[str, Any]) -> dict[str, Any]:
    return _maker(asked, _fleet(asked))(tried["value"], asked.seeds[0])


def _steps(asked: Asked) -> Generator[Sequence[Run], Sequence[Ran], dict[str, Any]]:
    fleet = _fleet(asked)
    points = Points(asked, _maker(asked, fleet))
    most = _most(asked, fleet)
    start = min(fleet.count, most)
    now = yield from points.one(fleet.count)
    points.unplaced = tuple(lacking(one) for one in now.ran)
    patient = asked.options.most is not None
    found = yield from boundary(Scale(points, fleet.least, most, start, lambda index: index, patient))
    if found.answer is None and max(points.known) < most:
        asked.notes.append("The last numbers of machines gave the same measure, so no larger ones were tried.")
    return answer_of(asked, points, found, now=now, value=lambda index: index) | {
        "sentence": _sentence(asked, fleet, points, found)
    }


def _sentence(asked: Asked, fleet: Fleet, points: Points, found: Boundary) -> str:
    measure, most = asked.promise.measure, max(points.known)
    if found.answer is None:
        broken = (
            f"{_machines(asked, most)} break the promise: {measure} is {number_words(points.known[most].measured)}."
        )
        kept = [machines for machines, point in points.known.items() if point.kept]
        return f"{broken} It holds with at most {max(kept):,}." if kept else f"Even {broken}"
    keeps = "keeps" if found.answer == 1 else "keep"
    answer = f"{_machines(asked, found.answer)} {keeps} the promise"
    if found.fails_at is None:
        return f"{answer}, and the experiment cannot have fewer."
    breaks = "breaks" if found.fails_at == 1 else "break"
    return (
        f"{answer} ({measure} is {number_words(points.known[found.answer].measured)}); "
        f"{found.fails_at:,} {breaks} it ({number_words(points.known[found.fails_at].measured)}). "
        f"The experiment has {fleet.count:,}."
    )


def _machines(asked: Asked, count: int) -> str:
    of = "" if asked.options.cluster is None else f" of {asked.options.cluster}"
    return f"{count:,} machine{'' if count == 1 else 's'}{of}"


QUESTION = Question(
    "machines",
    "How many machines keep the promise?",
    "Find the smallest number of machines that keeps a promise.",
    Options,
    _values,
    _steps,
    _made,
)
