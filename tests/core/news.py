"""What it costs a policy to know less: runs, pictures and numbers of a page of the documentation.

`python -m tests.core.news` runs everything anew (minutes) and writes numbers and pictures.
"""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from functools import cache
from statistics import fmean
from typing import Any

from playground.figures.axes import Axis
from playground.figures.drawing import Series, lines_figure
from playground.figures.look import Look
from playground.figures.svg import figure_svg
from scheduler_core import Experiment, simulate
from tests.support import PROJECT

EXPERIMENT = PROJECT / "fixtures" / "experiments" / "news.json"
NUMBERS = PROJECT / "tests" / "data" / "news.json"
FOLDER = PROJECT / "docs" / "images" / "news"
SEEDS = (1, 2, 3, 4, 5)
AGES_S = (0.1, 0.3, 1, 3, 10, 30)
LOADS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
SCHEDULERS = (1, 2, 5, 10, 20)
SAMPLES = (1, 2, 3, 5, 10)
_ANY = "score: random()"


@dataclass(frozen=True)
class Point:
    """One setting of the experiment: its parameters and its load."""

    params: dict[str, Any] = field(hash=False)
    load: float = 0.8

    @property
    def key(self) -> str:
        """The name of its numbers."""
        return json.dumps({"load": self.load, **self.params}, sort_keys=True)

    def experiment(self, seed: int) -> Experiment:
        """Return the experiment with this setting."""
        raw = copy.deepcopy(json.loads(EXPERIMENT.read_text()))
        raw["seed"] = seed
        raw["workload"]["arrivals"]["offered_load"] = self.load
        raw["scheduler"]["params"] |= self.params
        return Experiment.parse(raw)

    def measured(self) -> list[float]:
        """Return the mean queueing delay under each seed, in seconds."""
        return [simulate(self.experiment(seed)).summary["allocation_delay_s"]["mean"] for seed in SEEDS]


def truth(load: float = 0.8) -> Point:
    """Return the policy that knows all machines at once."""
    return Point({"news": "truth"}, load)


def stale(heartbeat_s: float = 10, schedulers: int = 10, load: float = 0.8) -> Point:
    """Return the policy on copies that are renewed at every heartbeat."""
    return Point({"news": "stale", "heartbeat_s": heartbeat_s, "schedulers": schedulers}, load)


def sample(size: int = 2, load: float = 0.8) -> Point:
    """Return the policy that asks a few machines for each task."""
    return Point({"news": "sample", "sample": size}, load)


def held(point: Point) -> Point:
    """Return the setting with tasks that wait at their scheduler until a machine has room."""
    return Point({**point.params, "wait_at": "scheduler"}, point.load)


def nothing(load: float = 0.8) -> Point:
    """Return the policy that knows nothing: any machine."""
    return Point({"news": "truth", "policy": _ANY}, load)


def points() -> list[Point]:
    """Return every setting of the page, each once."""
    found = [stale(age) for age in AGES_S]
    found += [kind(load=load) for load in LOADS for kind in (truth, sample, nothing)]
    found += [stale(1, load=load) for load in LOADS]
    found += [stale(age, many) for age in (1, 10) for many in SCHEDULERS]
    found += [sample(size) for size in SAMPLES]
    found += [held(stale()), held(sample())]
    return list({point.key: point for point in found}.values())


@cache
def stored() -> dict[str, list[float]]:
    """Return the stored numbers: the mean queueing delay under each seed, in seconds, by setting."""
    found: dict[str, list[float]] = json.loads(NUMBERS.read_text())
    return found


def mean(point: Point) -> float:
    """Return the stored mean of the seeds, in seconds."""
    return fmean(stored()[point.key])


def _line(name: str, place: int, at: list[tuple[float, Point]]) -> Series:
    """Return a line of means with the lowest and the highest seed as bars."""
    found = [stored()[point.key] for _, point in at]
    return Series(
        name,
        [x for x, _ in at],
        [fmean(each) for each in found],
        place=place,
        low=[min(each) for each in found],
        high=[max(each) for each in found],
    )


def _level(name: str, place: int, point: Point) -> Series:
    """Return a level over all ages: a setting without an age."""
    return Series(name, [AGES_S[0], AGES_S[-1]], [mean(point)] * 2, place=place)


def pictures() -> dict[str, str]:
    """Return the pictures of the page as SVG, by the name of their file."""
    wait = Axis("Mean queueing delay", "s", zero=True)
    age = (Axis("Heartbeat interval of the stale copy", "s", log=True), wait)
    by_age = [
        _line("Stale copy", 0, [(at, stale(at)) for at in AGES_S]),
        _level("Two machines asked", 1, sample(2)),
        _level("Any machine", 2, nothing()),
        _level("Truth", 3, truth()),
    ]
    by_load = [
        _line("Any machine", 2, [(at, nothing(at)) for at in LOADS]),
        _line("Stale copy, 1 s", 0, [(at, stale(1, load=at)) for at in LOADS]),
        _line("Two machines asked", 1, [(at, sample(2, at)) for at in LOADS]),
        _line("Truth", 3, [(at, truth(at)) for at in LOADS]),
    ]
    by_many = [
        _line(f"Stale copy, {at} s", place, [(many, stale(at, many)) for many in SCHEDULERS])
        for place, at in ((4, 10), (0, 1))
    ]
    return {
        "age.svg": _svg("One policy with a copy that is older and older", age, by_age),
        "load.svg": _svg("One policy that knows more or less", (Axis("Load", "1"), wait), by_load),
        "schedulers.svg": _svg("One policy, a stale copy and more schedulers", (Axis("Schedulers"), wait), by_many),
    }


def _svg(title: str, axes: tuple[Axis, Axis], series: list[Series]) -> str:
    look = Look(width_mm=150, height_mm=84)
    return figure_svg(lines_figure(title, axes, series, look).to_plotly_json())


if __name__ == "__main__":
    NUMBERS.write_text(json.dumps({point.key: point.measured() for point in points()}, indent=1) + "\n")
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / name).write_text(text)
