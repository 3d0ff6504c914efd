"""WS /ws/classes/{id}: the state of a class as binary MessagePack, at once and at every change.

Its teacher and its students hear it: by the browser's session, or by `{token}` as the first message. It speaks the
language of `?lang=` (English without it). A student's device says `{fork}`: what it computed with the student's values.
That needs no request of its own, with a session, a connection and a thread; limits and checks are those of the request.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from channels.db import database_sync_to_async
from django.utils import translation

from playground.classes import forks, refusals
from playground.classes.live import ROOMS, Member
from playground.classes.people import not_in_class, own_student, student_numbered
from playground.classes.rooms import bare_class
from playground.classes.schemas import ComputedIn, checked_as
from playground.classes.screens import is_admitted
from playground.contract.classes import ClassRefused, ClassStored
from playground.errors import PlaygroundError
from playground.ground.quotas import refuse_full_disk
from playground.web.batches import in_batch
from playground.web.rates import address_in, refuse_writing_too_often
from playground.web.sessions import cookie_of
from playground.web.socket import CLOSE_BAD_REQUEST, CLOSE_NOT_FOUND, Ended, Socket

_SAID = {"removed": "The teacher removed you from this class.", "not_found": "The teacher deleted this class."}


class ClassConsumer(Socket):
    """One socket of a class: the teacher's, the projector's or a student's."""

    keys = frozenset({"token", "fork"})
    expects = "expected the token of the class or of a student, or a student's fork"
    most_a_second = 10

    async def join(self) -> None:
        self._class_id = self.argument("class_id")
        self._member: Member | None = None
        # As requests show it, so that both count together.
        self._viewer = cookie_of(self.scope)
        await self._enter(await database_sync_to_async(self._who)(""))

    async def leave(self) -> None:
        if self._member is not None:
            await ROOMS.leave(self._class_id, self._member)

    async def obey(self, message: dict[str, Any]) -> None:
        if self._member is not None:
            if "fork" not in message:
                raise ValueError("this socket takes forks of students only")
            await self.say(await in_batch(partial(self._taken, message["fork"], self._member.student)))
            return
        if "token" not in message:
            raise ValueError("expected the token of the class or of a student")
        member = await database_sync_to_async(self._who)(message["token"])
        if member is None:
            raise Ended("not_in_class", "join this class with its code", CLOSE_BAD_REQUEST)
        self._viewer = self._viewer or f"Bearer {message['token']}"
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

    def _taken(self, fork: object, number: int | None) -> ClassStored | ClassRefused:
        """Store what the device of a student (by number) computed; return the answer (uses the database)."""
        with translation.override(self.spoken):
            try:
                with refusals.in_words():
                    refuse_writing_too_often(address=address_in(self.scope), viewer=self._viewer)
                    refuse_full_disk(0)
                    asked = checked_as(fork, ComputedIn)
                    if number is None:
                        raise not_in_class()
                    student = student_numbered(class_id=self._class_id, number=number)
                    told = forks.Told(asked.values, asked.start, asked.digest, asked.figures)
                    forks.take(classroom=student.classroom, student=student, told=told)
            except PlaygroundError as error:
                return {"refused": error.to_dict()}
        return {"stored": told.digest}

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
