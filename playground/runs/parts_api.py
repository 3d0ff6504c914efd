"""HTTP: the decisions and messages of a part of a finished run."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router
from pydantic import Field

from playground.runs import service as runs
from playground.runs.results import parts
from playground.runs.schemas import PartOut, SlowestOut
from scheduler_core.contract import HttpProblem

router = Router(tags=["why"])
_Number = Annotated[int, Field(ge=0, le=10**9)]
_Count = Annotated[int, Field(ge=1, le=parts.MOST_ROWS)]
_Instant = Annotated[float | None, Field(ge=0, le=10**9, allow_inf_nan=False)]
_Percent = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
_ERRORS = dict.fromkeys((404, 409, 410, 422), HttpProblem)


@router.get("/runs/{run_id}/parts/{kind}/{number}", response={200: PartOut, **_ERRORS})
def part(
    request: HttpRequest,
    run_id: str,
    kind: parts.EntityKind,
    number: _Number,
    owner: _Number | None = None,
    until_s: _Instant = None,
    count: _Count = 20,
) -> Any:
    """Give what happened to one part of a finished run up to an instant: counts, parts of the delay, last events.

    A part is a task, job, machine, queue, owner (Global Master) or cluster, or the `partition` of an `owner` in a
    cluster. The answer uses the run's files: the starts and ends of all tasks, and the decisions that were kept.
    """
    run = runs.get_run(public_id=run_id)
    return parts.describe_part(run=run, kind=kind, number=number, owner=owner, until_s=until_s, count=count)


@router.get("/runs/{run_id}/slowest-tasks", response={200: SlowestOut, **_ERRORS})
def slowest_tasks(request: HttpRequest, run_id: str, percent: _Percent = 99) -> Any:
    """Give the tasks of a finished run that waited at least as long as a percentile of all waits, by start.

    At most 1,000 tasks are listed, those with the longest waits; `total` counts all.
    """
    return parts.slowest_tasks(run=runs.get_run(public_id=run_id), percent=percent)
