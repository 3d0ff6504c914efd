"""The client for programs with an event loop: the same calls, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Any, cast

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from playground.client.errors import Unreachable
from playground.client.messages import (
    ACK_EVERY,
    FINAL,
    LARGEST_FRAME,
    POLL_S,
    TIMEOUT_S,
    Data,
    Frame,
    Progress,
    Question,
    ack,
    as_data,
    base_of,
    bearer,
    checked,
    frame_of,
    path,
    progress_of,
    refuse_unfinished,
)


class AsyncClient:
    """A server, by its address (else PLAYGROUND_URL, else this machine's). Remembers tokens of what it made."""

    def __init__(self, url: str = "", *, timeout_s: float = TIMEOUT_S) -> None:
        self._http = httpx.AsyncClient(base_url=base_of(url), timeout=timeout_s)
        self._tokens: dict[str, str] = {}

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def ask(self, method: str, address: str, body: Any = None, *, token: str = "") -> httpx.Response:
        """Ask anything of the API. Raises ApiProblem, Unreachable."""
        try:
            return checked(await self._http.request(method, address, json=body, headers=bearer(token)))
        except httpx.TransportError as error:
            raise Unreachable(f"no playground answers at {self._http.base_url}: {error}") from error

    def own(self, experiment_id: str, token: str) -> None:
        """Show an owner token from elsewhere for what is asked of an experiment from here on."""
        self._tokens[experiment_id] = token

    def token(self, experiment_id: str) -> str:
        """Return the owner token of an experiment that this client made."""
        return self._tokens.get(experiment_id, "")

    async def create(self, experiment: Question) -> Data:
        """Store an experiment: its `id`, `slug`, `share_url` and `owner_token`."""
        return self._made(await self.ask("POST", path("experiments"), as_data(experiment)))

    async def fork(self, experiment_id: str, **changes: Any) -> Data:
        """Store one's own copy of an experiment with changes."""
        return self._made(await self.ask("POST", path("experiments", experiment_id, "fork"), changes))

    def _made(self, answer: httpx.Response) -> Data:
        made: Data = answer.json()
        self._tokens[made["id"]] = made["owner_token"]
        return made

    async def experiment(self, experiment_id: str) -> Data:
        """Return an experiment and its runs."""
        return cast("Data", (await self.ask("GET", path("experiments", experiment_id))).json())

    async def start(self, experiment_id: str, *, seed: int | None = None) -> AsyncRun:
        """Start a run of a stored experiment."""
        body = {} if seed is None else {"seed": seed}
        token = self.token(experiment_id)
        told = (await self.ask("POST", path("experiments", experiment_id, "runs"), body, token=token)).json()
        return AsyncRun(self, told, token)

    async def run(self, experiment: Question, *, seed: int | None = None) -> AsyncRun:
        """Store an experiment and start a run of it."""
        return await self.start((await self.create(experiment))["id"], seed=seed)

    async def study(self, experiment: Question | str, **plan: Any) -> AsyncStudy:
        """Run an experiment (or a stored one, by its id) over a grid: `axes`, `schedulers`, `repeats`, `name`."""
        stored = experiment if isinstance(experiment, str) else (await self.create(experiment))["id"]
        token = self.token(stored)
        told = (await self.ask("POST", path("experiments", stored, "studies"), plan, token=token)).json()
        return AsyncStudy(self, told, token)


class _Handle:
    """Something on the server that takes its time."""

    _kind = ""

    def __init__(self, client: AsyncClient, told: Mapping[str, Any], token: str = "") -> None:
        self._client, self._token = client, token
        self.told: Data = dict(told)
        self.id: str = self.told["id"]
        self.experiment_id: str = self.told["experiment_id"]

    @property
    def state(self) -> str:
        """Its state when it was last asked after."""
        return str(self.told["state"])

    async def refresh(self) -> Progress:
        """Ask how far it is."""
        self.told = (await self._get()).json()
        return progress_of(self.told)

    async def cancel(self) -> None:
        """Cancel it; what is over stays as it is."""
        self.told = (await self._client.ask("POST", path(self._kind, self.id, "cancel"), {}, token=self._token)).json()

    async def _get(self, *parts: str, **query: Any) -> httpx.Response:
        return await self._client.ask("GET", path(self._kind, self.id, *parts, **query))

    async def _await(self, timeout_s: float | None, what: str) -> None:
        async with asyncio.timeout(timeout_s):
            while (await self.refresh()).state not in FINAL:
                await asyncio.sleep(POLL_S)
        refuse_unfinished(self.told, what)


class AsyncRun(_Handle):
    """One run."""

    _kind = "runs"

    async def wait(self, timeout_s: float | None = None) -> AsyncRun:
        """Wait until it is done. Raises RunFailed, TimeoutError."""
        await self._await(timeout_s, "run")
        return self

    async def frames(self, after: int = -1) -> AsyncIterator[Frame]:
        """Yield frames as they are computed, all of them, from the one after number `after`."""
        async with connect(f"{self.told['socket_url']}?after={after}", max_size=LARGEST_FRAME) as socket:
            try:
                async for message in socket:
                    frame = frame_of(message)
                    if frame is None:
                        continue
                    yield frame
                    if frame.seq % ACK_EVERY == 0:
                        await socket.send(ack(frame.seq))
            except ConnectionClosed:
                return

    async def summary(self) -> Data:
        """Return the exact summary of a run that is done."""
        return cast("Data", (await self._get("summary")).json())

    async def file(self, what: str) -> bytes:
        """Return one of the run's files: tasks.csv, tasks.parquet, recording, notebook.ipynb."""
        return (await self._get(what)).content


class AsyncStudy(_Handle):
    """One study: an experiment over a grid of values, schedulers and seeds."""

    _kind = "studies"

    async def wait(self, timeout_s: float | None = None) -> AsyncStudy:
        """Wait until all its runs are over. Raises RunFailed, TimeoutError."""
        await self._await(timeout_s, "study")
        return self

    async def results(self, metric: str | None = None, *, statistic: str | None = None) -> Data:
        """Return what it has found by now: cells with intervals, and comparisons."""
        return cast("Data", (await self._get("results", metric=metric, statistic=statistic)).json())
