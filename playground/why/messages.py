"""The messages of a finished run from an instant on, or those about one task."""

from __future__ import annotations

from typing import Any

from playground.models import Run
from playground.questions.answering import Asking
from playground.questions.asking import ask
from playground.questions.kinds import Kind
from playground.runs.results.files import require_done
from playground.why.checks import experiment_of, reading, require_task

MOST_MESSAGES = 600


def read_messages(*, run: Run, task: int | None, from_s: float | None, count: int) -> dict[str, Any]:
    """Return the messages, or how far the replay is. Raises PlaygroundError."""
    require_done(run)
    if task is not None:
        require_task(run, task)
    return ask(KIND, run.public_id, {"task": task, "from_s": from_s, "count": count}).payload()


def _answer(asking: Asking) -> dict[str, Any]:
    from scheduler_core import message_log

    args, experiment = asking.args, experiment_of(asking.key)
    options = reading() | {"told": asking.look}
    return message_log(experiment, from_s=args["from_s"], task=args["task"], most=args["count"], **options)


KIND = Kind("messages", _answer, too_long="ask about an earlier instant, or a smaller run")
