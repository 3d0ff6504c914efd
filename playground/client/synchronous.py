"""The client for scripts and notebooks: every call waits for its answer.

tools/sync_client.py writes this file from asynchronous.py.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, TypeVar

import httpx
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from playground.client.arena import OWNER, ArenaCalls, make
from playground.client.arena_handles import ChallengeHandle
from playground.client.calls import Call, Calls, File, RunThing, SheetFile, StudyFile, StudyThing, Tell, Thing, Wait
from playground.client.class_handles import ClassHandle, SeatHandle
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


class Client:
    """A server, by its address (default: PLAYGROUND_URL, or else this machine). It keeps the tokens of what it made."""

    def __init__(self, url: str = "", *, timeout_s: float = TIMEOUT_S) -> None:
        self._http = httpx.Client(base_url=base_of(url), timeout=timeout_s)
        self.calls = Calls()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def ask(self, method: str, address: str, body: Any = None, *, token: str = "") -> httpx.Response:
        """Send any request to the API and return its answer. Raises ApiProblem, Unreachable."""
        try:
            return checked(self._http.request(method, address, json=body, headers=bearer(token)))
        except httpx.TransportError as error:
            raise Unreachable(f"no playground answers at {self._http.base_url}: {error}") from error

    def send(self, call: Call[T]) -> T:
        """Send one of the calls and read its answer. Raises ApiProblem, Unreachable."""
        answer = self.ask(call.method, call.address, call.body, token=call.token)
        return call.read(answer)

    def own(self, experiment_id: str, token: str) -> None:
        """Use an owner token from elsewhere in all later requests about an experiment."""
        self.calls.own(experiment_id, token)

    def token(self, experiment_id: str) -> str:
        """Return the owner token of an experiment that this client made: keep it to write to it later."""
        return self.calls.token(experiment_id)

    def create(self, experiment: Question) -> Data:
        """Store an experiment; return its `id`, `slug`, `share_url` and `owner_token`."""
        return self.send(self.calls.create(experiment))

    def fork(self, experiment_id: str, **changes: Any) -> Data:
        """Store a copy of your own with changes: `at_s`, `events`, `scheduler`, `seed`, `name`, `question`."""
        return self.send(self.calls.fork(experiment_id, changes))

    def experiment(self, experiment_id: str) -> Data:
        """Return an experiment and its runs."""
        return self.send(self.calls.experiment(experiment_id))

    def tree(self, experiment_id: str) -> Data:
        """Return the forks around an experiment, parents first."""
        return self.send(self.calls.tree(experiment_id))

    def start(self, experiment_id: str, *, seed: int | None = None, fresh: bool = False) -> RunHandle:
        """Start a run of a stored experiment; `fresh` computes it even if its result is known."""
        return RunHandle(self, self.send(self.calls.start(experiment_id, seed, fresh)))

    def run(self, experiment: Question, *, seed: int | None = None, fresh: bool = False) -> RunHandle:
        """Store an experiment and start a run of it in one request; `fresh` as in `start`."""
        return RunHandle(self, self.send(self.calls.run(experiment, seed, fresh)))

    def show(self, experiment: Question, *, settings: Settings | None = None, height: int = 640) -> Shown:
        """Run an experiment and return it as a notebook shows it; see the method `show` of a run."""
        run = self.run(experiment)
        run.wait()
        return run.show(settings, height=height)

    def open_run(self, run_id: str) -> RunHandle:
        """Return a run by its id."""
        return RunHandle(self, self.send(self.calls.told("runs", run_id)))

    def study(self, experiment: Question | str, **plan: Any) -> StudyHandle:
        """Run an experiment (or a stored one, by its id) over a grid: `axes`, `schedulers`, `repeats`, `name`."""
        stored = experiment if isinstance(experiment, str) else self.create(experiment)["id"]
        return StudyHandle(self, self.send(self.calls.study(stored, plan)))

    def open_study(self, study_id: str) -> StudyHandle:
        """Return a study by its id."""
        return StudyHandle(self, self.send(self.calls.told("studies", study_id)))

    def challenges(self) -> list[Data]:
        """List the challenges of the product and those that this client made."""
        return self.send(Call("GET", path("challenges"), token=self.calls.token(OWNER)))

    def challenge(self, challenge_id: str) -> ChallengeHandle:
        """Return a challenge by its id: `tame-the-tail`."""
        return ChallengeHandle(self, self.send(ArenaCalls(self.calls, challenge_id).read()))

    def make_challenge(self, **spec: Any) -> ChallengeHandle:
        """Make a challenge: `title`, `experiment`, `objective`, `limits`, `change`, `seeds`, `closes_at`."""
        return ChallengeHandle(self, self.send(make(self.calls, spec)))

    def compared(self, runs: Iterable[str], what: SheetFile = "sheet.html", **asked: Any) -> bytes:
        """Return one to four finished runs side by side: a page that needs no server, a figure, or its data."""
        return self.send(self.calls.compared(runs, what, asked))

    def claim(self, claim_id: str, what: SheetFile = "sheet.html") -> bytes:
        """Return a paper's claim: as a page that needs no server, as its figure, or as the figure's data."""
        return self.send(self.calls.claim(claim_id, what))

    def schedulers(self) -> list[Data]:
        """List the schedulers with their parameters."""
        return self.send(self.calls.schedulers())

    def open_class(self, *, experiment: str = "", gallery: str = "") -> ClassHandle:
        """Open a class that shows an experiment (by its id) or a question of the gallery (by its name)."""
        told = self.send(open_call(experiment, gallery))
        return ClassHandle(self, told, told["owner_token"])

    def join_class(self, code: str, name: str = "") -> SeatHandle:
        """Join a class by its code, under a name or a drawn one."""
        told = self.send(join_call(code, name))
        return SeatHandle(self, told, told["token"])


class _Handle(Generic[Kind]):
    """A run or a study: a task of the server that takes some time."""

    _kind: type[Kind]

    def __init__(self, client: Client, told: Data) -> None:
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

    def refresh(self) -> Progress:
        """Request its present state and progress."""
        return self._thing.hear(self._client.send(self._thing.refresh()))

    def cancel(self) -> None:
        """Cancel it. A run or study that has ended stays as it is."""
        self._thing.hear(self._client.send(self._thing.cancel()))

    def _await(self, timeout_s: float | None, tell: Tell | None) -> None:
        wait = Wait(self._thing, timeout_s, tell)
        while not wait.is_over(self._client.send(self._thing.refresh())):
            time.sleep(POLL_S)


class RunHandle(_Handle[RunThing]):
    """One run."""

    _kind = RunThing

    @property
    def live_url(self) -> str:
        """Page on which the run is watched."""
        return str(self.told["live_url"])

    def wait(self, timeout_s: float | None = None, *, tell: Tell | None = None) -> RunHandle:
        """Wait until the run is done; call `tell` with its progress. Raises RunFailed, TimeoutError."""
        self._await(timeout_s, tell)
        return self

    def frames(self, after: int = -1) -> Iterator[Frame]:
        """Yield frames as they are computed, all of them, from the one after number `after`.

        Who reads slowly gets each frame later; one that stands for several (`from_seq` to `seq`) comes only where the
        server no longer has the others. A connection that is lost is made again, and goes on where it was. Raises
        RunFailed, Unreachable.
        """
        followed = Followed(after)
        while True:
            try:
                with connect(self._thing.frames_url(followed.after), max_size=LARGEST_FRAME) as socket:
                    for message in socket:
                        if (frame := frame_of(message)) is None:
                            continue
                        yield frame
                        if due := followed.took(frame):
                            # After its last frame the server closes: read the frames that came before.
                            with suppress(ConnectionClosed):
                                socket.send(due)
                    return
            except (ConnectionClosed, InvalidHandshake, OSError) as error:
                followed.lost(error)
            time.sleep(POLL_S)

    def summary(self) -> Data:
        """Return the exact summary of a run that is done."""
        return self._client.send(self._thing.summary())

    def meta(self) -> Data:
        """Return the description that pictures need once: machines, clusters, layers."""
        return self._client.send(self._thing.meta())

    def explain(self, task: int, at_s: float | None = None) -> Data:
        """Return the reasons in the life of a task, in order of time."""
        return self._client.send(self._thing.explain(task, at_s))

    def tasks(self) -> Any:
        """Return the table of tasks as a pandas data frame."""
        return self._client.send(self._thing.tasks())

    def file(self, what: File) -> bytes:
        """Return one of the run's files."""
        return self._client.send(self._thing.file(what))

    def show(self, settings: Settings | None = None, *, height: int = 640) -> Shown:
        """Return a finished run as a notebook shows it: the page that plays and simulates it, in `height` pixels.

        `settings` has the values of settings that its reader may change, by path.
        """
        return self._client.send(self._thing.show(settings, height))

    def save(self, what: File, to: str | Path) -> Path:
        """Write one of the run's files."""
        target = Path(to)
        target.write_bytes(self.file(what))
        return target


class StudyHandle(_Handle[StudyThing]):
    """One study: an experiment over a grid of values, schedulers and seeds."""

    _kind = StudyThing

    def wait(self, timeout_s: float | None = None, *, tell: Tell | None = None) -> StudyHandle:
        """Wait until all runs have ended; call `tell` with the progress. Raises RunFailed, TimeoutError."""
        self._await(timeout_s, tell)
        return self

    def results(self, metric: str | None = None, *, statistic: str | None = None, against: int | None = None) -> Data:
        """Return the results so far: cells with intervals, and comparisons."""
        return self._client.send(self._thing.results(metric, statistic, against))

    def table(self) -> Any:
        """Return the grid as a pandas data frame, a row for each run that is done."""
        return self._client.send(self._thing.table())

    def file(self, what: StudyFile, **asked: Any) -> bytes:
        """Return one of the study's files; `asked` chooses a figure: `metric`, `statistic`, `against`, `show`."""
        return self._client.send(self._thing.file(what, asked))

    def save(self, what: StudyFile, to: str | Path, **asked: Any) -> Path:
        """Write one of the study's files."""
        target = Path(to)
        target.write_bytes(self.file(what, **asked))
        return target
