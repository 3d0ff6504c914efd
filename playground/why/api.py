from __future__ import annotations

from typing import Annotated, Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from ninja import Router
from pydantic import Field

from playground.questions.asking import Told
from playground.runs import service as runs
from playground.runs.results import parts
from playground.web.explained import change_told, explanation_told
from playground.web.reasons import reworded
from playground.why.difference import read_difference
from playground.why.explanation import ask_explanation, wait_for_explanation
from playground.why.messages import MOST_MESSAGES, read_messages
from playground.why.part_messages import read_part_messages
from playground.why.policy import read_policy
from playground.why.policy_words import read_words
from playground.why.schemas import LookOut
from playground.why.smallest_change import read_change
from scheduler_core.contract import HttpProblem

router = Router(tags=["why"])
_Number = Annotated[int, Field(ge=0, le=10**9)]
_Messages = Annotated[int, Field(ge=1, le=MOST_MESSAGES)]
_Instant = Annotated[float | None, Field(ge=0, le=10**9, allow_inf_nan=False)]
_Known = Annotated[float, Field(ge=0, le=10**9, allow_inf_nan=False)]
_ERRORS = dict.fromkeys((404, 409, 410, 422), HttpProblem)


@router.get("/runs/{run_id}/smallest-change", response={200: LookOut, **_ERRORS})
def smallest_change(request: HttpRequest, run_id: str, task: _Number, at_s: _Instant = None) -> Any:
    """Find the smallest single change that starts a task of a finished run earlier, by replaying the run with it.

    A worker tries each of these alone: one constraint less, one more machine, one failure less, a larger share,
    another parameter value. It searches for at most ten seconds. Ask again while `state` is `waiting`, `compiling` or
    `working`; the search ends when nobody asks. `answer.helps` has the smallest change of each kind that helped;
    `over` names the bound that ended the search.
    """
    return change_told(read_change(run=runs.get_run(public_id=run_id), task=task, at_s=at_s))


@router.get("/runs/{run_id}/policy-decision", response={200: LookOut, **_ERRORS})
def policy_decision(request: HttpRequest, run_id: str, task: _Number, at_s: _Instant = None) -> Any:
    """Tell why a policy gave a task its machine: the best candidates with each term of the score, and who was refused.

    Available for finished runs of the scheduler `own`. The machines are as they stood before the event in which the
    task last got one, up to `at_s`; for a task that had none yet, as they stood at `at_s`. Ask again while `state` is
    `waiting`, `compiling` or `working`.
    """
    return read_policy(run=runs.get_run(public_id=run_id), task=task, at_s=at_s)


@router.get("/runs/{run_id}/policy-words", response={200: LookOut, **_ERRORS})
def policy_words(request: HttpRequest, run_id: str, at_s: _Known) -> Any:
    """Give the value of every word of policies at an instant, for the task that waits longest then.

    Available for finished runs of the scheduler `own`. `answer.words` has the smallest and the largest value of each
    word: two different ones for words of machines and of running tasks, null for a word without a value. `answer.waits`
    is false where no task waits; `answer.task` is then the one that started last. Ask again while `state` is `waiting`,
    `compiling` or `working`.
    """
    return read_words(run=runs.get_run(public_id=run_id), at_s=at_s)


@router.get("/runs/{run_id}/first-difference/{other_id}", response={200: LookOut, **_ERRORS})
def first_difference(request: HttpRequest, run_id: str, other_id: str) -> Any:
    """Find the first decision that differs between two finished runs of the same workload.

    The answer has the instant, the task, and what each run did. A worker replays both runs in step. Ask again while
    `state` is `waiting`, `compiling` or `working`.
    """
    return read_difference(run=runs.get_run(public_id=run_id), other=runs.get_run(public_id=other_id))


@router.get("/runs/{run_id}/parts/{kind}/{number}/messages", response={200: LookOut, **_ERRORS})
def part_messages(
    request: HttpRequest,
    run_id: str,
    kind: parts.EntityKind,
    number: _Number,
    until_s: _Known,
    owner: _Number | None = None,
) -> Any:
    """Count the messages of one part of a finished run up to an instant, by kind, and list the last ones.

    Available for schedulers whose meta has `messages`. A worker replays at most about 20,000 events of the run:
    `answer.whole` is true if these are all since the start of the run (for a task or job: since its arrival), and
    `from_s` and `until_s` are the interval that was counted. Messages about a task, a job or a queue are not
    `directed`. Ask again while `state` is `waiting`, `compiling` or `working`.
    """
    run = runs.get_run(public_id=run_id)
    return read_part_messages(run=run, kind=kind, number=number, owner=owner, until_s=until_s)


@router.get("/runs/{run_id}/messages", response={200: LookOut, **_ERRORS})
def messages(
    request: HttpRequest,
    run_id: str,
    task: _Number | None = None,
    from_s: _Instant = None,
    count: _Messages = 300,
) -> Any:
    """Give the messages of a finished run from an instant on, or those about one task: sender, receiver, time.

    Available for schedulers whose meta has `messages`. Ask again while `state` is `waiting`, `compiling` or `working`.
    """
    return read_messages(run=runs.get_run(public_id=run_id), task=task, from_s=from_s, count=count)


@router.get("/runs/{run_id}/explain", response={200: dict[str, Any], **_ERRORS}, tags=["runs"])
async def explain(request: HttpRequest, run_id: str, task: int, at_s: _Instant = None) -> Any:
    """Give the reasons in the life of one task, in order of time, for the whole run or up to an instant."""

    def ask() -> tuple[Told, str]:
        run = runs.get_run(public_id=run_id)
        return ask_explanation(run=run, task=task, at_s=at_s), str(run.experiment.data["scheduler"]["name"])

    told, scheduler = await sync_to_async(ask)()
    answer = await wait_for_explanation(told)
    return explanation_told(answer, reworded(scheduler, answer["decisions"]))
