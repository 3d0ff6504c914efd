"""The common parts of an answer, and its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scheduler_core.ask.points import Point, Points
from scheduler_core.ask.question import Asked
from scheduler_core.ask.search import Boundary
from scheduler_core.errors import ExperimentError
from scheduler_core.studies.seeds import seeds_change


def answer_of(
    asked: Asked, points: Points, found: Boundary, *, now: Point, value: Callable[[int], Any]
) -> dict[str, Any]:
    """Return the answer of a search over indices in JSON types; `value` gives what an index stands for."""
    others = [point for point in points.known.values() if point is not now]
    if others and all(point.ran[0].problems for point in others):  # the experiment does not take such a change
        raise ExperimentError(others[0].ran[0].problems)

    def told(index: int | None) -> Any:
        return None if index is None else value(index)

    low, high = told(found.low), told(found.high)
    if low is not None and high is not None and low > high:
        low, high = high, low
    return {
        "answer": told(found.answer),
        "low": low,
        "high": high,
        "fails_at": told(found.fails_at),
        "monotone": found.monotone,
        "now": now.to_dict(),
        "tried": points.tried(),
    }


def frame(asked: Asked, name: str, found: dict[str, Any], runs: int) -> dict[str, Any]:
    """Return an answer with the question, the promise, the seeds, the number of runs and the notes."""
    first = {"question": name, "promise": str(asked.promise), "measure": asked.promise.measure}
    notes = [*asked.notes]
    if found.get("monotone") is False:
        notes.insert(0, "The answer is not monotone: the promise holds, breaks and holds again along the tried values.")
    last = {
        "seeds": list(asked.seeds),
        "seeds_change": seeds_change(asked.experiment.to_dict()),
        "runs": runs,
        "notes": notes,
    }
    return first | found | last


def number_words(value: float | None) -> str:
    """Write a measured number with three significant digits."""
    if value is None:
        return "not measured"
    return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
