"""The load of a soak: a house full of viewers, and everything else that people do at the same time."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import httpx
import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.support import chatty_experiment, small_experiment

_LOST = (ConnectionClosed, InvalidHandshake, OSError, TimeoutError, httpx.HTTPError)
_STUDY_RUNS = 12
_TRACE = "\n".join(f"{job * 0.5} 4 10.0 10.0 10.0 10.0 10.0" for job in range(500)).encode()


class Load:
    """Everything that goes on; `counts` tells how often."""

    def __init__(self, url: str, *, viewers: int, runs_a_minute: float, jobs: int, sliders: int, every: int) -> None:
        self.url, self.viewers, self.run_every_s = url, viewers, 60 / runs_a_minute
        self._jobs, self._sliders, self._every = jobs, sliders, every
        self.counts: Counter[str] = Counter(gaps=0)
        self._newest: tuple[int, str] = (0, "")
        self._seeds = itertools.count(1)
        self._stopping = asyncio.Event()
        self._http = httpx.AsyncClient(base_url=url, timeout=60)

    async def run(self) -> None:
        """Go on until told to stop; whoever fails by itself is counted and begins again."""
        doing: list[Callable[[], Awaitable[None]]] = [self._runs, self._studies, self._uploads, self._presentation]
        doing += [self._slider] * self._sliders
        doing += [self._viewer] * self.viewers
        async with asyncio.TaskGroup() as group:
            for act in doing:
                group.create_task(self._again(act))

    async def stop(self) -> None:
        self._stopping.set()
        await asyncio.sleep(2)
        await self._http.aclose()

    async def _again(self, act: Callable[[], Awaitable[None]]) -> None:
        while not self._stopping.is_set():
            try:
                await act()
            except _LOST as error:
                self.counts[f"failures ({type(error).__name__})"] += 1
                await asyncio.sleep(1)

    async def _post(self, path: str, data: Any, token: str = "") -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = await self._http.post(f"/api/v1/{path}", json=data, headers=headers)
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found

    async def _runs(self) -> None:
        made = await self._post("experiments", chatty_experiment(jobs=self._jobs))
        run = await self._post(f"experiments/{made['id']}/runs", {"seed": next(self._seeds)}, made["owner_token"])
        self._newest = (self._newest[0] + 1, run["socket_url"])
        self.counts["runs"] += 1
        await asyncio.sleep(self.run_every_s)

    async def _viewer(self) -> None:
        """Follow the newest run to its end, then wait for the next one, or the one that is as many later."""
        number, address = self._newest
        while not address and not self._stopping.is_set():
            await asyncio.sleep(0.2)
            number, address = self._newest
        last = -1
        with suppress(ConnectionClosed):
            async with connect(address, max_size=2**24) as socket:
                async for data in socket:
                    message = msgpack.unpackb(data)
                    if "seq" not in message:
                        continue
                    self.counts["gaps"] += message["from_seq"] != last + 1
                    last = message["seq"]
                    self.counts["messages"] += 1
                    await socket.send(msgpack.packb({"ack": last}))
        self.counts["runs watched"] += 1
        while self._newest[0] < number + self._every and not self._stopping.is_set():
            await asyncio.sleep(0.2)

    async def _studies(self) -> None:
        made = await self._post("experiments", small_experiment())
        await self._post(f"experiments/{made['id']}/studies", {"repeats": _STUDY_RUNS}, made["owner_token"])
        self.counts["studies"] += 1
        await asyncio.sleep(60)

    async def _slider(self) -> None:
        changed = small_experiment()
        changed["workload"]["arrivals"]["offered_load"] = 0.5 + next(self._seeds) % 40_000 / 100_000
        await self._post("previews", changed)
        self.counts["previews"] += 1
        await asyncio.sleep(1)

    async def _uploads(self) -> None:
        answer = await self._http.post("/api/v1/traces?name=soak.tr", content=_TRACE)
        answer.raise_for_status()
        made = answer.json()
        headers = {"Authorization": f"Bearer {made['owner_token']}"}
        (await self._http.delete(f"/api/v1/traces/{made['id']}", headers=headers)).raise_for_status()
        self.counts["uploads"] += 1
        await asyncio.sleep(20)

    async def _presentation(self) -> None:
        """Present for half a minute, with one follower who comes late and leaves early."""
        made = await self._post("experiments", small_experiment())
        address = f"{self.url.replace('http', 'ws')}/ws/presentations/{made['slug']}"
        async with connect(address) as presenter:
            reading = [asyncio.create_task(_read(presenter))]
            await presenter.send(msgpack.packb({"present": True, "token": made["owner_token"]}))
            for moment in range(30):
                await presenter.send(msgpack.packb({"state": _view(float(moment))}))
                if moment == 5:
                    follower = await connect(address)
                    reading.append(asyncio.create_task(_read(follower)))
                if moment == 25:
                    await follower.close()
                await asyncio.sleep(1)
        await asyncio.gather(*reading)
        self.counts["presentations"] += 1


async def _read(socket: ClientConnection) -> None:
    """Read until the socket closes: a full buffer would hold up the answers to pings."""
    with suppress(ConnectionClosed):
        async for _ in socket:
            await socket.send(msgpack.packb({"ack": True}))


def _view(t_s: float) -> dict[str, Any]:
    return {
        "experiment": "a", "run": "b", "t_s": t_s, "playing": True, "rate": 2, "zoom": 4.5, "centre": 7, "layer": None,
        "owners": [1], "pinned": -1, "pointed": 3,
    }  # fmt: skip
