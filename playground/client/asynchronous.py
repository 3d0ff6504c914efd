"""The client for programs with an event loop: the same calls, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, TypeVar

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from playground.client.arena import OWNER, ArenaCalls, make
from playground.client.async_arena import AsyncChallenge
from playground.client.async_classes import AsyncClass, AsyncSeat
from playground.client.calls import Call, Calls, File, RunThing, SheetFile, StudyFile, StudyThing, Tell, Thing, Wait
from playground.client.classes import join_call, open_call
from playground.client.errors import Unreachable
from playground.client.messages import (
    LARGEST_FRAME,
    POLL_S,
    TIMEOUT_S,
    Data,
    Followed,
    Frame,
    Progress,
    Question,
    base_of,
    bearer,
    checked,
    frame_of,
    path,
)
from playground.client.shown import Settings, Shown

T = TypeVar("T")
Kind = TypeVar("Kind", bound=Thing)


class AsyncClient:
    """A server, by its address (default: PLAYGROUND_URL, or else this machine). It keeps the tokens of what it made."""

    def __init__(self, url: str = "", *, timeout_s: float = TIMEOUT_S) -> None:
        self._http = httpx.AsyncClient(base_url=base_of(url), timeout=timeout_s)
        self.calls = Calls()

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
        """Send any request to the API and return its answer. Raises ApiProblem, Unreachable."""
        try:
            return checked(await self._http.request(method, address, json=body, headers=bearer(token)))
        except httpx.TransportError as error:
            raise Unreachable(f"no playground answers at {self._http.base_url}: {error}") from error

    async def send(self, call: Call[T]) -> T:
        """Send one of the calls and read its answer. Raises ApiProblem, Unreachable."""
        answer = await self.ask(call.method, call.address, call.body, token=call.token)
        return await asyncio.to_thread(call.read, answer) if call.slow else call.read(answer)

    def own(self, experiment_id: str, token: str) -> None:
        """Use an owner token from elsewhere in all later requests about an experiment."""
        self.calls.own(experiment_id, token)

    def token(self, experiment_id: str) -> str:
        """Return the owner token of an experiment that this client made: keep it to write to it later."""
        return self.calls.token(experiment_id)

    async def create(self, experiment: Question) -> Data:
        """Store an experiment; return its `id`, `slug`, `share_url` and `owner_token`."""
        return await self.send(self.calls.create(experiment))

    async def fork(self, experiment_id: str, **changes: Any) -> Data:
        """Store a copy of your own with changes: `at_s`, `events`, `scheduler`, `seed`, `name`, `question`."""
        return await self.send(self.calls.fork(experiment_id, changes))

    async def experiment(self, experiment_id: str) -> Data:
        """Return an experiment and its runs."""
        return await self.send(self.calls.experiment(experiment_id))

    async def tree(self, experiment_id: str) -> Data:
        """Return the forks around an experiment, parents first."""
        return await self.send(self.calls.tree(experiment_id))

    async def start(self, experiment_id: str, *, seed: int | None = None, fresh: bool = False) -> AsyncRun:
        """Start a run of a stored experiment; `fresh` computes it even if its result is known."""
        return AsyncRun(self, await self.send(self.calls.start(experiment_id, seed, fresh)))

    async def run(self, experiment: Question, *, seed: int | None = None, fresh: bool = False) -> AsyncRun:
        """Store an experiment and start a run of it in one request; `fresh` as in `start`."""
        return AsyncRun(self, await self.send(self.calls.run(experiment, seed, fresh)))

    async def show(self, experiment: Question, *, settings: Settings | None = None, height: int = 640) -> Shown:
        """Run an experiment and return it as a notebook shows it; see the method `show` of a run."""
        run = await self.run(experiment)
        await run.wait()
        return await run.show(settings, height=height)

    async def open_run(self, run_id: str) -> AsyncRun:
        """Return a run by its id."""
        return AsyncRun(self, await self.send(self.calls.told("runs", run_id)))

    async def study(self, experiment: Question | str, **plan: Any) -> AsyncStudy:
        """Run an experiment (or a stored one, by its id) over a grid: `axes`, `schedulers`, `repeats`, `name`."""
        stored = experiment if isinstance(experiment, str) else (await self.create(experiment))["id"]
        return AsyncStudy(self, await self.send(self.calls.study(stored, plan)))

    async def open_study(self, study_id: str) -> AsyncStudy:
        """Return a study by its id."""
        return AsyncStudy(self, await self.send(self.calls.told("studies", study_id)))

    async def challenges(self) -> list[Data]:
        """List the challenges of the product and those that this client made."""
        return await self.send(Call("GET", path("challenges"), token=self.calls.token(OWNER)))

    async def challenge(self, challenge_id: str) -> AsyncChallenge:
        """Return a challenge by its id: `tame-the-tail`."""
        return AsyncChallenge(self, await self.send(ArenaCalls(self.calls, challenge_id).read()))

    async def make_challenge(self, **spec: Any) -> AsyncChallenge:
        """Make a challenge: `title`, `experiment`, `objective`, `limits`, `change`, `seeds`, `closes_at`."""
        return AsyncChallenge(self, await self.send(make(self.calls, spec)))

    async def compared(self, runs: Iterable[str], what: SheetFile = "sheet.html", **asked: Any) -> bytes:
        """Return one to four finished runs side by side: a page that needs no server, a figure, or its data."""
        return await self.send(self.calls.compared(runs, what, asked))

    async def claim(self, claim_id: str, what: SheetFile = "sheet.html") -> bytes:
        """Return a paper's claim: as a page that needs no server, as its figure, or as the figure's data."""
        return await self.send(self.calls.claim(claim_id, what))

    async def schedulers(self) -> list[Data]:
        """List the schedulers with their parameters."""
        return await self.send(self.calls.schedulers())

    async def open_class(self, *, experiment: str = "", gallery: str = "") -> AsyncClass:
        """Open a class that shows an experiment (by its id) or a question of the gallery (by its name)."""
        told = await self.send(open_call(experiment, gallery))
        return AsyncClass(self, told, told["owner_token"])

    async def join_class(self, code: str, name: str = "") -> AsyncSeat:
        """Join a class by its code, under a name or a drawn one."""
        told = await self.send(join_call(code, name))
        return AsyncSeat(self, told, told["token"])


class _Handle(Generic[Kind]):
    """A run or a study: a task of the server that takes some time."""

    _kind: type[Kind]

    def __init__(self, client: AsyncClient, told: Data) -> None:
        self._client, self._thing = client, self._kind(client.calls, told)
        self.id, self.experiment_id = self._thing.id, self._thing.experiment_id

    @property
    def told(self) -> Data:
        """The last answer of the server about it."""
        return self._thing.told

    @property
    def state(self) -> str:
        """Its state in the last answer of the server."""
        return str(self.told["state"])

    async def refresh(self) -> Progress:
        """Request its present state and progress."""
        return self._thing.hear(await self._client.send(self._thing.refresh()))

    async def cancel(self) -> None:
        """Cancel it. A run or study that has ended stays as it is."""
        self._thing.hear(await self._client.send(self._thing.cancel()))

    async def _await(self, timeout_s: float | None, tell: Tell | None) -> None:
        wait = Wait(self._thing, timeout_s, tell)
        while not wait.is_over(await self._client.send(self._thing.refresh())):
            await asyncio.sleep(POLL_S)


class AsyncRun(_Handle[RunThing]):
    """One run."""

    _kind = RunThing

    @property
    def live_url(self) -> str:
        """Page on which the run is watched."""
        return str(self.told["live_url"])

    async def wait(self, timeout_s: float | None = None, *, tell: Tell | None = None) -> AsyncRun:
        """Wait until the run is done; call `tell` with its progress. Raises RunFailed, TimeoutError."""
        await self._await(timeout_s, tell)
        return self

    async def frames(self, after: int = -1) -> AsyncIterator[Frame]:
        """Yield frames as they are computed, all of them, from the one after number `after`.

        Who reads slowly gets each frame later; one that stands for several (`from_seq` to `seq`) comes only where the
        server no longer has the others. A connection that is lost is made again, and goes on where it was. Raises
        RunFailed, Unreachable.
        """
        followed = Followed(after)
        while True:
            try:
                async with connect(self._thing.frames_url(followed.after), max_size=LARGEST_FRAME) as socket:
                    async for message in socket:
                        if (frame := frame_of(message)) is None:
                            continue
                        yield frame
                        if due := followed.took(frame):
                            # After its last frame the server closes: read the frames that came before.
                            with suppress(ConnectionClosed):
                                await socket.send(due)
                    return
            except (ConnectionClosed, InvalidHandshake, OSError) as error:
                followed.lost(error)
            await asyncio.sleep(POLL_S)

    async def summary(self) -> Data:
        """Return the exact summary of a run that is done."""
        return await self._client.send(self._thing.summary())

    async def meta(self) -> Data:
        """Return the description that pictures need once: machines, clusters, layers."""
        return await self._client.send(self._thing.meta())

    async def explain(self, task: int, at_s: float | None = None) -> Data:
        """Return the reasons in the life of a task, in order of time."""
        return await self._client.send(self._thing.explain(task, at_s))

    async def tasks(self) -> Any:
        """Return the table of tasks as a pandas data frame."""
        return await self._client.send(self._thing.tasks())

    async def file(self, what: File) -> bytes:
        """Return one of the run's files."""
        return await self._client.send(self._thing.file(what))

    async def show(self, settings: Settings | None = None, *, height: int = 640) -> Shown:
        """Return a finished run as a notebook shows it: the page that plays and simulates it, in `height` pixels.

        `settings` has the values of settings that its reader may change, by path.
        """
        return await self._client.send(self._thing.show(settings, height))

    async def save(self, what: File, to: str | Path) -> Path:
        """Write one of the run's files."""
        target = Path(to)
        await asyncio.to_thread(target.write_bytes, await self.file(what))
        return target


class AsyncStudy(_Handle[StudyThing]):
    """One study: an experiment over a grid of values, schedulers and seeds."""

    _kind = StudyThing

    async def wait(self, timeout_s: float | None = None, *, tell: Tell | None = None) -> AsyncStudy:
        """Wait until all runs have ended; call `tell` with the progress. Raises RunFailed, TimeoutError."""
        await self._await(timeout_s, tell)
        return self

    async def results(
        self, metric: str | None = None, *, statistic: str | None = None, against: int | None = None
    ) -> Data:
        """Return the results so far: cells with intervals, and comparisons."""
        return await self._client.send(self._thing.results(metric, statistic, against))

    async def table(self) -> Any:
        """Return the grid as a pandas data frame, a row for each run that is done."""
        return await self._client.send(self._thing.table())

    async def file(self, what: StudyFile, **asked: Any) -> bytes:
        """Return one of the study's files; `asked` chooses a figure: `metric`, `statistic`, `against`, `show`."""
        return await self._client.send(self._thing.file(what, asked))

    async def save(self, what: StudyFile, to: str | Path, **asked: Any) -> Path:
        """Write one of the study's files."""
        target = Path(to)
        await asyncio.to_thread(target.write_bytes, await self.file(what, **asked))
        return target
