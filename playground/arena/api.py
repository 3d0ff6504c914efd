"""Challenges and entries over HTTP. No response contains a hidden seed, because no model or service returns one."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Status

from playground.arena import board, challenges, entries
from playground.arena.line import move_on
from playground.arena.schemas import (
    ENTRY_BODY,
    BoardOut,
    CardOut,
    ChallengeOut,
    EnteredOut,
    EntryOut,
    MadeOut,
    OpenedOut,
)
from playground.arena.table import board_file
from playground.web.access import base_url, read_body, read_object, viewer_of
from playground.web.described import file_answer
from playground.web.rates import refuse_entries_too_often
from playground.web.schemas import json_body
from scheduler_core.contract import HttpProblem

router = Router(tags=["arena"])
_ERRORS = dict.fromkeys((400, 403, 404, 409, 413, 415, 422, 429), HttpProblem)
_CHALLENGE_BODY = json_body(
    {
        "type": "object",
        "required": ["title", "experiment", "objective", "change"],
        "properties": {
            "title": {"type": "string", "minLength": 1, "maxLength": 80},
            "question": {"type": "string", "maxLength": 200},
            "story": {"type": "string", "maxLength": 2000},
            "experiment": {"type": "object", "description": "The baseline. Its seed is the public seed."},
            "objective": {
                "type": "object",
                "description": "The number that ranks entries: `says` (its name), `value` (an expression over `run`), "
                "`unit`, and `better` (`less` or `more`).",
            },
            "limits": {"type": "array", "maxItems": 4, "items": {"type": "object"}},
            "change": {
                "type": "object",
                "description": "What an entry may change: `schedulers` with the parameters of each that are open, and "
                "`values` outside the scheduler.",
            },
            "seeds": {"type": "integer", "default": 10},
            "closes_at": {"type": "string", "format": "date-time"},
        },
    },
    required=True,
)


@router.get("/challenges", response={200: list[CardOut], **_ERRORS})
def list_all(request: HttpRequest) -> Any:
    """List the challenges of the product and your own. Challenges of others open by their links."""
    viewer, here = viewer_of(request), base_url(request)
    found = challenges.list_challenges(viewer=viewer)
    return [board.challenge_card(challenge=one, viewer=viewer, base_url=here) for one in found]


@router.post("/challenges", response={201: MadeOut, **_ERRORS}, openapi_extra=_CHALLENGE_BODY)
def create(request: HttpRequest) -> Any:
    """Make a challenge: the server draws its hidden seeds and runs the baseline. Nobody sees the seeds."""
    asked = read_object(request, values=challenges.MOST_VALUES)
    viewer = viewer_of(request, make_session=True)
    made, token = challenges.create_challenge(asked=asked, viewer=viewer)
    move_on(made)
    told = board.challenge_payload(challenge=made, viewer=viewer, base_url=base_url(request))
    return Status(201, told | {"owner_token": token})


@router.get("/challenges/{challenge_id}", response={200: ChallengeOut, **_ERRORS})
def read(request: HttpRequest, challenge_id: str) -> Any:
    """Give a challenge: its objective, its limits, and what an entry may change."""
    found = challenges.get_challenge(public_id=challenge_id)
    return board.challenge_payload(challenge=found, viewer=viewer_of(request), base_url=base_url(request))


@router.delete("/challenges/{challenge_id}", response={204: None, **_ERRORS})
def delete(request: HttpRequest, challenge_id: str) -> Any:
    """Delete a challenge of yours with its entries."""
    challenges.delete_challenge(challenge=challenges.get_challenge(public_id=challenge_id), viewer=viewer_of(request))
    return Status(204, None)


@router.post("/challenges/{challenge_id}/close", response={200: ChallengeOut, **_ERRORS})
def close(request: HttpRequest, challenge_id: str) -> Any:
    """End a challenge of yours: new seeds are drawn, and all entries run under them for the final ranking."""
    read_body(request)
    viewer = viewer_of(request)
    found = challenges.close_challenge(challenge=challenges.get_challenge(public_id=challenge_id), viewer=viewer)
    move_on(found)
    return board.challenge_payload(challenge=found, viewer=viewer, base_url=base_url(request))


@router.get("/challenges/{challenge_id}/board", response={200: BoardOut, **_ERRORS})
def read_board(request: HttpRequest, challenge_id: str) -> Any:
    """Give the board: means with 95 % intervals, paired differences to leader and baseline, places with ties."""
    found = challenges.get_challenge(public_id=challenge_id)
    return board.board_payload(challenge=found, viewer=viewer_of(request))


@router.get("/challenges/{challenge_id}/board.csv", response=_ERRORS, openapi_extra=file_answer("text/csv"))
def board_csv(request: HttpRequest, challenge_id: str) -> Any:
    """Give the board as CSV, a row for each entry; what is hidden from you is empty."""
    found = challenges.get_challenge(public_id=challenge_id)
    return board_file(board.board_payload(challenge=found, viewer=viewer_of(request)))


@router.post("/challenges/{challenge_id}/entries", response={202: EnteredOut, **_ERRORS}, openapi_extra=ENTRY_BODY)
def enter(request: HttpRequest, challenge_id: str) -> Any:
    """Make an entry. It runs under all hidden seeds, one entry of yours after the other. An equal entry runs once."""
    refuse_entries_too_often(request)
    asked, viewer = read_object(request), viewer_of(request, make_session=True)
    found = challenges.get_challenge(public_id=challenge_id)
    entry, token = entries.enter(challenge=found, asked=asked, viewer=viewer)
    return Status(202, board.entry_payload(entry=entry, viewer=viewer) | {"mine": True, "owner_token": token})


@router.get("/challenges/{challenge_id}/entries/{entry_id}", response={200: EntryOut, **_ERRORS})
def read_entry(request: HttpRequest, challenge_id: str, entry_id: str) -> Any:
    """Give one entry as the board shows it."""
    return board.entry_payload(entry=_entry(challenge_id, entry_id), viewer=viewer_of(request))


@router.delete("/challenges/{challenge_id}/entries/{entry_id}", response={204: None, **_ERRORS})
def withdraw(request: HttpRequest, challenge_id: str, entry_id: str) -> Any:
    """Withdraw an entry of yours, or one of a challenge that you made."""
    entries.withdraw(entry=_entry(challenge_id, entry_id), viewer=viewer_of(request))
    return Status(204, None)


@router.post("/challenges/{challenge_id}/entries/{entry_id}/open", response={200: OpenedOut, **_ERRORS})
def open_in_studio(request: HttpRequest, challenge_id: str, entry_id: str) -> Any:
    """Give the link of an entry's run under the public seed; the first time a user asks, the run is queued."""
    read_body(request)
    entry, viewer = _entry(challenge_id, entry_id), viewer_of(request)
    return {"url": entries.open_entry(entry=entry, viewer=viewer, base_url=base_url(request))}


def _entry(challenge_id: str, entry_id: str) -> Any:
    return entries.get_entry(challenge=challenges.get_challenge(public_id=challenge_id), entry_id=entry_id)
