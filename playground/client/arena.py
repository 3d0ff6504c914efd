"""Calls of the arena: challenges, entries, boards. Both clients send them; one token of the client owns its entries."""

from __future__ import annotations

from typing import Any

import httpx

from playground.client.calls import Call, Calls
from playground.client.messages import Data, Progress, path

#: Under this name a client keeps the token of its first entry or challenge.
OWNER = "arena"
_OVER = ("ranked", "out")


class ArenaCalls:
    """Calls about one challenge."""

    def __init__(self, calls: Calls, challenge_id: str) -> None:
        self.calls, self.id = calls, challenge_id

    def read(self, *part: str) -> Call[Data]:
        return Call("GET", path("challenges", self.id, *part), token=self.calls.token(OWNER))

    def enter(self, author: str, asked: Data) -> Call[Data]:
        body = {"author": author} | {key: value for key, value in asked.items() if value is not None}
        address = path("challenges", self.id, "entries")
        return Call("POST", address, self._made, body, token=self.calls.token(OWNER))

    def entry(self, method: str, entry_id: str, *part: str) -> Call[Any]:
        address, token = path("challenges", self.id, "entries", entry_id, *part), self.calls.token(OWNER)
        return Call(method, address, _maybe, {} if method == "POST" else None, token=token)

    def close(self) -> Call[Data]:
        return Call("POST", path("challenges", self.id, "close"), body={}, token=self.calls.token(OWNER))

    def _made(self, answer: httpx.Response) -> Data:
        return remembered(self.calls, answer)


def make(calls: Calls, spec: Data) -> Call[Data]:
    """Make a challenge."""
    return Call("POST", path("challenges"), lambda answer: remembered(calls, answer), spec, token=calls.token(OWNER))


def remembered(calls: Calls, answer: httpx.Response) -> Data:
    """Return an answer after keeping its owner token."""
    told: Data = answer.json()
    if told.get("owner_token"):
        calls.own(OWNER, told["owner_token"])
    return told


def _maybe(answer: httpx.Response) -> Any:
    return answer.json() if answer.content else None


def entry_progress(told: Data) -> Progress:
    """Return the progress of an entry."""
    return Progress(str(told["state"]), told["done"] / max(1, told["runs"]), None)


def is_over(told: Data) -> bool:
    """Return True if an entry has its place."""
    return told["state"] in _OVER
