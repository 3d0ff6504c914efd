"""WS /ws/studies/{id}: how far a study is, as binary MessagePack, at once and whenever runs have ended."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import msgpack
from autobahn.exception import Disconnected
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from playground.errors import PlaygroundError
from playground.models import FINAL_STATES
from playground.storage.keys import study_group
from playground.storage.notices import hear
from playground.studies.service import get_study, study_progress
from playground.web.once import Shared

_NOT_OFTENER_S = 0.2
_LOOK_EVERY_S = 3.0
_PROGRESS: Shared[dict[str, Any]] = Shared()
CLOSE_NORMAL, CLOSE_BAD_REQUEST, CLOSE_NOT_FOUND = 1000, 4400, 4404


class StudyConsumer(AsyncWebsocketConsumer):
    """One viewer of one study. What it has found is asked for over HTTP."""

    # It hears notices by a channel of its own, which survives a restart of Redis.
    channel_layer_alias = ""

    async def connect(self) -> None:
        self._study_id: str = self.scope["url_route"]["kwargs"]["study_id"]
        self._news = asyncio.Event()
        await self.accept()
        self._tasks = [
            asyncio.create_task(hear(study_group(self._study_id), self._wake), name="study-news"),
            asyncio.create_task(self._tell(), name="study"),
        ]

    async def disconnect(self, code: int) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await self._end("bad_message", "this socket only tells", CLOSE_BAD_REQUEST)

    async def _wake(self) -> None:
        self._news.set()

    async def _tell(self) -> None:
        """Send what has changed, some times a second at most, until the study is over."""
        last: dict[str, Any] = {}
        while last.get("state") not in FINAL_STATES:
            self._news.clear()
            try:
                told = await _PROGRESS.get(self._study_id, self._load)
            except PlaygroundError as error:
                await self._end(error.kind, error.title, CLOSE_NOT_FOUND)
                return
            if told != last:
                last = told
                with suppress(Disconnected):
                    await self.send(bytes_data=msgpack.packb(told))
            await asyncio.sleep(_NOT_OFTENER_S)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), _LOOK_EVERY_S)
        with suppress(Disconnected):
            await self.close(CLOSE_NORMAL)

    async def _load(self) -> dict[str, Any]:
        def load() -> dict[str, Any]:
            return study_progress(study=get_study(public_id=self._study_id))

        told: dict[str, Any] = await database_sync_to_async(load)()
        return told

    async def _end(self, code: str, message: str, close_code: int) -> None:
        with suppress(Disconnected):
            await self.send(bytes_data=msgpack.packb({"error": code, "message": message}))
            await self.close(close_code)
