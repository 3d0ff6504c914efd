"""Ask a question about an experiment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from scheduler_core.ask import question_by_name
from scheduler_core.ask.answers import frame
from scheduler_core.ask.promise import parse_promise
from scheduler_core.ask.question import Asked, Question
from scheduler_core.ask.running import Runner, runner
from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.experiment import Experiment, ResolveTrace, unsupported
from scheduler_core.experiment.fields import LARGEST_WHOLE
from scheduler_core.experiment.problems import from_pydantic
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from scheduler_core.schedulers import scheduler_by_name

SEEDS = 5
MOST_SEEDS = 100


@dataclass(frozen=True)
class Progress:
    """How far a question is: `done` runs of about `expected`, and the mean seconds of a run so far."""

    done: int
    expected: int
    run_s: float

    @property
    def fraction(self) -> float:
        """Return the fraction that is done, 0 to 1."""
        return min(1.0, self.done / max(1, self.expected))


Told = Callable[[Progress], None]
"""Hears of progress between slices of runs. An exception raised in it cancels the question."""


def prepared(
    experiment: Experiment,
    question: str,
    promise: str,
    options: Mapping[str, Any] | None = None,
    *,
    seeds: int = SEEDS,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Question, Asked]:
    """Check a question without a run. Raises ExperimentError with every problem, and UnknownName."""
    asks = question_by_name(question)
    problems: list[Problem] = []
    if not 1 <= seeds <= MOST_SEEDS:
        problems.append(Problem("seeds", f"is {seeds}", f"a whole number from 1 to {MOST_SEEDS}"))
    elif experiment.seed + seeds - 1 > LARGEST_WHOLE:
        problems.append(Problem("seeds", f"counts up to a seed above {LARGEST_WHOLE:,}", "fewer seeds"))
    raw, chosen = dict(options or {}), None
    try:
        chosen = asks.options.model_validate(raw)
    except ValidationError as error:
        problems += dict.fromkeys(from_pydantic(error, asks.options, raw))
    try:
        parsed = parse_promise(promise)
    except ExperimentError as error:
        problems += error.problems
    problems += unsupported(experiment, scheduler_by_name(experiment.scheduler.name).honors(experiment))
    if problems:
        raise ExperimentError(problems)
    asked = Asked(
        experiment, parsed, tuple(range(experiment.seed, experiment.seed + seeds)), chosen, limits, resolve_trace
    )
    asked.expect(asks.values(asked))
    return asks, asked


def ask_question(
    experiment: Experiment,
    question: str,
    promise: str,
    options: Mapping[str, Any] | None = None,
    *,
    seeds: int = SEEDS,
    processes: int = 1,
    told: Told | None = None,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> dict[str, Any]:
    """Answer a question by a search over runs; all values are tried under the same seeds.

    `question` is a name of `ask.QUESTIONS`, `options` its options by name. `seeds` counts up from the experiment's own.
    With several `processes`, a script needs the usual guard `if __name__ == "__main__":`.
    The answer is {question, promise, answer, low, high, fails_at, monotone, tried: [{value, measured, low, high, kept,
    by_seed}], seeds, runs, notes, sentence, …} and does not depend on `processes`. Raises ExperimentError, and every
    exception that `told` raises.
    """
    asks, asked = prepared(
        experiment, question, promise, options, seeds=seeds, resolve_trace=resolve_trace, limits=limits
    )

    def tick() -> None:
        if told is not None:
            told(Progress(carrier.done, max(asked.expected, carrier.done), carrier.run_s))

    with runner(
        base_dir=experiment.base_dir, resolve_trace=resolve_trace, limits=limits, processes=processes, tick=tick
    ) as carrier:
        found = _carried(asks, asked, carrier)
    return frame(asked, asks.name, found, carrier.done)


def tried_experiment(
    experiment: Experiment,
    question: str,
    promise: str,
    options: Mapping[str, Any] | None,
    found: Mapping[str, Any],
    number: int,
    *,
    resolve_trace: ResolveTrace | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> dict[str, Any]:
    """Return the experiment's JSON of one value that a search has tried, under the first seed.

    `found` is the answer of `ask_question` to the same question, `number` the place of the value in its `tried`. The
    run of the experiment gives the first number of `by_seed`. Raises ExperimentError.
    """
    asks, asked = prepared(experiment, question, promise, options, seeds=1, resolve_trace=resolve_trace, limits=limits)
    tried = found["tried"]
    if not 0 <= number < len(tried):
        raise ExperimentError([Problem("tried", f"is {number}", f"a whole number from 0 to {len(tried) - 1}")])
    made = asks.made(asked, found, tried[number])
    if made is None:
        raise ExperimentError([Problem("tried", f"is {number}, which the answer does not list whole", "the answer")])
    return made


def _carried(asks: Question, asked: Asked, carrier: Runner) -> dict[str, Any]:
    steps = asks.steps(asked)
    try:
        runs = next(steps)
        while True:
            runs = steps.send(carrier.run(runs, asked.expected - carrier.done))
    except StopIteration as done:
        found: dict[str, Any] = done.value
        return found
