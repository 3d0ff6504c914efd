"""The words of policies with their values at an instant of a run."""

from __future__ import annotations

from typing import Any

from playground.models import Run
from playground.questions.answering import Asking
from playground.questions.asking import ask
from playground.questions.kinds import Kind
from playground.runs.results.files import require_done
from playground.why.checks import experiment_of, reading
from playground.why.policy import require_policy


def read_words(*, run: Run, at_s: float) -> dict[str, Any]:
    """Return each word's value for the task that waits longest, or how far the replay is. Raises PlaygroundError."""
    require_policy(run)
    require_done(run)
    return ask(KIND, run.public_id, {"at_s": at_s}).payload()


def _answer(asking: Asking) -> dict[str, Any]:
    from scheduler_core import policy_words

    return policy_words(experiment_of(asking.key), asking.args["at_s"], **reading())


KIND = Kind("policy-words", _answer, limit_s=60, too_long="look at an earlier instant, or at a smaller run")
