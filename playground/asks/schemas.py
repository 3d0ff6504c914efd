"""HTTP schemas of questions about an experiment."""

from __future__ import annotations

from typing import Any

from playground.web.schemas import ExperimentId, QuestionProblems, QuestionProgress, QuestionState, Shape


class AskOut(Shape):
    """How far the search for an answer is, and the answer."""

    id: str
    """The id of the question."""
    experiment_id: ExperimentId
    question: str
    """Its name: `machines`, `load`, `knob`, `failure`, `off` or `lose`."""
    promise: str
    """The promise that the search tests."""
    seeds: int
    """The number of seeds under which each value runs."""
    state: QuestionState
    progress: QuestionProgress
    problems: QuestionProblems
    runs: int
    """The number of runs so far."""
    expected: int | None
    """About the most runs that the search takes; null before it begins."""
    left_s: float | None
    """About the most seconds that the rest of the search takes; null before its second run has ended."""
    answer: dict[str, Any] | None
    """The answer as the command `ask` prints it; null until the state is `done`."""
    owner_token: str | None = None
    """The token that lets a program cancel the search; only in the answer that starts it."""
