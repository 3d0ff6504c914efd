"""Rows about a class of 300 that explores: every student changes a fork at one instant, to one of 20 experiments.

Meanwhile the teacher locks and unlocks the class, and students' sockets hear of it.
"""

from __future__ import annotations

import asyncio
import functools
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import msgpack
from websockets.asyncio.client import connect

from bench.live.previews import EXPERIMENT
from bench.live.server import Server, serving
from bench.measured import Measured

_PATIENCE_S = 120.0
_LISTENERS, _MOVE_EVERY_S, _AGAIN_S = 10, 0.3, 1.0
#: What the server said where it was too busy.
_REFUSED: list[str] = []
_LOAD = "workload.arrivals.offered_load"


@dataclass(frozen=True)
class Found:
    """Ascending seconds from the instant at which all change their fork until each has the answer."""

    seconds: tuple[float, ...]
    computed: int
    moves_s: tuple[float, ...]
    """Ascending seconds from a move of the teacher meanwhile until a student's socket has it."""

    @property
    def median(self) -> float:
        return self.seconds[len(self.seconds) // 2]


def forking(students: int, experiments: int) -> Callable[[int], Measured]:
    """Seconds until a student has the answer to a changed fork: 95 of 100 wait less."""

    def measure(_: int) -> Measured:
        found = _found(students, experiments)
        return Measured((found.seconds[int(0.95 * (students - 1))],), _note(found))

    return measure


def fairness(students: int, experiments: int) -> Callable[[int], Measured]:
    """How many times as long as the median the slowest student waits for the answer."""

    def measure(_: int) -> Measured:
        found = _found(students, experiments)
        return Measured((found.seconds[-1] / found.median,), _note(found))

    return measure


def moving_meanwhile(students: int, experiments: int) -> Callable[[int], Measured]:
    """Milliseconds from a move of the teacher until a student has it while all explore: 99 of 100 take less."""

    def measure(_: int) -> Measured:
        moves = _found(students, experiments).moves_s
        return Measured(
            (moves[int(0.99 * (len(moves) - 1))] * 1e3,),
            f"median {moves[len(moves) // 2] * 1e3:.0f} ms of {len(moves)}; {_note(_found(students, experiments))}",
        )

    return measure


def _note(found: Found) -> str:
    return (
        f"{len(found.seconds)} students at one instant, {found.computed} computations, p50 {found.median:.2f} s, "
        f"most {found.seconds[-1]:.2f} s, {len(_REFUSED)} asked again, clients included; "
        f"load average {os.getloadavg()[0]:.1f}"
    )


@functools.cache
def _found(students: int, experiments: int) -> Found:
    with serving(workers=True) as server:
        return asyncio.run(_class(server, students, experiments))


async def _class(server: Server, students: int, experiments: int) -> Found:
    made = server.post("/api/v1/experiments", EXPERIMENT)
    room = server.post("/api/v1/classes", {"experiment": made["id"]}, made["owner_token"])
    here, limits = f"/api/v1/classes/{room['id']}", httpx.Limits(max_connections=None)
    clients = [httpx.AsyncClient(base_url=server.url, timeout=_PATIENCE_S, limits=limits) for _ in range(students + 1)]
    teacher = {"Authorization": f"Bearer {room['owner_token']}"}
    asked = {"parameters": [{"path": _LOAD, "least": 0.5, "most": 0.95}]}
    (await clients[-1].put(f"{here}/explore", json=asked, headers=teacher)).raise_for_status()
    joined = [(await one.post("/api/v1/classes/join", json={"code": room["code"]})).json() for one in clients]
    await _changed(clients[-1], here, 0.93)  # kernels are loaded now
    address = server.url.replace("http", "ws") + f"/ws/classes/{room['id']}"
    over, listening = asyncio.Event(), [_Listener() for _ in range(_LISTENERS)]
    tasks = [
        asyncio.create_task(one.listen(address, seat["token"])) for one, seat in zip(listening, joined, strict=False)
    ]
    moving = asyncio.create_task(_moves(server.url + here, teacher, listening, over))
    answers = await asyncio.gather(
        *(_changed(client, here, 0.9 - at % experiments / 1000) for at, client in enumerate(clients[:students]))
    )
    over.set()
    moves = await moving
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, *(client.aclose() for client in clients), return_exceptions=True)
    return Found(
        tuple(sorted(seconds for seconds, _ in answers)), len({took for _, took in answers}), tuple(sorted(moves))
    )


class _Listener:
    """A socket of the class that notes when it first hears whether the class is locked."""

    def __init__(self) -> None:
        self.heard: dict[bool, float] = {}

    async def listen(self, address: str, token: str) -> None:
        async with connect(address, open_timeout=_PATIENCE_S) as socket:
            await socket.send(msgpack.packb({"token": token}))
            while True:
                told = msgpack.unpackb(await socket.recv())
                self.heard.setdefault(told["locked"], time.perf_counter())


async def _moves(here: str, teacher: dict[str, str], listening: list[_Listener], over: asyncio.Event) -> list[float]:
    """Lock and unlock the class until all is over; return the seconds of each move on each socket."""
    found: list[float] = []
    locked = False
    async with httpx.AsyncClient(timeout=_PATIENCE_S, headers=teacher) as client:
        while not over.is_set():
            await asyncio.sleep(_MOVE_EVERY_S)
            locked = not locked
            for one in listening:
                one.heard.clear()
            began = time.perf_counter()
            (await client.patch(here, json={"locked": locked})).raise_for_status()
            while not all(locked in one.heard for one in listening):
                await asyncio.sleep(0.005)
            found += [one.heard[locked] - began for one in listening]
    return found


async def _changed(client: httpx.AsyncClient, here: str, load: float) -> tuple[float, Any]:
    """Change a fork; return the seconds until its answer is there, and how long its computation took.

    As a page does, ask again a second after the server was too busy. A fork without an answer for half a minute is
    asked for again by the class itself, under a later number.
    """
    began = time.perf_counter()
    while (answer := await client.put(f"{here}/fork", json={"values": {_LOAD: load}})).status_code in (429, 503):
        _REFUSED.append(answer.text[:300])
        await asyncio.sleep(_AGAIN_S)
    if answer.status_code != 200:
        raise RuntimeError(answer.text[:300])
    place = answer.json()
    async with connect(place["socket_url"], max_size=2**24, open_timeout=_PATIENCE_S) as socket:
        while True:
            told = msgpack.unpackb(await asyncio.wait_for(socket.recv(), _PATIENCE_S))
            if told["preview"] >= place["preview"] and told["state"] == "done":
                return time.perf_counter() - began, told["took_s"]
            if told["state"] not in ("compiling", "done"):
                raise RuntimeError(str(told))
