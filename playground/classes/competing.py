"""A class plays a challenge of the arena: same workload, same hidden seeds, and a board of its own."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.utils import timezone

from playground.arena import board as boards
from playground.arena import challenges, entries
from playground.arena.line import move_on
from playground.classes.people import own_student
from playground.classes.screens import shows
from playground.classes.telling import announce
from playground.contract.classes import ClassChallenge
from playground.errors import PlaygroundError, not_found, problem
from playground.ground.viewers import Viewer
from playground.models import Challenge, ChallengeState, ClassMode, Classroom
from playground.web.words import gettext

#: A class keeps the boards of this many challenges in its list.
_MOST_PLAYED = 20


def compete(*, classroom: Classroom, name: str) -> None:
    """Let a class play a challenge, by its id. Raises PlaygroundError."""
    found = challenges.get_challenge(public_id=name)
    move_on(found)
    classroom.challenge, classroom.mode = name, ClassMode.COMPETE
    if all(one["id"] != name for one in classroom.played):
        classroom.played = [*classroom.played, {"id": name, "closed_at": None}][-_MOST_PLAYED:]
    classroom.save(update_fields=["challenge", "mode", "played"])
    announce(classroom)


def close_board(*, classroom: Classroom, name: str) -> None:
    """Close the class's board of a challenge: no more entries, and all in the class see what entries change.

    The challenge itself goes on for others. Closing twice is closing once. Raises PlaygroundError.
    """
    if all(one["id"] != name for one in classroom.played):
        raise not_found("challenge in this class")
    now = timezone.now().isoformat(timespec="seconds")
    classroom.played = [
        one | {"closed_at": one["closed_at"] or now} if one["id"] == name else one for one in classroom.played
    ]
    classroom.save(update_fields=["played"])
    announce(classroom)


def is_closed(classroom: Classroom, name: str) -> bool:
    return any(one["id"] == name and one["closed_at"] for one in classroom.played)


def played_challenges(classroom: Classroom) -> list[dict[str, Any]]:
    """Return the challenges that a class has played, the newest first, without those that were deleted meanwhile."""
    found: list[dict[str, Any]] = []
    for one in reversed(classroom.played):
        with suppress(PlaygroundError):
            challenge = challenges.get_challenge(public_id=one["id"])
            entries = challenge.entries.filter(board=_board_name(classroom)).count()
            title = gettext(challenges.spec_of(challenge).title)
            board = f"/classes/{classroom.public_id}/challenge?challenge={one['id']}"
            found.append({**one, "title": title, "entries": entries, "url": board})
    return found


def _played(classroom: Classroom, name: str = "") -> Challenge:
    """Return the challenge that a class plays, or another one of those that it has played."""
    if name and all(one["id"] != name for one in classroom.played):
        raise not_found("challenge in this class")
    if not (name or classroom.challenge):
        item = problem("", "the class plays no challenge", remedy="wait until the teacher opens one")
        raise PlaygroundError(409, "no-challenge", "There is no challenge to enter", (item,))
    return challenges.get_challenge(public_id=name or classroom.challenge)


def _board_name(classroom: Classroom) -> str:
    return f"class:{classroom.public_id}"


def refuse_stranger(classroom: Classroom, viewer: Viewer) -> None:
    """Raise PlaygroundError for anybody but the class's teacher, its projector and its students."""
    if not shows(classroom, viewer):
        own_student(classroom=classroom, viewer=viewer)


def author_of(classroom: Classroom, viewer: Viewer) -> str:
    """Return under which name a member of the class enters. Raises PlaygroundError for a stranger."""
    return gettext("Teacher") if viewer.owns(classroom) else own_student(classroom=classroom, viewer=viewer).name


def challenge_view(*, classroom: Classroom, viewer: Viewer, name: str = "") -> dict[str, Any]:
    """Return the challenge that a class plays (or has played, by its id), as the arena's page has it.

    Raises PlaygroundError.
    """
    refuse_stranger(classroom, viewer)
    return boards.challenge_payload(challenge=_played(classroom, name), viewer=viewer)


def class_board(*, classroom: Classroom, viewer: Viewer, name: str = "", projected: bool = False) -> dict[str, Any]:
    """Return the class's board; names are shown as on the projector, but for the reader's own and to the teacher.

    `projected`: as on the projector, which the whole class sees, whoever asks. Raises PlaygroundError for a stranger.
    """
    refuse_stranger(classroom, viewer)
    if projected:
        viewer = Viewer()
    closed = is_closed(classroom, name or classroom.challenge)
    told = boards.board_payload(
        challenge=_played(classroom, name),
        viewer=viewer,
        board=_board_name(classroom),
        sees_entries=closed or viewer.owns(classroom),
    )
    if closed:
        told["state"] = ChallengeState.CLOSED
    if classroom.anonymous and not viewer.owns(classroom):
        for row in told["rows"]:
            if row["role"] == "entry" and not row["mine"]:
                row["author"] = gettext("A student of the class")
    return told


def enter(*, classroom: Classroom, asked: dict[str, Any], viewer: Viewer) -> tuple[Any, str]:
    """Make an entry on the class's board, under the name that the person has in the class. Raises PlaygroundError."""
    author = author_of(classroom, viewer)
    if classroom.mode != ClassMode.COMPETE:
        item = problem("", f"the class does something else now ({classroom.mode})", remedy="wait for the teacher")
        raise PlaygroundError(409, "no-challenge", "This class takes no entries now", (item,))
    if is_closed(classroom, classroom.challenge):
        item = problem("", "the teacher closed its board", remedy="wait for the teacher")
        raise PlaygroundError(409, "challenge-closed", "This class takes no more entries", (item,))
    return entries.enter(
        challenge=_played(classroom), asked={**asked, "author": author}, viewer=viewer, board=_board_name(classroom)
    )


def challenge_news(classroom: Classroom) -> ClassChallenge | None:
    """Return the challenge in words, while the class plays it."""
    if classroom.mode != ClassMode.COMPETE or not classroom.challenge:
        return None
    try:
        spec = challenges.spec_of(_played(classroom))
    except PlaygroundError:  # deleted meanwhile
        return None
    url = f"/classes/{classroom.public_id}/challenge"
    return {
        "id": classroom.challenge,
        "title": gettext(spec.title),
        "question": gettext(spec.question),
        "url": url,
        "closed": is_closed(classroom, classroom.challenge),
    }
