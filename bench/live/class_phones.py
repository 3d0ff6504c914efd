"""The row about a class whose phones simulate by themselves: what the server spends on a fork that a phone tells."""

from __future__ import annotations

import asyncio
import copy
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgpack
from websockets.asyncio.client import connect

from bench.live.previews import EXPERIMENT
from bench.live.server import Server, serving
from bench.measured import Measured

_PATIENCE_S, _AT_ONCE = 120.0, 20
#: Every student tells so many forks in each way, on the socket and by a request in turns: the machine is the same.
_ROUNDS = 3
_HEARTBEAT = "scheduler.params.heartbeat_s"
_MEASURES = (
    "allocation_delay_s.p50", "allocation_delay_s.p90", "allocation_delay_s.p99", "allocation_delay_s.mean",
    "job_completion_s.p50", "job_completion_s.p99", "job_completion_s.mean", "makespan_s", "utilisation.cpus",
    "fairness.entitled_worst", "counters.messages",
)  # fmt: skip


@dataclass
class _Spent:
    """What the web process spent: milliseconds of processor time for each fork, and seconds for all, by round."""

    each_ms: list[float] = field(default_factory=list)
    wall_s: list[float] = field(default_factory=list)


class _Phone:
    """A student's socket: it hears all news, as pages do, and keeps the answers to its forks."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for message in self._socket:
            told = msgpack.unpackb(message)
            if "mode" not in told:
                await self._answers.put(told)

    async def tell(self, gate: asyncio.Semaphore, record: dict[str, Any]) -> None:
        async with gate:
            await self._socket.send(msgpack.packb({"fork": record}))
            told = await asyncio.wait_for(self._answers.get(), _PATIENCE_S)
        if told != {"stored": record["digest"]}:
            raise RuntimeError(f"a fork was not stored: {told}")

    def end(self) -> None:
        self._listening.cancel()


def telling(students: int) -> Callable[[int], Measured]:
    """Milliseconds of the web process's processor for each fork that a phone has computed, with the class's news."""

    def measure(_: int) -> Measured:
        with serving(workers=True) as server:
            on_socket, by_request = asyncio.run(_class(server, students))
        ratio = sorted(one / other for one, other in zip(by_request.each_ms, on_socket.each_ms, strict=True))
        note = (
            f"{_ROUNDS} times {students} forks, each time in {max(on_socket.wall_s):.1f} s; by requests, in turns, "
            f"{_middle(by_request.each_ms):.1f} ms, {ratio[0]:.1f} to {ratio[-1]:.1f} times as much; "
            f"load average {os.getloadavg()[0]:.1f}"
        )
        return Measured((_middle(on_socket.each_ms),), note)

    return measure


def _middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


async def _class(server: Server, students: int) -> tuple[_Spent, _Spent]:
    """Return what forks cost that phones tell on their sockets, and by requests."""
    experiment = copy.deepcopy(EXPERIMENT)
    experiment["workload"]["tasks"] = 20_000
    experiment["topology"]["clusters"][0]["repeat"] = 10  # a page simulates 5,000 machines at most
    made = server.post("/api/v1/experiments", experiment)
    room = server.post("/api/v1/classes", {"experiment": made["id"]}, made["owner_token"])
    here, teacher = f"/api/v1/classes/{room['id']}", {"Authorization": f"Bearer {room['owner_token']}"}
    address = server.url.replace("http", "ws") + f"/ws/classes/{room['id']}"
    spent = _Spent(), _Spent()
    async with AsyncExitStack() as until_over:

        async def opened(token: str) -> Any:
            socket = await until_over.enter_async_context(connect(address, max_size=2**24, open_timeout=_PATIENCE_S))
            await socket.send(msgpack.packb({"token": token}))
            return socket

        async def client() -> httpx.AsyncClient:
            made = httpx.AsyncClient(base_url=server.url, timeout=_PATIENCE_S)
            return await until_over.enter_async_context(made)

        clients = [await client() for _ in range(students)]
        asked = {"parameters": [{"path": _HEARTBEAT, "least": 1, "most": 60}]}
        (await clients[0].put(f"{here}/explore", json=asked, headers=teacher)).raise_for_status()
        of_teacher = await opened(room["owner_token"])
        start = await _start(of_teacher)
        listening = asyncio.create_task(_listen(of_teacher))
        gate = asyncio.Semaphore(_AT_ONCE)
        tokens = await asyncio.gather(*(_join(gate, client, room["code"]) for client in clients))
        phones = [_Phone(await opened(token)) for token in tokens]
        for turn in range(_ROUNDS):
            told = [_record(start, turn * students + at) for at in range(students)]
            on_socket = [one.tell(gate, record) for one, record in zip(phones, told, strict=True)]
            await _measured(server, spent[0], on_socket)
            by_request = [_ask(gate, one, here, record) for one, record in zip(clients, told, strict=True)]
            await _measured(server, spent[1], by_request)
        for phone in phones:
            phone.end()
        listening.cancel()
    return spent


async def _measured(server: Server, spent: _Spent, forks: Sequence[Awaitable[None]]) -> None:
    """Measure the web process from the first fork until it has nothing more to do."""
    await _quiet(server)
    cpu_s, began = server.cpu_s(), time.perf_counter()
    await asyncio.gather(*forks)
    spent.wall_s.append(time.perf_counter() - began)
    await _quiet(server)
    spent.each_ms.append(1000 * (server.cpu_s() - cpu_s) / len(forks))


async def _start(socket: Any) -> str:
    """Wait until the class has its start; return its digest."""
    while True:
        told = msgpack.unpackb(await asyncio.wait_for(socket.recv(), _PATIENCE_S))
        if start := (told.get("explore") or {}).get("start"):
            return str(start["digest"])


async def _listen(socket: Any) -> None:
    async for _ in socket:
        pass


async def _join(gate: asyncio.Semaphore, client: httpx.AsyncClient, code: str) -> str:
    """Join, and return the student's token."""
    async with gate:
        answer = (await client.post("/api/v1/classes/join", json={"code": code})).raise_for_status()
    return str(answer.json()["token"])


def _record(start: str, at: int) -> dict[str, Any]:
    return {
        "values": {_HEARTBEAT: 1 + at / 100},
        "start": start,
        "digest": f"{at:064x}",
        "figures": dict.fromkeys(_MEASURES, 0.5),
    }


async def _ask(gate: asyncio.Semaphore, client: httpx.AsyncClient, here: str, record: dict[str, Any]) -> None:
    async with gate:
        (await client.put(f"{here}/fork/computed", json=record)).raise_for_status()


async def _quiet(server: Server) -> None:
    """Wait until the web process has nothing to do."""
    while True:
        before = server.cpu_s()
        await asyncio.sleep(1.0)
        if server.cpu_s() - before <= 0.02:
            return
