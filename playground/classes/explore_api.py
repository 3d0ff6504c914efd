from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Path, Router

from playground.classes import forks, people, refusals, rooms, screens, starts
from playground.classes.exploring import Exploration, parse_exploration
from playground.classes.schemas import (
    ERRORS,
    AskedForkOut,
    ComputedIn,
    ForkIn,
    OwnForkOut,
    SpotIn,
    WallOut,
    body_of,
    read_as,
)
from playground.web.access import base_url, read_object, viewer_of
from playground.web.described import file_answer

router = Router(tags=["classes"])
_Digest = Annotated[str, Path(description="The digest of the file, as the class's news name it.")]


@router.put("/classes/{class_id}/explore", response={200: WallOut, **ERRORS}, openapi_extra=body_of(Exploration))
def explore(request: HttpRequest, class_id: str) -> Any:
    """Let your class change `parameters` of the experiment that it sees, within bounds or to one of some choices.

    `x` and `y` are the axes of the wall: a parameter's path, or a measured number. If only the axes change, the forks
    stay.
    """
    asked = parse_exploration(read_object(request))
    classroom = rooms.own_class(public_id=class_id, viewer=viewer_of(request))
    forks.explore(classroom=classroom, asked=asked)
    return forks.wall(classroom)


@router.get("/classes/{class_id}/wall", response={200: WallOut, **ERRORS})
def wall(request: HttpRequest, class_id: str) -> Any:
    """Give every student's values and figures in your class."""
    viewer = viewer_of(request)
    classroom = screens.shown_class(public_id=class_id, viewer=viewer)
    return forks.wall(classroom, to_teacher=viewer.owns(classroom))


@router.post("/classes/{class_id}/wall/open", response={200: WallOut, **ERRORS}, openapi_extra=body_of(SpotIn))
def open_on_screen(request: HttpRequest, class_id: str) -> Any:
    """Run the fork of a student (`number`) of your class on the projector; 0 shows the wall again."""
    asked = read_as(request, SpotIn)
    viewer = viewer_of(request)
    classroom = screens.shown_class(public_id=class_id, viewer=viewer)
    forks.open_on_screen(classroom=classroom, number=asked.number)
    return forks.wall(classroom, to_teacher=viewer.owns(classroom))


@router.put("/classes/{class_id}/fork", response={200: AskedForkOut, **ERRORS}, openapi_extra=body_of(ForkIn))
def change_fork(request: HttpRequest, class_id: str) -> Any:
    """Set the open parameters of your fork. Parameters that you leave out have the teacher's value.

    A preview computes the fork. The answer comes on the socket with the number `preview`; then the class sees it.
    """
    asked = read_as(request, ForkIn)
    with refusals.in_words():
        classroom = rooms.bare_class(public_id=class_id)
        student = people.own_student(classroom=classroom, viewer=viewer_of(request))
        fork, socket_url = forks.change(
            classroom=classroom, student=student, values=asked.values, base_url=base_url(request)
        )
    return {**(forks.fork_view(fork) or {}), "preview": fork.preview, "socket_url": socket_url}


@router.put(
    "/classes/{class_id}/fork/computed", response={200: OwnForkOut, **ERRORS}, openapi_extra=body_of(ComputedIn)
)
def tell_fork(request: HttpRequest, class_id: str) -> Any:
    """Tell what your own device computed with your `values`, from the class's packed start; no run follows here.

    `start` is the digest of that start (`explore.start.digest` in the news), `digest` the outcome's. `figures` has a
    number or null for each measure. The class sees the numbers, labeled as computed on a phone. Values that the start
    does not let a page change are refused: let `PUT /classes/{class_id}/fork` compute them.
    """
    asked = read_as(request, ComputedIn)
    told = forks.Told(asked.values, asked.start, asked.digest, asked.figures)
    with refusals.in_words():
        classroom = rooms.bare_class(public_id=class_id)
        student = people.own_student(classroom=classroom, viewer=viewer_of(request))
        return forks.take(classroom=classroom, student=student, told=told)


@router.get("/starts/{digest}", response=ERRORS, openapi_extra=file_answer("application/gzip"))
def packed_start(request: HttpRequest, digest: _Digest) -> HttpResponse:
    """Give the packed start that the phones of a class share. Its name is its digest (sha256), so it never changes.

    The format is that of `GET /runs/{run_id}/start?touchable=true`.
    """
    response = HttpResponse(starts.packed_start(digest), content_type="application/gzip")
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    return response
