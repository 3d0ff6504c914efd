"""WS /ws/presentations/{slug}: what a presenter shows, as binary MessagePack, beginning with the newest state.

A viewer is sent `{presenting, watching, state}` and says `{ack: true}` now and then. Who owns the experiment may say
`{present: true, token?}`, then `{state: {...}}` as often as the view changes (`{state: null}` when it does not), and
`{stop: true}`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from channels.db import database_sync_to_async
from redis.exceptions import RedisError

from playground.experiments.service import get_experiment_by_slug
from playground.presentations import rooms
from playground.presentations.rooms import ROOMS, Follower
from playground.presentations.service import may_present, shown
from playground.storage import connections
from playground.web.socket import CLOSE_TAKEN_OVER, Ended, Socket


class PresentationConsumer(Socket):
    """One socket of a presentation: a viewer's, or the presenter's."""

    most_bytes = 2048
    most_a_second = 40
    keys = frozenset({"ack", "present", "state", "stop"})
    expects = "expected ack or present, or from a presenter state or stop"

    async def join(self) -> None:
        self._slug = self.argument("slug")
        self._follower: Follower | None = None
        self._presents = ""
        await database_sync_to_async(get_experiment_by_slug)(slug=self._slug)
        self._client = connections.new_async_client()
        self._follower = Follower()
        ROOMS.join(self._slug, self._follower)
        self.run(self._tell(self._follower), name="following")

    async def leave(self) -> None:
        if self._follower is None:
            return
        with suppress(RedisError):
            if self._presents:
                await rooms.end(self._client, self._slug, self._presents)
        await ROOMS.leave(self._slug, self._follower)
        await self._client.aclose()

    async def obey(self, message: dict[str, Any]) -> None:
        assert self._follower is not None
        try:
            if message.get("ack") is True:
                self._follower.seen()
            elif message.get("present") is True:
                await self._begin(message.get("token"))
            elif self._presents and "state" in message:
                await self._show(None if message["state"] is None else shown(message["state"]))
            elif self._presents and message.get("stop") is True:
                await rooms.end(self._client, self._slug, self._presents)
                self._presents = ""
            else:
                raise ValueError(self.expects)
        except RedisError:
            # The presentation goes on where it was as soon as Redis is back.
            await self.say(
                {"error": "unavailable", "message": "the server's Redis is unavailable; the server tries again"}
            )

    async def _begin(self, token: object) -> None:
        def check() -> None:
            may_present(slug=self._slug, viewer=self.viewer(token))

        await database_sync_to_async(check)()
        self._presents = await rooms.begin(self._slug)

    async def _show(self, state: dict[str, Any] | None) -> None:
        if not await rooms.show(self._client, self._slug, self._presents, state):
            self._presents = ""
            raise Ended("taken_over", "this presentation continues in another window", CLOSE_TAKEN_OVER)

    async def _tell(self, follower: Follower) -> None:
        while True:
            await follower.wake.wait()
            told = follower.take()
            if told is not None:
                await self.forward(told)
