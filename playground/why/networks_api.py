from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router, Status
from pydantic import Field

from playground.runs import service as runs
from playground.web.access import read_body, viewer_of
from playground.why import solver_race
from playground.why.network_picture import read_picture
from playground.why.network_way import read_way
from playground.why.schemas import LookOut, RaceOut
from scheduler_core.contract import HttpProblem

router = Router(tags=["networks"])
_Number = Annotated[int | None, Field(ge=1, le=10**9)]
_Task = Annotated[int, Field(ge=0, le=10**9)]
_First = Annotated[int, Field(ge=0, le=10**9)]
_Instant = Annotated[float | None, Field(ge=0, le=10**9, allow_inf_nan=False)]
_ERRORS = dict.fromkeys((404, 409, 422), HttpProblem)


@router.get("/runs/{run_id}/network", response={200: LookOut, **_ERRORS})
def picture(request: HttpRequest, run_id: str, round: _Number = None, not_before_s: _Instant = None) -> Any:
    """Give the network that a finished run's scheduler solved in a round: nodes in layers, arcs with flow and cost.

    A worker simulates up to there: ask again while `state` is `waiting`, `compiling` or `working`; `answer` is the
    network. Who stops asking ends the work. The round is given by number, or is the first that begins at an
    instant or later. Above 300 nodes they are put together, as `grouped` says. `changed` has the bits of `change_bits`.
    """
    return read_picture(run=runs.get_run(public_id=run_id), number=round, not_before_s=not_before_s)


@router.get("/runs/{run_id}/network/way", response={200: LookOut, **_ERRORS})
def way(request: HttpRequest, run_id: str, task: _Task, round: _Number = None, at_s: _Instant = None) -> Any:
    """Give the way that a task's unit of flow takes in a round, its cost, and the next-best way with the difference.

    Without a round it is the one that decided about the task at an instant, or by the end. Ask again as for a network.
    """
    return read_way(run=runs.get_run(public_id=run_id), task=task, number=round, at_s=at_s)


@router.post("/runs/{run_id}/network/races", response={202: RaceOut, **_ERRORS})
def start_race(request: HttpRequest, run_id: str) -> Any:
    """Solve each round of a finished run twice: repaired from the round before, and by OR-tools from scratch.

    A race of the run that is under way is joined. Read its rows until its `state` is `done`, `failed` or `cancelled`;
    when nobody does, it is given up. Seconds are real ones of the server and no part of any outcome.
    """
    read_body(request)
    race = solver_race.start_race(run=runs.get_run(public_id=run_id), viewer=viewer_of(request))
    return Status(202, race)


@router.get("/network-races/{race_id}", response={200: RaceOut, 404: HttpProblem, 422: HttpProblem})
def read_race(request: HttpRequest, race_id: str, first: _First = 0) -> Any:
    """Give the rows of a race from one on, at most 500, and how far it is."""
    return solver_race.read_race(race=race_id, first=first)


@router.post("/network-races/{race_id}/cancel", response={200: RaceOut, **_ERRORS})
def cancel_race(request: HttpRequest, race_id: str) -> Any:
    """Cancel a race; one that is over stays as it is."""
    read_body(request)
    return solver_race.cancel_race(race=race_id, viewer=viewer_of(request))
