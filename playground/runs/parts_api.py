"""HTTP: what happened to a part of a finished run."""

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
    """Tell what happened to a part of a finished run, up to an instant: counts, the parts of the delay, last events.

    `number` counts tasks, jobs, machines, queues, owners (Global Masters) or clusters; a `partition` is that of `owner`
    in a cluster. Read from the run's files: starts and ends of all tasks, and decisions as far as they are kept.
    """
    run = runs.get_run(public_id=run_id)
    return parts.describe_part(run=run, kind=kind, number=number, owner=owner, until_s=until_s, count=count)


@router.get("/runs/{run_id}/slowest-tasks", response={200: SlowestOut, **_ERRORS})
def slowest_tasks(request: HttpRequest, run_id: str, percent: _Percent = 99) -> Any:
    """Give the tasks of a finished run that waited as long as a percentile of all waits or longer, by their start.

    At most 1,000 are listed, the longest; `total` counts all.
    """
    return parts.slowest_tasks(run=runs.get_run(public_id=run_id), percent=percent)
