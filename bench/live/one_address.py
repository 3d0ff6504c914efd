"""Rows about one network address: a class of 300 that joins, previews and forks, and 300 strangers without cookies."""

from __future__ import annotations

import asyncio
import functools
import multiprocessing
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

_PATIENCE_S = 120.0
_PROCESSES = 8


def refused_in_a_class(members: int) -> Callable[[int], Measured]:
    """Count the requests that a class of one address is refused while each member joins, previews and forks."""

    def measure(_: int) -> Measured:
        refused = _refused(members)
        said = f"{refused[0]}; " if refused else ""
        note = f"{said}{members} members, {3 * members} requests; load average {os.getloadavg()[0]:.1f}"
        return Measured((float(len(refused)),), note)

    return measure


def second_visitor(strangers: int) -> Callable[[int], Measured]:
    """Compare the preview of a second address beside strangers of one address with its quiet time."""

    def measure(_: int) -> Measured:
        with serving(workers=True, PLAYGROUND_PROXIES="1") as server:
            quiet_s, busy_s, refused = asyncio.run(_strangers(server, strangers))
        note = f"quiet {quiet_s:.2f} s, beside {strangers} strangers {busy_s:.2f} s, {refused} of them refused"
        return Measured((busy_s / quiet_s,), f"{note}; load average {os.getloadavg()[0]:.1f}")

    return measure


async def _strangers(server: Server, strangers: int) -> tuple[float, float, int]:
    visitor = httpx.AsyncClient(base_url=server.url, timeout=_PATIENCE_S, headers={"X-Forwarded-For": "203.0.113.9"})
    # At once, so that every process of previews has loaded the kernels.
    first = [httpx.AsyncClient(base_url=server.url, timeout=_PATIENCE_S) for _ in range(_PROCESSES)]
    await asyncio.gather(*(_answered(one, 50 + number) for number, one in enumerate(first)))
    quiet_s = sorted([await _answered(visitor, seed) for seed in (2, 3, 4)])[1]
    spawning = multiprocessing.get_context("spawn")
    begun, refused = spawning.Event(), spawning.Value("i", 0)
    flood = spawning.Process(target=_flood, args=(server.url, strangers, begun, refused))
    flood.start()
    await asyncio.to_thread(begun.wait, _PATIENCE_S)
    busy_s = await _answered(visitor, 5)
    await asyncio.to_thread(flood.join, _PATIENCE_S)
    await asyncio.gather(*(client.aclose() for client in (visitor, *first)))
    return quiet_s, busy_s, refused.value


def _flood(url: str, strangers: int, begun: Any, refused: Any) -> None:
    """Ask for previews of strangers at once, in a process of its own.

    Strangers have computers of their own: their side of the work gets what the server and the visitor leave.
    """
    os.nice(19)
    refused.value = asyncio.run(_ask_all(url, strangers, begun))


async def _ask_all(url: str, strangers: int, begun: Any) -> int:
    here = {"X-Forwarded-For": "192.0.2.1"}
    limits = httpx.Limits(max_connections=None)
    many = [httpx.AsyncClient(base_url=url, timeout=_PATIENCE_S, headers=here, limits=limits) for _ in range(strangers)]
    asking = [
        asyncio.create_task(one.post("/api/v1/previews", json={**EXPERIMENT, "seed": 100 + number}))
        for number, one in enumerate(many)
    ]
    await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
    begun.set()
    answers = await asyncio.gather(*asking)
    await asyncio.gather(*(client.aclose() for client in many))
    return sum(each.status_code >= 400 for each in answers)


async def _answered(client: httpx.AsyncClient, seed: int) -> float:
    """Return the seconds from a request for a preview until its answer."""
    began = time.perf_counter()
    asked = await client.post("/api/v1/previews", json={**EXPERIMENT, "seed": seed})
    asked.raise_for_status()
    place = asked.json()
    async with connect(place["socket_url"], max_size=2**24, open_timeout=_PATIENCE_S) as socket:
        while True:
            told = msgpack.unpackb(await asyncio.wait_for(socket.recv(), _PATIENCE_S))
            if told["preview"] == place["preview"] and told["state"] == "done":
                return time.perf_counter() - began
            if told["state"] not in ("compiling", "done"):
                raise RuntimeError(str(told))


@functools.cache
def _refused(members: int) -> tuple[str, ...]:
    with serving(workers=True) as server:
        return asyncio.run(_class(server, members))


async def _class(server: Server, members: int) -> tuple[str, ...]:
    made = server.post("/api/v1/experiments", EXPERIMENT)
    room = server.post("/api/v1/classes", {"experiment": made["id"]}, made["owner_token"])
    limits = httpx.Limits(max_connections=None)
    clients = [httpx.AsyncClient(base_url=server.url, timeout=_PATIENCE_S, limits=limits) for _ in range(members)]
    asked: tuple[tuple[str, Callable[[int], dict[str, Any]]], ...] = (
        ("/api/v1/classes/join", lambda _: {"code": room["code"]}),
        ("/api/v1/previews", lambda number: {**EXPERIMENT, "seed": number + 2}),
        (f"/api/v1/experiments/{made['id']}/fork", lambda number: {"seed": number + 2}),
    )
    refused: list[str] = []
    for path, body in asked:
        answers = await asyncio.gather(*(one.post(path, json=body(number)) for number, one in enumerate(clients)))
        refused += [f"{path}: {each.status_code} {each.text[:200]}" for each in answers if each.status_code >= 400]
    await asyncio.gather(*(client.aclose() for client in clients))
    return tuple(refused)
