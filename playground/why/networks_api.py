from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router, Status
from pydantic import Field

from playground.runs import service as runs
from playground.web.access import read_body, viewer_of
from playground.web.explained import way_told
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
def picture(
    request: HttpRequest, run_id: str, round: _Number = None, not_before_s: _Instant = None, nearest: bool = False
) -> Any:
    """Give the flow network that the scheduler solved in a round: nodes in layers, arcs with flow and cost.

    A worker replays the run up to the round. Ask again while `state` is `waiting`, `compiling` or `working`; `answer`
    is the network. The work ends when nobody asks. Choose the round by number, or by the instant from which it
    begins. A network of more than 300 nodes is grouped, as `grouped` says. `change_bits` names the bits of `changed`.
    """
    run = runs.get_run(public_id=run_id)
    return read_picture(run=run, number=round, not_before_s=not_before_s, nearest=nearest)


@router.get("/runs/{run_id}/network/way", response={200: LookOut, **_ERRORS})
def way(request: HttpRequest, run_id: str, task: _Task, round: _Number = None, at_s: _Instant = None) -> Any:
    """Give the path of a task's unit of flow in a round, its cost, and the next-best path with the difference.

    Without a `round`, the answer is about the round that decided about the task at an instant, or by the end of the
    run. Ask again as for a network.
    """
    return way_told(read_way(run=runs.get_run(public_id=run_id), task=task, number=round, at_s=at_s))


@router.post("/runs/{run_id}/network/races", response={202: RaceOut, **_ERRORS})
def start_race(request: HttpRequest, run_id: str) -> Any:
    """Let all solvers race on the rounds of a finished run: two repair the last solution, one starts from scratch.

    If a race of this run is under way, you join it. Read its rows until its `state` is `done`, `failed` or `cancelled`.
    The race ends when nobody reads. In a long run, they race once in `every` rounds. The seconds
    of a race are real time on the server; they are part of no outcome.
    """
    read_body(request)
    race = solver_race.start_race(run=runs.get_run(public_id=run_id), viewer=viewer_of(request))
    return Status(202, race)


@router.get("/network-races/{race_id}", response={200: RaceOut, 404: HttpProblem, 422: HttpProblem})
def read_race(request: HttpRequest, race_id: str, first: _First = 0) -> Any:
    """Give at most 500 rows of a race from a row on, and the race's progress."""
    return solver_race.read_race(race=race_id, first=first)


@router.post("/network-races/{race_id}/cancel", response={200: RaceOut, **_ERRORS})
def cancel_race(request: HttpRequest, race_id: str) -> Any:
    """Cancel a race. A race that is over stays as it is."""
    read_body(request)
    return solver_race.cancel_race(race=race_id, viewer=viewer_of(request))
