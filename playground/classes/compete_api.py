from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Status

from playground.arena import board as boards
from playground.arena.schemas import ENTRY_BODY, BoardOut, EnteredOut
from playground.arena.table import board_file
from playground.classes import competing, rooms
from playground.classes.schemas import ERRORS, PlayedOut
from playground.web.access import read_object, viewer_of
from playground.web.described import file_answer
from playground.web.rates import refuse_entries_too_often

router = Router(tags=["classes"])


@router.get("/classes/{class_id}/challenge/board", response={200: BoardOut, **ERRORS})
def class_board(request: HttpRequest, class_id: str, challenge: str = "", projected: bool = False) -> Any:
    """Give the board of the challenge that a class plays: its own entries beside the baseline and the reference.

    `challenge` names another one that the class has played. `projected`: hide what the projector hides from the class.
    """
    classroom = rooms.get_class(public_id=class_id)
    return competing.class_board(classroom=classroom, viewer=viewer_of(request), name=challenge, projected=projected)


@router.get("/classes/{class_id}/challenge/board.csv", response=ERRORS, openapi_extra=file_answer("text/csv"))
def class_board_csv(request: HttpRequest, class_id: str, challenge: str = "") -> Any:
    """Give a board of the class as CSV, a row for each entry; what is hidden from you is empty."""
    classroom = rooms.get_class(public_id=class_id)
    return board_file(competing.class_board(classroom=classroom, viewer=viewer_of(request), name=challenge))


@router.post("/classes/{class_id}/challenges/{challenge_id}/close", response={200: list[PlayedOut], **ERRORS})
def close_class_board(request: HttpRequest, class_id: str, challenge_id: str) -> Any:
    """Close your class's board of a challenge: it takes no more entries, and shows to all what entries change.

    The challenge goes on for others. The response lists all challenges that the class has played.
    """
    read_object(request)
    classroom = rooms.own_class(public_id=class_id, viewer=viewer_of(request))
    competing.close_board(classroom=classroom, name=challenge_id)
    return competing.played_challenges(classroom)


@router.post("/classes/{class_id}/challenge/entries", response={202: EnteredOut, **ERRORS}, openapi_extra=ENTRY_BODY)
def enter(request: HttpRequest, class_id: str) -> Any:
    """Make an entry on your class's board, under your name in the class."""
    refuse_entries_too_often(request)
    asked, viewer = read_object(request), viewer_of(request)
    entry, token = competing.enter(classroom=rooms.get_class(public_id=class_id), asked=asked, viewer=viewer)
    return Status(202, boards.entry_payload(entry=entry, viewer=viewer) | {"mine": True, "owner_token": token})
