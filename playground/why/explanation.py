"""The reasons of one task of a finished run, found by simulating the run again."""

from __future__ import annotations

from typing import Any

from playground.ground.kept import kept_moments
from playground.models import Run
from playground.questions.answering import Asking
from playground.questions.asking import Told, ask, wait_for_answer
from playground.questions.kinds import Kind
from playground.why.checks import experiment_of, reading, require_task

_WAIT_S = 25.0


def ask_explanation(*, run: Run, task: int, at_s: float | None) -> Told:
    """Ask for one task's reasons, of the whole run or up to an instant. Raises PlaygroundError."""
    require_task(run, task)
    return ask(KIND, run.public_id, {"task": task, "at_s": at_s})


async def wait_for_explanation(told: Told) -> dict[str, Any]:
    """Return the reasons once they are there. Raises PlaygroundError."""
    return await wait_for_answer(
        told, _WAIT_S, kind="unexplained", title="The task cannot be explained", busy="The explanation is not ready"
    )


def _answer(asking: Asking) -> dict[str, Any]:
    from scheduler_core import explain

    args = asking.args
    return explain(experiment_of(asking.key), args["task"], args["at_s"], moments=kept_moments(), **reading())


KIND = Kind("explanation", _answer, limit_s=60, kept_s=60, too_long="ask about an earlier instant, or a smaller run")
