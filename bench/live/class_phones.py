"""The row about a class whose phones simulate by themselves: what the server spends on a fork that a phone tells."""

from __future__ import annotations

import asyncio
import copy
import os
import time
from collections.abc import Callable
from typing import Any

import httpx
import msgpack
from websockets.asyncio.client import connect

from bench.live.previews import EXPERIMENT
from bench.live.server import Server, serving
from bench.measured import Measured

_PATIENCE_S, _AT_ONCE = 120.0, 20
_HEARTBEAT = "scheduler.params.heartbeat_s"
_MEASURES = (
    "allocation_delay_s.p50", "allocation_delay_s.p90", "allocation_delay_s.p99", "allocation_delay_s.mean",
    "job_completion_s.p50", "job_completion_s.p99", "job_completion_s.mean", "makespan_s", "utilisation.cpus",
    "fairness.entitled_worst", "counters.messages",
)  # fmt: skip


def telling(students: int) -> Callable[[int], Measured]:
    """Milliseconds of the web process's processor for each fork that a phone has computed, with the class's news."""

    def measure(_: int) -> Measured:
        with serving(workers=True) as server:
            cpu_s, wall_s = asyncio.run(_class(server, students))
        note = f"{students} forks in {wall_s:.1f} s, one socket listens; load average {os.getloadavg()[0]:.1f}"
        return Measured((1000 * cpu_s / students,), note)

    return measure


async def _class(server: Server, students: int) -> tuple[float, float]:
    """Return the processor seconds of all forks, and the seconds until the last one is stored."""
    experiment = copy.deepcopy(EXPERIMENT)
    experiment["workload"]["tasks"] = 20_000
    experiment["topology"]["clusters"][0]["repeat"] = 10  # a page simulates 5,000 machines at most
    made = server.post("/api/v1/experiments", experiment)
    room = server.post("/api/v1/classes", {"experiment": made["id"]}, made["owner_token"])
    here, teacher = f"/api/v1/classes/{room['id']}", {"Authorization": f"Bearer {room['owner_token']}"}
    clients = [httpx.AsyncClient(base_url=server.url, timeout=_PATIENCE_S) for _ in range(students)]
    asked = {"parameters": [{"path": _HEARTBEAT, "least": 1, "most": 60}]}
    (await clients[0].put(f"{here}/explore", json=asked, headers=teacher)).raise_for_status()
    async with connect(server.url.replace("http", "ws") + f"/ws/classes/{room['id']}", max_size=2**24) as socket:
        await socket.send(msgpack.packb({"token": room["owner_token"]}))
        start = await _start(socket)
        listening = asyncio.create_task(_listen(socket))
        gate = asyncio.Semaphore(_AT_ONCE)
        await asyncio.gather(*(_join(gate, client, room["code"]) for client in clients))
        await _quiet(server)
        cpu_s, began = server.cpu_s(), time.perf_counter()
        await asyncio.gather(*(_tell(gate, client, here, start, at) for at, client in enumerate(clients)))
        wall_s = time.perf_counter() - began
        await _quiet(server)
        spent_s = server.cpu_s() - cpu_s
        listening.cancel()
    await asyncio.gather(*(client.aclose() for client in clients))
    return spent_s, wall_s


async def _start(socket: Any) -> str:
    """Wait until the class has its start; return its digest."""
    while True:
        told = msgpack.unpackb(await asyncio.wait_for(socket.recv(), _PATIENCE_S))
        if start := (told.get("explore") or {}).get("start"):
            return str(start["digest"])


async def _listen(socket: Any) -> None:
    async for _ in socket:
        pass


async def _join(gate: asyncio.Semaphore, client: httpx.AsyncClient, code: str) -> None:
    async with gate:
        (await client.post("/api/v1/classes/join", json={"code": code})).raise_for_status()


async def _tell(gate: asyncio.Semaphore, client: httpx.AsyncClient, here: str, start: str, at: int) -> None:
    record = {
        "values": {_HEARTBEAT: 1 + at / 10},
        "start": start,
        "digest": f"{at:064x}",
        "figures": dict.fromkeys(_MEASURES, 0.5),
    }
    async with gate:
        (await client.put(f"{here}/fork/computed", json=record)).raise_for_status()


async def _quiet(server: Server) -> None:
    """Wait until the web process has nothing to do."""
    while True:
        before = server.cpu_s()
        await asyncio.sleep(1.0)
        if server.cpu_s() - before <= 0.02:
            return
