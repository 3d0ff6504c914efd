"""Classes with users in this process: one reader for each class, whose message in a language goes to its sockets."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress

import msgpack
from channels.db import database_sync_to_async
from django.db import DatabaseError
from django.utils import translation

from playground.classes.forks import collect
from playground.classes.news import news_of
from playground.classes.rooms import get_class
from playground.errors import PlaygroundError
from playground.models import Classroom
from playground.storage.cancelling import cancel
from playground.storage.keys import class_group
from playground.storage.notices import hear
from playground.storage.presence import note_here, note_left
from playground.web.words import SOURCE

logger = logging.getLogger(__name__)

#: Send news at once, and later news within this time together. Without news, ask the database now and then.
_HOLD_S = 0.1
_LOOK_EVERY_S = 5.0
#: After news, and while previews of students' forks run, ask the database again this soon.
_AGAIN_S = 0.5


class Member:
    """One socket of a class: the newest message that it was not sent yet, and whether it is to end."""

    def __init__(self, student: int | None, spoken: str = SOURCE) -> None:
        #: The number of the student; None for the teacher.
        self.student = student
        #: The language of the page that listens.
        self.spoken = spoken
        self.wake = asyncio.Event()
        self.told = b""
        self.over = ""

    def tell(self, told: bytes) -> None:
        self.told = told
        self.wake.set()

    def end(self, why: str) -> None:
        self.over = why
        self.wake.set()


class _Room:
    """A class as this process sees it."""

    def __init__(self, class_id: str) -> None:
        self.members: set[Member] = set()
        #: The packed news, by language.
        self.told: dict[str, bytes] = {}
        #: Whether previews of students' forks are under way.
        self._waits = False
        self._next_collection = 0.0
        self._class_id = class_id
        self._news = asyncio.Event()
        self._tasks = [
            asyncio.create_task(hear(class_group(class_id), self._wake), name="class-news"),
            asyncio.create_task(self._run(), name="class"),
        ]

    async def close(self) -> None:
        await cancel(*self._tasks)

    async def _wake(self) -> None:
        self._news.set()

    async def _run(self) -> None:
        while True:
            noticed = self._news.is_set()
            self._news.clear()
            try:
                told, removed, collected = await database_sync_to_async(self._load)()
                self._tell(told, removed, noticed=noticed or collected)
            except PlaygroundError:
                for member in self.members:
                    member.end("not_found")
            except DatabaseError as error:
                logger.debug("class %s: %s", self._class_id, error)
            await asyncio.sleep(_HOLD_S)
            # Not `wait_for`, which may lose a cancellation that comes together with the news (Python 3.11).
            with suppress(TimeoutError):
                # Once more after news: when many students act at once, a notice announces only the first.
                async with asyncio.timeout(_AGAIN_S if self._waits or noticed else _LOOK_EVERY_S):
                    await self._news.wait()

    def _load(self) -> tuple[dict[str, bytes], set[int], bool]:
        """Return the packed news by language, who was removed, and whether figures of forks have come in."""
        classroom = get_class(public_id=self._class_id)
        note_here(self._class_id, {member.student for member in list(self.members) if member.student is not None})
        collected = classroom.explore is not None and self._collect(classroom)
        gone = classroom.students.exclude(removed_at=None).values_list("number", flat=True)
        told = {spoken: _packed(classroom, spoken) for spoken in {member.spoken for member in list(self.members)}}
        return told, set(gone), collected

    def _collect(self, classroom: Classroom) -> bool:
        """Store figures of forks that have come in, now and then; return whether there are some."""
        if (now := time.monotonic()) < self._next_collection:
            self._waits = True
            return False
        self._next_collection = now + _AGAIN_S
        collected, self._waits = collect(classroom)
        return collected

    def _tell(self, told: dict[str, bytes], removed: set[int], *, noticed: bool) -> None:
        """Send news to all users, and to the teacher at every notice, which may concern the teacher alone."""
        self.told, before = told, self.told
        for member in self.members:
            own = told.get(member.spoken)
            if member.student in removed:
                member.end("removed")
            elif own is None:
                self._news.set()  # the first of this language came meanwhile
            elif own != before.get(member.spoken) or (noticed and member.student is None):
                member.tell(own)


def _packed(classroom: Classroom, spoken: str) -> bytes:
    with translation.override(spoken):
        packed: bytes = msgpack.packb(news_of(classroom))
    return packed


class Rooms:
    """The classes of this process."""

    def __init__(self) -> None:
        # A room belongs to its event loop (a server has one, tests have many).
        self._rooms: dict[tuple[int, str], _Room] = {}

    def join(self, class_id: str, member: Member) -> None:
        place = (id(asyncio.get_running_loop()), class_id)
        if place not in self._rooms:
            self._rooms[place] = _Room(class_id)
        found = self._rooms[place]
        found.members.add(member)
        told = found.told.get(member.spoken)
        if member.student is not None or told is None:
            found._news.set()  # one more is here, or the first of a language
        if told is not None:
            member.tell(told)

    async def leave(self, class_id: str, member: Member) -> None:
        place = (id(asyncio.get_running_loop()), class_id)
        found = self._rooms.get(place)
        if found is None:
            return
        found.members.discard(member)
        number = member.student
        if number is not None and all(other.student != number for other in found.members):
            await asyncio.to_thread(note_left, class_id, number)
            found._news.set()
        if not found.members:
            del self._rooms[place]
            await found.close()


ROOMS = Rooms()
