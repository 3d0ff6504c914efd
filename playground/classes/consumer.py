"""WS /ws/classes/{id}: the state of a class as binary MessagePack, at once and at every change.

Its teacher and its students hear it: by the browser's session, or by `{token}` as the first message. It only tells, in
the language of `?lang=` (English without it).
"""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async

from playground.classes.live import ROOMS, Member
from playground.classes.people import own_student
from playground.classes.rooms import bare_class
from playground.classes.screens import is_admitted
from playground.errors import PlaygroundError
from playground.web.socket import CLOSE_BAD_REQUEST, CLOSE_NOT_FOUND, Ended, Socket

_SAID = {"removed": "The teacher removed you from this class.", "not_found": "The teacher deleted this class."}


class ClassConsumer(Socket):
    """One socket of a class: the teacher's, the projector's or a student's."""

    keys = frozenset({"token"})
    expects = "expected the token of the class or of a student"
    most_a_second = 10

    async def join(self) -> None:
        self._class_id = self.argument("class_id")
        self._member: Member | None = None
        await self._enter(await database_sync_to_async(self._who)(""))

    async def leave(self) -> None:
        if self._member is not None:
            await ROOMS.leave(self._class_id, self._member)

    async def obey(self, message: dict[str, Any]) -> None:
        if self._member is not None:
            raise ValueError("this socket only sends messages")
        member = await database_sync_to_async(self._who)(message["token"])
        if member is None:
            raise Ended("not_in_class", "join this class with its code", CLOSE_BAD_REQUEST)
        await self._enter(member)

    async def _enter(self, member: Member | None) -> None:
        if member is not None:
            self._member = member
            ROOMS.join(self._class_id, member)
            self.run(self._tell(member), name="class-member")

    def _who(self, token: object) -> Member | None:
        """Return the viewer as a member; None for a user who may still show a token."""
        classroom, viewer = bare_class(public_id=self._class_id), self.viewer(token)
        if viewer.owns(classroom):
            return Member(None, self.spoken)
        try:
            return Member(own_student(classroom=classroom, viewer=viewer).number, self.spoken)
        except PlaygroundError as error:
            if error.kind == "removed":
                raise
            return Member(None, self.spoken) if is_admitted(classroom, viewer) else None

    async def _tell(self, member: Member) -> None:
        sent = b""
        while not member.over:
            await member.wake.wait()
            member.wake.clear()
            if member.told != sent or member.student is None:
                sent = member.told
                await self.forward(sent)
        code = CLOSE_NOT_FOUND if member.over == "not_found" else CLOSE_BAD_REQUEST
        raise Ended(member.over, _SAID[member.over], code)
