"""A challenge and an entry as handles of the client for scripts.

tools/sync_client.py writes this file from async_arena.py.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from playground.client.arena import ArenaCalls, entry_progress, is_over
from playground.client.calls import Tell
from playground.client.messages import POLL_S, Data

if TYPE_CHECKING:
    from playground.client.synchronous import Client


class ChallengeHandle:
    """A challenge of the arena; `told` is its last description by the server."""

    def __init__(self, client: Client, told: Data) -> None:
        self._client, self.told, self.id = client, told, str(told["id"])
        self._calls = ArenaCalls(client.calls, self.id)

    def board(self) -> Data:
        """Return the board: `rows` from the best to the last."""
        return self._client.send(self._calls.read("board"))

    def enter(
        self,
        author: str,
        part: Data | None = None,
        *,
        experiment_id: str | None = None,
        note: str | None = None,
        may_fork: bool | None = None,
    ) -> EntryHandle:
        """Enter a part (`scheduler`, `values`) or a stored experiment."""
        asked = {"part": part, "experiment_id": experiment_id, "note": note, "may_fork": may_fork}
        return EntryHandle(self._client, self._calls, self._client.send(self._calls.enter(author, asked)))

    def close(self) -> None:
        """Close a challenge that this client made; new seeds decide the final ranking."""
        self.told = self._client.send(self._calls.close())


class EntryHandle:
    """An entry; `told` is its row on the board."""

    def __init__(self, client: Client, calls: ArenaCalls, told: Data) -> None:
        self._client, self._calls, self.told, self.id = client, calls, told, str(told["id"])

    def wait(self, timeout_s: float = 600, *, tell: Tell | None = None) -> EntryHandle:
        """Wait until the entry has its place; call `tell` with its progress. Raises TimeoutError."""
        deadline = time.monotonic() + timeout_s
        while not is_over(self.told):
            if time.monotonic() >= deadline:
                raise TimeoutError(f"the entry is {self.told['state']} after {timeout_s:g} s")
            time.sleep(POLL_S)
            self.told = self._client.send(self._calls.entry("GET", self.id))
            if tell is not None:
                tell(entry_progress(self.told))
        return self

    def open(self) -> str:
        """Return the link of the entry's run under the public seed."""
        return str((self._client.send(self._calls.entry("POST", self.id, "open")))["url"])

    def withdraw(self) -> None:
        """Withdraw the entry."""
        self._client.send(self._calls.entry("DELETE", self.id))
