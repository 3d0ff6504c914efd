"""A challenge and an entry as handles of the client for programs with an event loop."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from playground.client.arena import ArenaCalls, entry_progress, is_over
from playground.client.calls import Tell
from playground.client.messages import POLL_S, Data

if TYPE_CHECKING:
    from playground.client.asynchronous import AsyncClient


class AsyncChallenge:
    """A challenge of the arena; `told` is its last description by the server."""

    def __init__(self, client: AsyncClient, told: Data) -> None:
        self._client, self.told, self.id = client, told, str(told["id"])
        self._calls = ArenaCalls(client.calls, self.id)

    async def board(self) -> Data:
        """Return the board: `rows` from the best to the last."""
        return await self._client.send(self._calls.read("board"))

    async def enter(
        self,
        author: str,
        part: Data | None = None,
        *,
        experiment_id: str | None = None,
        note: str | None = None,
        may_fork: bool | None = None,
    ) -> AsyncEntry:
        """Enter a part (`scheduler`, `values`) or a stored experiment."""
        asked = {"part": part, "experiment_id": experiment_id, "note": note, "may_fork": may_fork}
        return AsyncEntry(self._client, self._calls, await self._client.send(self._calls.enter(author, asked)))

    async def close(self) -> None:
        """Close a challenge that this client made; new seeds decide the final ranking."""
        self.told = await self._client.send(self._calls.close())


class AsyncEntry:
    """An entry; `told` is its row on the board."""

    def __init__(self, client: AsyncClient, calls: ArenaCalls, told: Data) -> None:
        self._client, self._calls, self.told, self.id = client, calls, told, str(told["id"])

    async def wait(self, timeout_s: float = 600, *, tell: Tell | None = None) -> AsyncEntry:
        """Wait until the entry has its place; call `tell` with its progress. Raises TimeoutError."""
        deadline = time.monotonic() + timeout_s
        while not is_over(self.told):
            if time.monotonic() >= deadline:
                raise TimeoutError(f"the entry is {self.told['state']} after {timeout_s:g} s")
            await asyncio.sleep(POLL_S)
            self.told = await self._client.send(self._calls.entry("GET", self.id))
            if tell is not None:
                tell(entry_progress(self.told))
        return self

    async def open(self) -> str:
        """Return the link of the entry's run under the public seed."""
        return str((await self._client.send(self._calls.entry("POST", self.id, "open")))["url"])

    async def withdraw(self) -> None:
        """Withdraw the entry."""
        await self._client.send(self._calls.entry("DELETE", self.id))
