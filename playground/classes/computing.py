"""Compute the answer to a question from its study or run, and summarize the class's answers."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypedDict

from playground.classes.asked import Asked
from playground.classes.growing import Points, together
from playground.classes.scoring import band, histogram, right_options, score_of_curve, score_of_number
from playground.contract.classes import QuestionGrowth, QuestionResult
from playground.errors import PlaygroundError, problem
from playground.models import ClassQuestion, Run, RunState, Study
from playground.runs.results.decisions import recorded_decisions
from playground.studies.results import results_of
from playground.studies.service import grid_of
from scheduler_core import scheduler_by_name

_MOST_MACHINES = 40


class Answer(TypedDict):
    """What a run computed: the answer, for options the measured number of each, and how the numbers grew."""

    answer: float | list[float | None]
    values: list[float | None]
    growth: QuestionGrowth | None


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
    told = results_of(study=question.study, metric=asked.metric, statistic="mean", against=0)
    means = {cell["cell"]: cell["value"] for cell in told["cells"]}
    places = max(1, len(asked.schedulers) or len(asked.values))
    values: list[float | None] = [means.get(number) for number in range(places)]
    known = [value for value in values if value is not None]
    if not known or (asked.kind == "choice" and len(known) < places):
        raise _none("a run did not measure this number", "ask for another number")
    growth = _grown(question.study, places)
    if asked.kind == "number":
        return {"answer": known[0], "values": [], "growth": growth}
    if asked.kind == "curve":
        return {"answer": values, "values": [], "growth": growth}
    best = min(known) if asked.best == "least" else max(known)
    return {"answer": values.index(best), "values": values, "growth": growth}


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
        return score_of_number(value, wanted, asked.scale)
    if asked.kind == "curve":
        return score_of_curve(value, wanted, asked.scale)
    if asked.kind == "choice":
        return float(value in right_options(answer["values"], wanted))
    return float(value == wanted)


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
        "right": right_options(question.answer["values"], question.answer["answer"]) if asked.kind == "choice" else [],
        "counts": counts,
        "machines": machines,
        "band": _band(asked, values),
        "growth": question.answer.get("growth"),
        "run": question.run.public_id if question.run else None,
        "study": question.study.public_id if question.study else None,
    }
