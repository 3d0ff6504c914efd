from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Status

from playground.arena import board as boards
from playground.arena.schemas import ENTRY_BODY, BoardOut, EnteredOut
from playground.arena.table import board_file
from playground.classes import competing, rooms
from playground.classes.schemas import ERRORS
from playground.web.access import read_object, viewer_of
from playground.web.described import file_answer
from playground.web.rates import refuse_entries_too_often

router = Router(tags=["classes"])


@router.get("/classes/{class_id}/challenge/board", response={200: BoardOut, **ERRORS})
def class_board(request: HttpRequest, class_id: str) -> Any:
    """Give the board of the challenge that a class plays: its own entries beside the baseline and the reference."""
    return competing.class_board(classroom=rooms.get_class(public_id=class_id), viewer=viewer_of(request))


@router.get("/classes/{class_id}/challenge/board.csv", response=ERRORS, openapi_extra=file_answer("text/csv"))
def class_board_csv(request: HttpRequest, class_id: str) -> Any:
    """Give the class's board as CSV, a row for each entry; what is hidden from you is empty."""
    return board_file(competing.class_board(classroom=rooms.get_class(public_id=class_id), viewer=viewer_of(request)))


@router.post("/classes/{class_id}/challenge/entries", response={202: EnteredOut, **ERRORS}, openapi_extra=ENTRY_BODY)
def enter(request: HttpRequest, class_id: str) -> Any:
    """Make an entry on your class's board, under your name in the class."""
    refuse_entries_too_often(request)
    asked, viewer = read_object(request), viewer_of(request)
    entry, token = competing.enter(classroom=rooms.get_class(public_id=class_id), asked=asked, viewer=viewer)
    return Status(202, boards.entry_payload(entry=entry, viewer=viewer) | {"mine": True, "owner_token": token})
