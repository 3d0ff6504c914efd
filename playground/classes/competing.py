"""A class plays a challenge of the arena: same workload, same hidden seeds, and a board of its own."""

from __future__ import annotations

from typing import Any

from playground.arena import board as boards
from playground.arena import challenges, entries
from playground.arena.line import move_on
from playground.classes.people import own_student
from playground.classes.telling import announce
from playground.contract.classes import ClassChallenge
from playground.errors import PlaygroundError, problem
from playground.ground.viewers import Viewer
from playground.models import Challenge, ClassMode, Classroom
from playground.web.words import gettext


def compete(*, classroom: Classroom, name: str) -> None:
    """Let a class play a challenge, by its id. Raises PlaygroundError."""
    found = challenges.get_challenge(public_id=name)
    move_on(found)
    classroom.challenge, classroom.mode = name, ClassMode.COMPETE
    classroom.save(update_fields=["challenge", "mode"])
    announce(classroom)


def _played(classroom: Classroom) -> Challenge:
    if not classroom.challenge:
        item = problem("", "the class plays no challenge", remedy="wait until the teacher opens one")
        raise PlaygroundError(409, "no-challenge", "There is no challenge to enter", (item,))
    return challenges.get_challenge(public_id=classroom.challenge)


def _board_name(classroom: Classroom) -> str:
    return f"class:{classroom.public_id}"


def refuse_stranger(classroom: Classroom, viewer: Viewer) -> None:
    """Raise PlaygroundError for anybody but the class's teacher and its students."""
    if not viewer.owns(classroom):
        own_student(classroom=classroom, viewer=viewer)


def author_of(classroom: Classroom, viewer: Viewer) -> str:
    """Return under which name a member of the class enters. Raises PlaygroundError for a stranger."""
    return gettext("Teacher") if viewer.owns(classroom) else own_student(classroom=classroom, viewer=viewer).name


def challenge_view(*, classroom: Classroom, viewer: Viewer) -> dict[str, Any]:
    """Return the challenge that a class plays, as the arena's page has it. Raises PlaygroundError."""
    refuse_stranger(classroom, viewer)
    return boards.challenge_payload(challenge=_played(classroom), viewer=viewer)


def class_board(*, classroom: Classroom, viewer: Viewer) -> dict[str, Any]:
    """Return the class's board; names are shown as on the projector, but for the reader's own and to the teacher."""
    refuse_stranger(classroom, viewer)
    told = boards.board_payload(
        challenge=_played(classroom),
        viewer=viewer,
        board=_board_name(classroom),
        sees_entries=viewer.owns(classroom),
    )
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
    return {"id": classroom.challenge, "title": spec.title, "question": spec.question, "url": url}
