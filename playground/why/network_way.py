"""The path of a task's unit of flow in a round, and the next-best path."""

from __future__ import annotations

from typing import Any

from playground.errors import PlaygroundError, problem
from playground.known.networks import known_networks
from playground.models import Run
from playground.questions.answering import Asking
from playground.questions.asking import ask, at_once
from playground.questions.kinds import Kind
from playground.why.checks import experiment_of, reading, rounds_of


def read_way(*, run: Run, task: int, number: int | None, at_s: float | None) -> dict[str, Any]:
    """Return the way of a task's unit, or how far the replay is. Raises PlaygroundError."""
    rounds = rounds_of(run)
    total = int((run.summary or {})["tasks"]["total"])
    items = []
    if not 0 <= task < total:
        items.append(problem("task", f"there is no task {task:,}", allowed=f"0 to {total - 1:,}"))
    if number is not None and not 1 <= number <= rounds:
        items.append(problem("round", f"there is no round {number:,}", allowed=f"1 to {rounds:,}"))
    if items:
        raise PlaygroundError(404, "not-found", "There is no such task or round", tuple(items))
    shipped = known_networks(run.question_digest)
    if shipped is not None and (found := shipped.way(task, number, at_s)) is not None:
        return at_once(found)
    return ask(KIND, run.public_id, {"task": task, "round": number, "at_s": at_s}).payload()


def _answer(asking: Asking) -> dict[str, Any]:
    from scheduler_core import flow_way

    args, options = asking.args, reading() | {"on_slice": asking.on_slice}
    return flow_way(experiment_of(asking.key), args["task"], args["round"], at_s=args["at_s"], **options)


KIND = Kind("network-way", _answer, limit_s=120, too_long="look at an earlier round, or at a smaller run")
