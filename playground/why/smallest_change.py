"""The smallest single change that starts a task earlier."""

from __future__ import annotations

from typing import Any

from playground.ground.kept import kept_builds, kept_moments
from playground.models import Run
from playground.questions.answering import Asking
from playground.questions.asking import ask
from playground.questions.kinds import Kind
from playground.why.checks import experiment_of, reading, require_task

#: While a worker searches, it answers nothing else: so much of a search, then it says what it has.
MOST_SEARCH_S = 10.0


def read_change(*, run: Run, task: int, at_s: float | None) -> dict[str, Any]:
    """Return the change, or how far the search is. Raises PlaygroundError."""
    require_task(run, task)
    return ask(KIND, run.public_id, {"task": task, "at_s": at_s}).payload()


def _answer(asking: Asking) -> dict[str, Any]:
    from scheduler_core import smallest_change

    args = asking.args
    kept: dict[str, Any] = {"builds": kept_builds(), "moments": kept_moments(), "told": asking.look, **reading()}
    return smallest_change(experiment_of(asking.key), args["task"], args["at_s"], most_s=MOST_SEARCH_S, **kept)


KIND = Kind("smallest-change", _answer, too_long="ask about an earlier instant, or a smaller run")
