"""The form of a question, and what it is asked about."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scheduler_core.ask.promise import Promise
from scheduler_core.errors import Problem
from scheduler_core.experiment import Experiment, ResolveTrace
from scheduler_core.experiment.fields import Part
from scheduler_core.limits import DEFAULT_LIMITS, Limits


@dataclass(frozen=True)
class Run:
    """A run that a question needs: an experiment's JSON, and what is wanted beside its numbers."""

    data: dict[str, Any]
    placements: bool = False
    """Whether the machines of the tasks are wanted."""


@dataclass(frozen=True)
class Ran:
    """What a question hears of a run."""

    numbers: dict[str, float | None]
    """Every number of the summary by its dotted name."""
    finished: str
    """How the run ended: drained, stopped-at or stuck; refused if the experiment cannot run."""
    machines: Any = None
    """The machine of each task, -1 for none, where the run asked for placements; (tasks,) int64."""
    ran_ns: Any = None
    """How long each task ran at last, likewise; (tasks,) int64."""
    end_ns: Any = None
    """When each task ended, or the run's end for one that still ran, likewise; (tasks,) int64."""
    goes_on: Any = None
    """Which tasks still ran at the run's end, likewise; (tasks,) bool."""
    stranded: int = 0
    """Tasks that lost their machine and wait for another one when the run ends."""
    stranded_why: str = ""
    """Why the first of these tasks waits, in the scheduler's words."""
    stranded_task: int = -1
    """The first of these tasks; -1 for none."""
    stranded_said: Mapping[str, Any] | None = None
    """The template of `stranded_why` and its arguments by name, for other languages."""
    problems: tuple[Problem, ...] = ()
    """Why the experiment cannot run."""


Steps = Generator[Sequence[Run], Sequence[Ran], Any]
"""A question at work: it yields batches of runs, hears what they gave in the same order, and returns its answer."""


@dataclass
class Asked:
    """A question's input. `expected` is the number of runs that it will take at most, as far as it knows by now."""

    experiment: Experiment
    promise: Promise
    seeds: tuple[int, ...]
    options: Any
    limits: Limits = DEFAULT_LIMITS
    resolve_trace: ResolveTrace | None = None
    expected: int = 0
    notes: list[str] = field(default_factory=list)
    """What a reader of the answer must know, as sentences."""

    def expect(self, values: int) -> None:
        """State how many values are still to be tried under every seed."""
        self.expected = values * len(self.seeds)


@dataclass(frozen=True)
class Question:
    """A question: its name, its sentence, its options, a bound on its cost, and its search."""

    name: str
    asks: str
    """The question in words."""
    help: str
    options: type[Part]
    values: Callable[[Asked], int]
    """About how many values it tries at most; each costs one run under every seed."""
    steps: Callable[[Asked], Generator[Sequence[Run], Sequence[Ran], dict[str, Any]]]
    made: Callable[[Asked, Mapping[str, Any], Mapping[str, Any]], dict[str, Any] | None]
    """Returns the experiment's JSON of a tried value under the first seed; takes an answer and a row of its `tried`.

    None for a value of which the answer keeps too little.
    """
