"""A Python client of the HTTP API and its sockets: `pip install 'scheduler-playground[client]'`.

    from playground.client import Client
    with Client("http://127.0.0.1:8000") as client:
        run = client.run(experiment)
        print(run.wait().summary()["allocation_delay_s"]["p99"])

`AsyncClient` is the same with `await`. Only this package talks to a server; it imports nothing of one.
"""

from __future__ import annotations

from playground.client.arena_handles import ChallengeHandle, EntryHandle
from playground.client.async_arena import AsyncChallenge, AsyncEntry
from playground.client.async_classes import AsyncClass, AsyncSeat
from playground.client.asynchronous import AsyncClient, AsyncRun, AsyncStudy
from playground.client.class_handles import ClassHandle, SeatHandle
from playground.client.errors import ApiProblem, PlaygroundProblem, RunFailed, Unreachable
from playground.client.messages import Frame, Progress
from playground.client.shown import Shown
from playground.client.synchronous import Client, RunHandle, StudyHandle

__all__ = [
    "ApiProblem", "AsyncChallenge", "AsyncClass", "AsyncClient", "AsyncEntry", "AsyncRun", "AsyncSeat", "AsyncStudy",
    "ChallengeHandle", "ClassHandle", "Client", "EntryHandle", "Frame", "PlaygroundProblem", "Progress", "RunFailed",
    "RunHandle", "SeatHandle", "Shown", "StudyHandle", "Unreachable",
]  # fmt: skip
