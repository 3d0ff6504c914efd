"""Requests and responses that both clients share. Nothing here waits or sends."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast
from urllib.parse import quote, urlencode

import httpx
import msgpack

from playground.client.errors import ApiProblem, RunFailed, Unreachable

FINAL = frozenset({"done", "failed", "cancelled"})
TIMEOUT_S = 60.0
#: A socket's largest message: a key frame of the most machines that a server takes.
LARGEST_FRAME = 2**26
ACK_EVERY = 16
#: Seconds between two questions about a run or a study that a caller waits for.
POLL_S = 0.25
Data = dict[str, Any]


class Describes(Protocol):
    """An experiment of `scheduler_core`, or any object with the same `to_dict`."""

    def to_dict(self) -> Data: ...


Question = Mapping[str, Any] | Describes


@dataclass(frozen=True)
class Progress:
    """The progress of a run or a study: `state`, `fraction` from 0 to 1, and the seconds left if they are known."""

    state: str
    fraction: float
    eta_s: float | None


@dataclass(frozen=True)
class Frame:
    """One frame: what changed since the one before (a key frame has everything). `raw` is the whole message."""

    seq: int
    t_s: float
    key: bool
    counters: dict[str, int]
    raw: Data

    @property
    def summary(self) -> Data | None:
        """The run's summary, in its last frame."""
        return cast("Data | None", self.raw.get("end"))


def as_data(question: Question) -> Data:
    """Return an experiment as JSON types."""
    return dict(question) if isinstance(question, Mapping) else question.to_dict()


def path(*parts: str, **query: Any) -> str:
    """Return an address below the API, with the parts of its query that are given."""
    asked = {name: value for name, value in query.items() if value is not None}
    tail = f"?{urlencode(asked)}" if asked else ""
    return "/".join(["/api/v1", *(quote(part, safe=".") for part in parts)]) + tail


def bearer(token: str) -> dict[str, str]:
    """Return the header that shows an owner token."""
    return {"Authorization": f"Bearer {token}"} if token else {}


def base_of(url: str) -> str:
    """Return a server's address; without one, what PLAYGROUND_URL names."""
    return (url or os.environ.get("PLAYGROUND_URL", "") or "http://127.0.0.1:8000").rstrip("/")


def checked(response: httpx.Response) -> httpx.Response:
    """Return a successful answer. Raises ApiProblem with the server's problems for any other."""
    if response.is_success:
        return response
    try:
        told = response.json()
    except ValueError:
        told = {}
    if not isinstance(told, dict):
        told = {}
    title = str(told.get("title") or f"the server answered {response.status_code}")
    raise ApiProblem(response.status_code, str(told.get("type", "")), title, told.get("problems") or ())


def frame_of(message: bytes | str) -> Frame | None:
    """Decode a socket's message; return None if it is not a frame. Raises RunFailed."""
    if isinstance(message, str):
        return None
    told = msgpack.unpackb(message)
    if "error" in told:
        raise RunFailed(f"{told['error']}: {told.get('message', '')}")
    if "seq" not in told:
        return None
    return Frame(told["seq"], told["t_ns"] / 1e9, bool(told.get("key")), dict(told.get("counters") or {}), told)


def ack(seq: int) -> bytes:
    """Encode the acknowledgment of all frames up to a number."""
    return cast("bytes", msgpack.packb({"ack": seq}))


def progress_of(told: Data) -> Progress:
    """Return the progress that an answer of the server states."""
    return Progress(str(told["state"]), float(told["progress"]), told.get("eta_s"))


def refuse_unfinished(told: Data, what: str) -> None:
    """Raise RunFailed for a run or study that ended without a result."""
    if told["state"] == "done":
        return
    error = told.get("error") or {}
    raise RunFailed(f"the {what} is {told['state']}" + (f": {error['message']}" if error.get("message") else ""))


class Followed:
    """The last frame that a reader has read, and since when its connection is lost."""

    def __init__(self, after: int) -> None:
        self.after = after
        self._unsaid = 0
        self._lost_at: float | None = None

    def took(self, frame: Frame) -> bytes | None:
        """Count a frame that was read; return the acknowledgment if one is due."""
        self.after, self._lost_at, self._unsaid = frame.seq, None, self._unsaid + 1
        if self._unsaid < ACK_EVERY:
            return None
        self._unsaid = 0
        return ack(frame.seq)

    def lost(self, error: Exception) -> None:
        """Note that the connection is lost. Raises Unreachable where it has been for `TIMEOUT_S` seconds."""
        now = time.monotonic()
        self._lost_at = self._lost_at or now
        if now - self._lost_at > TIMEOUT_S:
            raise Unreachable(f"the run's frames stopped after number {self.after}: {error}") from error
