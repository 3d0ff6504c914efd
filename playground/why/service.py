"""Questions why: what would have started a task earlier, where two runs part, which messages went. A worker answers."""

from __future__ import annotations

from typing import Any

from playground.errors import PlaygroundError, problem
from playground.ground.kept import kept_builds, kept_moments
from playground.ground.simulator import resolve_trace, stored_experiment, web_limits
from playground.models import Run
from playground.questions import looking
from playground.questions.looking import Telling
from playground.runs.results.files import require_done
from playground.runs.results.parts import EntityKind

WHY_TASK = "playground.tasks.answer_why_task"
#: While a worker searches, no other errand is done: so much of a search, then it says what it has.
MOST_SEARCH_S = 10.0
MOST_MESSAGES = 600


def read_change(*, run: Run, task: int, at_s: float | None) -> dict[str, Any]:
    """Give the smallest single change that starts a task earlier, or how far the search is. Raises PlaygroundError."""
    _check_task(run, task)
    return looking.read_look(WHY_TASK, run, {"what": "change", "task": task, "at_s": at_s})


def read_difference(*, run: Run, other: Run) -> dict[str, Any]:
    """Give the first decision that differs between two runs, or how far it is looked for. Raises PlaygroundError."""
    for one in (run, other):
        require_done(one)
    totals = [int((one.summary or {})["tasks"]["total"]) for one in (run, other)]
    if totals[0] != totals[1] or run.seed != other.seed:
        said = problem(
            "other", "has other work, so decisions cannot be compared", allowed="a run of the same work under the "
            "same seed",
        )  # fmt: skip
        raise PlaygroundError(422, "other-work", "These runs have different work", (said,))
    return looking.read_look(WHY_TASK, run, {"what": "difference", "other": other.public_id})


def read_messages(*, run: Run, task: int | None, from_s: float | None, count: int) -> dict[str, Any]:
    """Give the messages of a run from an instant on, or how far it is simulated again. Raises PlaygroundError."""
    require_done(run)
    if task is not None:
        _check_task(run, task)
    asked = {"what": "messages", "task": task, "from_s": from_s, "count": count}
    return looking.read_look(WHY_TASK, run, asked)


def read_part_messages(*, run: Run, kind: EntityKind, number: int, owner: int | None, until_s: float) -> dict[str, Any]:
    """Give what a part of a run sent and received up to an instant, or how far the count is. Raises PlaygroundError."""
    require_done(run)
    if kind == "task":
        _check_task(run, number)
    asked = {"what": "part_messages", "kind": kind, "number": number, "owner": owner, "until_s": until_s}
    return looking.read_look(WHY_TASK, run, asked)


def _check_task(run: Run, task: int) -> None:
    require_done(run)
    total = int((run.summary or {})["tasks"]["total"])
    if not 0 <= task < total:
        item = problem("task", f"there is no task {task:,}", allowed=f"0 to {total - 1:,}")
        raise PlaygroundError(404, "not-found", "There is no such task", (item,))


def answer_why(*, run_id: str, look: str) -> str:
    """Find out what was asked (in a worker); return the state that it ends in."""
    return looking.answer(look=look, find=lambda asked, telling: {"answer": _answer(run_id, asked, telling)})


def _answer(run_id: str, asked: dict[str, Any], telling: Telling) -> dict[str, Any]:
    from scheduler_core import first_difference, message_log, part_messages, smallest_change

    options: dict[str, Any] = {"resolve_trace": resolve_trace, "limits": web_limits(), "told": telling.look}
    experiment = _experiment_of(run_id)
    if asked["what"] == "change":
        options |= {"builds": kept_builds(), "moments": kept_moments()}
        return smallest_change(experiment, asked["task"], asked["at_s"], most_s=MOST_SEARCH_S, **options)
    if asked["what"] == "difference":
        return first_difference(experiment, _experiment_of(asked["other"]), **options)
    if asked["what"] == "part_messages":
        return part_messages(
            experiment, asked["kind"], asked["number"], asked["until_s"], owner=asked["owner"], **options
        )
    return message_log(experiment, from_s=asked["from_s"], task=asked["task"], most=asked["count"], **options)


def _experiment_of(run_id: str) -> Any:
    run = Run.objects.select_related("experiment").get(public_id=run_id)
    return stored_experiment(run.experiment.data, seed=run.seed)
