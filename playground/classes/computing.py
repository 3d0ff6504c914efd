"""Compute the answer to a question from its study or run, and summarize the class's answers."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any, NotRequired, TypedDict

from playground.classes.asked import Asked
from playground.classes.growing import Points, together
from playground.classes.scoring import Ends, band, histogram, score_of_curve, score_of_number
from playground.classes.separating import are_all_alike, best_of, ends_of, spread_of, tied_with
from playground.contract.classes import QuestionGrowth, QuestionResult
from playground.errors import PlaygroundError, problem
from playground.models import ClassQuestion, Run, RunState, Study
from playground.runs.results.decisions import recorded_decisions
from playground.studies.results import values_by_seed
from playground.studies.service import grid_of
from scheduler_core import scheduler_by_name

_MOST_MACHINES = 40
#: If intervals cover this part of the scale, a guess at random is right as often as among four options.
_WIDE = 0.25


class Answer(TypedDict):
    """What runs computed: the answer, for options the measured number of each, and how the numbers grew.

    `tied`: the options that count as right; `ends`: the interval of each option or place, or None; `flat`: whether no
    two places of a curve can be told apart. Answers that an earlier version stored lack them.
    """

    answer: float | list[float | None]
    values: list[float | None]
    growth: QuestionGrowth | None
    tied: NotRequired[list[int]]
    ends: NotRequired[list[Ends]]
    flat: NotRequired[bool]


class Doubts(TypedDict):
    """Why a question separates too little; all empty for one that separates."""

    tied: list[int]
    """The options of a choice that its runs cannot tell from the best one, itself among them."""
    spread: float | None
    """The part of the scale, from a quarter on, that the intervals cover: every answer there has the full score."""
    flat: bool
    """Whether the runs cannot tell any two places of a curve apart."""


def refuse_unknown_reason(run: Run, reason: str) -> None:
    """Raise PlaygroundError for a reason that the run's scheduler never gives."""
    known = [one.name for one in scheduler_by_name(run.experiment.data["scheduler"]["name"]).reasons]
    if reason not in known:
        item = problem("reason", f"its scheduler gives no reason '{reason[:64]}'", allowed=", ".join(known))
        raise PlaygroundError(422, "invalid-question", "The question cannot be asked", (item,))


def state_of(question: ClassQuestion) -> RunState:
    """Return how far the computation of the answer is."""
    if question.answer is not None:
        return RunState.DONE
    found = question.study or question.run
    return RunState(found.state) if found is not None else RunState.FAILED


def answer_of(question: ClassQuestion, asked: Asked) -> Answer:
    """Read the answer from what computed it. Raises PlaygroundError while there is none."""
    state = state_of(question)
    if state in (RunState.FAILED, RunState.CANCELLED):
        raise _none("the runs that compute the answer failed", "ask again")
    if state != RunState.DONE:
        raise _none("the answer is still being computed", "try again in a moment")
    return _pointed(question, asked) if asked.kind == "point" else _measured(question, asked)


def _none(message: str, remedy: str) -> PlaygroundError:
    return PlaygroundError(409, "no-answer", "There is no answer yet", (problem("", message, remedy=remedy),))


def _pointed(question: ClassQuestion, asked: Asked) -> Answer:
    assert question.run is not None
    found = recorded_decisions(run=question.run, reasons=[asked.reason], until_s=None, count=1, after_s=asked.after_s)[
        "rows"
    ]
    if not found or found[0][asked.target] < 0:
        raise _none(
            f"after {asked.after_s:g} s nothing of this kind happens to a {asked.target}",
            "ask about an earlier instant",
        )
    return {"answer": found[0][asked.target], "values": [], "growth": None}


def _measured(question: ClassQuestion, asked: Asked) -> Answer:
    assert question.study is not None
    found = _by_place(question.study, asked)
    values = [sum(one.values()) / len(one) if one else None for one in found]
    known = [one for one in found if one]
    if not known or (asked.kind == "choice" and len(known) < len(found)):
        raise _none("a run did not measure this number", "ask for another number")
    growth, ends = _grown(question.study, len(found)), [ends_of(one) for one in found]
    if asked.kind == "choice":
        best = best_of(found, asked.best)
        return {
            "answer": best,
            "values": values,
            "growth": growth,
            "tied": tied_with(found, best, asked.best),
            "ends": ends,
        }
    answer: Any = values if asked.kind == "curve" else values[0]
    flat = asked.kind == "curve" and are_all_alike(known)
    return {"answer": answer, "values": [], "growth": growth, "ends": ends, "flat": flat}


def _by_place(study: Study, asked: Asked) -> list[dict[int, float]]:
    """Return the measured number by seed, for each option or place of the question."""
    found = values_by_seed(study=study, metric=asked.metric)
    if asked.schedulers:
        return [found.get((number, ()), {}) for number in range(len(asked.schedulers))]
    if asked.values:
        return [found.get((0, (number,)), {}) for number in range(len(asked.values))]
    return [found.get((0, ()), {})]


def doubts_of(question: ClassQuestion, asked: Asked) -> Doubts:
    """Return what the runs of a question cannot tell apart.

    It is for the teacher before the lesson: a question that separates nothing teaches little.
    """
    answer: Any = question.answer
    if answer is None and asked.kind != "point" and state_of(question) == RunState.DONE:
        with suppress(PlaygroundError):  # runs that did not measure the number
            answer = answer_of(question, asked)
    told: Any = answer or {}
    tied = told.get("tied", [])
    spread = spread_of(told.get("ends", []), asked.scale) if asked.kind in ("number", "curve") else 0.0
    return {
        "tied": tied if len(tied) > 1 else [],
        "spread": round(spread, 2) if spread >= _WIDE else None,
        "flat": told.get("flat", False),
    }


def _grown(study: Study, places: int) -> QuestionGrowth | None:
    """Return how the number grew at each place, from the runs of the study; None where a run did not keep it."""
    grid, found = grid_of(study), [list[Points]() for _ in range(places)]
    for number, points in study.rows.filter(state=RunState.DONE).values_list("number", "grown"):
        if not points:
            return None
        found[grid.run(number)[0].number].append(points)
    return together(found)


def score(asked: Asked, value: Any, answer: Answer) -> float:
    """Return the score of a stored answer, from 0 to 1."""
    wanted: Any = answer["answer"]
    if asked.kind == "number":
        return score_of_number(value, wanted, asked.scale, next(iter(answer.get("ends", [])), None))
    if asked.kind == "curve":
        return score_of_curve(value, wanted, asked.scale, answer.get("ends", []))
    if asked.kind == "choice":
        return float(value in right_options(answer))
    return float(value == wanted)


def right_options(answer: Any) -> list[int]:
    """Return the options of a choice that count as right: those that the runs cannot tell from the best one."""
    best = answer["values"][answer["answer"]]
    equal = [at for at, value in enumerate(answer["values"]) if value == best]
    return sorted({*equal, *answer.get("tied", [])})


def _band(asked: Asked, values: list[Any]) -> list[list[float]]:
    """Return the percentiles of what the class gave, at each place of a curve, or of a number."""
    if asked.kind == "curve":
        return band(values)
    return band([[value] for value in values]) if asked.kind == "number" else []


def result_of(question: ClassQuestion, asked: Asked) -> QuestionResult:
    """Return the answer beside what the class answered, without names, for a question that is revealed."""
    assert question.answer is not None
    values: list[Any] = list(question.answers.values_list("value", flat=True))
    counts: list[int] = []
    machines: list[int] = []
    if asked.kind == "choice":
        named = Counter(values)
        counts = [named[number] for number in range(len(asked.schedulers or asked.values))]
    elif asked.kind == "number":
        counts = histogram(values, asked.scale)
    elif asked.kind == "point":
        most = Counter(values).most_common(_MOST_MACHINES)
        machines, counts = [machine for machine, _ in most], [count for _, count in most]
    return {
        "answer": question.answer["answer"],
        "values": question.answer["values"],
        "counts": counts,
        "machines": machines,
        "band": _band(asked, values),
        "growth": question.answer.get("growth"),
        "right": right_options(question.answer) if asked.kind == "choice" else [],
        "intervals": [list(ends) if ends else None for ends in question.answer.get("ends", [])],
        "run": question.run.public_id if question.run else None,
        "study": question.study.public_id if question.study else None,
    }
