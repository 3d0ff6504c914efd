"""The signature of a scheduler: a small experiment that shows its idea, and what to observe in it.

A signature is data beside the declaration. `studies.signatures` makes the experiments of it, and `claims.signatures`
turns its sentences into claims that runs check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

View = Literal["map", "flow", "gantt", "given", "turns", "shares", "messages", "stages", "series"]
"""The view that a viewer opens first: map, one task's flow network, job plan (Gantt), donated shares, who is next in
line, shares, messages, stages or series."""
Decides = Literal["one", "several", "workers", "hybrid"]
Need = Literal["queues", "unequal_shares", "stages", "constraints", "preferences"]
"""What an experiment must have: several queues, queues of different shares, jobs of several stages, and so on."""

DECIDERS: dict[Decides, str] = {
    "one": "One scheduler",
    "several": "Several schedulers",
    "workers": "Schedulers and workers",
    "hybrid": "One scheduler for long jobs, several for short ones",
}


@dataclass(frozen=True)
class Figure:
    """One number of a run: the sum of the summary's values at `of`, divided by the sum of those at `per`, if any.

    A path is keys joined by dots, such as `counters.stolen` or `allocation_delay_s.p99`. `unit` is `s`, `%` (the number
    is a fraction of 1) or a word for the counted things.
    """

    label: str
    of: tuple[str, ...]
    per: tuple[str, ...] = ()
    unit: str = "s"

    def value(self, summary: Mapping[str, Any]) -> float | None:
        """Return the number; None if the summary lacks one of its values or the divisor is 0."""
        above, below = _sum(summary, self.of), _sum(summary, self.per) if self.per else 1.0
        return None if above is None or not below else above / below


def _sum(summary: Mapping[str, Any], paths: tuple[str, ...]) -> float | None:
    total = 0.0
    for path in paths:
        here: Any = summary
        for key in path.split("."):
            here = here.get(key) if isinstance(here, Mapping) else None
        if here is None:
            return None
        total += here
    return total


@dataclass(frozen=True)
class Band:
    """The bounds of a ratio; None is an open end."""

    least: float | None = None
    most: float | None = None


MEAN_WAIT = Figure("Mean wait time of a task", ("allocation_delay_s.mean",))
MEDIAN_WAIT = Figure("Median wait time of a task", ("allocation_delay_s.p50",))
LONG_WAITS = Figure("p90 wait time of a task", ("allocation_delay_s.p90",))
JOB_DELAY = Figure("Mean job delay", ("job_delay_s.mean",))
MEDIAN_DELAY = Figure("Median job delay", ("job_delay_s.p50",))
IMPORTANT_DELAY = Figure("Median job delay, here of a job of high priority", ("job_delay_s.p50",))
QUEUING = Figure("Longest wait in the scheduler's queue", ("delay_components_s.framework_queuing.max",))
JOB_TIME = Figure("Mean job completion time", ("job_completion_s.mean",))


@dataclass(frozen=True)
class Neighbor:
    """The scheduler to compare with, on the same workload.

    `moved` bounds the number under this scheduler divided by the number under the neighbor.
    """

    name: str
    moved: Band
    params: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    """Its name if `params` change its character, such as "one scheduler alone"; empty for its usual name."""
    number: Figure | None = None
    """The figure to compare, if the watched number exists only under this scheduler."""


@dataclass(frozen=True)
class Turn:
    """A setting to change, and the effect: `moved` bounds the number with `to` divided by the number with `frm`."""

    path: str
    frm: Any
    to: Any
    says: str
    moved: Band
    number: Figure | None = None
    """The figure that the change affects, if it is not the watched number."""


@dataclass(frozen=True)
class Opens:
    """What a viewer shows first: a view, a layer of the map, and the kind of moment to begin at (run.instructive).

    `then` is the kind of a second moment, which takes turns with the first.
    """

    view: View = "map"
    layer: str = "load"
    moment: str = ""
    then: str = ""


@dataclass(frozen=True)
class Signature:
    """A scheduler's main idea, shown on a workload where it matters."""

    year: int | None
    """Year of the paper or, for a program, of its first release; None if no source states it."""
    decides: Decides
    knows: str
    """Its information at the time of a decision, in a few words."""
    work: str
    """The name of the base workload in `signature_works.WORKS`."""
    says: tuple[str, str]
    """The idea in plain words (who decides, by what information, and how), and its effect, which the figures check."""
    waits: str
    """Why and where a task waits under this scheduler."""
    number: Figure
    against: Neighbor
    turn: Turn
    change: Mapping[str, Any] = field(default_factory=dict)
    """Changes of the base workload by path, as in a claim's setup."""
    params: Mapping[str, Any] = field(default_factory=dict)
    touched: Figure | None = None
    """The fraction of tasks or decisions that the idea affects, 0 to 1; `least_touched` is its lower bound."""
    least_touched: float = 0.05
    opens: Opens = Opens()
    unseen: str = ""
    """Why another run does not show the idea, in a sentence.

    It is for a run in which `touched` or `shown` is 0, or whose experiment lacks what the idea `needs`.
    """
    shown: Figure | None = None
    needs: Need | None = None
    short: str = ""
    """What it does in half a sentence, where other signatures compare themselves with it by name."""
    misses: str = ""
    """What the idea does not reach on small work, in a sentence; empty where it reaches 5 % of tasks or 20 %."""
