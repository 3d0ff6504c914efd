"""The client for scripts and notebooks: every call waits for its answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, cast

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

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

Tell = Callable[[Progress], None]


class Client:
    """A server, by its address (else PLAYGROUND_URL, else this machine's). Remembers tokens of what it made."""

    def __init__(self, url: str = "", *, timeout_s: float = TIMEOUT_S) -> None:
        self._http = httpx.Client(base_url=base_of(url), timeout=timeout_s)
        self._tokens: dict[str, str] = {}

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
        """Ask anything of the API. Raises ApiProblem, Unreachable."""
        try:
            return checked(self._http.request(method, address, json=body, headers=bearer(token)))
        except httpx.TransportError as error:
            raise Unreachable(f"no playground answers at {self._http.base_url}: {error}") from error

    def own(self, experiment_id: str, token: str) -> None:
        """Show an owner token from elsewhere for what is asked of an experiment from here on."""
        self._tokens[experiment_id] = token

    def token(self, experiment_id: str) -> str:
        """Return the owner token of an experiment that this client made: keep it to write to it later."""
        return self._tokens.get(experiment_id, "")

    def create(self, experiment: Question) -> Data:
        """Store an experiment: its `id`, `slug`, `share_url` and `owner_token`."""
        return self._made(self.ask("POST", path("experiments"), as_data(experiment)))

    def fork(self, experiment_id: str, **changes: Any) -> Data:
        """Store one's own copy with changes: `at_s`, `events`, `scheduler`, `seed`, `name`, `question`."""
        return self._made(self.ask("POST", path("experiments", experiment_id, "fork"), changes))

    def _made(self, answer: httpx.Response) -> Data:
        made: Data = answer.json()
        self._tokens[made["id"]] = made["owner_token"]
        return made

    def experiment(self, experiment_id: str) -> Data:
        """Return an experiment and its runs."""
        return cast("Data", self.ask("GET", path("experiments", experiment_id)).json())

    def tree(self, experiment_id: str) -> Data:
        """Return the forks around an experiment, parents first."""
        token = self.token(experiment_id)
        return cast("Data", self.ask("GET", path("experiments", experiment_id, "tree"), token=token).json())

    def start(self, experiment_id: str, *, seed: int | None = None) -> RunHandle:
        """Start a run of a stored experiment."""
        body = {} if seed is None else {"seed": seed}
        token = self.token(experiment_id)
        told = self.ask("POST", path("experiments", experiment_id, "runs"), body, token=token).json()
        return RunHandle(self, told, token)

    def run(self, experiment: Question, *, seed: int | None = None) -> RunHandle:
        """Store an experiment and start a run of it."""
        return self.start(self.create(experiment)["id"], seed=seed)

    def open_run(self, run_id: str) -> RunHandle:
        """Return a run that exists."""
        told = self.ask("GET", path("runs", run_id)).json()
        return RunHandle(self, told, self.token(told["experiment_id"]))

    def study(self, experiment: Question | str, **plan: Any) -> StudyHandle:
        """Run an experiment (or a stored one, by its id) over a grid: `axes`, `schedulers`, `repeats`, `name`."""
        stored = experiment if isinstance(experiment, str) else self.create(experiment)["id"]
        token = self.token(stored)
        told = self.ask("POST", path("experiments", stored, "studies"), plan, token=token).json()
        return StudyHandle(self, told, token)

    def open_study(self, study_id: str) -> StudyHandle:
        """Return a study that exists."""
        told = self.ask("GET", path("studies", study_id)).json()
        return StudyHandle(self, told, self.token(told["experiment_id"]))

    def schedulers(self) -> list[Data]:
        """List the schedulers with their parameters."""
        found = self.ask("GET", path("schedulers")).json()
        return cast("list[Data]", found["schedulers"] if isinstance(found, dict) else found)


class _Handle:
    """Something on the server that takes its time."""

    _kind = ""

    def __init__(self, client: Client, told: Mapping[str, Any], token: str = "") -> None:
        self._client, self._token = client, token
        self.told: Data = dict(told)
        self.id: str = self.told["id"]
        self.experiment_id: str = self.told["experiment_id"]

    @property
    def state(self) -> str:
        """Its state when it was last asked after."""
        return str(self.told["state"])

    def refresh(self) -> Progress:
        """Ask how far it is."""
        self.told = self._get().json()
        return progress_of(self.told)

    def cancel(self) -> None:
        """Cancel it; what is over stays as it is."""
        self.told = self._client.ask("POST", path(self._kind, self.id, "cancel"), {}, token=self._token).json()

    def _get(self, *parts: str, **query: Any) -> httpx.Response:
        return self._client.ask("GET", path(self._kind, self.id, *parts, **query))

    def _await(self, timeout_s: float | None, tell: Tell | None, what: str) -> None:
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while (progress := self.refresh()).state not in FINAL:
            if tell is not None:
                tell(progress)
            if deadline is not None and time.monotonic() >= deadline:
                told = f"{progress.state} after {timeout_s:g} s, {progress.fraction:.0%} done"
                raise TimeoutError(f"the {what} is {told}")
            time.sleep(POLL_S)
        if tell is not None:
            tell(progress)
        refuse_unfinished(self.told, what)


class RunHandle(_Handle):
    """One run."""

    _kind = "runs"

    @property
    def live_url(self) -> str:
        """Page on which the run is watched."""
        return str(self.told["live_url"])

    def wait(self, timeout_s: float | None = None, *, tell: Tell | None = None) -> RunHandle:
        """Wait until it is done; `tell` hears how far it is. Raises RunFailed, TimeoutError."""
        self._await(timeout_s, tell, "run")
        return self

    def frames(self, after: int = -1) -> Iterator[Frame]:
        """Yield frames as they are computed, all of them, from the one after number `after`."""
        with connect(f"{self.told['socket_url']}?after={after}", max_size=LARGEST_FRAME) as socket:
            try:
                for message in socket:
                    frame = frame_of(message)
                    if frame is None:
                        continue
                    yield frame
                    if frame.seq % ACK_EVERY == 0:
                        socket.send(ack(frame.seq))
            except ConnectionClosed:
                return

    def summary(self) -> Data:
        """Return the exact summary of a run that is done."""
        return cast("Data", self._get("summary").json())

    def meta(self) -> Data:
        """Return what pictures need once: machines, clusters, layers."""
        return cast("Data", self._get("meta").json())

    def explain(self, task: int, at_s: float | None = None) -> Data:
        """Return a task's reasons, in the order of time."""
        return cast("Data", self._get("explain", task=task, at_s=at_s).json())

    def tasks(self) -> Any:
        """Return the table of tasks as a pandas data frame."""
        import io

        import pandas as pd

        return pd.read_parquet(io.BytesIO(self._get("tasks.parquet").content))

    def save(self, what: Literal["tasks.csv", "tasks.parquet", "recording", "notebook.ipynb"], to: str | Path) -> Path:
        """Write one of the run's files."""
        target = Path(to)
        target.write_bytes(self._get(what).content)
        return target


class StudyHandle(_Handle):
    """One study: an experiment over a grid of values, schedulers and seeds."""

    _kind = "studies"

    def wait(self, timeout_s: float | None = None, *, tell: Tell | None = None) -> StudyHandle:
        """Wait until all its runs are over. Raises RunFailed, TimeoutError."""
        self._await(timeout_s, tell, "study")
        return self

    def results(self, metric: str | None = None, *, statistic: str | None = None, against: int | None = None) -> Data:
        """Return what it has found by now: cells with intervals, and comparisons."""
        return cast("Data", self._get("results", metric=metric, statistic=statistic, against=against).json())

    def table(self) -> Any:
        """Return the grid as a pandas data frame, a row for each run that is done."""
        import io

        import pandas as pd

        return pd.read_parquet(io.BytesIO(self._get("table.parquet").content))
