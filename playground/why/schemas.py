"""HTTP schemas of answers to questions that a worker answers."""

from __future__ import annotations

from typing import Any

from playground.web.schemas import QuestionProblems, QuestionProgress, QuestionState, Shape


class LookOut(Shape):
    """How far a worker is with a question, and its answer."""

    state: QuestionState
    progress: QuestionProgress
    problems: QuestionProblems
    answer: dict[str, Any] | None
    """The answer, as the operation describes it; null until the state is `done`."""


class RaceOut(Shape):
    """How far a race of solvers is, with some of its rows."""

    id: str
    """The id of the race."""
    run_id: str
    """The id of the run whose rounds are solved."""
    state: QuestionState
    progress: QuestionProgress
    problems: QuestionProblems
    rounds: int
    """The number of rounds of the run."""
    every: int
    """The distance between two rounds on which the solvers race; 1 if they race on each."""
    over: str
    """Why the race ended: `end` (of the run) or `time` (45 s are over). Empty before."""
    unit: str
    """What the seconds of the rows are, in a sentence; empty before the race ends."""
    first: int
    """The number of the first row in this answer, counted from 0."""
    rows: list[dict[str, Any]]
    """Rows by round: `round`, `t_s` (simulated), seconds of each solver (`ssp_s`, `scaling_s`, `cold_s`), `nodes`,
    `arcs`, the arcs that `changed`, arc ends `visited`, `status`, costs, and whether all solvers found the `same`."""
    owner_token: str | None = None
    """The token that lets a program cancel the race; only in the answer that starts it or joins your own.
    Otherwise null."""
