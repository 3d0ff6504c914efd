"""WS /ws/studies/{id}: a study's progress as binary MessagePack, at once and whenever runs have ended."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from channels.db import database_sync_to_async

from playground.contract.sockets import StudyProgress
from playground.errors import PlaygroundError
from playground.models import FINAL_STATES
from playground.storage.keys import study_group
from playground.storage.notices import hear
from playground.studies.service import get_study, study_progress
from playground.web.once import Shared
from playground.web.socket import CLOSE_NOT_FOUND, Ended, Socket

_NOT_OFTENER_S = 0.2
_LOOK_EVERY_S = 3.0
_PROGRESS: Shared[StudyProgress] = Shared()


class StudyConsumer(Socket):
    """One viewer of one study. What it has found is asked for over HTTP."""

    expects = "this socket only sends messages"

    async def join(self) -> None:
        self._study_id = self.argument("study_id")
        self._news = asyncio.Event()
        self.run(hear(study_group(self._study_id), self._wake), name="study-news")
        self.run(self._tell(), name="study")

    async def _wake(self) -> None:
        self._news.set()

    async def _tell(self) -> None:
        """Send what has changed, some times a second at most, until the study is over."""
        last: StudyProgress | None = None
        while last is None or last["state"] not in FINAL_STATES:
            self._news.clear()
            try:
                told = await _PROGRESS.get(self._study_id, self._load)
            except PlaygroundError as error:
                # Its code has the same spelling as over HTTP.
                raise Ended(error.kind, error.title, CLOSE_NOT_FOUND) from None
            if told != last:
                last = told
                await self.say(told)
            await asyncio.sleep(_NOT_OFTENER_S)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), _LOOK_EVERY_S)
        await self.end()

    async def _load(self) -> StudyProgress:
        def load() -> StudyProgress:
            return study_progress(study=get_study(public_id=self._study_id))

        told: StudyProgress = await database_sync_to_async(load)()
        return told
