"""Rows about a class of 300, clients included: they join at one instant, hear the teacher, and answer."""

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
_QUESTION = {"kind": "number", "text": "How long?", "metric": "makespan_s", "low": 0, "high": 1000}


@dataclass(frozen=True)
class Found:
    """Seconds until all had joined and all had answered, and ascending seconds of a move on the students' screens."""

    joined_s: float
    answered_s: float
    moves_s: tuple[float, ...]


def joining(students: int) -> Callable[[int], Measured]:
    """Seconds from the instant at which everybody asks to join until the last one is in."""
    return lambda _: Measured((_found(students).joined_s,), _note(students))


def answering_at_once(students: int) -> Callable[[int], Measured]:
    """Seconds until every answer given at one instant is stored; fails where one is lost or counted twice."""
    return lambda _: Measured((_found(students).answered_s,), _note(students))


def moving(students: int) -> Callable[[int], Measured]:
    """Milliseconds from the teacher's move until a student's socket has it: 99 of 100 take less."""

    def measure(_: int) -> Measured:
        moves = _found(students).moves_s
        median = moves[len(moves) // 2] * 1e3
        return Measured((moves[int(0.99 * (len(moves) - 1))] * 1e3,), f"median {median:.0f} ms; {_note(students)}")

    return measure


def _note(students: int) -> str:
    return f"{students} students, clients included; load average {os.getloadavg()[0]:.1f}"


@functools.cache
def _found(students: int) -> Found:
    with serving() as server:
        return asyncio.run(_lesson(server, students))


async def _lesson(server: Server, students: int) -> Found:
    made = server.post("/api/v1/experiments", EXPERIMENT)
    classroom = server.post("/api/v1/classes", {"experiment": made["id"]}, made["owner_token"])
    here, teacher = f"/api/v1/classes/{classroom['id']}", classroom["owner_token"]
    clients = [httpx.AsyncClient(base_url=server.url, timeout=_PATIENCE_S) for _ in range(students)]
    began = time.perf_counter()
    joins = await asyncio.gather(
        *(one.post("/api/v1/classes/join", json={"code": classroom["code"]}) for one in clients)
    )
    joined_s = time.perf_counter() - began
    _refuse_failures("join", joins)
    number = server.post(f"{here}/questions", _QUESTION, teacher)["number"]
    socket_url = server.url.replace("http", "ws") + f"/ws/classes/{classroom['id']}"
    moves = await _heard(
        [(socket_url, one.json()["token"]) for one in joins],
        lambda: server.post(f"{here}/questions/{number}/open", {}, teacher),
    )
    began = time.perf_counter()
    answers = await asyncio.gather(
        *(one.put(f"{here}/questions/{number}/answer", json={"value": float(at)}) for at, one in enumerate(clients))
    )
    answered_s = time.perf_counter() - began
    _refuse_failures("answer", answers)
    csv = await clients[0].get(f"{here}/answers.csv", headers={"Authorization": f"Bearer {teacher}"})
    stored = len(csv.text.strip().splitlines()) - 1
    if stored != students:
        raise RuntimeError(f"{stored} answers of {students} are stored")
    await asyncio.gather(*(one.aclose() for one in clients))
    return Found(joined_s, answered_s, tuple(moves))


def _refuse_failures(what: str, answers: list[httpx.Response]) -> None:
    failed = [one.status_code for one in answers if one.status_code >= 300]
    if failed:
        raise RuntimeError(f"{len(failed)} of {len(answers)} could not {what}: {sorted(set(failed))}")


async def _heard(members: list[tuple[str, str]], move: Callable[[], Any]) -> list[float]:
    """Return the ascending seconds from a move until each member's socket tells of a question."""
    ready, moved, heard = asyncio.Semaphore(0), [0.0], []

    async def listen(address: str, token: str) -> None:
        async with connect(address, open_timeout=_PATIENCE_S) as socket:
            await socket.send(msgpack.packb({"token": token}))
            first = True
            while not msgpack.unpackb(await socket.recv()).get("question"):
                if first:
                    ready.release()
                first = False
            heard.append(time.perf_counter() - moved[0])

    listening = [asyncio.create_task(listen(*one)) for one in members]
    for _ in members:
        await ready.acquire()
    await asyncio.sleep(3)
    moved[0] = time.perf_counter()
    await asyncio.to_thread(move)
    await asyncio.wait_for(asyncio.gather(*listening), _PATIENCE_S)
    return sorted(heard)
