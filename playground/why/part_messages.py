"""The messages that a part of a finished run sent and received, counted up to an instant."""

from __future__ import annotations

from typing import Any

from playground.models import Run
from playground.questions.answering import Asking
from playground.questions.asking import ask
from playground.questions.kinds import Kind
from playground.runs.results.files import require_done
from playground.runs.results.parts import EntityKind
from playground.why.checks import experiment_of, reading, require_task


def read_part_messages(*, run: Run, kind: EntityKind, number: int, owner: int | None, until_s: float) -> dict[str, Any]:
    """Return the counts, or how far the replay is. Raises PlaygroundError."""
    require_done(run)
    if kind == "task":
        require_task(run, number)
    args = {"kind": kind, "number": number, "owner": owner, "until_s": until_s}
    return ask(KIND, run.public_id, args).payload()


def _answer(asking: Asking) -> dict[str, Any]:
    from scheduler_core import part_messages

    args, experiment = asking.args, experiment_of(asking.key)
    options = reading() | {"told": asking.look, "owner": args["owner"]}
    return part_messages(experiment, args["kind"], args["number"], args["until_s"], **options)


KIND = Kind("part-messages", _answer, too_long="ask about an earlier instant, or a smaller run")
