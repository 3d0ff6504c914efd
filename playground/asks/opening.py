"""Make an experiment of a value that a search has tried, in a worker: only workers load what a question does."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async

from playground.asks.service import find_ask
from playground.errors import PlaygroundError, not_found, problem
from playground.experiments.service import Created, create_experiment, get_experiment
from playground.ground.simulator import resolve_trace, stored_experiment, web_limits
from playground.ground.viewers import Viewer
from playground.models import Experiment
from playground.questions.answering import Asking
from playground.questions.asking import Told, ask, wait_for_answer
from playground.questions.kinds import Kind

_WAIT_S = 20.0
_KEPT_S = 60
_LONGEST_NAME = 64
_TITLE = "The tried value cannot be opened"


async def open_tried(*, ask_id: str, asked: dict[str, Any], viewer: Viewer) -> Created:
    """Store an experiment of a value that a search has tried, under the first seed; no thread waits.

    Raises PlaygroundError.
    """
    told = await sync_to_async(_begin)(ask_id, asked)
    found = await wait_for_answer(told, _WAIT_S, kind="invalid-ask", title=_TITLE)
    return await sync_to_async(_stored)(ask_id, found["experiment"], str(asked.get("name") or ""), viewer)


def _begin(ask_id: str, asked: dict[str, Any]) -> Told:
    answer = find_ask(ask_id).answer
    if answer is None:
        item = problem("", "the search has no answer yet", allowed="a search whose state is done")
        raise PlaygroundError(409, "not-done", _TITLE, (item,))
    wrong = [
        problem(key, "is not a known key", allowed="tried, name") for key in sorted(set(asked) - {"tried", "name"})
    ]
    number, most = asked.get("tried"), len(answer["tried"]) - 1
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= most:
        wrong.append(problem("tried", "is not a tried value", allowed=f"a whole number from 0 to {most}"))
    name = asked.get("name") or ""
    if not isinstance(name, str) or len(name) > _LONGEST_NAME:
        wrong.append(problem("name", "is not a name", allowed=f"a text of at most {_LONGEST_NAME} characters"))
    if wrong:
        raise PlaygroundError(422, "invalid-ask", _TITLE, tuple(wrong))
    return ask(KIND, ask_id, {"tried": number})


def _stored(ask_id: str, data: dict[str, Any], name: str, viewer: Viewer) -> Created:
    origin = get_experiment(public_id=find_ask(ask_id).facts["key"])
    if name:
        data["name"] = name
    return create_experiment(data=data, viewer=viewer, forked_from=origin)


def _answer(asking: Asking) -> dict[str, Any]:
    from scheduler_core import tried_experiment

    told = find_ask(asking.key)
    args, origin = told.facts["args"], Experiment.objects.filter(public_id=told.facts["key"], deleted_at=None).first()
    if origin is None or told.answer is None:
        raise not_found("experiment")
    made = tried_experiment(
        stored_experiment(origin),
        args["question"],
        args["promise"],
        args["options"],
        told.answer,
        asking.args["tried"],
        resolve_trace=resolve_trace,
        limits=web_limits(),
    )
    return {"experiment": made}


KIND = Kind("ask-open", _answer, about_run=False, alone=False, limit_s=15, kept_s=_KEPT_S)
